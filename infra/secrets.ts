import { ArnFormat, RemovalPolicy, Stack, Validations } from 'aws-cdk-lib';
import { CfnSecret } from 'aws-cdk-lib/aws-secretsmanager';
import { Construct } from 'constructs';

/** 64 hex digits: 32 random bytes, the key of HMAC-SHA256 and of AES-256. */
const hexKey: CfnSecret.GenerateSecretStringProperty = {
  passwordLength: 64,
  excludePunctuation: true,
  excludeUppercase: true,
  excludeCharacters: 'ghijklmnopqrstuvwxyz',
  requireEachIncludedType: false,
};

const byHand = 'A person rotates it: the other side of this secret is a setting at GitHub or Slack, which no rotation function can change.';
const keyed =
  'Replaced by a person who knows what it costs, never on a timer: fingerprints made under another key cannot be compared any more, and values sealed under it cannot be opened.';

/**
 * The five secrets of Lockkeeper's own. Those of the plans lie one level deeper, `<prefix>/<environment>/<NAME>`, and are
 * created by the adopter. Values never enter the template: they are generated in the account or put there by a person.
 */
export class LockkeeperSecrets extends Construct {
  /** Generated; a person copies it into the webhook's settings at GitHub. */
  readonly webhook: CfnSecret;
  /** Left without a value: a person puts the app's id and private key there. */
  readonly githubApp: CfnSecret;
  /** Left without a value where nobody wants Slack: a person puts the app's bot token and signing secret there. */
  readonly slack: CfnSecret;
  /** JSON `{ "id", "key" }`, the key in hex. Fingerprints (HMAC-SHA256). Outlives the stack, as the ledger does. */
  readonly fingerprintKey: CfnSecret;
  /** JSON `{ "id", "key" }`, the key in hex. Sealing (AES-256-GCM). Outlives the stack: receipts hold what it sealed. */
  readonly sealingKey: CfnSecret;
  /** ARN patterns of the plans' own secrets, and of their parameters. */
  readonly ofPlans: string;
  readonly parametersOfPlans: string;

  constructor(scope: Construct, id: string, prefix: string) {
    super(scope, id);
    this.webhook = this.secret('Webhook', `${prefix}/github-webhook`, 'Signs GitHub webhooks: paste it into the webhook settings', byHand, {
      passwordLength: 48,
      excludePunctuation: true,
    });
    this.githubApp = this.secret('GithubApp', `${prefix}/github-app`, 'JSON {"appId": "…", "privateKey": "…"} of the GitHub App', byHand);
    this.slack = this.secret('Slack', `${prefix}/slack`, 'JSON {"botToken": "xoxb-…", "signingSecret": "…"} of the Slack app; empty: no Slack', byHand);
    this.fingerprintKey = this.key('FingerprintKey', `${prefix}/fingerprint-key`, 'Key of the fingerprints in ledger and receipts');
    this.sealingKey = this.key('SealingKey', `${prefix}/sealing-key`, 'Key that seals secret values beside a run and in receipts');
    this.ofPlans = Stack.of(this).formatArn({
      service: 'secretsmanager',
      resource: 'secret',
      resourceName: `${prefix}/*/*`,
      arnFormat: ArnFormat.COLON_RESOURCE_NAME,
    });
    this.parametersOfPlans = Stack.of(this).formatArn({ service: 'ssm', resource: 'parameter', resourceName: `${prefix}/*/*` });
  }

  /** Kept, but not from a first deployment that failed: its name is fixed, and would stop the second one. */
  private key(id: string, name: string, description: string): CfnSecret {
    const secret = this.secret(id, name, description, keyed, { ...hexKey, secretStringTemplate: '{"id":"1"}', generateStringKey: 'key' });
    secret.applyRemovalPolicy(RemovalPolicy.RETAIN_ON_UPDATE_OR_DELETE);
    return secret;
  }

  private secret(id: string, name: string, description: string, unrotated: string, generateSecretString?: CfnSecret.GenerateSecretStringProperty): CfnSecret {
    const secret = new CfnSecret(this, id, { name, description, ...(generateSecretString === undefined ? {} : { generateSecretString }) });
    Validations.of(secret).acknowledge({ id: 'AwsSolutions-SMG4', reason: unrotated });
    return secret;
  }
}
