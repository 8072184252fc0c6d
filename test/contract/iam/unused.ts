/** Grants that the drive does not use, by function, action and resource, each with why it stands all the same. */
export const reasons: Readonly<Record<string, string>> = {
  'run-controller s3:GetObject lockkeeper-objectsbucket/runs/*':
    'The guard of a gated run reads the state its plan was made in; the drive holds no gated run yet.',
  'run-controller s3:PutObject lockkeeper-objectsbucket/plans/*': 'The plan document of a gated run is stored there; the drive holds no gated run yet.',
  'run-controller states:SendTaskSuccess *': 'Answers the state machine of a gated run; a token names no machine, so the right cannot be narrowed.',
  'run-controller states:StartExecution stateMachine:lockkeeper-ApprovalsStateMachine':
    'Starts the questions of a gated run; the drive holds no gated run yet.',
};
