/** I1: no secret value anywhere, in any spelling. Each sink is read past the code that fills it. */
import type { Item } from '../../shared/ports/table.ts';
import { credentials, foundSecrets, plantedSecrets } from './canaries.ts';
import type { Stage } from './stage.ts';

const shortest = 5;

/** A scan that goes on where it stopped: what cannot change is read once. */
export function leakScan(stage: Stage): () => string[] {
  const { house } = stage;
  const wanted = new Map<string, string>();
  const read = { sent: 0, log: 0, machine: 0, printed: 0, requests: 0 };
  const versions = new Map<string, number>();
  for (const [name, value] of [...credentials, ...plantedSecrets, ...foundSecrets, ...Object.entries(stage.scenario.secrets ?? {})]) learn(name, value);

  function learn(name: string, value: string | null): void {
    if (value === null || value.length < shortest) return;
    for (const spelling of spellings(value)) wanted.set(spelling, name);
  }

  /** Passwords that Neon made, and secrets that were put into the store since. */
  function learnMore(): void {
    for (const project of house.sim.state().neon.projects)
      for (const branch of project.branches) for (const role of branch.roles) learn(`a password of ${branch.name}`, role.password);
    for (const [name, value] of house.secrets) learn(name, value);
  }

  function fresh(): Record<string, readonly string[]> {
    const take = (from: readonly unknown[], key: keyof typeof read): string[] => {
      const texts = from.slice(read[key]).map((one) => (typeof one === 'string' ? one : JSON.stringify(one)));
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
      table: house.memory.items().map(textOf),
      bucket: objects,
      queues: take(house.queues.sent, 'sent'),
      'state machine': take(house.machineInputs, 'machine'),
      log: take(house.log, 'log'),
      terminal: take(stage.printed, 'printed'),
      GitHub: github.map(({ path, query, body }) => `${path}?${query}\n${body}`),
    };
  }

  return () => {
    learnMore();
    return Object.entries(fresh()).flatMap(([sink, texts]) => {
      const text = texts.join('\n');
      const found = new Set([...wanted].flatMap(([spelling, name]) => (text.includes(spelling) ? [name] : [])));
      return [...found].map((name) => `I1: ${name} is in the ${sink}`);
    });
  };
}

const textOf = (item: Item): string => JSON.stringify(item, (_, value: unknown) => (value instanceof Set ? [...value] : value));

/** Raw, in JSON, in a URL, in base64 at each of the three offsets, and in hex. */
function spellings(value: string): string[] {
  const bytes = Buffer.from(value);
  const base64 = [0, 1, 2].map((offset) =>
    Buffer.concat([Buffer.alloc(offset), bytes])
      .toString('base64')
      .slice(offset === 0 ? 0 : 4)
      .replace(/.{0,2}=*$/, ''),
  );
  const long = bytes.length < 9 ? [] : [...base64, bytes.toString('hex')];
  return [...new Set([value, JSON.stringify(value).slice(1, -1), encodeURIComponent(value), ...long])];
}
