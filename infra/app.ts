import { App } from 'aws-cdk-lib';
import { LockkeeperStack } from './lockkeeper-stack.ts';
import { awsTiming } from './timing.ts';

/** What `cdk deploy` and `cdk synth` run. Build first: functions are taken from `dist/functions`. */
const app = new App();
new LockkeeperStack(app, 'Lockkeeper', { timing: awsTiming, code: 'bundle', description: 'Release control plane' });
