import { failedRead, type ReadDocument } from '../../../shared/drift/read-document.ts';
import { LockkeeperError, problemOf } from '../../../shared/errors/error.ts';
import type { Answer } from '../answer.ts';
import { driftAnswer, type Printed } from '../drift/answer.ts';
import { readLive } from '../drift/live.ts';
import { memberOf } from '../drift/member.ts';
import { judgePrinting } from '../drift/printing.ts';
import { type ReadAsked, readAsked, withEnvironment } from '../drift/read-asked.ts';
import { ReadRefused } from '../drift/refused-read.ts';
import { shownIn } from '../drift/shown-in.ts';
import { readState } from '../drift/state.ts';
import { readStack } from '../drift/tool/read-stack.ts';
import { isStackLine } from '../drift/tool/stack-line.ts';
import { Interrupted } from '../interrupted.ts';
import type { Invocation } from '../invocation.ts';
import { readLiveOnStack } from '../stack/drift.ts';
import type { Surroundings } from '../surroundings.ts';
import { declaredIn } from './look.ts';

/**
 * `drift`: reads a plan's own lines, or one of its stacks where it lies, and prints what it found as drift records. Nothing is written but what the stack notes of its own work (I4).
 * Whatever keeps the read from running stands in the document, and the exit code is 1 (R3.28).
 *
 * @param version of this Lockkeeper. @throws Interrupted; LockkeeperError USAGE.
 */
export async function driftCommand(invocation: Invocation, surroundings: Surroundings, version: string): Promise<Answer> {
  judgePrinting(invocation, surroundings.cwd);
  judgeShow(invocation, surroundings);
  return driftAnswer(await printedOf(invocation, surroundings, version), invocation, surroundings);
}

/** @throws LockkeeperError USAGE for what is no attribute, and where nothing is shown by a list. */
function judgeShow(invocation: Invocation, surroundings: Surroundings): void {
  if (invocation.show === undefined) return;
  shownIn({ show: invocation.show }, surroundings.cwd);
  if (isStackLine(invocation, surroundings)) return;
  throw new LockkeeperError({
    code: 'USAGE',
    message: '--show is of a stack alone: values of other lines are shown where nothing in them is secret.',
    hint: 'Leave it out.',
  });
}

async function printedOf(invocation: Invocation, surroundings: Surroundings, version: string): Promise<Printed> {
  const { member } = invocation;
  try {
    if (isStackLine(invocation, surroundings)) return await readStack(invocation, surroundings, version);
    const asked = readAsked(invocation);
    const found = await memberOf(invocation, surroundings);
    const { declared } = declaredIn(surroundings.cwd, found.plan);
    const placed = withEnvironment(found, surroundings.environment, declared);
    return { document: await read(placed, asked, surroundings, version), read: asked.read };
  } catch (error) {
    if (error instanceof Interrupted) throw error;
    if (error instanceof ReadRefused) {
      const problem = { code: 'DRIFT_NOT_READ', message: error.message, details: { reason: error.code } } as const;
      return { document: failedRead({ member, lockkeeper: version }, error.code, error.message), problem };
    }
    const problem = problemOf(error);
    return { document: failedRead({ member, lockkeeper: version }, 'command-failed', `${problem.code}: ${problem.message}`), problem };
  }
}

function read(invocation: Invocation, asked: ReadAsked, surroundings: Surroundings, version: string): Promise<ReadDocument> {
  if (asked.read === 'state') return readState(invocation, asked, surroundings, version);
  const { stack } = invocation;
  return stack === undefined ? readLive(invocation, asked, surroundings, version) : readLiveOnStack(invocation, stack, asked, surroundings, version);
}
