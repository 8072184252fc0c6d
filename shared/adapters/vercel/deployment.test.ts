import { describe, expect, it } from 'vitest';
import type { ProviderHttp } from '../../engine/op.ts';
import { deploymentsOf } from './deployment.ts';
import type { VercelCall } from './provider.ts';

const entry = { url: 'a.vercel.app', state: 'READY', target: null, meta: { githubCommitSha: 'ours' } };

/** A call whose list of deployments is given, whatever filter is sent. */
function callWith(deployments: readonly Record<string, unknown>[]): VercelCall {
  const http: ProviderHttp = { send: async (request) => request.answer.parse({ deployments }) };
  return { http, provider: {}, identity: { project: 'prj_1' } };
}

describe('the deployments of a commit', () => {
  it('are newest first, whatever order they come in', async () => {
    const found = await deploymentsOf(
      callWith([
        { ...entry, uid: 'old', created: 1 },
        { ...entry, uid: 'new', created: 2 },
      ]),
      'ours',
      'preview',
    );
    expect(found.map((one) => one.id)).toEqual(['new', 'old']);
  });

  it('hold none of another commit or target, even where the filter was ignored', async () => {
    const strangers = [
      { ...entry, uid: 'commit', created: 3, meta: { githubCommitSha: 'theirs' } },
      { ...entry, uid: 'target', created: 2, target: 'production' },
    ];
    expect(await deploymentsOf(callWith(strangers), 'ours', 'preview')).toEqual([]);
  });

  it('are taken without a mark of the commit: then the filter is all there is', async () => {
    const found = await deploymentsOf(callWith([{ uid: 'plain', created: 1, readyState: 'QUEUED' }]), 'ours', 'preview');
    expect(found).toMatchObject([{ id: 'plain', state: 'QUEUED', target: 'preview', url: undefined }]);
  });

  it('without an id, a time or a state are nonsense', async () => {
    await expect(deploymentsOf(callWith([{ url: 'a.vercel.app' }]), 'ours', 'preview')).rejects.toThrow('id, a time and a state');
  });
});
