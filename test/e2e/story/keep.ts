import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { deliveryHeaders } from '../../sim/github/deliver.ts';
import { push, runOf } from './moves.ts';
import { checkoutPlan } from './plans.ts';
import type { StoryWorld } from './world.ts';

/** Where everything listens, and commands to paste. */
export interface Kept {
  readonly webhook: string;
  readonly fakes: Readonly<Record<string, string>>;
  readonly control: string;
  /** Endpoints as the AWS SDKs and command line read them, and what is found there. */
  readonly aws: Readonly<Record<string, string>>;
  readonly functionsLog: string;
  readonly messages: string;
  readonly pullRequest: number;
  readonly tries: readonly { readonly what: string; readonly command: string }[];
}

const branch = 'playground';

/** Opens one more pull request, which stays open to be played with. */
export async function playground(world: StoryWorld): Promise<Kept> {
  const { stack, sim, webhookUrl, webhookSecret } = world.house;
  const { pull } = await push(world, branch, 'Yours to play with', { 'release.plan.yaml': checkoutPlan('preview') });
  await runOf(world, pull.sha);
  const hook = sim.control.webhook('pull_request.opened', { number: pull.number });
  const body = JSON.stringify(hook.payload);
  const file = join(world.folder, 'pull_request.opened.json');
  writeFileSync(file, body);
  const names = stack.functionEnvironment('run-controller');
  return {
    webhook: webhookUrl,
    fakes: sim.urls,
    control: sim.controlUrl,
    aws: { ...stack.environment, TABLE_NAME: String(names['TABLE_NAME']), BUCKET_NAME: String(names['BUCKET_NAME']), LINES_QUEUE_URL: world.linesQueue.url },
    functionsLog: world.log.file,
    messages: world.journal.file,
    pullRequest: pull.number,
    tries: tries(sim.controlUrl, pull.number, signed(webhookUrl, file, deliveryHeaders(hook.event, body, webhookSecret, 'DELIVERY'))),
  };
}

function tries(control: string, number: number, webhook: string): Kept['tries'] {
  const post = (path: string, body: unknown) => `curl -sS -X POST ${control}/${path} -H 'content-type: application/json' -d '${JSON.stringify(body)}'`;
  return [
    { what: 'redeliver the last webhook, under its old delivery id (nothing happens)', command: post('redeliver', {}) },
    { what: 'edit a value in the fake Vercel console', command: post('edit', { edit: 'vercel.set', key: 'CHECKOUT_MODE', branch, value: 'edited-by-hand' }) },
    { what: 'send the pull request’s webhook under a new delivery id (the edit is refused)', command: webhook.replace('DELIVERY', '$(date +%s%N)') },
    {
      what: 'read its comment',
      command: `curl -sS ${control}/state | node -e 'const s = JSON.parse(require("fs").readFileSync(0)); for (const c of s.github.repositories[0].comments) if (c.issue === ${number}) console.log(c.body)'`,
    },
  ];
}

function signed(url: string, file: string, headers: Readonly<Record<string, string>>): string {
  const needed = ['content-type', 'x-github-event', 'x-github-delivery', 'x-hub-signature-256'].map((name) => `-H "${name}: ${headers[name]}"`);
  return `curl -sS -X POST ${url} ${needed.join(' ')} --data-binary @${file}`;
}

/** Says where everything listens, and waits to be stopped. */
export async function keepOpen(kept: Kept, print: ((text: string) => void) | undefined, stopped: Promise<void>): Promise<void> {
  const alive = setInterval(() => undefined, 60_000);
  print?.(`${keptText(kept).join('\n')}\n`);
  await stopped;
  clearInterval(alive);
}

function keptText({ webhook, fakes, control, functionsLog, pullRequest, tries }: Kept): string[] {
  return [
    '',
    `Everything stays up. Pull request #${pullRequest} (branch ${branch}) is open, for you to play with.`,
    '',
    `  webhook  ${webhook}`,
    ...Object.entries(fakes).map(([name, url]) => `  ${name.padEnd(8)} ${url}`),
    `  control  ${control}   (lists what it takes)`,
    `  logs     ${functionsLog}`,
    ...tries.flatMap(({ what, command }) => ['', `# ${what}`, command]),
    '',
    'Ctrl-C stops it.',
  ];
}
