/** Explores every setting and prints what was seen: `npm run model`. */
import { explore } from './explore.ts';
import { settings } from './settings.ts';
const states = Number(process.argv[2] ?? 20000);
for (const setting of settings.filter(({ name }) => process.argv[3] === undefined || name === process.argv[3])) {
  const t = performance.now();
  const r = await explore(setting, { depth: 99, states, first: true });
  const ms = performance.now() - t;
  console.log(r.setting, { ...r, found: r.found.length, actors: [...r.actors].join() }, `${(ms / 1000).toFixed(1)} s`, `${(ms / r.moves).toFixed(3)} ms a move`, Math.round(process.memoryUsage().heapUsed / 1e6), 'MB');
  for (const one of r.found.slice(0, 3)) console.log(one);
}
