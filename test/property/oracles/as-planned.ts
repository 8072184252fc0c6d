import type { PlannedLine, Said } from '../plan.ts';
import { secrets } from '../plan.ts';
import type { Stage } from '../stage.ts';
import { shaOf } from '../stage.ts';

/** What the provider must hold after a complete apply: every name of the plan, with the value that the plan says (`keep`: whatever it is). */
export function notAsPlanned(stage: Stage): string[] {
  const { plan, bench } = stage;
  return plan.flatMap((line) =>
    Object.entries(line.things).flatMap(([name, said]) => {
      const thing = bench.provider.find(name);
      if (!thing) return [`as planned: ${name} of line ${line.id} is not there`];
      const wanted = wantedOf(stage, said);
      return wanted === undefined || wanted === thing.value ? [] : [`as planned: ${name} of line ${line.id} is ${thing.value} and not ${wanted}`];
    }),
  );
}

function wantedOf(stage: Stage, said: Said): string | undefined {
  if ('text' in said) return said.text;
  if ('secret' in said) return secrets[said.secret];
  if ('keep' in said) return undefined;
  if (said.output === 'url') return `https://${shaOf(stage).slice(0, 7)}.example.test`;
  const from = stage.plan.find(({ id }) => id === said.from) as PlannedLine;
  const first = stage.bench.provider.find(Object.keys(from.things)[0] as string);
  if (!first) return undefined;
  return said.output === 'id' ? first.id : said.output === 'token' ? `token-of-${first.id}` : first.value;
}
