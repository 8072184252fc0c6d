/** What one step came to, in the words of expectations. */
import { readLedger } from '../../shared/ledger/ledger-line.ts';
import type { Run } from '../../shared/run/items.ts';
import type { LineReport, RunReport } from '../../shared/run/report.ts';
import { readLog } from '../../shared/run/run-log.ts';
import { runScope } from '../../shared/run/run-scope.ts';
import { demo } from '../sim/seed.ts';
import { textOf } from '../sim/slack/block-kit.ts';
import type { LoggedRequest } from '../sim/wire/log.ts';
import { askedDigests, type Outcome, type Stage } from './stage.ts';

/** Where things stood before a step. */
export interface Before {
  readonly versions: ReadonlyMap<string, string>;
  /** Number of the last request the cloud had seen. */
  readonly request: number;
  readonly logged: number;
}

export function before({ house }: Stage): Before {
  return {
    versions: new Map(house.runs().map((run) => [run.id, run.version])),
    request: house.sim.requests().at(-1)?.at ?? 0,
    logged: house.log.length,
  };
}

export interface Observed {
  readonly outcome: Outcome;
  /** Runs that the step made or moved, oldest first. */
  readonly runs: readonly Run[];
  readonly run: Run | undefined;
  readonly report: RunReport | undefined;
  readonly writes: readonly LoggedRequest[];
  readonly requests: readonly LoggedRequest[];
  readonly ledger: Readonly<Record<string, readonly string[]>>;
  readonly log: string;
  /** How many questions the run has asked, and each `plan.stale` of its log as it is written. */
  readonly questions: number;
  readonly stale: readonly string[];
  /** The run's own log and what is recorded of its lines, as JSON. */
  readonly runLog: string;
}

const isRead = ({ method }: LoggedRequest): boolean => method === 'GET' || method === 'HEAD';

export async function observed(stage: Stage, outcome: Outcome, was: Before): Promise<Observed> {
  const { house } = stage;
  const runs = house.runs().filter((run) => was.versions.get(run.id) !== run.version);
  const run = runs.at(-1);
  const requests = house.sim.requests({ since: was.request }).filter(({ provider }) => provider !== 'github' && provider !== 'slack');
  const lines = run ? await readLedger(house.memory.table, runScope(run)) : [];
  return {
    outcome,
    runs,
    run,
    report: run && house.report(run.id),
    requests,
    writes: requests.filter((request) => !isRead(request)),
    ledger: Object.fromEntries(
      lines.map(({ line, entries }) => [
        line,
        entries.toSorted((a, b) => (a.sequence < b.sequence ? -1 : 1)).map((entry) => `${entry.createdBy} ${entry.key}`),
      ]),
    ),
    ...(run ? askedBy(stage, run.id) : { questions: 0, stale: [] }),
    log: house.log.slice(was.logged).join('\n'),
    runLog: JSON.stringify(run ? [...(await readLog(house.memory, run.id)), ...(await house.lines(run.id)).map(({ result }) => result)] : []),
  };
}

/** The fields of a `plan.stale` that readers count on, in the order in which they are told. */
const staleFields = ['step', 'cause', 'approved', 'replanned', 'differs', 'moved'] as const;

function askedBy(stage: Stage, run: string): Pick<Observed, 'questions' | 'stale'> {
  const items = stage.house.memory.items();
  const digests = askedDigests(stage);
  const named = (text: string): string => digests.reduce((rest, digest, at) => rest.replaceAll(digest, `#${at + 1}`), text);
  const stops = items.filter(({ pk, sk }) => pk === `RUN#${run}` && sk.startsWith('STALE#')).toSorted((a, b) => Number(a['round']) - Number(b['round']));
  return {
    questions: items.filter(({ sk }) => sk.startsWith(`QUESTION#${run}#`)).length,
    stale: stops.map((stop) => named(JSON.stringify(Object.fromEntries(staleFields.filter((field) => field in stop).map((field) => [field, stop[field]]))))),
  };
}

export const standsAs = (run: Run | undefined): string | undefined => (run?.phase === 'done' || run?.phase === 'waiting' ? run.outcome : run?.phase);

/** What the providers hold beside what the seed brought. */
export function holdings({ house }: Stage) {
  const { neon, vercel, clerk, rest } = house.sim.state();
  const seeded = new Set(['kQ8sLw2mZx4Tn6Vb']);
  return {
    neon: neon.projects.flatMap(({ branches }) => branches.flatMap(({ name, isDefault }) => (isDefault ? [] : [name]))).sort(),
    vercel: Object.fromEntries(
      vercel.projects
        .flatMap(({ variables }) => variables)
        .filter(({ id }) => !seeded.has(id))
        .map(({ key, target, gitBranch, value }) => [`${key}@${target.join('+')}${gitBranch === undefined ? '' : `/${gitBranch}`}`, value]),
    ),
    clerk: clerk.redirects
      .map(({ url }) => url)
      .filter((url) => url !== demo.clerkRedirect)
      .sort(),
    rest: Object.fromEntries(rest.objects.filter(({ deleted }) => !deleted).map(({ path, body }) => objectOf(path, body))),
  };
}

/** An object by its path, with its name in the place of an id that the fake made up. */
function objectOf(path: string, { id, token: _token, ...body }: Record<string, unknown>): [string, unknown] {
  return [typeof id === 'string' ? path.replace(id, String(body['name'] ?? 'unnamed')) : path, body];
}

/** The comment and the newest check of the pull request at hand, or of the commit of its run; of a pushed one, of the pull request merged last. */
export function surfaces({ house, pulls, on }: Stage, run: Run | undefined) {
  const [repository] = house.sim.state().github.repositories;
  // A comment that starts no run is answered all the same, and so is a button.
  const atHand = run ? run.pullRequest : pulls.get(on)?.number;
  const pull = atHand || repository?.pulls.findLast(({ merged }) => merged)?.number;
  const sha = run?.commit ?? pulls.get(on)?.sha;
  const check = repository?.checks.findLast((one) => one.sha === sha && (run === undefined || one.externalId === run.id));
  return {
    comment: repository?.comments.filter((one) => one.issue === pull && one.author.endsWith('[bot]')).at(-1)?.body ?? '',
    check: { conclusion: check?.conclusion ?? check?.status, title: check?.title ?? '', text: `${check?.summary ?? ''}\n${check?.text ?? ''}` },
  };
}

export const textOfLine = ({ problem }: LineReport): string => `${problem?.message ?? ''} ${problem?.hint ?? ''}`;

/** Slack's channel: its newest card, how many there are, what stands below them, and what was last told to one person alone. */
export function inSlack({ house }: Stage) {
  const { channels, whispers } = house.sim.state().slack;
  const messages = channels.flatMap((channel) => channel.messages);
  const cards = messages.filter(({ thread }) => thread === undefined);
  const below = messages.filter(({ thread }) => thread !== undefined);
  return { card: textOf(cards.at(-1)?.blocks), cards: cards.length, below: below.map(({ text }) => text).join('\n'), told: whispers.at(-1)?.text ?? '' };
}
