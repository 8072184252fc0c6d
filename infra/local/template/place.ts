/** Where the stack pretends to be. Function code sees these through its variables and the ARNs it is given. */
export const region = 'us-east-1';
export const account = '000000000000';
export const stackName = 'lockkeeper';

/** Base URLs of the emulators, without a slash at the end. */
export interface Place {
  readonly dynamodb: string;
  readonly sqs: string;
  readonly s3: string;
  /** Secrets Manager, SSM, EventBridge, Step Functions, CodeBuild and STS. */
  readonly aws: string;
  /** HTTP API and function URLs. */
  readonly http: string;
}

export const arn = (service: string, resource: string): string => `arn:aws:${service}:${region}:${account}:${resource}`;

/**
 * Credentials and region that every SDK client in the stack uses; the emulators check neither. The key is masked like any other,
 * so it must be no word that a person writes: `local` would take every `localhost` along.
 */
export const credentials = {
  AWS_REGION: region,
  AWS_ACCESS_KEY_ID: 'local',
  AWS_SECRET_ACCESS_KEY: 'lockkeeper-embedded-key-that-opens-nothing',
} as const;

/** What makes the ordinary SDK clients talk to this stack. */
export function endpointVariables(place: Place): Record<string, string> {
  return {
    ...credentials,
    AWS_ENDPOINT_URL_DYNAMODB: place.dynamodb,
    AWS_ENDPOINT_URL_SQS: place.sqs,
    AWS_ENDPOINT_URL_S3: place.s3,
    AWS_ENDPOINT_URL_SECRETS_MANAGER: place.aws,
    AWS_ENDPOINT_URL_SSM: place.aws,
    AWS_ENDPOINT_URL_EVENTBRIDGE: place.aws,
    AWS_ENDPOINT_URL_SFN: place.aws,
    AWS_ENDPOINT_URL_CODEBUILD: place.aws,
    AWS_ENDPOINT_URL_STS: place.aws,
  };
}
