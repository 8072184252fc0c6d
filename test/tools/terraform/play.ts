import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** What one call of the recorded tool does. Everything but `hangs` and `dies` goes with an exit status, 0 where none is named. */
export interface Answer {
  readonly stdout?: string;
  /** A recording, below test/recordings. */
  readonly recording?: string;
  readonly stderr?: string;
  readonly exit?: number;
  /** What a plan saves. */
  readonly plan?: string;
  /** Files that it leaves in the stack's folder. */
  readonly writes?: Readonly<Record<string, string>>;
  /** Writes so many MB to its standard output. */
  readonly floods?: number;
  readonly hangs?: true;
  /** How often it has to be told that it is to end. */
  readonly hears?: number;
  /** It does not hear that it is to end. */
  readonly deaf?: true;
  /** Killed after what it has written. */
  readonly dies?: true;
}

export type Call = 'version' | 'init' | 'state pull' | 'state push' | 'plan' | 'show plan' | 'show state' | 'apply';

/** Several answers: one a call, and the last of them for every further one. */
export type Play = Readonly<Partial<Record<Call, Answer | readonly Answer[]>>>;

export interface Called {
  readonly call: Call | 'interrupted';
  readonly args: readonly string[];
  readonly pid: number;
  readonly cwd: string;
  readonly environment: Readonly<Record<string, string>>;
  readonly varFiles: readonly string[];
  /** What the plan file held that it was given. */
  readonly plan?: string;
}

const recordings = join(import.meta.dirname, '../../recordings');
const program = join(import.meta.dirname, 'recorded.mjs');

export const version = (of: string): Answer => ({ stdout: JSON.stringify({ terraform_version: of, platform: 'linux_amd64', provider_selections: {} }) });

/** A stack that has been applied, and whose plan has an action of every kind. */
export const mixed: Play = {
  version: version('1.11.4'),
  'state pull': { recording: 'terraform/state-pull.json' },
  plan: { recording: 'terraform/plan-mixed.ndjson', plan: 'the saved plan' },
  'show plan': { recording: 'terraform/plan-mixed.json' },
  'show state': { recording: 'terraform/state.json' },
  apply: { recording: 'terraform/apply-create.ndjson' },
};

/**
 * Puts a recorded `terraform` and `tofu` into a folder of programs.
 *
 * @returns the folder, for a `PATH`, and what was called so far.
 */
export function recordedTool(folder: string, play: Play): { readonly bin: string; calls(): readonly Called[] } {
  const bin = join(folder, 'bin');
  mkdirSync(bin, { recursive: true });
  const plays = Object.fromEntries(Object.entries(play).map(([call, answers]) => [call, [answers].flat().map(withFile)]));
  const playFile = join(folder, 'play.json');
  writeFileSync(playFile, JSON.stringify({ folder, plays }));
  for (const name of ['terraform', 'tofu']) {
    writeFileSync(join(bin, name), `#!/bin/sh\nexec '${process.execPath}' '${program}' '${playFile}' "$@"\n`);
    chmodSync(join(bin, name), 0o755);
  }
  const log = join(folder, 'calls.ndjson');
  return {
    bin,
    calls: () =>
      existsSync(log)
        ? readFileSync(log, 'utf8')
            .split('\n')
            .filter((line) => line !== '')
            .map((line) => JSON.parse(line) as Called)
        : [],
  };
}

const withFile = ({ recording, ...answer }: Answer): object => (recording === undefined ? answer : { ...answer, file: join(recordings, recording) });
