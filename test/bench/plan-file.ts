import { parse } from 'yaml';
import { registry } from '../../shared/adapters/registry.ts';
import { activateLines } from '../../shared/plan/activate.ts';
import { readPlan } from '../../shared/plan/read.ts';
import type { ReleaseContext } from '../../shared/plan/types.ts';
import { median } from './median.ts';
import { atMost, type Row } from './row.ts';

const lines = 1000;
const slowest = 5;
const samples = 15;
/** Before it is measured, so that both sides run compiled. */
const warmings = 5;

const context: ReleaseContext = {
  environment: 'preview',
  scope: 'pr-7',
  branch: 'feat/checkout',
  sha: '0123456789abcdef0123456789abcdef01234567',
  pullRequest: 7,
};

/** A long plan file of the four ops that exist, with values, references and secrets, parsed, checked and ordered, against `yaml` alone. */
export function planFile(): Row[] {
  const text = longPlan();
  const times: { ours: number[]; yaml: number[] } = { ours: [], yaml: [] };
  let ordered = 0;
  for (let sample = 0; sample < samples + warmings; sample += 1) {
    const bare = timed(() => parse(text));
    const full = timed(() => {
      const { plan, problems } = readPlan(text, 'release.plan.yaml', registry);
      if (plan === undefined) throw new Error(`the plan of the bench is wrong: ${JSON.stringify(problems[0])}`);
      ordered = activateLines(plan, context, registry).length;
    });
    if (sample < warmings) continue;
    times.yaml.push(bare);
    times.ours.push(full);
  }
  const [ours, yaml] = [median(times.ours), median(times.yaml)];
  return [
    atMost(`plan file of ${lines} lines: parsed, checked, ordered, against yaml alone`, slowest, {
      value: ours / yaml,
      digits: 1,
      unit: ' ×',
      sound: ordered === lines,
      details: [`medians of ${samples}: ${ours.toFixed(0)} ms against ${yaml.toFixed(0)} ms, ${Buffer.byteLength(text)} bytes`],
    }),
  ];
}

function timed(work: () => unknown): number {
  const began = performance.now();
  work();
  return performance.now() - began;
}

const longPlan = (): string =>
  [
    'version: 1',
    'providers: { neon: { project: calm-river-12345678 }, vercel: { project: storefront, team: acme } }',
    'changes:',
    ...Array.from({ length: lines / 4 }, (_, at) => fourLines(at)),
    '',
  ].join('\n');

const fourLines = (at: number): string => `  - id: database_${at}
    adapter: neon
    op: branch
    name: checkout-${at}
  - id: variables_${at}
    adapter: vercel
    op: env
    values:
      DATABASE_URL_${at}: { from: database_${at}.connection_string }
      STRIPE_KEY_${at}: { secret: env://STRIPE_KEY }
      CHECKOUT_MODE_${at}: classic
  - id: build_${at}
    adapter: vercel
    op: deploy
    depends_on: [variables_${at}]
  - id: login_${at}
    adapter: clerk
    op: redirect_allow
    url: { from: variables_${at}.preview_url }`;
