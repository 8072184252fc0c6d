/**
 * The hidden comments of the dashboard's body. This module owns their bytes: golden tests freeze them. A reader takes the root marker's
 * version, and a box's own marker; what stands between, for people, is never parsed.
 */
import type { Box, BoxMarker } from './box.ts';

/** Raised when older code could misread a body. Code that meets a newer one leaves the body alone. */
export const markerVersion = 1;

export const rootMarker = `<!-- lockkeeper:dashboard v="${markerVersion}" -->`;
/** The first line of the body of a dashboard, of any version. */
export const rootPattern: RegExp = /^<!-- lockkeeper:dashboard v="(\d{1,6})"[^>]* -->$/;

/** The version that a body was written in; undefined: its first line is no root marker. */
export function versionOf(body: string): number | undefined {
  const [, version] = rootPattern.exec(withLineFeeds(body).split('\n', 1)[0] ?? '') ?? [];
  return version === undefined ? undefined : Number(version);
}

/** Line ends as they are written here: a browser's edit turns them all into CR LF. */
export const withLineFeeds = (body: string): string => body.replace(/\r\n?/g, '\n');

/** A hyphen is encoded, too: two of them may not stand in a comment. */
const encoded = (text: string): string => encodeURIComponent(text.toWellFormed()).replaceAll('-', '%2D');

const keys = ['plan', 'env', 'run', 'digest', 'no'] as const;

export function boxMarker({ box, plan, environment, line, run, digest, no }: BoxMarker): string {
  const values: Readonly<Record<(typeof keys)[number], string>> = { plan, env: environment, run, digest, no: String(no) };
  const ofStack = line === undefined ? '' : ` line="${encoded(line)}"`;
  return `<!-- lockkeeper:${box} ${keys.map((key) => `${key}="${encoded(values[key])}"`).join(' ')}${ofStack} -->`;
}

const opening = '<!-- lockkeeper:';
const boxStart = /^- \[([ xX])\] /;
const marked = /^<!-- lockkeeper:(apply|repair|rescan) ((?:[a-z]+="[A-Za-z0-9%._!~*'()]*" )+)-->$/;

/** A box of a body, and whether it is ticked. */
export interface SeenBox {
  readonly marker: BoxMarker;
  readonly ticked: boolean;
}

/**
 * The boxes of a body: each is one line that begins with a task box and ends with a marker. A line that is neither, a marker of another kind,
 * or one that lacks a value is no box. Of two with one marker either tick counts.
 */
export function boxesIn(body: string): SeenBox[] {
  const seen = new Map<string, SeenBox>();
  for (const line of withLineFeeds(body).split('\n')) {
    const [, mark] = boxStart.exec(line) ?? [];
    const at = line.lastIndexOf(opening);
    const marker = mark === undefined || at < 0 ? undefined : markerOf(line.slice(at).trimEnd());
    if (!marker) continue;
    const key = boxMarker(marker);
    seen.set(key, { marker, ticked: mark !== ' ' || seen.get(key)?.ticked === true });
  }
  return [...seen.values()];
}

function markerOf(text: string): BoxMarker | undefined {
  const [, box, attributes] = marked.exec(text) ?? [];
  if (box === undefined || attributes === undefined) return undefined;
  const values = new Map([...attributes.matchAll(/([a-z]+)="([^"]*)"/g)].map(([, key, value]) => [key, decoded(value ?? '')]));
  const [plan, environment, run, digest, no] = keys.map((key) => values.get(key));
  if (plan === undefined || environment === undefined || run === undefined || digest === undefined || no === undefined) return undefined;
  if (!/^[0-9a-f]{64}$/.test(digest) || !/^\d{1,6}$/.test(no)) return undefined;
  const line = values.get('line');
  if (line === undefined && values.has('line')) return undefined;
  return { box: box as Box, plan, environment, ...(line === undefined ? {} : { line }), run, digest, no: Number(no) };
}

function decoded(value: string): string | undefined {
  try {
    return decodeURIComponent(value);
  } catch {
    return undefined;
  }
}
