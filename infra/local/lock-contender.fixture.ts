import { once } from 'node:events';
import { type Attached, acquireFolder, acquireOrAttach } from './lock-file.ts';

/**
 * A process that wants a folder: `<folder> acquire|attach [word]`. It prints one JSON line of what it got (a holder shares the
 * word), and keeps it until its input ends.
 */
const [folder = '', wish = 'acquire', word = ''] = process.argv.slice(2);
const how = { command: `contender ${wish}` };
const answer = wish === 'attach' ? await acquireOrAttach(folder, how) : await acquireFolder(folder, how);
if (answer.held) answer.share({ WORD: word });
const environment = 'environment' in answer ? answer.environment : undefined;
console.log(JSON.stringify({ held: answer.held, pid: process.pid, holder: 'holder' in answer ? answer.holder.pid : undefined, environment }));
process.stdin.resume();
await once(process.stdin, 'end');
if (answer.held) {
  await answer.alone();
  await answer.release();
} else if (wish === 'attach') (answer as Attached).detach();
