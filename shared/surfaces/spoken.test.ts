import { describe, expect, it } from 'vitest';
import { spoken } from './spoken.ts';

describe('a hint at the code host', () => {
  it('names the stack in every command that speaks to it, and no other', () => {
    expect(spoken('Type `lockkeeper reconcile env --env production --branch main`, or `lockkeeper validate`.', false)).toBe(
      'Type `lockkeeper reconcile env --env production --branch main --stack <stack>`, or `lockkeeper validate`.',
    );
    expect(spoken('`lockkeeper approve abc --stack mine`', true)).toBe('`lockkeeper approve abc --stack mine`');
  });

  it('says on a pull request what comment does the same', () => {
    expect(spoken('`lockkeeper confirm invite --pr 4`', true)).toBe(
      '`lockkeeper confirm invite --pr 4 --stack <stack>`, or the comment `/lockkeeper confirm invite`',
    );
    expect(spoken('`lockkeeper accept env --until 7d --reason "why" --pr 4`', true)).toContain('`/lockkeeper accept env until 7d why`');
    expect(spoken('`lockkeeper plan --pr 4`', true)).toBe('`lockkeeper plan --pr 4 --stack <stack>`');
  });

  it('knows every command of a stack, and its name where somebody does', () => {
    expect(spoken('`lockkeeper unfreeze production`, then `lockkeeper diff abc def`', true, 'releases')).toBe(
      '`lockkeeper unfreeze production --stack releases`, then `lockkeeper diff abc def --stack releases`',
    );
    expect(spoken('`lockkeeper undo abc`', true, 'releases')).toBe('`lockkeeper undo abc --stack releases`, or the comment `/lockkeeper undo abc`');
    // A comment stands where it is about: it takes no run.
    expect(spoken('`lockkeeper retry abc`', true)).toContain('the comment `/lockkeeper retry`');
  });
});
