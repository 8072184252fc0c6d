import { readFileSync } from 'node:fs';
import { canaries } from '../house.ts';
import { everyItem, versionsOf } from './stored.ts';
import type { StoryWorld } from './world.ts';

/** Texts of one place each where no secret may ever be. */
export type Sinks = Readonly<Record<string, readonly string[]>>;

/** Where a secret value was found, in whatever spelling. Names the place and the secret's kind, never the value. */
export function leaksIn(world: StoryWorld, sinks: Sinks): string[] {
  const secrets = secretsOf(world);
  return Object.entries(sinks).flatMap(([sink, texts]) =>
    texts.flatMap((text) => secrets.filter(({ value }) => spellings(value).some((one) => text.includes(one))).map(({ name }) => `${name} in ${sink}`)),
  );
}

/** The planted credentials, and every database password the fake Neon has now. */
function secretsOf(world: StoryWorld): { name: string; value: string }[] {
  const planted = Object.entries(canaries).map(([name, value]) => ({ name, value }));
  const roles = world.house.sim.state().neon.projects.flatMap((project) => project.branches.flatMap((branch) => branch.roles));
  const urls = (world.house.sim.state().vercel.projects[0]?.variables ?? []).filter((variable) => variable.key === 'DATABASE_URL');
  return [
    ...planted,
    ...roles.map((role) => ({ name: 'a database password', value: role.password })),
    ...urls.map((variable) => ({ name: 'a connection string', value: variable.value })),
  ];
}

/** Raw, in a URL, in base64 at each of the three offsets, and in hex. */
function spellings(value: string): string[] {
  const base64 = [0, 1, 2].map((offset) =>
    Buffer.concat([Buffer.alloc(offset), Buffer.from(value)])
      .toString('base64')
      .slice(offset === 0 ? 0 : 4)
      .replace(/.{0,2}=*$/, ''),
  );
  return [value, encodeURIComponent(value), ...base64, Buffer.from(value).toString('hex')];
}

/** Everything that Lockkeeper wrote or said: table, every version of every object, GitHub, logs, messages. */
export async function everySink(world: StoryWorld): Promise<Sinks> {
  return {
    'the table': await everyItem(world),
    'the bucket': await versionsOf(world),
    'requests to GitHub': world.house.sim.requests({ provider: 'github' }).map((request) => `${request.path}?${request.query}\n${request.body}`),
    'the functions’ log': [readFileSync(world.log.file, 'utf8')],
    messages: world.journal.invocations().flatMap((one) => one.bodies),
  };
}
