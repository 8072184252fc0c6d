import { describe, expect, it } from 'vitest';
import type { IssueEdit } from '../ports/code-host.ts';
import type { BoxMarker } from './box.ts';
import { boxMarker, rootMarker } from './marker.ts';
import { tickedIn } from './ticked-in.ts';

const box = (kind: BoxMarker['box'], no = 0): BoxMarker => ({ box: kind, plan: 'main', environment: 'production', run: 'r', digest: 'a'.repeat(64), no });
const bodyOf = (...ticked: readonly BoxMarker['box'][]): string =>
  [rootMarker, ...(['apply', 'repair'] as const).map((kind) => `- [${ticked.includes(kind) ? 'x' : ' '}] Do it ${boxMarker(box(kind))}`)].join('\n');

let second = 0;
const edit = (login: string | null, body: string | null): IssueEdit => {
  second += 1;
  const by = login === null ? null : { login, type: login.endsWith('[bot]') ? 'Bot' : 'User', ours: login === 'lockkeeper[bot]' };
  return { at: `2026-01-06T09:00:${String(second).padStart(2, '0')}Z`, by, body };
};
/** Newest first, as the host has them. */
const who = (...oldestFirst: readonly IssueEdit[]): Record<string, string> =>
  Object.fromEntries(tickedIn(oldestFirst.toReversed()).map(({ marker, ticked, by }) => [marker.box, `${by.login} ${ticked ? 'ticked' : 'took it back'}`]));
const ours = (...ticked: readonly BoxMarker['box'][]) => edit('lockkeeper[bot]', bodyOf(...ticked));

describe('who ticked, by the history of the body (I7)', () => {
  it('is whoever made the first state in which the box is ticked, whoever edited it after', () => {
    expect(who(ours(), edit('kim', bodyOf('apply')), edit('robin', `${bodyOf('apply')}\nhello`))).toEqual({ apply: 'kim ticked' });
  });

  it('is each for the box of their own', () => {
    expect(who(ours(), edit('kim', bodyOf('apply')), edit('robin', bodyOf('apply', 'repair')))).toEqual({ apply: 'kim ticked', repair: 'robin ticked' });
  });

  it('is whoever ticked a box that a write of ours went over', () => {
    expect(who(ours(), edit('kim', bodyOf('apply')), ours())).toEqual({ apply: 'kim ticked' });
  });

  it('is the last who ticked, where somebody took it back between', () => {
    expect(who(ours(), edit('kim', bodyOf('apply')), edit('robin', bodyOf()), edit('lee', bodyOf('apply')))).toEqual({ apply: 'lee ticked' });
    expect(who(ours(), edit('kim', bodyOf('apply')), edit('robin', bodyOf()))).toEqual({ apply: 'robin took it back' });
  });

  it('is never us: a tick that we carried over is somebody’s already', () => {
    expect(who(ours(), ours('apply'))).toEqual({});
  });

  it('is nobody where the state before, the author or the body is not told', () => {
    expect(who(edit('kim', bodyOf('apply')))).toEqual({});
    expect(who(ours(), edit(null, bodyOf('apply')))).toEqual({});
    expect(who(ours(), edit('kim', null), edit('robin', bodyOf('apply')))).toEqual({});
  });

  it('is an app where an app ticked, so that it can be refused', () => {
    expect(tickedIn([edit('renovate[bot]', bodyOf('apply')), ours()])).toMatchObject([{ by: { login: 'renovate[bot]', type: 'Bot' } }]);
  });
});
