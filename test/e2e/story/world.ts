import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { SQSClient } from '@aws-sdk/client-sqs';
import { pollerAgent } from '../../../infra/local/data-plane/request-counts.ts';
import { synthesizeTemplate } from '../../../infra/template.ts';
import { shortTiming } from '../../../infra/timing.ts';
import { idOf } from '../../template/reading.ts';
import { type House, handlers, openHouse } from '../house.ts';
import { StoryFailed } from './expect.ts';
import { divertOutput, type FunctionLog } from './function-log.ts';
import { type Journal, journaled, openJournal } from './journal.ts';
import { openRoad, type Road } from './road.ts';

/** A pull request as the story last left it. */
export interface Pull {
  readonly number: number;
  readonly branch: string;
  readonly sha: string;
  readonly title: string;
}

/** Everything the story plays with: the house, and what lets it look into the workers and hold up their letters. */
export interface StoryWorld {
  readonly house: House;
  readonly folder: string;
  readonly log: FunctionLog;
  readonly journal: Journal;
  readonly road: Road;
  /** The lines queue, to send to it what SQS delivers twice, and to lose what it holds. */
  readonly linesQueue: { readonly url: string; readonly client: SQSClient };
  /** Open pull requests, by branch. */
  readonly pulls: Map<string, Pull>;
  /** Logical ids, by which the stack tells depths. */
  readonly queueIds: { readonly lines: string; readonly control: string; readonly dead: readonly string[] };
  /** Stops everything. What was written down about the functions goes, too, unless somebody may want to read it. */
  close(keepNotes: boolean): Promise<void>;
}

/** Processes of the line worker that stand ready: a cold start takes a good part of the two seconds that a line has. */
const readyWorkers = 3;

export async function openStory(): Promise<StoryWorld> {
  const folder = mkdtempSync(join(tmpdir(), 'lockkeeper-story-'));
  const log = divertOutput(join(folder, 'functions.log'));
  const journal = openJournal(join(folder, 'journal.jsonl'));
  const road = await openRoad();
  const house = await openHouse({
    isolatedWorker: true,
    workerModule: new URL('line-worker.ts', import.meta.url).pathname,
    // A loader that this process was started with goes for its workers, too.
    workerArguments: process.execArgv.filter((argument) => argument.startsWith('--import=')),
    environment: { STORY_ROAD: road.url, STORY_LOG: log.file, STORY_JOURNAL: journal.file },
    handlers: Object.fromEntries(Object.entries(handlers).map(([entry, load]) => [entry, async () => journaled(journal.file, entry, await load())])),
    log: log.note,
  });
  road.leadTo(String(house.stack.environment['AWS_ENDPOINT_URL_DYNAMODB']));
  const client = new SQSClient({
    endpoint: String(house.stack.environment['AWS_ENDPOINT_URL_SQS']),
    region: String(house.stack.environment['AWS_REGION']),
    credentials: { accessKeyId: 'local', secretAccessKey: 'local' },
    customUserAgent: pollerAgent,
  });
  const world: StoryWorld = {
    house,
    folder,
    log,
    journal,
    road,
    linesQueue: { url: String(house.stack.functionEnvironment('run-controller')['LINES_QUEUE_URL']), client },
    pulls: new Map(),
    queueIds: queueIds(),
    async close(keepNotes) {
      client.destroy();
      await house.stop();
      await road.close();
      log.restore();
      if (!keepNotes) rmSync(folder, { recursive: true, force: true });
    },
  };
  await readyTheWorkers(world);
  return world;
}

function queueIds(): StoryWorld['queueIds'] {
  const template = synthesizeTemplate({ timing: shortTiming });
  const queue = (name: string) => idOf(template, 'AWS::SQS::Queue', `Queues${name}`);
  return { lines: queue('Lines'), control: queue('Control'), dead: [queue('LinesDead'), queue('ControlDead')] };
}

/**
 * Starts worker processes, and the controller, ahead of their work: each is given the message of a run that nobody recorded.
 * One that takes longer than its time-out on a busy machine is asked once more.
 */
export async function readyTheWorkers({ house: { stack } }: StoryWorld): Promise<void> {
  const warm = (entry: string, message: object) => stack.invoke(entry, { Records: [recordOf(message)] });
  const line = () => warm('line-worker', { format: 1, run: 'nobody', round: 1, phase: 'applying', line: 'none', group: 'none' });
  const step = () => warm('run-controller', { format: 1, run: 'nobody', group: 'none' });
  const calls = [step, ...Array.from({ length: readyWorkers }, () => line)];
  const results = await Promise.allSettled(calls.map((call) => call()));
  for (const [at, result] of results.entries()) if (result.status === 'rejected') await calls[at]?.().catch(() => undefined);
}

const recordOf = (message: object) => ({
  messageId: 'warm',
  receiptHandle: 'warm',
  body: JSON.stringify(message),
  attributes: { ApproximateReceiveCount: '1' },
  messageAttributes: {},
  eventSource: 'aws:sqs',
  eventSourceARN: 'arn:aws:sqs:us-east-1:000000000000:warm',
  awsRegion: 'us-east-1',
});

/**
 * Resolves when nothing is at work and nothing is queued for now. A message that was handed back and is not visible yet does
 * not count: it is looked at when its time comes.
 *
 * @throws StoryFailed when that does not happen.
 */
export async function quiet(world: StoryWorld, withinMs = 60_000): Promise<void> {
  const end = Date.now() + withinMs;
  for (;;) {
    const working = world.journal.invocations().filter((one) => !one.over);
    const depths = await world.house.stack.queueDepths();
    const control = depths[world.queueIds.control];
    const waiting = (depths[world.queueIds.lines]?.visible ?? 0) + (control?.visible ?? 0) + (control?.inFlight ?? 0);
    if (working.length === 0 && waiting === 0) return;
    if (Date.now() > end)
      throw new StoryFailed(`Lockkeeper does not come to rest: ${working.map((one) => one.entry).join(', ')} at work, ${waiting} messages queued`);
    await setTimeout(20);
  }
}
