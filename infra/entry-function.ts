import { join } from 'node:path';
import { Duration, RemovalPolicy } from 'aws-cdk-lib';
import { PolicyDocument, PolicyStatement, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { Architecture, type CfnFunction, Code, Function as LambdaFunction, Runtime } from 'aws-cdk-lib/aws-lambda';
import { LogGroup, RetentionDays } from 'aws-cdk-lib/aws-logs';
import { Construct } from 'constructs';

/**
 * Where a function's code comes from. `bundle`: `dist/functions/<entry>`, which `npm run build` fills. `none`: a placeholder,
 * for tests and for the embedded stack, which loads the entry by the name in the function's metadata.
 */
export type CodeSource = 'bundle' | 'none';

/** Metadata key under which a function names its entry point, `functions/<entry>/handler.ts`. */
export const ENTRY_METADATA = 'lockkeeper:entry';

export interface EntryFunctionProps {
  /** Folder below `functions/`. */
  readonly entry: string;
  readonly description: string;
  readonly timeoutSeconds: number;
  readonly memoryMiB: number;
  readonly environment: Readonly<Record<string, string>>;
  /** Everything it may do, but writing its own log. */
  readonly may: readonly PolicyStatement[];
  readonly code: CodeSource;
}

/** Where `npm run build` puts them. */
export const bundles = join(import.meta.dirname, '..', 'dist', 'functions');

/** One entry point: its function, its role with nothing but `may`, and its log group. */
export class EntryFunction extends Construct {
  readonly function: LambdaFunction;
  readonly role: Role;
  readonly logGroup: LogGroup;

  constructor(scope: Construct, id: string, props: EntryFunctionProps) {
    super(scope, id);
    this.logGroup = new LogGroup(this, 'Log', { retention: RetentionDays.THREE_MONTHS, removalPolicy: RemovalPolicy.DESTROY });
    const log = new PolicyStatement({ actions: ['logs:CreateLogStream', 'logs:PutLogEvents'], resources: [this.logGroup.logGroupArn] });
    // In the role itself rather than in a policy beside it: a mapping is refused when the role cannot read its queue yet.
    this.role = new Role(this, 'Role', {
      assumedBy: new ServicePrincipal('lambda.amazonaws.com'),
      inlinePolicies: { work: new PolicyDocument({ statements: [log, ...props.may] }) },
    });
    this.function = new LambdaFunction(this, 'Function', {
      description: props.description,
      runtime: Runtime.NODEJS_24_X,
      architecture: Architecture.ARM_64,
      handler: 'index.handler',
      code: props.code === 'bundle' ? Code.fromAsset(join(bundles, props.entry)) : Code.fromInline('exports.handler = async () => {};'),
      timeout: Duration.seconds(props.timeoutSeconds),
      memorySize: props.memoryMiB,
      role: this.role.withoutPolicyUpdates(),
      logGroup: this.logGroup,
      environment: { NODE_OPTIONS: '--enable-source-maps', ...props.environment },
    });
    (this.function.node.defaultChild as CfnFunction).addMetadata(ENTRY_METADATA, props.entry);
  }
}
