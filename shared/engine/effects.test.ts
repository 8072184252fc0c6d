import { expect, test } from 'vitest';
import type { Effect } from '../approvals/effect.ts';
import { createRedactor } from '../redact/redactor.ts';
import { withoutSecretNames } from './effects.ts';

const effect = (key: string): Effect => ({
  address: JSON.stringify(['example', [['place', 'here']], key]),
  action: 'create',
  paths: [{ path: 'value' }],
  waitsFor: [],
});

test('an effect whose name carries a secret is not stored, however JSON spells it (I1)', () => {
  const redactor = createRedactor();
  redactor.register('say "hello"', 'env://GREETING');
  expect(withoutSecretNames({ redactor }, [effect('thing:say "hello"-x'), effect('thing:x')])).toEqual([effect('thing:x')]);
});

test.each(['example', 'here', 'value'])('a secret that reads `%s` takes no effect away', (secret) => {
  const redactor = createRedactor();
  redactor.register(secret, 'env://WORD');
  expect(withoutSecretNames({ redactor }, [effect('thing:x')])).toEqual([effect('thing:x')]);
});
