/** A plan as the test knows it: lines that are revised, written down as a plan file, and what the provider must hold after it was applied. */
import type { LineShape, Revision, SaidShape } from './story.ts';

type Output = Extract<SaidShape, { say: 'from' }>['output'];
export type Said = { readonly text: string } | { readonly from: string; readonly output: Output } | { readonly secret: string } | { readonly keep: true };

export interface PlannedLine {
  readonly id: string;
  readonly needs: readonly string[];
  readonly busy: number;
  /** Name of a thing → its value. */
  readonly things: Readonly<Record<string, Said>>;
}

/** Secrets of the plan by variable: awkward ones, so that a careless encoding shows. */
export const secrets: Readonly<Record<string, string>> = {
  DATABASE_URL: 'postgres://app:p%40ss/"w\\ord@db.example.test/main?x=1',
  LONG_KEY: 'c2VjcmV0LWtleS1vZi10aGUtdGVzdA==',
  PIN_CODE: '864209753186',
};
const secretNames = Object.keys(secrets);

export const strangerName = (n: number): string => `taken-${n}`;
export const strangerValue = 'theirs';
export const textOf = (n: number): string => `v${n}`;

const at = <T>(list: readonly T[], pointer: number): T => list[pointer % list.length] as T;

/** Makes plans of one story. Names and ids are counted, so that none comes twice. */
export function planner(strangers: number): {
  first(shapes: readonly LineShape[]): PlannedLine[];
  revise(plan: readonly PlannedLine[], by: readonly Revision[]): PlannedLine[];
} {
  let count = 0;

  function saidOf(shape: SaidShape, earlier: readonly PlannedLine[], used: Set<string>): [string, Said] {
    const fresh = `n${count++}`;
    const text: Said = { text: textOf('n' in shape ? shape.n % 5 : 0) };
    if (shape.say === 'secret') return [fresh, { secret: at(secretNames, shape.n) }];
    if (shape.say === 'from') return earlier.length === 0 ? [fresh, text] : [fresh, { from: at(earlier, shape.at).id, output: shape.output }];
    if (shape.say === 'text') return [fresh, text];
    const name = strangerName(shape.n % Math.max(1, strangers));
    if (strangers === 0 || used.has(name)) return [fresh, text];
    return [name, shape.say === 'keep' ? { keep: true } : { text: shape.same ? strangerValue : 'ours' }];
  }

  function lineOf(shape: LineShape, plan: readonly PlannedLine[]): PlannedLine {
    const used = new Set(namesIn(plan));
    const things: Record<string, Said> = {};
    for (const one of shape.things) {
      const [name, said] = saidOf(one, plan, used);
      used.add(name);
      things[name] = said;
    }
    const needs = plan.length === 0 ? [] : [...new Set(shape.needs.map((need) => at(plan, need).id))];
    return { id: `l${count++}`, needs, busy: shape.busy, things };
  }

  function revised(plan: readonly PlannedLine[], revision: Revision): PlannedLine[] {
    if (revision.edit === 'add') return [...plan, lineOf(revision.shape, plan)];
    if (plan.length === 0) return [...plan];
    const line = at(plan, revision.at);
    if (revision.edit === 'drop') return plan.filter((one) => one !== line).map((one) => without(one, line.id));
    if (revision.edit === 'rename') return renamed(plan, line.id, `l${count++}`);
    return plan.map((one) => (one === line ? { ...line, things: changed(line, revision) } : one));
  }

  function changed({ things }: PlannedLine, revision: Extract<Revision, { edit: 'value' | 'grow' | 'shrink' }>): PlannedLine['things'] {
    const names = Object.keys(things);
    if (revision.edit === 'grow') return { ...things, [`n${count++}`]: { text: textOf(revision.n) } };
    if (revision.edit === 'shrink') return Object.fromEntries(Object.entries(things).slice(0, Math.max(1, names.length - 1)));
    return { ...things, [at(names, revision.n)]: { text: textOf(revision.n) } };
  }

  return {
    first(shapes) {
      const plan: PlannedLine[] = [];
      for (const shape of shapes) plan.push(lineOf(shape, plan));
      return plan;
    },
    revise: (plan, by) => by.reduce<PlannedLine[]>(revised, [...plan]),
  };
}

export const namesIn = (plan: readonly PlannedLine[]): string[] => plan.flatMap((line) => Object.keys(line.things));

/** Names whose value the plan leaves to whoever made them. */
export const keptNames = (plan: readonly PlannedLine[]): string[] =>
  plan.flatMap(({ things }) => Object.entries(things).flatMap(([name, said]) => ('keep' in said ? [name] : [])));

const mapSaid = (line: PlannedLine, change: (said: Said) => Said): PlannedLine['things'] =>
  Object.fromEntries(Object.entries(line.things).map(([name, said]) => [name, change(said)]));

/** A line that does without another one: what came from there is said as text. */
const without = (line: PlannedLine, id: string): PlannedLine => ({
  ...line,
  needs: line.needs.filter((need) => need !== id),
  things: mapSaid(line, (said) => ('from' in said && said.from === id ? { text: 'instead' } : said)),
});

const renamed = (plan: readonly PlannedLine[], from: string, to: string): PlannedLine[] =>
  plan.map((line) => ({
    ...line,
    id: line.id === from ? to : line.id,
    needs: line.needs.map((need) => (need === from ? to : need)),
    things: mapSaid(line, (said) => ('from' in said && said.from === from ? { ...said, from: to } : said)),
  }));

/** The lines as a plan file has them. */
export const changesOf = (plan: readonly PlannedLine[]): object[] =>
  plan.map(({ id, needs, busy, things }) => ({
    id,
    ...(needs.length > 0 ? { depends_on: needs } : {}),
    ...(busy > 0 ? { busy } : {}),
    things: Object.fromEntries(Object.entries(things).map(([name, said]) => [name, written(said)])),
  }));

function written(said: Said): unknown {
  if ('text' in said) return said.text;
  if ('from' in said) return { from: `${said.from}.${said.output}` };
  return 'secret' in said ? { secret: `env://${said.secret}` } : said;
}
