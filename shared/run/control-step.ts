import type { ControlMessage } from '../../events/control-message.ts';
import { cleanUp } from '../clean-up/clean-up.ts';
import { dashboardStep } from '../dashboard/dashboard-step.ts';
import { problemOf } from '../errors/error.ts';
import { commandStep } from '../intake/command-step.ts';
import { lookForLost } from '../intake/lost.ts';
import { clickStep } from '../intake/slack-click.ts';
import { intakeStep } from '../intake/step.ts';
import { LedgerMoved } from '../ledger/ledger-line.ts';
import { AnswerLost } from '../ports/table.ts';
import { beginScans } from '../scans/begin-scans.ts';
import { toolEnded } from '../stacks/tool-ended.ts';
import { isClickId, isCommandId, runKey } from '../table/keys.ts';
import { advance } from './advance.ts';
import { Again } from './again.ts';
import type { Arrival } from './arrive.ts';
import type { ControlWorld } from './world.ts';

/**
 * What one control message asks for: the intake step of an intake or of a person's command, what is due of a run, a look for what was
 * lost, a part of the nightly clean-up, or the line of a tool job that has ended.
 *
 * @throws Again when the message must come back; anything else that is thrown hands it back, too, until it is a dead letter.
 */
export async function controlStep(world: ControlWorld, message: ControlMessage): Promise<void> {
  if (message.format === 3) return lookForLost(world);
  if (message.format === 4) return cleanUp(world, message);
  try {
    if (message.format === 5) return await dashboardStep(world, message);
    if (message.format === 6) return await beginScans(world, message);
    if (message.format === 7) return await toolEnded(world, message);
    if (isCommandId(message.run)) return await commandStep(world, message.run);
    if (isClickId(message.run)) return await clickStep(world, message.run);
    const item = await world.table.get(runKey(message.run));
    if (!item) return world.log.warn('a message names nothing that is recorded', { run: message.run });
    if (item['kind'] === 'intake') return await intakeStep(world, item);
    return await advance(world, message.run, arrivalOf(message));
  } catch (error) {
    if (error instanceof Again) throw error;
    if (error instanceof LedgerMoved || error instanceof AnswerLost) throw new Again(error.message, 1);
    const problem = problemOf(error);
    const at = problem.details?.['at'];
    if (problem.code !== 'PROVIDER_AGAIN' || typeof at !== 'number') throw error;
    world.log.warn('a control step is asked to come back', {
      ...('run' in message ? { run: message.run } : { look: message.look, repository: message.group }),
      code: problem.code,
      message: world.redactor.mask(problem.message),
    });
    throw new Again(problem.message, (at - world.clock.now()) / 1000);
  }
}

/** What a state of the machine brought with its message. */
function arrivalOf(message: Exclude<ControlMessage, { format: 3 | 4 | 5 | 6 | 7 }>): Arrival | undefined {
  if (message.format === 1 || message.step === 'expired' || message.token === undefined || message.entered === undefined) return undefined;
  const { step, token, entered, execution } = message;
  return { step, token, entered, ...(execution === undefined ? {} : { execution }) };
}
