import { sendTo } from './sample-clients.ts';
import { bucket, functionNamed, jobsFor, table, templateOf } from './sample-template.ts';
import { startLocalStack } from './stack.ts';

/** A program that runs a stack, lets a message through, stops it, and has nothing else to do. */
const stack = await startLocalStack({
  template: templateOf(functionNamed('Worker'), jobsFor('Worker'), table, bucket, {
    Every: { Type: 'AWS::Scheduler::Schedule', Properties: { ScheduleExpression: 'rate(1 minute)', Target: { Arn: { 'Fn::GetAtt': ['Worker', 'Arn'] } } } },
  }),
  handlers: { worker: async () => async () => undefined },
});
await sendTo(stack, 'Jobs', 'one');
await stack.idle();
await stack.stop();
