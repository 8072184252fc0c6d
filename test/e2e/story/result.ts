import type { Kind } from './prices.ts';
import type { Requests } from './requests.ts';

/** One step as it was told. */
export interface Step {
  readonly outside: string;
  readonly lockkeeper: string;
}

/** A run as it stood when the chapter was over. */
export interface ToldRun {
  readonly id: string;
  readonly kind: string;
  readonly status: string;
  readonly note?: string;
}

/** What one chapter came to. `problem` says what did not end as it should. */
export interface ChapterResult {
  readonly name: string;
  readonly title: string;
  readonly ok: boolean;
  readonly problem?: string;
  readonly steps: readonly Step[];
  readonly runs: readonly ToldRun[];
  /** Requests that were meant to change something at Neon, Vercel or Clerk. */
  readonly providerWrites: number;
  /** Its part of the fakes' log: after the request with the first number, up to the second (`GET /_control/requests?since=`). */
  readonly log: readonly [number, number];
  readonly aws: Requests;
  readonly seconds: number;
}

/** The whole story: the document of `--json`, which `--keep` adds `kept` to (`keep.ts`). */
export interface StoryResult {
  readonly format: 1;
  readonly ok: boolean;
  readonly problem?: string;
  readonly chapters: readonly ChapterResult[];
  /** Chapters that cannot be told on this machine. */
  readonly untold: readonly { readonly name: string; readonly title: string; readonly why: string }[];
  /** What was proven about the end. */
  readonly proven: readonly string[];
  readonly total: { readonly providerWrites: number; readonly aws: Requests; readonly seconds: number };
  readonly cost: { readonly dollars: number; readonly prices: { readonly asOf: string; readonly region: string } & Readonly<Record<Kind, number>> };
}
