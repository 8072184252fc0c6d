import type { Problem } from '../../../shared/errors/error.ts';
import { LockkeeperError } from '../../../shared/errors/error.ts';
import { type Chain, verifyChain } from '../../../shared/receipts/verify-chain.ts';
import { findRun } from '../../../shared/run/find-run.ts';
import { renderTerminal } from '../../../shared/surfaces/terminal.ts';
import { wholeReport } from '../../../shared/surfaces/whole-report.ts';
import { count } from '../../../shared/surfaces/words.ts';
import type { Answer } from '../answer.ts';
import type { Store } from '../folder/store.ts';
import { reportOfRun } from '../runs/run-report.ts';
import { reportAsTyped, type Typed, withFlags } from '../typed.ts';
import type { ScopePlace, View } from './view.ts';

/** What a run reported. @throws LockkeeperError NOT_FOUND, USAGE; RECEIPT_CORRUPT, RECEIPT_VERSION. */
export async function receiptOfRun({ store, repository, run, typed }: View): Promise<Answer> {
  const report = await reportOfRun(store, await findRun(store, repository.id, run ?? ''));
  const { environment, scope } = report;
  return {
    exit: 0,
    document: { environment, scope, receipt: report },
    text: (screen) => renderTerminal(reportAsTyped(report, typed), { ...screen, asTyped: (said) => withFlags(said, typed) }),
  };
}

/** The latest receipt of the scope, with its chain verified. @throws LockkeeperError NOT_FOUND; RECEIPT_CORRUPT, RECEIPT_VERSION. */
export async function latestReceipt(store: Store, { environment, scope, path }: ScopePlace, typed: Typed): Promise<Answer> {
  const chain = await verifyChain(store.objects, path);
  if (!chain) {
    const message = `Nothing was applied in ${environment}, scope ${scope}, yet.`;
    throw new LockkeeperError({ code: 'NOT_FOUND', message, hint: 'A plan leaves no receipt: name its run, as in `lockkeeper receipt <run>`.' });
  }
  const problem = problemOf(chain);
  const { links } = chain;
  const latest = wholeReport(chain.latest, 'The newest receipt');
  return {
    exit: problem ? 1 : 0,
    ...(problem ? { problem } : {}),
    document: { environment, scope, receipt: latest, chain: { links, holds: chain.broken === undefined } },
    text: (screen) =>
      `${renderTerminal(reportAsTyped(latest, typed), screen)}${problem ? screen.paint('bad', `! ${problem.message}`) : `${screen.paint('same', '=')} The chain of ${count(links, 'receipt')} holds.`}\n`,
  };
}

function problemOf({ broken, links }: Chain): Problem | undefined {
  if (broken === undefined) return undefined;
  return { code: 'RECEIPT_CORRUPT', message: `The chain of ${count(links, 'receipt')} is broken: ${broken}.` };
}
