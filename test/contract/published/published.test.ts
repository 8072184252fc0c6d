import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openStage, type Stage } from '../../e2e/stage.ts';
import { type Sim, startSim } from '../../sim/sim.ts';
import type { Exchange } from '../../sim/wire/exchange.ts';
import { drive } from '../drive.ts';
import { meant, notDriven, unpublished } from './assumptions.ts';
import { lookedUp } from './looked-up.ts';
import { judgesOf, type Verdict, verdictOf } from './record.ts';
import { sentRoutes, undriven } from './sent-routes.ts';

/** Neither an adapter nor its fake is believed: what goes between them is held against what the provider publishes. */
const exchanges: Exchange[] = [];
let sim: Sim;
let stage: Stage;
let verdict: Verdict;
/** Requests of the source that nothing sent. */
let left: string[];

beforeAll(async () => {
  sim = await startSim({ watch: (exchange) => void exchanges.push(exchange) });
  stage = await openStage({ sim });
  await drive(stage);
  const [comment] = sim.state().github.repositories[0]?.comments ?? [];
  await lookedUp(sim.urls.github, Number(comment?.id));
  verdict = verdictOf(exchanges, await judgesOf());
  left = undriven(sentRoutes(), exchanges);
  console.info(counted(verdict, left));
}, 240_000);
afterAll(async () => {
  await stage?.stop();
  await sim?.stop();
});

describe('what is sent to providers and what the fakes answer', () => {
  it('departs from what is published only where a numbered assumption says so', () => {
    expect(verdict.departures).toEqual(Object.keys(meant).sort());
  });

  it('is checked, but for what a numbered assumption names', () => {
    expect(verdict.unchecked).toEqual(Object.keys(unpublished).sort());
  });

  it('is everything that adapters and GitHub client can send', () => {
    expect(left.toSorted()).toEqual(Object.keys(notDriven).sort());
  });

  it('rests on assumptions that stand in the fakes, numbered (R1.9)', () => {
    for (const [what, number] of [meant, unpublished, notDriven].flatMap((list) => Object.entries(list))) {
      const routes = readFileSync(new URL(`../../sim/${what.split(' ')[0]}/routes.ts`, import.meta.url), 'utf8');
      expect(routes, what).toMatch(new RegExp(`^ \\* - ${number} `, 'm'));
    }
  });
});

/** `requests N, answers M, unchecked K`, and below it each of the K with the assumption behind it. */
function counted({ requests, answers, unchecked }: Verdict, unsent: readonly string[]): string {
  const behind = { ...unpublished, ...notDriven };
  const each = [...unchecked, ...unsent].map((what) => `  ${what}: ${behind[what] ?? 'no assumption'}`);
  return [`requests ${requests}, answers ${answers}, unchecked ${each.length}`, ...each].join('\n');
}
