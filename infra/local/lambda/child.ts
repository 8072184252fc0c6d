import { isAbsolute } from 'node:path';
import { pathToFileURL } from 'node:url';
import { contextOf } from './context.ts';
import type { ChildAnswer, ChildRequest } from './isolated.ts';
import type { LambdaHandler } from './runner.ts';

/** Program of an isolated function's process: one invocation a message, until the parent goes away or kills it. */
process.on('message', (request: ChildRequest) => {
  void run(request).then((answer) => process.send?.(answer));
});
process.on('disconnect', () => process.exit());

async function run({ module, event, facts }: ChildRequest): Promise<ChildAnswer> {
  try {
    const { handler } = (await import(isAbsolute(module) ? pathToFileURL(module).href : module)) as { handler: LambdaHandler };
    return { answer: (await handler(event as never, contextOf(facts) as never)) ?? null };
  } catch (thrown) {
    const { name, message, stack } = thrown instanceof Error ? thrown : new Error(String(thrown));
    return { error: { name, message, ...(stack === undefined ? {} : { stack }) } };
  }
}
