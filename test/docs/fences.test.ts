import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parseCommandLine } from '../../functions/cli/command-line.ts';
import { commands } from '../../functions/cli/invocation.ts';
import { problemOf } from '../../shared/errors/error.ts';
import { fences, pages, root, textOf, wordsOf } from './fences.ts';

/** Which test executes an example, by the words after its backticks. */
const judgedBy: Readonly<Record<string, string>> = {
  yaml: 'test/docs/plans.test.ts',
  'yaml policy': 'test/docs/policy.test.ts',
  'yaml mistaken-policy': 'test/docs/policy.test.ts',
  text: 'test/docs/policy.test.ts',
  yml: 'test/docs/adapters.test.ts',
  ts: 'test/docs/adapters.test.ts',
  json: 'test/docs/fences.test.ts',
  sh: 'test/docs/fences.test.ts',
  console: 'test/docs/sessions.test.ts',
};

const notRun = /^(?:sh|text) not-run="([^"]{10,})"$/;
const scripts = Object.keys((JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { scripts: object }).scripts);
const shell = fences.filter(({ info }) => info.split(' ')[0] === 'sh');
const place = ({ page, at }: { page: string; at: number }): string => `${page}:${at}`;

/** Every `lockkeeper …` in a shell example, without its comment. */
function typed(body: string): string[] {
  const lines = body.replaceAll('\\\n', ' ').split('\n');
  return lines.flatMap((line) => {
    const said = /^(?:npx )?lockkeeper (.*?)(?:\s+#.*)?$/.exec(line)?.[1];
    return said === undefined ? [] : [said];
  });
}

/** What the real command line says against it; undefined: nothing. */
function refusal(line: string): string | undefined {
  try {
    parseCommandLine(wordsOf(line.replaceAll('"$STACK"', 'Lockkeeper')), 'docs');
    return undefined;
  } catch (error) {
    return `lockkeeper ${line}: ${problemOf(error).message}`;
  }
}

describe('every example of the documentation', () => {
  it('is executed by a test, or says why it is not', () => {
    const unaccounted = fences.filter(({ info }) => judgedBy[info] === undefined && !notRun.test(info));
    expect(unaccounted.map((one) => `${place(one)} ${one.info}`)).toEqual([]);
    expect(Object.values(judgedBy).filter((file) => !existsSync(join(root, file)))).toEqual([]);
    expect(fences.length).toBeGreaterThan(40);
  });

  it('is not executed only where it needs an account, or is the print of a story that is told elsewhere', () => {
    const reasons = Map.groupBy(
      fences.filter(({ info }) => notRun.test(info)),
      ({ info }) => notRun.exec(info)?.[1] ?? '',
    );
    const counted = Object.fromEntries([...reasons].map(([reason, found]) => [reason, found.length]));
    expect(counted).toEqual({
      'needs an AWS account': 26,
      'each is a job of its own in CI': 2,
      'each takes minutes': 1,
      'a root of your own': 1,
      'as it was printed; its shape is judged in test/docs/readme.test.ts': 2,
      'an address to open; judged in test/docs/deploy.test.ts': 1,
      'shortened; see functions/cli/envelope.test.ts': 1,
    });
  });

  it.each(shell.map((one) => ({ where: place(one), body: one.body })))(
    '$where: is a shell script, with commands, flags and scripts that there are',
    ({ body }) => {
      execFileSync('bash', ['-n'], { input: body.replaceAll(/<(\w+)>/g, '$1') });
      expect(typed(body).flatMap((line) => refusal(line) ?? [])).toEqual([]);
      const named = [...body.matchAll(/\bnpm run ([\w:-]+)/g)].map(([, name = '']) => name);
      expect(named.filter((name) => !scripts.includes(name))).toEqual([]);
    },
  );

  it.each(fences.filter(({ info }) => info === 'json').map((one) => ({ where: place(one), body: one.body })))('$where: is JSON', ({ body }) => {
    expect(JSON.parse(body)).toBeTypeOf('object');
  });
});

describe('what the text of a page tells people to type', () => {
  it.each(pages)('%s: names commands and flags that there are', (page) => {
    const prose = textOf(page).replaceAll(/^ *```[\s\S]*?^ *```$/gm, '');
    const said = [...prose.matchAll(/`(?:npx )?lockkeeper ([a-z][^`\n]*)`/g)].map(([, line = '']) => line);
    // A name in a sentence may stand without what the command line needs beside it.
    const wrong = said.flatMap((line) => refusal(line) ?? []).filter((message) => !/[Rr]equired (?:option|argument)/.test(message));
    expect(wrong).toEqual([]);
  });

  it('has a row for every command in docs/cli.md, and no other', () => {
    const rows = [...textOf('docs/cli.md').matchAll(/^\| `([a-z]+)(?: [^`]+)?` +\| [A-Z]/gm)].map(([, name = '']) => name);
    expect(rows.toSorted()).toEqual(Object.keys(commands).sort());
  });
});

describe('docs/cli.md', () => {
  const page = textOf('docs/cli.md');

  it('types every command once, as it is', () => {
    const said = fences.filter((one) => one.page === 'docs/cli.md' && one.info === 'sh').flatMap(({ body }) => typed(body));
    expect(Object.keys(commands).filter((name) => !said.some((line) => line.split(' ')[0] === name))).toEqual([]);
  });

  it('has every flag that the help of a command lists', () => {
    const help = ['', ...Object.keys(commands)].map((name) => {
      const line = parseCommandLine([...(name === '' ? [] : [name]), '--help'], 'docs');
      return 'text' in line ? line.text : '';
    });
    const flags = new Set(help.flatMap((text) => [...text.matchAll(/^ +(?:-\w, )?(--[a-z-]+)/gm)].map(([, flag = '']) => flag)));
    expect(flags.size).toBeGreaterThan(15);
    const unsaid = [...flags].filter((flag) => !['--help', '--version'].includes(flag) && !new RegExp(`${flag}(?![a-z-])`).test(page));
    expect(unsaid).toEqual([]);
  });
});

/** The anchor GitHub gives a heading. */
const anchorOf = (heading: string): string =>
  heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
    .replaceAll(' ', '-');

describe('links to a heading', () => {
  it.each(pages)('%s: lead to one that there is', (page) => {
    const found = [...textOf(page).matchAll(/\]\(([^)\s#:]*)#([^)\s]+)\)/g)].map(([, file = '', anchor = '']) => ({ file, anchor }));
    const missing = found.filter(({ file, anchor }) => {
      const target = file === '' ? page : join(page, '..', file);
      const headings = [...textOf(target).matchAll(/^#{1,6} (.+)$/gm)].map(([, heading = '']) => anchorOf(heading));
      return !headings.includes(anchor);
    });
    expect(missing).toEqual([]);
  });
});
