import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Op } from '../../shared/engine/op.ts';
import { codes } from '../../shared/errors/codes.ts';
import { note } from '../contract/memory/note.ts';
import { type ClockedCloud, openCloud } from '../house/cloud.ts';
import { openHouse } from '../house/house.ts';

const root = join(import.meta.dirname, '..', '..');
const page = readFileSync(join(root, 'docs/adapters.md'), 'utf8');
const examples = (language: string) => [...page.matchAll(new RegExp(`^\`\`\`${language}\\n([\\s\\S]*?)^\`\`\`$`, 'gm'))].map(([, text = '']) => text);

let cloud: ClockedCloud;
beforeAll(async () => {
  cloud = await openCloud();
});
afterAll(() => cloud.stop());

describe('the page about adapters', () => {
  it('shows the adapter and the test that lie in the repository, to the letter (R1.6)', () => {
    const sources = ['note.ts', 'note.test.ts'].map((name) => readFileSync(join(root, 'test/contract/memory', name), 'utf8'));
    expect(examples('ts')).toEqual(sources);
  });

  it('names codes that there are', () => {
    const named = [...page.matchAll(/`([A-Z]+_[A-Z_]+)`/g)].map(([, code = '']) => code).filter((code) => code !== 'NOTES_TOKEN');
    expect(named.filter((code) => !Object.hasOwn(codes, code))).toEqual([]);
  });

  it('has a plan that runs once its adapter is registered: planned, applied, unchanged, and removed with the pull request (R1.7)', async () => {
    const [plan = ''] = examples('yml');
    const house = openHouse(cloud, { adapters: [note as Op] });
    house.secrets.set('preview/NOTES_TOKEN', 'notes-token-1');
    const { control } = house.sim;
    const notes = () =>
      house.sim
        .state()
        .rest.objects.filter(({ deleted }) => !deleted)
        .map(({ path, body }) => [path.split('/').slice(0, -1).join('/'), body['title'], body['text']]);

    const { sha } = control.edit('github.push', { branch: 'feat', files: { 'release.plan.yaml': plan } });
    const { number } = control.edit('github.open', { branch: 'feat' });
    await house.webhook(control.webhook('pull_request.opened', { number }));
    await house.quiet();
    const [first] = house.runs();
    expect(house.report(first?.id ?? '')?.lines).toMatchObject([{ id: 'changes', status: 'applied', outputs: { id: expect.any(String) } }]);
    expect(notes()).toEqual([['/api.notes.example/notebooks/n1/notes', `Preview pr-${number}`, sha]]);

    await house.webhook(control.webhook('pull_request.reopened', { number }));
    await house.quiet();
    expect(house.report(house.runs().at(-1)?.id ?? '')?.lines).toMatchObject([{ id: 'changes', status: 'unchanged' }]);

    control.edit('github.close', { number });
    await house.webhook(control.webhook('pull_request.closed', { number }));
    await house.quiet();
    expect(house.runs().at(-1)).toMatchObject({ kind: 'destroy', outcome: 'complete' });
    expect(notes()).toEqual([]);
  });
});
