import { afterEach, expect, test } from 'vitest';
import { entries } from '../bundle.ts';
import { synthesizeTemplate } from '../template.ts';
import { shortTiming } from '../timing.ts';
import { type LocalStack, startLocalStack } from './stack.ts';

let stack: LocalStack | undefined;
afterEach(() => stack?.stop());

test('the stack that is deployed starts here, and its webhook route leads to its function', async () => {
  const answering = async () => async () => ({ statusCode: 202, body: process.env['AWS_LAMBDA_FUNCTION_NAME'] });
  stack = await startLocalStack({
    template: synthesizeTemplate({ timing: shortTiming }),
    handlers: Object.fromEntries(entries.map((entry) => [entry, answering])),
  });
  expect(stack.outputs['WebhookUrl']).toMatch(stack.httpUrl);
  const response = await fetch(stack.outputs['WebhookUrl'] ?? '', { method: 'POST', body: '{}' });
  expect(response.status).toBe(202);
  expect(await response.text()).toBe(stack.functionEnvironment('github-webhook')['AWS_LAMBDA_FUNCTION_NAME']);
});
