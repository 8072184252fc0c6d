import { writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { intoPlan } from '../../../shared/absorb/into-plan.ts';
import { type Absorbable, type Absorbed, absorbable, cannot } from '../../../shared/absorb/wanted.ts';
import { registry } from '../../../shared/adapters/registry.ts';
import { readPlan } from '../../../shared/plan/read.ts';
import { judgeLine } from '../../../shared/rulings/said.ts';
import type { DriftItem, LineReport } from '../../../shared/run/report.ts';
import { plain } from '../../../shared/surfaces/escape.ts';
import { fitted } from '../../../shared/surfaces/wrap.ts';
import type { Answer } from '../answer.ts';
import type { Invocation } from '../invocation.ts';
import { readPlanBytes } from '../plan-file.ts';
import { onBranchOfItsOwn } from '../stack/absorb.ts';
import { runOnStack } from '../stack/run.ts';
import type { Surroundings } from '../surroundings.ts';
import { type Typed, withFlags } from '../typed.ts';
import { runCommand } from './run.ts';

/**
 * `absorb <line>`: makes what somebody edited outside the plan. A plan run says what is live; the file gets it where the old value stands. Here
 * it is written into the file at hand. For a deployed stack, which runs commits, it becomes a commit of the person's own on a branch of its own,
 * pushed, and a pull request, and the file at hand stays (ADR 0070).
 *
 * @throws LockkeeperError USAGE, NOTHING_TO_ABSORB, CANNOT_ABSORB; what planning throws.
 */
export async function absorbCommand(invocation: Invocation, surroundings: Surroundings): Promise<Answer> {
  const { line = '', plan, stack } = invocation;
  const planning = { ...invocation, command: 'plan' } as const;
  const planned = stack === undefined ? await runCommand(planning, surroundings) : await runOnStack(planning, stack, surroundings);
  const { body, absorbed, left } = absorbInto(readPlanBytes(surroundings.cwd, plan), plan, line, planned);
  if (stack === undefined) {
    writeFileSync(resolve(surroundings.cwd, plan), body);
    return absorbAnswer(invocation, { absorbed, left }, `${plan} says it now. Look at the change, commit it, and apply.`);
  }
  const pushed = await onBranchOfItsOwn({ line, path: plan, body, absorbed }, surroundings);
  return absorbAnswer(
    invocation,
    { absorbed, left },
    `It is on branch ${pushed.branch} at ${pushed.remote}. ${pushed.opened ? 'Its' : 'Open its'} pull request: ${pushed.url}`,
    pushed,
  );
}

/** The plan file with what a plan run found live in a line. @throws LockkeeperError USAGE, NOTHING_TO_ABSORB, CANNOT_ABSORB. */
export function absorbInto(before: Buffer, path: string, line: string, { document }: Pick<Answer, 'document'>): Absorbable & { readonly body: Buffer } {
  const lines = (document['lines'] ?? []) as readonly LineReport[];
  judgeLine(
    line,
    lines.map(({ id }) => id),
  );
  const found = lines.find(({ id }) => id === line) as LineReport;
  if (registry.find(found.adapter, found.op)?.stack !== undefined)
    throw cannot(
      line,
      'it is a stack, whose resources stand in its own files and not in the plan file',
      'Write what is live into those files, and commit them.',
    );
  const { absorbed, left } = absorbable(line, found, (document['drift'] ?? []) as readonly DriftItem[]);
  const body = intoPlan(before, line, absorbed);
  judgePlan(line, body, path);
  return { body, absorbed, left };
}

/** What was live may be what no plan file may say, such as something that looks like a secret. */
function judgePlan(line: string, bytes: Buffer, path: string): void {
  const [problem] = readPlan(bytes, path, registry).problems;
  if (problem)
    throw cannot(
      line,
      `with it, the plan file would break a rule (${problem.code}): ${problem.message.replace(/\.$/, '')}`,
      problem.hint ?? 'Change it by hand.',
    );
}

/** @param typed the flags by which the next command is about the same place. */
export function absorbAnswer(
  { line = '', plan, ...typed }: Pick<Invocation, 'line' | 'plan'> & Typed,
  { absorbed, left }: Absorbable,
  next: string,
  pushed: { readonly branch?: string; readonly url?: string } = {},
): Answer {
  const { branch, url } = pushed;
  const asTyped = (hint: string) => withFlags(hint, { ...typed, plan });
  const stays = left.map((one) => ({ ...one, hint: asTyped(one.hint) }));
  return {
    exit: 0,
    document: { line, plan, absorbed, ...(stays.length === 0 ? {} : { left: stays }), ...(branch === undefined ? {} : { branch, url }) },
    text: ({ paint, columns }) =>
      fitted(
        [
          ...absorbed.map(({ label, path: at, from, to }) => `${paint('done', '~')} ${plain(label)}: ${plain(at)} ${plain(said(from))} → ${plain(said(to))}`),
          ...stays.map(({ why, hint }) => `${paint('open', '?')} Left as it is: ${plain(why)}. ${plain(hint)}`),
          plain(next),
          '',
        ].join('\n'),
        columns,
      ),
  };
}

const said = (value: Absorbed['to']): string => JSON.stringify(value);
