import type { RunTool } from '../../../functions/tool-job/run-tool.ts';
import { fakePulumi } from './fake.ts';

interface Surroundings {
  /** The project's. */
  readonly folder: string;
  readonly environment: Readonly<Record<string, string>>;
  /** Takes each call as it is typed, without the paths of files. */
  readonly calls: string[];
}

/** Runs the Pulumi that is none as a function: what would hang has run out of time, what would die was killed. */
export const inThisProcess =
  ({ folder, environment, calls }: Surroundings): RunTool =>
  async ({ args, environment: own = {}, input = '', lines }) => {
    calls.push(args.filter((arg) => !arg.startsWith('/')).join(' '));
    const [out, err]: [string[], string[]] = [[], []];
    let hung = false;
    const exit = await fakePulumi({
      args,
      folder,
      environment: { ...environment, ...own },
      input,
      stdout: (text) => void out.push(text),
      stderr: (text) => void err.push(text),
      hang: async () => {
        hung = true;
      },
    });
    const [stdout, stderr] = [out.join(''), err.join('')];
    if (lines !== undefined) for (const line of stdout.split('\n')) lines(line);
    if (hung) return { end: 'timed-out' };
    return { end: 'exited', exit: exit === 137 ? null : exit, stdout: lines === undefined ? Buffer.from(stdout) : Buffer.of(), stderr };
  };
