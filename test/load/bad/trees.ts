/** Plan files that are good YAML, and whose tree is damaged: nodes replaced, taken away, doubled, of another type, tagged, or an alias of another one. */
import { Alias, type Document, isCollection, isMap, isNode, isPair, isScalar, type Node, parse, parseDocument, stringify, visit } from 'yaml';
import { registry } from '../../../shared/adapters/registry.ts';
import type { Problem } from '../../../shared/errors/error.ts';
import { readPlan } from '../../../shared/plan/read.ts';
import { exampleRegistry } from '../../ports/example-op.ts';
import { commitOf, openWorkbench, planPath } from '../../ports/workbench.ts';
import { reportsOf } from '../../property/report.ts';
import type { Random } from '../../weave/random.ts';
import { canaryIn, carried, stackSecrets } from './canaries.ts';
import { codesOf } from './codes-of.ts';
import { damagedValue } from './damage.ts';
import type { Answered, Door } from './door.ts';
import { goodPlan } from './files.ts';

/** One that the workbench can plan. */
const plannable = `version: 1
environments: [preview, production]
providers:
  example: { place: here }
changes:
  - { id: a, adapter: example, op: things, things: { a: { secret: env://DATABASE_URL }, b: "of \${ctx.scope}" } }
  - id: b
    adapter: example
    op: things
    depends_on: [a]
    environments: [preview]
    things: { c: { from: a.id }, d: two, e: 3 }
  - { id: c, adapter: example, op: things, prefix: x, things: { f: { from: b.value } } }
`;

const tags = ['!!str', '!!int', '!!binary', '!!set', '!!omap', '!!null', '!own', '!!js/function'];

/** Of a file's nodes one is tagged, doubled with its key, or an alias of another one. */
function retagged(text: string, random: Random): string {
  const document = parseDocument(text);
  const nodes: Node[] = [];
  visit(document, { Node: (_key, node) => void nodes.push(node) });
  const node = random.one(nodes.filter((one) => isScalar(one) || isCollection(one)));
  const how = random.below(3);
  if (how === 0) Object.assign(node, { tag: random.one(tags) });
  else if (how === 1 && isMap(node) && node.items.length > 0) node.items.push(random.one(node.items));
  else aliased(document, node, random);
  return document.toString({ verifyAliasOrder: false } as never);
}

/** Somewhere in the file, the node is named and stands for another one's value, perhaps its own parent's. */
function aliased(document: Document, node: Node, random: Random): void {
  Object.assign(node, { anchor: 'here' });
  const pairs: { value: unknown }[] = [];
  visit(document, { Pair: (_key, pair) => void (isPair(pair) && isNode(pair.value) && pairs.push(pair)) });
  random.one(pairs).value = new Alias('here');
}

/** A file of a good one's tree, damaged. */
function damagedTree(good: string, random: Random): string {
  if (random.chance(0.25)) return retagged(good, random);
  return stringify(damagedValue(parse(good), random), { aliasDuplicateObjects: false });
}

/** Codes for what no tree of a plan can be at fault for. */
const notAPlans = new Set(['INTERNAL', 'STORE_UNREACHABLE', 'PROVIDER_TRANSIENT']);

/** Every mistake has a code, words, and its place in the file. */
function misplaced(problems: readonly Problem[], text: string): string | undefined {
  const lines = text.split('\n').length;
  const wrong = problems.find(
    ({ code, message, at }) => notAPlans.has(code) || !/\S/.test(message) || message.length > 2_000 || !at || at.line < 1 || at.line > lines || at.column < 1,
  );
  return wrong && `a mistake without a code of its own, without a place, or without an end: ${JSON.stringify(wrong).slice(0, 300)}`;
}

const bench = openWorkbench();
for (const [name, value] of Object.entries(stackSecrets)) bench.secrets.set(name, value);
const back = bench.keep();

/** What planning it comes to: planned, or stopped with a code. Nothing is written. */
async function planned(text: string): Promise<Answered> {
  back();
  bench.code.commit(commitOf('tree'), planPath, text);
  const [written, said] = [bench.provider.writes.length, bench.logged.length];
  const id = await bench.command({ intent: 'plan', commit: 'tree' });
  await bench.quiet();
  const run = await bench.run(id);
  const report = reportsOf(bench, id).at(-1);
  const codes = codesOf(bench, run);
  const answer = run.outcome === 'complete' ? 'planned' : `${run.outcome ?? run.phase} ${codes}`;
  const raw = bench.logged.slice(said).find(({ level }) => level === 'thrown');
  const leaked = canaryIn([bench.logged.slice(said), report, bench.memory.items()]);
  if (bench.provider.writes.length > written) return { answer, wrong: 'I4: a plan wrote to the provider' };
  if (run.phase !== 'done' || (run.outcome !== 'complete' && codes.length === 0))
    return { answer, wrong: `the run rests in ${run.phase}, ${run.outcome}, and has no code` };
  if (codes.some((code) => notAPlans.has(code)) || raw) return { answer, wrong: `${JSON.stringify(run.problem ?? raw ?? report).slice(0, 500)}` };
  return { answer, ...(leaked ? { wrong: leaked } : {}) };
}

export const trees: Door = {
  name: 'plan tree',
  count: 1_200,
  async send(random) {
    const isPlanned = random.chance(0.6);
    const literal = isPlanned ? plannable : goodPlan.replace('{ secret: env://KEY }', carried);
    const text = damagedTree(random.chance(0.8) ? (isPlanned ? plannable : goodPlan) : literal, random);
    const { plan, problems, warnings } = readPlan(text, planPath, isPlanned ? exampleRegistry : registry);
    const wrong = misplaced([...problems, ...warnings], text) ?? (/KEY: "?sk-live/.test(text) ? canaryIn([problems, warnings]) : undefined);
    if (!plan)
      return {
        answer: problems[0]?.code ?? 'refused',
        ...(problems.length === 0 ? { wrong: 'it is refused, and nobody is told why' } : wrong ? { wrong } : {}),
      };
    if (wrong) return { answer: 'valid', wrong };
    return isPlanned ? planned(text) : { answer: 'valid' };
  },
};
