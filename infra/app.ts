import { App } from 'aws-cdk-lib';
import { deployableStack } from './lockkeeper-stack.ts';

/** What `cdk deploy` and `cdk synth` run, after `npm run build` (cdk.json). */
deployableStack(new App());
