import type { z } from 'zod';
import { parseAnswer } from '../../adapters/http/answer.ts';
import { LockkeeperError } from '../../errors/error.ts';
import type { GithubAnswer } from './send.ts';

/** @throws LockkeeperError CODE_HOST when the answer is not of the shape that GitHub documents. */
export function parsed<T>(answer: GithubAnswer, shape: z.ZodType<T>, route: string): T {
  const read = parseAnswer(Buffer.from(answer.bytes).toString('utf8'), shape);
  if (read.ok) return read.value;
  throw new LockkeeperError({ code: 'CODE_HOST', message: `GitHub answered ${route} with nonsense: ${read.wrong}.`, details: { host: 'github', route } });
}
