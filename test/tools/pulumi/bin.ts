/** The fake as a program of its own: `pulumi <arguments>`. */
import { readFileSync } from 'node:fs';
import { fakePulumi } from './fake.ts';

const call = {
  args: process.argv.slice(2),
  folder: process.cwd(),
  environment: process.env,
  input: process.argv[2] === 'config' ? readFileSync(0, 'utf8') : '',
  stdout: (text: string) => void process.stdout.write(text),
  stderr: (text: string) => void process.stderr.write(text),
  hang: () =>
    new Promise<void>((resolve) => {
      const waiting = setInterval(() => undefined, 1000);
      process.once('SIGINT', () => {
        clearInterval(waiting);
        resolve();
      });
    }),
  die: () => process.kill(process.pid, 'SIGKILL'),
};
process.exitCode = await fakePulumi(call);
