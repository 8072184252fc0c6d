import { expect, it } from 'vitest';
import { createRedactor } from '../../shared/redact/redactor.ts';
import { createConsole, type Way } from './console.ts';
import { functionOutput } from './function-output.ts';

const secret = 'canary-value-7d1f';

function heard(terminal: boolean, colour = true) {
  const said = { stdout: '', stderr: '' };
  const way = (name: keyof typeof said): Way => ({
    write(text) {
      said[name] += text;
    },
    isTTY: terminal,
    columns: 40,
  });
  const redactor = createRedactor();
  redactor.register(secret);
  return { said, console: createConsole({ stdout: way('stdout'), stderr: way('stderr'), redactor, colour }) };
}

it('masks whatever leaves it, also in pieces (R1.13)', () => {
  const { said, console } = heard(false);
  console.result(`a ${secret.slice(0, 9)}`);
  console.result(`${secret.slice(9)} b`);
  console.note(`note ${secret}`);
  console.complain(() => `error ${secret}\n`);
  console.progress.show(`step ${secret}`);
  console.end();
  expect(said.stdout).toBe('a [REDACTED] b');
  expect(said.stderr).toBe('note [REDACTED]\nerror [REDACTED]\nstep [REDACTED]\n');
});

it('writes one document that parses, masked as a value', () => {
  const { said, console } = heard(false);
  console.document({ status: secret, text: `"${secret}"`, [secret]: 1 });
  expect(JSON.parse(said.stdout)).toEqual({ status: secret, text: '"[REDACTED]"', '[REDACTED]': 1 });
});

it('uses colour on a terminal alone, and not there when it is not wanted', () => {
  expect(heard(true).console.screen).toMatchObject({ colour: true, width: 40 });
  expect(heard(true, false).console.screen.colour).toBe(false);
  expect(heard(false).console.screen.colour).toBe(false);
});

it('writes over one line of progress on a terminal, and takes it away before anything else', () => {
  const { said, console } = heard(true);
  console.progress.show('Applying', '1 of 3 lines');
  console.progress.show('Applying', '1 of 3 lines');
  console.progress.show('Applying', `${'x'.repeat(60)}`);
  console.note('done');
  console.end();
  const clear = '\r\u001b[2K';
  expect(said.stderr).toBe(`${clear}Applying: 1 of 3 lines${clear}Applying: ${'x'.repeat(28)}…${clear}done\n`);
});

it('elsewhere writes a line for each step, once', () => {
  const { said, console } = heard(false);
  for (const detail of ['1', '2', '3']) console.progress.show('Applying', detail);
  console.progress.show('Finishing');
  expect(said.stderr).toBe('Applying: 1\nFinishing\n');
});

/** A stdout whose writes are taken over, and the notes that come of them. */
function taken(debug: boolean) {
  const notes: string[] = [];
  const passed: string[] = [];
  const stdout = {
    write(text: string, done?: () => void) {
      passed.push(text);
      done?.();
      return true;
    },
  };
  const log = functionOutput(stdout as unknown as NodeJS.WriteStream, { note: (text) => void notes.push(text) }, debug);
  return { stdout, notes, passed, log };
}

it('keeps what functions print out of the result, and tells of their errors', () => {
  const { stdout, notes, passed, log } = taken(false);
  stdout.write('{"level":"info","message":"swept"}\n');
  stdout.write('{"level":"error","message":"a job failed","code":"INTERNAL"}\n');
  stdout.write('not JSON\nnull\n');
  log('an emulator spoke');
  expect(passed.join('')).toBe('');
  expect(notes).toEqual(['a job failed (INTERNAL). LOCKKEEPER_DEBUG=1 shows more.']);
});

it('shows all of it to somebody who debugs', () => {
  const { stdout, notes, log } = taken(true);
  stdout.write('{"level":"info","message":"swept"}\n');
  log('an emulator spoke', 'why');
  expect(notes).toEqual(['{"level":"info","message":"swept"}', 'an emulator spoke: why']);
});

it('still says when it has written', async () => {
  const { stdout } = taken(false);
  await new Promise<void>((resolve) => void stdout.write('', resolve));
});
