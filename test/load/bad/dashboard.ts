/** The dashboard’s issue after people, programs and bad luck have edited it: the step that reads its boxes, followed to its end. */
import { bodyNow, boxesNow, edited } from '../../../shared/dashboard/dashboard-bench.fixture.ts';
import { boxesIn, boxMarker, rootMarker } from '../../../shared/dashboard/marker.ts';
import { askForScans } from '../../../shared/scans/ask-for-scans.ts';
import { runsOf } from '../../property/stage.ts';
import { buildHouse, type House } from '../../weave/house.ts';
import type { Random } from '../../weave/random.ts';
import { canaryIn, carried } from './canaries.ts';
import { codesOf } from './codes-of.ts';
import { damagedText } from './damage.ts';
import type { Door } from './door.ts';

/** A dashboard with something to tick in both environments: somebody has edited what they hold. */
async function drifted(): Promise<House> {
  const house = await buildHouse('both', 'exact');
  const { bench } = house;
  bench.provider.edit('x', 'by hand');
  bench.provider.edit('y', 'by hand');
  bench.clock.advance(2 * 3_600_000 - (bench.clock.now() % 900_000));
  await askForScans(bench.world(), bench.clock.now());
  await bench.quiet();
  await bench.sweep();
  if (boxesNow(bench).length < 2) throw new Error(`the dashboard has nothing to tick:\n${bodyNow(bench)}`);
  return house;
}

/** What is damaged once is brought back by taking the house anew: its issue has a history. */
let kept: Promise<{ readonly house: House; readonly back: () => void }> | undefined;
async function scene(): Promise<House> {
  kept ??= drifted().then((house) => ({ house, back: keepAll(house) }));
  const { house, back } = await kept;
  back();
  return house;
}

function keepAll({ bench }: House): () => void {
  const back = bench.keep();
  const { issues } = bench.code;
  const was = issues.kept.map((one) => [one, structuredClone(one)] as const);
  return () => {
    back();
    issues.kept.splice(0, issues.kept.length, ...was.map(([one]) => one));
    for (const [one, as] of was) {
      one.edits.splice(0, one.edits.length, ...structuredClone(as.edits));
      Object.assign(one, { open: as.open, title: as.title, gone: as.gone });
    }
  };
}

/** One of its boxes is ticked. */
function ticked(body: string, random: Random): string {
  const lines = body.split('\n');
  const boxes = lines.flatMap((line, at) => (line.startsWith('- [ ]') ? [at] : []));
  const at = boxes.length === 0 ? -1 : random.one(boxes);
  return lines.map((line, number) => (number === at ? line.replace('- [ ]', '- [x]') : line)).join('\n');
}

/** Places in a box’s marker that a hand slips at. */
const slips: readonly ((body: string, random: Random) => string)[] = [
  (body, random) => ticked(body, random).replace(/digest="[^"]*"/, 'digest="%"'),
  (body, random) => ticked(body, random).replace(/env="[^"]*"/, 'env="%C0%80"'),
  (body, random) => ticked(body, random).replace(/plan="[^"]*"/, `plan="${'x'.repeat(5_000)}"`),
  (body, random) => ticked(body, random).replace(/run="([^"]*)"/, 'run="$1" run="$1"'),
  (body, random) => ticked(body, random).replace(/no="\d+"/, 'no="99999999999999999999"'),
  (body, random) => ticked(body, random).replace(/no="\d+"/, 'no="-1"'),
  (body, random) => ticked(body, random).replace(/ -->/g, ''),
  (body, random) => ticked(body, random).replace(/lockkeeper:(apply|repair)/g, 'lockkeeper:__proto__'),
  (body, random) => ticked(ticked(ticked(body, random), random), random),
  (body, random) => `${rootMarker}\n${body}\n${ticked(body, random)}`,
  (body) => body.replace(rootMarker, '<!-- lockkeeper:dashboard v="9" -->'),
  (body) => body.replace(rootMarker, '<!-- lockkeeper:dashboard v="0" -->'),
  () => rootMarker,
  () => 'x'.repeat(70_000),
  (body, random) => `${ticked(body, random)}\n- [x] ${carried} <!-- lockkeeper:apply plan="main" env="staging" run="r" digest="${carried}" no="1" -->`,
  (body, random) => damagedText(ticked(body, random), random).toString(),
  (body, random) => damagedText(damagedText(body, random).toString('latin1'), random).toString(),
];

const editors = ['mona', 'kim', 'sam', 'nobody', 'helper[bot]'] as const;

export const dashboards: Door = {
  name: 'dashboard',
  count: 250,
  async send(random) {
    const { bench } = await scene();
    const [said, written] = [bench.logged.length, bench.provider.writes.length];
    const before = new Set(runsOf(bench).map(({ id }) => id));
    const shown = bodyNow(bench);
    const known = new Set(boxesIn(shown).map(({ marker }) => boxMarker(marker)));
    const saved = random.one(slips)(shown, random);
    bench.clock.advance(5_000);
    await edited(bench, random.one(editors), () => saved);
    await bench.quiet();
    for (let times = 0; times < 2; times += 1) await bench.sweep();
    const told = bench.logged.slice(said);
    const raw = told.find(({ level, message }) => level === 'thrown' || (level === 'error' && /INTERNAL/.test(JSON.stringify(message))));
    const isTicked = boxesIn(saved).some(({ marker, ticked: is }) => is && known.has(boxMarker(marker)));
    const wrote = bench.provider.writes.length > written;
    const begun = runsOf(bench).filter(({ id, intent }) => !before.has(id) && intent !== 'drift');
    const codes = [...new Set(begun.flatMap((run) => codesOf(bench, run)))].sort();
    const answer = wrote
      ? 'done'
      : begun.length > 0
        ? `a run, ${codes.join() || begun[0]?.phase}`
        : bodyNow(bench) === shown
          ? 'the body is as it was'
          : 'left as it is';
    const leaked = canaryIn([told, [...bench.code.comments], [...bench.code.checks]]);
    if (raw) return { answer, wrong: `${raw.message} ${JSON.stringify(raw.fields ?? {}).slice(0, 300)}` };
    if (wrote && !isTicked) return { answer, wrong: 'I7: the provider was written to, and nobody ticked a box that there was' };
    if (codes.includes('INTERNAL')) return { answer, wrong: 'a run ended INTERNAL' };
    return { answer, ...(leaked ? { wrong: leaked } : {}) };
  },
};
