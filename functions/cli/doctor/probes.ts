import type { GithubApp } from '../../../shared/platform/github/app.ts';
import type { AppKey } from '../../../shared/platform/github/as-app.ts';
import type { Resolution } from '../../../shared/secrets/source.ts';

/** A stack as CloudFormation tells of it. */
export interface StackDescription {
  /** For example `UPDATE_COMPLETE`. */
  readonly status: string;
  readonly outputs: Readonly<Record<string, string>>;
  readonly parameters: Readonly<Record<string, string>>;
}

/** Messages of one queue: to be received now, and received and not deleted. */
export interface Depth {
  readonly visible: number;
  readonly inFlight: number;
}

/**
 * What the doctor asks, of AWS under the caller's credentials, of GitHub as the App, of the webhook's address as anybody. Every
 * call may throw; what was to be learnt by it is then a finding of its own.
 */
export interface Probes {
  stack(name: string): Promise<StackDescription | undefined>;
  /** `ENABLED` or `DISABLED`; undefined where there is no such schedule. */
  scheduleState(name: string): Promise<string | undefined>;
  secret(id: string): Promise<Resolution>;
  depth(queueUrl: string): Promise<Depth>;
  /** State of what hands a queue's messages to a function, for example `Enabled`; undefined where nothing does. */
  mappingState(queueUrl: string): Promise<string | undefined>;
  /** Subscriptions of a topic that somebody confirmed. */
  subscriptions(topicArn: string): Promise<number>;
  /** Functions of the account that may run at once. */
  concurrency(): Promise<number>;
  /** Which of these CodeBuild projects are there, by name. */
  projects(names: readonly string[]): Promise<readonly string[]>;
  /** Names of the secrets that begin with a prefix. Never a value. */
  secretNames(prefix: string): Promise<readonly string[]>;
  /** Status of the answer to an unsigned `ping`. */
  knock(webhookUrl: string): Promise<number>;
  app(key: AppKey): GithubApp;
  /** The workspace that a bot token belongs to. */
  slackTeam(botToken: string): Promise<string>;
}
