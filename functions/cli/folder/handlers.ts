import type { LocalStackOptions } from '../../../infra/local/stack.ts';

/**
 * The functions of the stack, from this same bundle: one copy of the SDK and of the domain is loaded, not six. Each is evaluated
 * when it is first invoked. `dist/functions` holds the same entry points once more, for a deployment.
 */
export const handlers: LocalStackOptions['handlers'] = {
  'github-webhook': async () => (await import('../../github-webhook/handler.ts')).handler,
  'slack-interaction': async () => (await import('../../slack-interaction/handler.ts')).handler,
  'run-controller': async () => (await import('../../run-controller/handler.ts')).handler,
  'line-worker': async () => (await import('../../line-worker/handler.ts')).handler,
  'dead-letter': async () => (await import('../../dead-letter/handler.ts')).handler,
  schedule: async () => (await import('../../schedule/handler.ts')).handler,
};
