/**
 * Every code Lockkeeper can answer with: what it means, how a command that stops on it exits, and what to do next.
 * Exit 0 success, 1 failure, 2 refused before running, 3 a lease held or lost. The reference page is generated from this table.
 */
export interface CodeEntry {
  readonly exit: 0 | 1 | 2 | 3;
  /** What happens next to whatever met it. */
  readonly consequence: 'refused' | 'line-failed' | 'run-failed' | 'fenced' | 'again' | 'note';
  readonly when: string;
  readonly hint: string;
}

const refused = (when: string, hint: string): CodeEntry => ({ exit: 2, consequence: 'refused', when, hint });
const line = (when: string, hint: string): CodeEntry => ({ exit: 1, consequence: 'line-failed', when, hint });
const run = (when: string, hint: string): CodeEntry => ({ exit: 1, consequence: 'run-failed', when, hint });
const fenced = (when: string, hint: string): CodeEntry => ({ exit: 3, consequence: 'fenced', when, hint });
const note = (when: string, hint: string): CodeEntry => ({ exit: 0, consequence: 'note', when, hint });

export const codes = {
  PLAN_PARSE: refused('the plan file cannot be read as YAML', 'Fix the syntax at the position named, then run `lockkeeper validate`.'),
  PLAN_INVALID: refused('the plan file breaks a rule of its format', 'Change what the message names; `lockkeeper validate` lists every mistake at once.'),
  PLAN_DOUBTFUL: note('something in the plan file hardly does what it seems to', 'Write what is meant; or declare the name in `environments`, if it is.'),
  PLAN_MISSING: refused('there is no plan file', '`lockkeeper init` writes a first one; or name another file with --plan.'),
  PLAN_TOO_LARGE: refused('the plan file is larger than 4 MiB, or its aliases expand too far', 'Split the plan, or write the repeated part out.'),
  REF_UNKNOWN: refused('a reference names no line', 'Use the id of a line in this file, as `from: <line>.<output>`.'),
  REF_CYCLE: refused('lines depend on each other in a circle', 'Take out one of the references on the path that is printed.'),
  REF_FILTERED: refused('a reference names a line that this environment leaves out', 'Give both lines the same `environments`, or drop the reference.'),
  REF_OUTPUT_UNKNOWN: refused('the op does not have that output', 'Use one of the outputs the message lists.'),
  CTX_NULL: refused(
    'a ${…} is unknown, or has no value here',
    'Use one of the variables the message lists, or give the missing one with --branch, --sha or --pr.',
  ),
  ENV_UNKNOWN: refused('the environment is not declared', 'Use one of the declared environments, or add it to `environments`.'),
  ENV_NOT_APPROVED: refused(
    'the run would write in a protected environment and nobody has approved it',
    'Look at the plan, then type `lockkeeper approve <digest>` or `lockkeeper reject <digest>`.',
  ),
  FROZEN: refused(
    'somebody has frozen the environment: until the time named, nothing new is applied there',
    'Wait until then, or type `lockkeeper unfreeze <environment>`; then run again with `lockkeeper retry <run>`.',
  ),
  PLAN_CORRUPT: run('a stored plan is not what its digest says', 'Nothing was applied; start the run again.'),
  PLAN_STALE: { exit: 1, consequence: 'again', when: 'the world moved after the decision', hint: 'Nothing to do: the run plans again and asks again.' },
  NOTHING_TO_ABSORB: run('nothing of the line was edited outside', 'Nothing to do: what is live is what was applied last.'),
  CANNOT_ABSORB: run('what was edited outside cannot be written into the plan file', 'Change the plan file by hand, or put the plan back.'),
  TICK_STALE: note(
    'what a ticked box stood for is not what there is to do any more',
    'Nothing of it was done: look at the row as it is now, and tick its box if that is meant.',
  ),
  TICK_UNVERIFIED: refused('nobody could look up who ticked a box, or whether they may', 'Nothing of it was done: tick the box again once GitHub answers.'),
  DRIFT_GONE: note('what was ticked, or some of it, had gone away by itself, or is accepted or ignored by now', 'Nothing to do: the row shows how it is now.'),
  ALREADY_DECIDED: refused('the person has answered this question before', 'The first answer stands; `lockkeeper log <run>` tells what came of it.'),
  REJECTED: run('a person rejected the plan', 'Nothing of it was applied; `lockkeeper retry <run>` plans and asks again.'),
  EXPIRED: run('the plan was not approved, or not all of it applied, in time', 'Nothing more of it is applied; `lockkeeper retry <run>` plans and asks again.'),
  CANCELLED: run('a person stopped the run', 'What it had applied stays; `lockkeeper undo <run>` removes what it created.'),
  RUN_OVER: refused('the run has ended, so there is nothing of it left to stop', '`lockkeeper undo <run>` removes what it created.'),
  TOO_LATE: refused(
    'the decision has been honoured, or was given after the comment that takes one back',
    '`lockkeeper cancel <run>` stops the run before its next write.',
  ),
  QUESTION_UNKNOWN: refused('no open question has that digest', 'List open questions with `lockkeeper runs`.'),
  APPROVER_NOT_A_PERSON: refused('the caller is nobody whom policy knows as an approver', 'Map the AWS principal to a GitHub user in lockkeeper.yaml.'),
  NOT_AN_APPROVER: refused('the person may not decide on this environment', 'Ask one of the approvers that the message names.'),
  POLICY_INVALID: refused(
    'lockkeeper.yaml on the default branch cannot be read, or breaks a rule of its format',
    'Change what the message names on the default branch; until then nothing is applied, and no default takes its place.',
  ),
  POLICY_DENIED: refused(
    'policy does not let this environment use what the line names',
    'Use what the message lists, or have the list in lockkeeper.yaml changed on the default branch.',
  ),
  POLICY_CHANGED: note(
    'a pull request changes lockkeeper.yaml',
    'Review it as what it is: who decides, and what may be used. Until it is merged, the file on the default branch holds.',
  ),
  POLICY_DOUBTFUL: note('something in lockkeeper.yaml hardly does what it seems to', 'Write what is meant, or remove it.'),
  SECRET_LITERAL: refused('a literal stands under a secret-looking name', 'Put the value into a secret store and write `{ secret: env://NAME }`.'),
  SECRET_UNRESOLVED: line('a secret source did not give the value', 'Set the variable or create the secret that the message names, then run again.'),
  SECRET_IN_IDENTITY: line('a key, id or output would carry a secret value', 'Name the resource by something that is not secret.'),
  ADAPTER_UNKNOWN: refused('there is no such adapter', 'Use one of the adapters the message lists.'),
  OP_UNKNOWN: refused('the adapter has no such op', 'Use one of the ops the message lists.'),
  PARAM_INVALID: refused('the adapter does not take that parameter', 'Change the parameter the message names.'),
  USAGE: refused('a flag or argument is wrong', 'Run `lockkeeper <command> --help`.'),
  STACK_EXISTS: refused(
    'the repository names a deployed stack, and a ledger kept elsewhere would contradict that one',
    'Add --stack with the name in the message. `--local` runs it on this machine all the same, and the receipt says so.',
  ),
  STACK_BYPASSED: note(
    'a run was made on a machine although the repository names a stack',
    'Run it through the stack next time; what this run made is in the ledger of that machine alone.',
  ),
  STACK_UNKNOWN: refused(
    'there is no such stack in this account and region, or it is none of Lockkeeper’s',
    'Check --stack, AWS_PROFILE and AWS_REGION; `lockkeeper doctor --stack <name>` looks closer.',
  ),
  COMMIT_NOT_PUSHED: refused('a deployed stack runs what is pushed, and this is not', 'Commit and push it, then run the same command again.'),
  AWS_ACCESS: run('AWS does not know the caller, or does not let them do this', 'Do what the message says; docs/deploy.md lists what each command needs.'),
  STACK_INCOMPLETE: run('something of an installation is missing, or not as it should be', 'Do what stands below each check that says `missing`.'),
  STATE_FOLDER: refused('the state folder cannot be used', 'Check its permissions, or name another with --state-dir.'),
  NOT_FOUND: refused('nothing of that name is recorded', 'List what there is with `lockkeeper runs`.'),
  RUN_NOT_OVER: refused('the run has not ended, so there is nothing to run again or to undo', 'Wait for its end: `lockkeeper log <run>` tells how far it is.'),
  ADOPT_REQUIRED: line(
    'the resource exists, Lockkeeper did not make it, and the line would change it',
    'Let the line take it over with `lockkeeper adopt <line>`, keep it with `{ keep: true }`, or give the line a resource of its own.',
  ),
  NOTHING_TO_ACCEPT: line(
    'a person accepted what was edited outside, and nothing of the line was',
    'Run `lockkeeper apply`: the line needs nobody’s word. What somebody edits later is shown first.',
  ),
  NOTHING_TO_ADOPT: line(
    'a person let a line take over what exists, and there is nothing that it would have to take over',
    'Run `lockkeeper apply`: the line needs nobody’s word. What turns up later is shown first.',
  ),
  DRIFT_CHANGED: line(
    'the resource was edited or replaced outside',
    '`lockkeeper reconcile <line>` puts the plan back, `lockkeeper accept <line>` leaves it until a date, `lockkeeper absorb <line>` makes it the plan.',
  ),
  DRIFT_FOUND: run(
    'the read found something that is not as it was declared or recorded, and `--fail-on-drift` was given',
    'Look at the records that are not in sync. `lockkeeper plan --reconcile` shows what putting them back would do; `lockkeeper absorb <line>` makes what is live the plan, and `lockkeeper accept <line> --until <date> --reason <why>` leaves it for a while.',
  ),
  DRIFT_NOT_READ: run('a drift read cannot run as it was asked for', 'Do what the message says; `lockkeeper drift --help` lists what can be read.'),
  DRIFT_RECORD_INVALID: run('a drift record breaks a rule of its format', 'Correct whatever made the record: the message names it and the rule.'),
  DRIFT_INPUT_INVALID: run(
    'what was given as drift is in no form that is known, or was cut off',
    'Give the tool’s whole output, unchanged; docs/drift.md lists the forms.',
  ),
  CHANGED_OUTSIDE: note(
    'a resource that Lockkeeper had created was deleted although somebody had edited it outside',
    'Nothing to do; make it again by hand, outside of the plan, if somebody still needs it.',
  ),
  OWNED_BY_OTHER_SCOPE: line(
    'another scope, or another line of the plan, owns the resource',
    'Release it there first, or give this line a resource of its own.',
  ),
  DEPENDENCY_BLOCKED: line('a line this one depends on did not finish', 'Fix the line named; this one follows.'),
  OUTPUT_UNAVAILABLE: line(
    'a line needs a value that was given once, when another line’s resource was made, and it is not as it was written with that',
    '`lockkeeper recreate <line>` makes that resource anew and gives a new value; or keep the value in a secret store.',
  ),
  EXTERNAL_FAILED: line('the event the line waits for failed', 'Fix the deployment, then push again.'),
  REDEPLOY_FAILED: line(
    'what a line wrote stands, and could not be deployed',
    'Nothing is undone. Run again: what is due is deployed then; or redeploy it at the provider.',
  ),
  WAIT_TIMEOUT: line(
    'the provider, an event or another run took longer than was waited for',
    'Look at the provider; a new run goes on where this one stopped.',
  ),
  MANUAL_STEP_PENDING: refused(
    'a line, or the removal of one, waits until a person has done something',
    'Do what the instructions say, then type `lockkeeper confirm <line>`; the run goes on by itself.',
  ),
  INTENT_UNRESOLVED: line('an interrupted create could not be looked for', 'Run again when the provider answers.'),
  ROLLBACK_FAILED: line('undoing a create failed', 'The resources named are still there; `lockkeeper destroy` removes them.'),
  DESTROY_FAILED: line('a delete failed', 'The resources named are still managed; run destroy again when the provider answers.'),
  LINE_TOO_LARGE: line('what one line manages does not fit into one ledger item', 'Split this line.'),
  TOOL_FAILED: line(
    'an infrastructure tool failed, was ended, or answered what this version does not know',
    '`lockkeeper words <run> <line>` shows what it said, to whoever may read that. What it did stands: the next run plans from there.',
  ),
  TOOL_DIFFERED: note(
    'an infrastructure tool reports to have done something else than was approved',
    'Look at the addresses named, and at what the tool said: `lockkeeper words <run> <line>`. It cannot be taken back by itself.',
  ),
  TOOL_LOCKED: fenced(
    'somebody else has the lock of a stack’s state, for longer than was waited for',
    'Run again when they are done. Lockkeeper never breaks that lock; if nobody is at work, its owner frees it with the tool.',
  ),
  TOOL_UNUSABLE: line(
    'an infrastructure tool is not there, or not in a version that can be used',
    'Install it, or let the line name the version that the message asks for.',
  ),
  STATE_NOT_KEPT: line(
    'the state of a stack would go away with the job that made it, and what was made would be nobody’s',
    'Declare a backend in the root that outlives the job: S3, GCS, HTTP or HCP Terraform; on your own machine also `local` with an absolute `path`, and with an absolute `workspace_dir` where there are workspaces.',
  ),
  STACK_NOT_SIMULATED: line(
    'a stack was to be planned or applied with `--sim`',
    'Run it without `--sim`, in an environment where nothing can be spoilt: what a tool works on is real, and it would be given invented secrets.',
  ),
  SOURCE_UNUSABLE: line(
    'the commit does not hold what the line says its stack is made of',
    'Check `path` and `var_files` of the line, and what lies there in the commit.',
  ),
  SOURCE_TOO_LARGE: run(
    'the repository has more files than a tool job can be given',
    'Keep what no stack needs out of the repository, or mark it `export-ignore` in .gitattributes.',
  ),
  ROLE_REFUSED: line(
    'the role that policy names for a stack cannot be assumed',
    'Let the line worker’s role assume it in its trust policy, and name it as the template allows; `lockkeeper doctor` says which it is.',
  ),
  PROVIDER_TRANSIENT: line('the provider is overloaded or failing', 'Run again in a while.'),
  PROVIDER_CONFLICT: line('the provider refuses because of what is already there', 'Look at the resource the message names.'),
  PROVIDER_NOT_FOUND: line('the provider does not know that project or resource', 'Check the provider block of the plan.'),
  PROVIDER_AUTH: line('the provider refuses the credential, or there is none', 'Set the variable the message names; it says where to create one.'),
  PROVIDER_INVALID: line('the provider refuses the request', 'Change what the message names.'),
  PROVIDER_TIMEOUT: line('the provider did not answer in time', 'Run again: what was created is found and kept.'),
  PROVIDER_RESPONSE: line('the provider answered something it does not document', 'Run again; if it stays, report it with the message.'),
  PROVIDER_AGAIN: {
    exit: 1,
    consequence: 'again',
    when: 'the provider asks to come back later',
    hint: 'Nothing to do: the line goes on by itself at the time named.',
  },
  INTERRUPTED: line(
    'the job died more often than the queue allows',
    'Read `lockkeeper log <run>`, then run again: the next run finishes or undoes what it left.',
  ),
  HEAD_UNVERIFIED: note(
    'the guard let a run go on by what was stored when people were asked, because the code host did not answer',
    'Compare the commit with what its branch or pull request says now; a newer one is released by pushing or `lockkeeper retry <run>`.',
  ),
  STALE: { exit: 0, consequence: 'note', when: 'the commit is older than the last one applied here', hint: 'Nothing to do: the newer commit is what stands.' },
  SUPERSEDED: note('a later run of the scope, of a newer commit or of the same one, or the end of the pull request took this run’s place', 'Nothing to do.'),
  LOCK_HELD: fenced(
    'another run holds the lease',
    'Run again when that run has ended, usually long before the time named; at that time the lease frees itself.',
  ),
  LOCK_LOST: fenced('the lease ran out and another run took it', 'Nothing to do: the other run finishes or undoes the work.'),
  RECEIPT_CORRUPT: run(
    'a stored receipt or item is damaged',
    'Nothing is taken for unmanaged because of it. Type `lockkeeper recover` to see what the newest good receipt would bring back.',
  ),
  LEDGER_LOST: run(
    'the scope’s receipts say that it manages what the table no longer knows',
    'Nothing is taken for unmanaged because of it. Type `lockkeeper recover` to see what the newest receipt would bring back.',
  ),
  RECEIPT_VERSION: run('a stored receipt or item has a newer format', 'Update Lockkeeper.'),
  STORE_UNREACHABLE: run('the table, the bucket or a queue does not answer', 'Check the endpoint and the credentials, then run again.'),
  CODE_HOST: run('the repository’s host does not answer as it should', 'Check the GitHub App’s installation and permissions, then redeliver the event.'),
  GIT_FAILED: refused('git on this machine cannot tell what a run needs to know', 'Do what the message says, or run the git command it names to see more.'),
  ISSUES_OFF: note(
    'the dashboard issue cannot be written',
    'Turn issues on in the repository’s settings, let the GitHub App write them, or set `dashboard: {enabled: false}`: everything else goes on.',
  ),
  SURFACE_FAILED: note('the comment or check could not be written', 'The receipt is stored; the next run of the scope writes both anew.'),
  YAML_ANCHOR: note('a file uses YAML anchors', 'Write the values out if readers stumble over them.'),
  RECEIPTS_IGNORED: note('`receipts:` has no meaning here', 'Remove the key: receipts always go to the bucket.'),
  MESSAGE_UNREADABLE: {
    exit: 1,
    consequence: 'again',
    when: 'a message in a queue is no JSON, or of no format that this version knows',
    hint: 'It is kept as a dead letter: deploy the version that sent it and move it back; where nobody of yours sent it, look who may write to the queue.',
  },
  SEAL_UNREADABLE: run(
    'a sealed value cannot be opened',
    'Put the sealing key back under which it was sealed; a run can be started again, which resolves its secrets anew.',
  ),
  KEY_INVALID: run('the fingerprint key or the sealing key cannot be used', 'Store at least 32 random characters in the secret the message names.'),
  SECRET_SHORT: note('a secret shorter than four characters cannot be masked', 'Use a longer value.'),
  TEMPLATE_UNSUPPORTED: refused(
    'the template holds something the embedded stack does not run',
    'Give its type a file in infra/local/resources, or list it as inert there.',
  ),
  INTERNAL: run('a mistake in Lockkeeper', 'Report it with the message.'),
} as const satisfies Record<string, CodeEntry>;

export type Code = keyof typeof codes;
