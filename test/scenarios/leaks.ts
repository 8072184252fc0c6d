/** I1: no secret value anywhere, in any spelling. Each sink is read past the code that fills it. */
import type { Item } from '../../shared/ports/table.ts';
import { openSearch, type Tally } from '../canaries/search.ts';
import { canaries } from '../canaries/values.ts';
import { credentials, foundSecrets, plantedSecrets } from './canaries.ts';
import type { Step } from './scenario.ts';
import type { Stage } from './stage.ts';

const shortest = 5;

/**
 * A scan that goes on where it stopped: what cannot change is read once. Beside what lies in the table afterwards, every write to it is looked
 * through, but for a step that says why not. `tally` counts what was looked through.
 */
export function leakScan(stage: Stage, tally?: Tally): (step?: Pick<Step, 'except'>) => string[] {
  const { house } = stage;
  const search = openSearch(tally);
  const known = new Set<string>();
  const read = { sent: 0, log: 0, machine: 0, printed: 0, requests: 0, written: 0 };
  const versions = new Map<string, number>();
  for (const [name, value] of [...credentials, ...plantedSecrets, ...foundSecrets, ...Object.entries(stage.scenario.secrets ?? {})]) learn(name, value);
  for (const { name, value, isWord } of canaries) if (!isWord) learn(name, value);

  function learn(name: string, value: string | null): void {
    if (value === null || value.length < shortest || known.has(value) || canaries.some((one) => one.isWord && one.value === value)) return;
    known.add(value);
    search.learn(name, value);
  }

  /** Passwords that Neon made, and secrets that were put into the store since. */
  function learnMore(): void {
    for (const project of house.sim.state().neon.projects)
      for (const branch of project.branches) for (const role of branch.roles) learn(`a password of ${branch.name}`, role.password);
    for (const [name, value] of house.secrets) learn(name, value);
  }

  function fresh(): Record<string, readonly string[]> {
    const take = <One>(from: readonly One[], key: keyof typeof read, asText: (one: One) => string = (one) => JSON.stringify(one)): string[] => {
      const texts = from.slice(read[key]).map((one) => (typeof one === 'string' ? one : asText(one)));
      read[key] = from.length;
      return texts;
    };
    const objects = house.bucket.keys().flatMap((key) => {
      const bodies = house.bucket.bodies(key).slice(versions.get(key) ?? 0);
      versions.set(key, (versions.get(key) ?? 0) + bodies.length);
      return bodies.map((body) => `${key}\n${body}`);
    });
    const github = house.sim.requests({ provider: 'github', since: read.requests });
    read.requests = github.at(-1)?.at ?? read.requests;
    return {
      table: house.memory.each().map(knownTextOf),
      'table writes': take(house.memory.writes, 'written', ({ key, change }) => textOf({ ...key, change })),
      bucket: objects,
      queues: take(house.queues.sent, 'sent'),
      'state machine': take(house.machineInputs, 'machine'),
      log: take(house.log, 'log'),
      terminal: take(stage.printed, 'printed'),
      Slack: [JSON.stringify(house.sim.state().slack)],
      GitHub: github.map(({ path, query, body }) => `${path}?${query}\n${body}`),
    };
  }

  return ({ except } = {}) => {
    learnMore();
    const { 'table writes': writes = [], ...others } = fresh();
    const sinks = except?.writes ? others : { ...others, 'table writes': writes };
    return Object.entries(sinks).flatMap(([sink, texts]) => search.look(sink, texts).map((leak) => `I1: ${leak}`));
  };
}

/** Texts of items as they lie in the table, where none is ever changed in place. */
const texts = new WeakMap<Item, string>();

function knownTextOf(item: Item): string {
  const text = texts.get(item) ?? textOf(item);
  texts.set(item, text);
  return text;
}

const textOf = (item: Item): string => JSON.stringify(item, (_, value: unknown) => (value instanceof Set ? [...value] : value));
