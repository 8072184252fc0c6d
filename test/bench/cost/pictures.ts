/** Pictures of figures, as SVG that can be read on a light and on a dark page. */

export interface Series {
  readonly name: string;
  /** Where a point stands on the axis below, and its value. */
  readonly points: readonly (readonly [string, number])[];
}

export interface Picture {
  readonly title: string;
  /** What the axis at the side counts. */
  readonly unit: string;
  /** What the axis below is. */
  readonly below: string;
  readonly series: readonly Series[];
  readonly text: (value: number) => string;
}

const [width, height] = [860, 360];
const frame = { left: 70, right: 190, top: 56, bottom: 64 } as const;
/** Told apart by brightness as well as by hue, on white and on black. */
const colours = ['#3b82f6', '#f59e0b', '#10b981', '#ef4444', '#a855f7', '#8b949e'] as const;

const escaped = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');

/** Bars beside each other, one group for each place on the axis below. */
export function barsOf({ title, unit, below, series, text }: Picture): string {
  const groups = [...new Set(series.flatMap(({ points }) => points.map(([at]) => at)))];
  const most = niceAbove(Math.max(...series.flatMap(({ points }) => points.map(([, value]) => value))));
  const [inner, tall] = [width - frame.left - frame.right, height - frame.top - frame.bottom];
  const y = (value: number): number => frame.top + tall - (value / most) * tall;
  const step = inner / groups.length;
  const bar = Math.min(34, (step * 0.8) / series.length);
  const marks = [0, 0.25, 0.5, 0.75, 1].map((share) => share * most);
  const grid = marks.map(
    (value) =>
      `<line class="grid" x1="${frame.left}" x2="${frame.left + inner}" y1="${y(value).toFixed(1)}" y2="${y(value).toFixed(1)}"/><text class="mark" x="${frame.left - 8}" y="${(y(value) + 4).toFixed(1)}" text-anchor="end">${escaped(text(value))}</text>`,
  );
  const bars = series.flatMap(({ points }, of) =>
    points.map(([at, value]) => {
      const x = frame.left + groups.indexOf(at) * step + (step - bar * series.length) / 2 + of * bar;
      return `<rect x="${x.toFixed(1)}" y="${y(value).toFixed(1)}" width="${(bar - 2).toFixed(1)}" height="${Math.max(0.5, frame.top + tall - y(value)).toFixed(1)}" fill="${colours[of % colours.length]}"><title>${escaped(`${series[of]?.name}, ${at}: ${text(value)}`)}</title></rect>`;
    }),
  );
  const names = groups.map((at, place) => {
    const x = (frame.left + (place + 0.5) * step).toFixed(1);
    const rows = at.split('\n').map((row, line) => `<tspan x="${x}" dy="${line === 0 ? 0 : 14}">${escaped(row)}</tspan>`);
    return `<text class="mark" y="${height - frame.bottom + 18}" text-anchor="middle">${rows.join('')}</text>`;
  });
  const legend = series.map(
    ({ name }, of) =>
      `<rect x="${width - frame.right + 20}" y="${frame.top + of * 24}" width="12" height="12" fill="${colours[of % colours.length]}"/><text class="mark" x="${width - frame.right + 40}" y="${frame.top + of * 24 + 11}">${escaped(name)}</text>`,
  );
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" role="img" aria-label="${escaped(title)}">
<style>text{font:13px system-ui,sans-serif;fill:#1f2328}.title{font-weight:600;font-size:15px}.mark{font-size:12px}.grid{stroke:#8b949e;stroke-opacity:.35}@media(prefers-color-scheme:dark){text{fill:#e6edf3}}</style>
<text class="title" x="${frame.left}" y="24">${escaped(title)}</text>
<text class="mark" x="${frame.left}" y="44">${escaped(unit)}</text>
${[...grid, ...bars, ...names, ...legend].join('\n')}
<text class="mark" x="${frame.left + inner / 2}" y="${height - 10}" text-anchor="middle">${escaped(below)}</text>
</svg>
`;
}

/** The next of some round numbers times a power of ten. */
function niceAbove(value: number): number {
  const power = 10 ** Math.floor(Math.log10(Math.max(value, 1e-12)));
  return ([1, 1.2, 1.6, 2, 2.4, 3.2, 4, 5, 6, 8, 10].find((times) => times * power >= value) ?? 10) * power;
}
