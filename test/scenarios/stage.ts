/** What the moves of one scenario work on: a house, the pull requests by their branch, and what the last move came to. */
import { stringify } from 'yaml';
import type { Answer } from '../../functions/cli/answer.ts';
import type { Problem } from '../../shared/errors/error.ts';
import { canaries } from '../canaries/values.ts';
import type { ClockedCloud } from '../house/cloud.ts';
import { type MemoryHouse, openHouse } from '../house/house.ts';
import type { EditName } from '../sim/control/edits.ts';
import type { Webhook } from '../sim/github/webhook.ts';
import { demo } from '../sim/seed.ts';
import type { SlackRequest } from '../sim/slack/press.ts';
import type { SlackState } from '../sim/slack/state.ts';
import { credentials, plantedSecrets } from './canaries.ts';
import type { Scenario, Step } from './scenario.ts';

export const planPath = 'release.plan.yaml';

export interface Pull {
  readonly number: number;
  readonly branch: string;
  readonly sha: string;
}

/** What a move came to, beside what it left in the house. */
export interface Outcome {
  readonly answer?: Answer;
  /** Why a command stopped before there was a run. */
  readonly problem?: Problem;
  readonly exit?: number;
  readonly http?: number;
}

export interface Stage {
  readonly scenario: Scenario;
  readonly house: MemoryHouse;
  readonly pulls: Map<string, Pull>;
  /** Branch of the pull request that steps are about. */
  on: string;
  /** Text of the plan file as it is now. */
  plan: string;
  /** Every commit that a step made, oldest first. */
  readonly commits: string[];
  /** The last webhook, and its delivery's id. */
  last: { readonly hook: Webhook; readonly delivery: string } | undefined;
  /** The last click in Slack, and Slack as it was when its first card had just been posted. */
  lastClick: SlackRequest | undefined;
  cardAtFirst: SlackState | undefined;
  /** The first buttons that each check showed, by its number. */
  readonly buttons: Map<number, readonly { readonly label: string; readonly identifier: string }[]>;
  /** Everything that commands printed. */
  readonly printed: string[];
}

const providers = {
  neon: { project: demo.neonProject },
  vercel: { project: demo.vercelProject, team: demo.vercelTeam },
};

/** The IAM user of somebody. */
export const principalOf = (login: string): string => `arn:aws:iam::111122223333:user/${login}`;

const people = ['kim', 'robin', 'alex'].map((github) => ({ github, aws: principalOf(github) }));
const usualPolicy = { version: 1, environments: { production: { approvers: people } } };

/** A file as scenarios write it: lines of a plan, a map, or the text itself. `$large` in it is a text of 60 KB. */
export function fileText(content: Scenario['plan']): string {
  return textOf(content).replaceAll('$large', 'x'.repeat(60_000));
}

function textOf(content: Scenario['plan']): string {
  if (typeof content === 'string') return content;
  return stringify(Array.isArray(content) ? { version: 1, providers, changes: content } : content, { lineWidth: 0 });
}

export function openStage(cloud: ClockedCloud, scenario: Scenario): Stage {
  const house = openHouse(cloud, { stack: scenario.host === 'machine' ? 'embedded' : 'deployed' });
  const { control } = house.sim;
  const stage: Stage = {
    scenario,
    house,
    pulls: new Map(),
    on: 'main',
    plan: fileText(scenario.plan),
    last: undefined,
    lastClick: undefined,
    cardAtFirst: undefined,
    printed: [],
    commits: [],
    buttons: new Map(),
  };
  for (const [name, value] of [...credentials, ...plantedSecrets, ...shapes, ...Object.entries(scenario.secrets ?? {})]) setSecret(stage, name, value);
  if (scenario.settings) control.set(scenario.settings);
  const policy = scenario.policy === undefined ? fileText(usualPolicy) : fileText(scenario.policy);
  if (policy !== 'none') control.edit('github.push', { branch: 'main', files: { 'lockkeeper.yaml': policy }, message: 'Policy' });
  makeEdits(stage, scenario.world ?? []);
  return stage;
}

/** The digest of each question that was asked, run by run, oldest first. */
export function askedDigests({ house }: Stage): string[] {
  const order = new Map(house.runs().map(({ id }, at) => [id, at]));
  const asked = house.memory.items().filter(({ sk }) => sk.startsWith('QUESTION#'));
  const place = (item: (typeof asked)[number]): number => (order.get(String(item['run'])) ?? 0) * 1000 + Number(item['q']);
  return asked.toSorted((a, b) => place(a) - place(b)).map((item) => String(item['digest']));
}

/** Secrets of every shape: any plan may use them, and `canaries.test.ts` makes each scenario do so. */
const shapes = canaries.map(({ name, value }) => [name, value] as const);

const everywhere = ['preview', 'staging', 'production'];

/** Puts a secret into every environment, or into the one its name begins with; null takes it away. */
export function setSecret({ house }: Stage, name: string, value: string | null): void {
  for (const key of name.includes('/') ? [name] : everywhere.map((environment) => `${environment}/${name}`)) {
    if (value === null) house.secrets.delete(key);
    else house.secrets.set(key, value);
  }
}

/** What somebody does at a provider or on GitHub, in order. `$sha` stands for the head of the pull request at hand. */
export function makeEdits(stage: Stage, wanted: NonNullable<Scenario['world']>): void {
  for (const one of wanted) {
    for (const [name, input] of Object.entries(one)) {
      const filled = Object.fromEntries(Object.entries(input ?? {}).map(([key, value]) => [key, value === '$sha' ? stage.pulls.get(stage.on)?.sha : value]));
      stage.house.sim.control.edit(name as EditName, filled as never);
    }
  }
}

/** The pull request a step is about. */
export function pullOf(stage: Stage): Pull {
  const pull = stage.pulls.get(stage.on);
  if (!pull) throw new Error(`there is no pull request of branch ${stage.on}`);
  return pull;
}

/** The files of a step's commit: its plan, and whatever else it names. `none` takes the plan file away. */
export function filesOf(stage: Stage, step: Step): Record<string, string | null> {
  if (step.plan !== undefined) stage.plan = fileText(step.plan);
  return { [planPath]: stage.plan === 'none' ? null : stage.plan, ...step.files };
}

/** GitHub tells of it, unless the step says that nobody hears it; then everything comes to rest. */
export async function tell(stage: Stage, step: Step, hook: Webhook, delivery?: string): Promise<Outcome> {
  if (step.unheard) return {};
  const answer = await stage.house.webhook(hook, delivery);
  stage.last = { hook, delivery: answer.delivery };
  await settle(stage, step);
  noteButtons(stage);
  const { slack } = stage.house.sim.state();
  if (slack.channels.some(({ messages }) => messages.length > 0)) stage.cardAtFirst ??= slack;
  return { http: answer.status };
}

/** What buttons each check showed first: somebody may have left that page open. */
function noteButtons({ house, buttons }: Stage): void {
  for (const { id, actions = [] } of house.sim.state().github.repositories.flatMap(({ checks }) => checks)) {
    if (actions.length > 0 && !buttons.has(id)) buttons.set(id, actions);
  }
}

/** Delivers what there is, in the order the step asks for. */
export async function settle({ house }: Stage, step: Pick<Step, 'twice' | 'backwards' | 'unheard' | 'undelivered'>): Promise<void> {
  if (step.unheard || step.undelivered) return;
  if (!step.twice) return house.quiet(step.backwards ? (ready) => ready - 1 : undefined);
  for (let seen = 0; house.queues.nextAt() !== undefined; ) {
    for (const message of house.queues.sent.slice(seen)) house.queues.deliver(message, Math.max(0, message.at - house.clock.now()) / 1000);
    seen = house.queues.sent.length;
    await house.quiet();
    if (house.queues.sent.length === seen) break;
  }
}
