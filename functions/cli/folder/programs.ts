import { fileURLToPath } from 'node:url';
import { programBeside } from '../../../infra/local/program.ts';
import type { LocalStackOptions } from '../../../infra/local/stack.ts';

/** What the builds of the stack run: in processes of their own, from the source or from its bundle beside the command line's. */
export const programs: NonNullable<LocalStackOptions['programs']> = {
  'tool-job': { file: fileURLToPath(programBeside(import.meta.url, '../../tool-job/main.ts', 'tool-job.mjs')) },
};
