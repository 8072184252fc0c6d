import { describe, expect, test } from 'vitest';
import { putPolicy } from '../../test/ports/people.ts';
import { openWorkbench, type Workbench } from '../../test/ports/workbench.ts';

const secret = { secret: 'env://STRIPE_KEY' };

/** A stack whose policy says this of preview. `asked`: the names that its secret sources were asked for. */
function bench(preview: object): { readonly bench: Workbench; readonly asked: string[] } {
  const opened = openWorkbench();
  const asked: string[] = [];
  const { get } = opened.secrets;
  opened.secrets.get = (name) => {
    asked.push(name);
    return get.call(opened.secrets, name);
  };
  opened.secrets.set('STRIPE_KEY', 'a value nobody may see').set('EXAMPLE_TOKEN', 'a credential nobody may see');
  putPolicy(opened, JSON.stringify({ version: 1, environments: { preview } }));
  return { bench: opened, asked };
}

describe('what a line may not use in its environment is refused before any secret is read (R1.31)', () => {
  test.each([
    ['a secret', { secrets: ['env://PUBLIC_*'] }],
    ['a credential', { credentials: [] }],
    ['a provider block', { providers: { example: [{ project: 'another one' }] } }],
    ['an adapter', { providers: { other: [{}] } }],
  ])('%s', async (_, preview) => {
    const { bench: opened, asked } = bench(preview);
    const run = await opened.release(7, 'one', [{ id: 'a', things: { x: secret } }]);
    expect(run).toMatchObject({ phase: 'done', outcome: 'failed', problem: { code: 'POLICY_DENIED' } });
    expect(asked).toEqual([]);
    expect(opened.provider.calls).toEqual([]);
  });

  test('and where all is allowed, they are asked', async () => {
    const { bench: opened, asked } = bench({ secrets: ['env://STRIPE_KEY'] });
    expect((await opened.release(7, 'one', [{ id: 'a', things: { x: secret } }])).outcome).toBe('complete');
    expect(asked).toContain('STRIPE_KEY');
  });
});
