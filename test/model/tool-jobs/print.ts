import { check } from './check.ts';
import { toolJobs } from './model.ts';
import { large } from './settings.ts';
import { variants } from './variants.ts';

/** Explores every setting to its end, and what each rule keeps out; prints what was seen. False: something is broken. */
export function printToolJobs(): boolean {
  let whole = true;
  for (const { name, faults, second } of large) {
    const began = performance.now();
    const { states, moves, depth, found } = check(toolJobs(faults, {}, second));
    console.log(`${name}: ${states} states, ${moves} moves, ${depth} deep, ${((performance.now() - began) / 1000).toFixed(1)} s`);
    if (!found) continue;
    whole = false;
    console.log([`  breaks ${found.breaks}`, ...found.way.map((says) => `    ${says}`)].join('\n'));
  }
  for (const { name, without, faults, breaks } of variants) {
    const { found } = check(toolJobs(faults, { [without]: true }, 'seals'));
    const seen = found !== undefined && breaks.test(found.breaks);
    whole &&= seen;
    console.log(`${name}: ${found ? `breaks ${found.breaks}, in ${found.way.length} moves` : 'nothing breaks'}${seen ? '' : ', which it should not'}`);
  }
  return whole;
}
