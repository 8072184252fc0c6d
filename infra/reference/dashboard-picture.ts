/** The header pictures of the dashboard: a lock in a canal, in each state, for light and for dark pages. Drawn here, so that they cannot drift apart. */
import { type HeaderState, headerStates } from '../../shared/surfaces/dashboard/tally.ts';

type Page = 'light' | 'dark';

interface Colours {
  readonly water: string;
  readonly wave: string;
  readonly bank: string;
  readonly line: string;
  readonly hull: string;
  readonly cabin: string;
  readonly good: string;
  readonly asks: string;
  readonly bad: string;
}

const colours: Readonly<Record<Page, Colours>> = {
  light: {
    water: '#b6e3ff',
    wave: '#54aeff',
    bank: '#d0d7de',
    line: '#57606a',
    hull: '#8250df',
    cabin: '#ffffff',
    good: '#1a7f37',
    asks: '#bc4c00',
    bad: '#cf222e',
  },
  dark: {
    water: '#0c2d6b',
    wave: '#388bfd',
    bank: '#30363d',
    line: '#8b949e',
    hull: '#a371f7',
    cabin: '#0d1117',
    good: '#3fb950',
    asks: '#f0883e',
    bad: '#f85149',
  },
};

const titles: Readonly<Record<HeaderState, string>> = {
  'first-run': 'An empty lock: nothing has been looked at yet',
  failing: 'The gate is barred: something failed',
  deploying: 'A boat in the lock: something is being released',
  pending: 'A boat before the gate: something waits to be released',
  drift: 'Water seeps through the closed gate: something was changed outside',
  'in-sync': 'The gates are open and the water is level: everything is as it was released',
};

/** Heights of the water, from the top, on the left of the gates, between them and on their right. */
const levels: Readonly<Record<HeaderState, readonly [number, number, number]>> = {
  'first-run': [146, 146, 146],
  failing: [70, 104, 112],
  deploying: [70, 90, 112],
  pending: [70, 112, 112],
  drift: [70, 108, 112],
  'in-sync': [88, 88, 88],
};

const [firstGate, secondGate, bed, width, height] = [330, 550, 150, 880, 160];

export function dashboardPicture(state: HeaderState, page: Page): string {
  const of = colours[page];
  const [left, between, right] = levels[state];
  const body = [
    water(0, firstGate, left, of),
    water(firstGate, secondGate, between, of),
    water(secondGate, width, right, of),
    `<path d="M0 ${bed}H${width}V${height}H0z" fill="${of.bank}"/>`,
    ...gates(state, of),
    ...onTheWater(state, of),
  ];
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" role="img" aria-labelledby="title">\n  <title id="title">${titles[state]}</title>\n  ${body.join('\n  ')}\n</svg>\n`;
}

const water = (from: number, to: number, top: number, { water: fill, wave }: Colours): string =>
  `<path d="M${from} ${top}H${to}V${bed}H${from}z" fill="${fill}"/><path d="M${from} ${top}H${to}" stroke="${wave}" stroke-width="3"/>`;

const post = (x: number, { line }: Colours): string => `<path d="M${x - 5} 40h10V${bed}h-10z" fill="${line}"/>`;
/** A leaf that shuts the canal, or one that stands open along it. */
const leaf = (x: number, shut: boolean, colour: string): string =>
  shut ? `<path d="M${x - 3} 56h6V${bed}h-6z" fill="${colour}"/>` : `<path d="M${x} 46h34" stroke="${colour}" stroke-width="6" stroke-linecap="round"/>`;

function gates(state: HeaderState, of: Colours): string[] {
  const posts = [post(firstGate, of), post(secondGate, of)];
  if (state === 'first-run') return [post(firstGate, of), post(secondGate, of)].map((one) => `<g opacity="0.45">${one}</g>`);
  if (state === 'in-sync') return [...posts, leaf(firstGate, false, of.good), leaf(secondGate, false, of.good)];
  const colour = state === 'failing' ? of.bad : state === 'drift' ? of.asks : of.line;
  return [...posts, leaf(firstGate, true, colour), leaf(secondGate, true, colour)];
}

function onTheWater(state: HeaderState, of: Colours): string[] {
  const [left, between] = levels[state];
  if (state === 'pending') return [boat(200, left, of)];
  if (state === 'deploying') return [boat(440, between, of), arrow(440, of)];
  if (state === 'in-sync') return [boat(700, levels[state][2], of)];
  if (state === 'failing')
    return [boat(200, left, of), `<path d="M${firstGate - 22} 66l44 44m0-44l-44 44" stroke="${of.bad}" stroke-width="8" stroke-linecap="round"/>`];
  if (state === 'drift') return [68, 82, 96].map((y, at) => drop(firstGate + 15 + at * 4, y, of));
  return [];
}

const boat = (x: number, top: number, { hull, cabin, line }: Colours): string =>
  `<g transform="translate(${x} ${top})"><path d="M-52 -12h104l-14 24h-76z" fill="${hull}"/><path d="M-30 -32h44v20h-44z" fill="${cabin}" stroke="${line}" stroke-width="2"/><path d="M24 -12v-44" stroke="${line}" stroke-width="3"/><path d="M24 -56l24 9-24 9z" fill="${hull}"/></g>`;

const arrow = (x: number, { good }: Colours): string =>
  `<path d="M${x} 22v-14m0 14l-7 -7m7 7l7 -7" stroke="${good}" stroke-width="4" fill="none" stroke-linecap="round"/>`;

const drop = (x: number, y: number, { wave }: Colours): string => `<path d="M${x} ${y - 9}c5 7 7 9 7 13a7 7 0 0 1-14 0c0-4 2-6 7-13z" fill="${wave}"/>`;

/** Every picture, by its file's name. */
export const dashboardPictures: readonly { readonly name: string; readonly draw: () => string }[] = headerStates.flatMap((state) =>
  (['light', 'dark'] as const).map((page) => ({ name: `${state}-${page}.svg`, draw: () => dashboardPicture(state, page) })),
);
