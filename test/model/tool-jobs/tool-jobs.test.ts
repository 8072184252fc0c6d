import { expect, test } from 'vitest';
import { check } from './check.ts';
import { toolJobs } from './model.ts';
import { small } from './settings.ts';
import { variants } from './variants.ts';

test.each(small)('$name: never two tools of one stack at once, none under a lease that was taken over, and every way ends (P9, I9, I11, R2.8)', (setting) => {
  const checked = check(toolJobs(setting.faults, {}, setting.second));
  console.log(`${setting.name}: ${checked.states} states, ${checked.moves} moves, ${checked.depth} deep`);
  expect(checked.found).toBeUndefined();
  expect(checked.states).toBeGreaterThan(1000);
});

test.each(variants)('$name: the model finds it', ({ without, faults, breaks }) => {
  const { found } = check(toolJobs(faults, { [without]: true }, 'seals'));
  expect(found?.breaks).toMatch(breaks);
});
