/** The embedded stack under a flood: hundreds of pull requests in a minute, each with a run of its own. */
import { setTimeout } from 'node:timers/promises';
import { GetQueueAttributesCommand } from '@aws-sdk/client-sqs';
import type { SQSEvent } from 'aws-lambda';
import { localTiming } from '../../infra/timing.ts';
import { sqs } from '../../shared/platform/clients.ts';
import type { Run } from '../../shared/run/items.ts';
import { median } from '../bench/median.ts';
import { atLeast, atMost, type Row, told } from '../bench/row.ts';
import { type House, handlers, openHouse, rests } from '../e2e/house.ts';
import { captureLogs } from '../e2e/sinks.ts';
import { deliver } from '../sim/github/deliver.ts';
import { demo } from '../sim/seed.ts';
import { startSim } from '../sim/sim.ts';
import { functionOf, mappingsOf } from '../template/reading.ts';
import type { Part } from './part.ts';
import { cloudOfAll, fullName, type Place, placeOf, repositories } from './repositories.ts';

const pulls = 500;

const minute = 60_000;
/** From the last webhook until everything has to be at rest, ms. */
const patience = 240_000;

const planOf = (name: string): string => `version: 1
providers: { neon: { project: ${demo.neonProject} }, clerk: {} }
changes:
  - { id: db, adapter: neon, op: branch, name: ${name} }
`;

/** What goes through the functions' doors. */
interface Seen {
  readonly most: Record<'run-controller' | 'line-worker', number>;
  /** The groups that messages of a run or intake named, by its id. SQS is given the group that the message names; the emulator drops it. */
  readonly groups: Map<string, Set<string>>;
  /** When the last message of a run or intake was handled, epoch ms, by its id. */
  readonly last: Map<string, number>;
  messages: number;
  /** How long the message that waited longest had waited, ms. */
  oldest: number;
}

/** The product's handlers, watched. */
function watched(seen: Seen): typeof handlers {
  const watch = (name: keyof Seen['most']) => {
    let now = 0;
    return async () => {
      const handler = (await handlers[name]?.()) as unknown as (event: SQSEvent, ...more: unknown[]) => Promise<unknown>;
      return (async (event: SQSEvent, ...more: unknown[]) => {
        now += 1;
        seen.most[name] = Math.max(seen.most[name], now);
        for (const { attributes, body } of event.Records) {
          seen.messages += 1;
          seen.oldest = Math.max(seen.oldest, Date.now() - Number(attributes.SentTimestamp));
          const { run = '', group = '' } = JSON.parse(body) as { run?: string; group?: string };
          seen.groups.set(run, (seen.groups.get(run) ?? new Set()).add(group));
          seen.last.set(run, Date.now());
        }
        return handler(event, ...more).finally(() => {
          now -= 1;
        });
      }) as never;
    };
  };
  return { ...handlers, 'run-controller': watch('run-controller'), 'line-worker': watch('line-worker') };
}

export const webhooks: Part = {
  about: `${pulls} pull requests’ webhooks of ${repositories.length} repositories in a minute on the embedded stack; then a provider that says 429`,
  async measure(tell) {
    const seen: Seen = { most: { 'run-controller': 0, 'line-worker': 0 }, groups: new Map(), last: new Map(), messages: 0, oldest: 0 };
    const logs = captureLogs();
    const maxima: Record<string, number> = {};
    const sim = await startSim({ state: cloudOfAll() });
    const house = await openHouse({
      sim,
      allows: repositories.map(fullName).join(','),
      timing: localTiming,
      handlers: watched(seen),
      template: (template) => {
        for (const entry of ['line-worker', 'run-controller']) {
          const { id } = functionOf(template, entry);
          maxima[entry] = mappingsOf(template).find(({ reader }) => reader === id)?.properties.ScalingConfig.MaximumConcurrency ?? 0;
        }
        return template;
      },
    });
    try {
      const flood = await flooded(house, tell, seen);
      // Behind a flood that is not over nothing can be told of whoever comes next.
      const throttled = flood.every(({ ok }) => ok) ? await throttle(house, tell) : [];
      return [
        ...flood,
        atMost('lines worked on at once', maxima['line-worker'] ?? 0, { value: seen.most['line-worker'] }),
        atMost('control steps at once', maxima['run-controller'] ?? 0, { value: seen.most['run-controller'] }),
        told('the oldest message had waited', { value: seen.oldest / 1000, digits: 1, unit: ' s' }),
        ...throttled,
      ];
    } finally {
      await house.stop();
      await sim.stop();
      logs.restore();
    }
  },
};

async function flooded(house: House, tell: (line: string) => void, seen: Seen): Promise<Row[]> {
  const { sim } = house;
  const statuses = new Map<number, number>();
  const begun = Date.now();
  let deepest = 0;
  let memory = 0;
  /** By commit, epoch ms. */
  const sentAt = new Map<string, number>();
  const sending: Promise<unknown>[] = [];
  const look = async (): Promise<number> => {
    const depth = await depthOf(house);
    deepest = Math.max(deepest, depth);
    memory = Math.max(memory, process.memoryUsage().rss / 2 ** 20);
    tell(
      `${((Date.now() - begun) / 1000).toFixed(0)} s: ${sending.length} sent, ${depth} messages in the queues, the oldest had waited ${(seen.oldest / 1000).toFixed(1)} s, ${memory.toFixed(0)} MB`,
    );
    return depth;
  };
  for (let at = 0; at < pulls; at += 1) {
    const branch = `flood-${at}`;
    const repository = fullName(placeOf(at));
    const { sha } = sim.control.edit('github.push', { repository, branch, files: { 'release.plan.yaml': planOf(branch) } });
    const { number } = sim.control.edit('github.open', { repository, branch });
    const hook = sim.control.webhook('pull_request.opened', { repository, number });
    sentAt.set(sha, Date.now());
    sending.push(deliver(house.webhookUrl, hook, house.webhookSecret).then(({ status }) => statuses.set(status, (statuses.get(status) ?? 0) + 1)));
    if (at % 50 === 49) await look();
    await setTimeout(Math.max(0, begun + ((at + 1) * minute) / pulls - Date.now()));
  }
  const sentIn = (Date.now() - begun) / 1000;
  await Promise.all(sending);
  let runs: Run[] = [];
  while ((runs.length < pulls || !runs.every(rests)) && Date.now() - begun < minute + patience) {
    await setTimeout(5_000);
    // Reading five hundred runs is work for the stack, too: not before there is nothing else.
    if ((await look()) === 0) runs = await allRuns(house);
  }
  const complete = runs.filter(({ outcome }) => outcome === 'complete').length;
  const branches = sim.writes({ provider: 'neon' }).filter(({ method, performed }) => method === 'POST' && performed).length;
  const took = (all: readonly Place[]): number =>
    median(
      runs
        .filter(({ repository }) => all.some(({ id }) => String(id) === repository.id))
        .map(({ id, commit }) => ((seen.last.get(id) ?? 0) - (sentAt.get(commit) ?? 0)) / 1000),
    );
  const [flooding, ...others] = repositories as [Place, ...Place[]];
  const strangers = runs.filter(({ id, repository }) => [...(seen.groups.get(id) ?? ['none'])].join() !== repository.id);
  return [
    atMost('webhooks that were not answered 202', 0, { value: pulls - (statuses.get(202) ?? 0), details: [`${pulls} sent in ${sentIn.toFixed(0)} s`] }),
    atMost('pull requests without a complete run', 0, {
      value: pulls - complete,
      details: [`${runs.length} runs, at rest ${((Date.now() - begun) / 1000).toFixed(0)} s after the first webhook`],
    }),
    atMost('databases more or fewer than pull requests', 0, { value: Math.abs(pulls - branches) }),
    atMost('dead letters', 0, { value: await deadLetters(house) }),
    atLeast('repositories that runs are of', repositories.length, { value: new Set(runs.map(({ repository }) => repository.id)).size }),
    atMost('runs with a message whose group is not their repository', 0, { value: strangers.length, details: [`${seen.messages} messages`] }),
    told(`from webhook to end, ${fullName(flooding)} with six tenths of them, median`, { value: took([flooding]), digits: 1, unit: ' s' }),
    told('from webhook to end, four others with a tenth each, median', { value: took(others), digits: 1, unit: ' s' }),
    told('messages in the queues, at most', { value: deepest }),
    told('memory of the whole stack, at most', { value: memory, unit: ' MB' }),
  ];
}

/** Of every repository. */
async function allRuns(house: House): Promise<Run[]> {
  const runs: Run[] = [];
  for (const { id } of repositories) runs.push(...(await house.runs({ repository: id })));
  return runs;
}

/** A provider asks for a long pause: its lines wait, and nobody else's do. */
async function throttle(house: House, tell: (line: string) => void): Promise<Row[]> {
  const { sim } = house;
  const seconds = 20;
  sim.control.rule({ provider: 'neon', on: '* /**', times: 1, fail: { status: 429, retryAfter: seconds } });
  const open = async (branch: string, line: string): Promise<string> => {
    const files = { 'release.plan.yaml': `version: 1\nproviders: { neon: { project: ${demo.neonProject} }, clerk: {} }\nchanges:\n  - ${line}\n` };
    const repository = `${demo.owner}/${demo.repository}`;
    sim.control.edit('github.push', { repository, branch, files });
    const { number, sha } = sim.control.edit('github.open', { repository, branch });
    await deliver(house.webhookUrl, sim.control.webhook('pull_request.opened', { repository, number }), house.webhookSecret);
    return sha;
  };
  const begun = Date.now();
  const held = await open('held', '{ id: db, adapter: neon, op: branch, name: held }');
  await setTimeout(1_000);
  const free = await Promise.all(
    Array.from({ length: 5 }, (_, at) => open(`free-${at}`, `{ id: cb, adapter: clerk, op: redirect_allow, url: 'https://free-${at}.acme.example/cb' }`)),
  );
  const freed = await Promise.all(free.map((sha) => house.runOf(sha, rests, 60_000)));
  const freeAfter = (Date.now() - begun) / 1000;
  const waited = await house.runOf(held, rests, 120_000);
  const heldAfter = (Date.now() - begun) / 1000;
  tell(`runs of another provider ended after ${freeAfter.toFixed(1)} s, the one that was told to wait ${seconds} s after ${heldAfter.toFixed(1)} s`);
  return [
    atMost('429: runs that did not end complete', 0, { value: [...freed, waited].filter(({ outcome }) => outcome !== 'complete').length }),
    atMost('429: how long other providers’ runs took, against the pause', 0.8, {
      value: freeAfter / seconds,
      digits: 2,
      unit: ' ×',
      details: [`${freeAfter.toFixed(1)} s of ${seconds} s`],
    }),
    atMost('429: runs of that provider that did not wait', 0, { value: heldAfter < seconds ? 1 : 0, details: [`it ended after ${heldAfter.toFixed(1)} s`] }),
  ];
}

async function attributesOf(house: House, url: string): Promise<number> {
  const client = sqs(house.stack.environment);
  const { Attributes } = await client.send(
    new GetQueueAttributesCommand({ QueueUrl: url, AttributeNames: ['ApproximateNumberOfMessages', 'ApproximateNumberOfMessagesNotVisible'] }),
  );
  client.destroy();
  return Number(Attributes?.['ApproximateNumberOfMessages'] ?? 0) + Number(Attributes?.['ApproximateNumberOfMessagesNotVisible'] ?? 0);
}

async function depthOf(house: House): Promise<number> {
  const { CONTROL_QUEUE_URL: control = '', LINES_QUEUE_URL: lines = '' } = house.stack.functionEnvironment('run-controller');
  return (await attributesOf(house, control)) + (await attributesOf(house, lines));
}

/** What lies in the dead-letter queues. The stack’s own reader of them would have told in a run: each run’s outcome is looked at as well. */
const deadLetters = async (house: House): Promise<number> => (await allRuns(house)).filter(({ stopping }) => stopping?.cause === 'died').length;
