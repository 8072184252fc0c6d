import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { StackLine } from '../../../../shared/engine/op.ts';
import type { CommandEnd } from '../../../../shared/platform/command.ts';
import { graphOf, type ToolRead } from './tool-read.ts';

const recordings = join(import.meta.dirname, '../../../../test/recordings');
export const recording = (name: string): CommandEnd => ({ end: 'output', bytes: readFileSync(join(recordings, name)) });
export const printed = (text: string): CommandEnd => ({ end: 'output', bytes: Buffer.from(text) });
export const failed = (stderr: string, text = '', exit = 'exit 1'): CommandEnd => ({ end: 'failed', exit, bytes: Buffer.from(text), stderr });

/** What a tool answers to a call: by the first words of its arguments that match. Anything else is a mistake of the test. */
export type Answers = readonly (readonly [words: string, answer: CommandEnd])[];

/** A read whose tool answers as it is told, and the calls it got. */
export function played(line: Pick<StackLine, 'tool'> & Partial<StackLine>, answers: Answers, more: Partial<ToolRead> = {}) {
  const calls: { readonly line: string; readonly variables: Readonly<Record<string, string>> }[] = [];
  const asked: ToolRead = {
    member: 'network',
    line: { root: { path: 'infra', varFiles: [] }, variables: {}, secretVariables: [], ...line },
    read: 'plan',
    context: { member: 'network', observedAt: '2026-11-30T12:00:00Z', show: [], graph: graphOf('network') },
    folder: '/nowhere',
    scratch: '/nowhere/scratch',
    environment: {},
    call: async (args, variables = {}, program = line.tool) => {
      const said = [program, ...args].join(' ');
      calls.push({ line: said, variables });
      const found = answers.find(([words]) => said.startsWith(words));
      if (found === undefined) throw new Error(`nothing is played for ${said}`);
      return found[1];
    },
    ...more,
  };
  return { asked, calls };
}

export const terraformVersion = ['terraform version', printed('{"terraform_version":"1.11.4"}')] as const;
