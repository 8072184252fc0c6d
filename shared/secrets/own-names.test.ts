import { expect, test } from 'vitest';
import { standingOf } from './own-names.ts';

const secretArn = 'arn:aws:secretsmanager:eu-west-1:111122223333:secret:';
const parameterArn = 'arn:aws:ssm:eu-west-1:111122223333:parameter';

test.each([
  ['lockkeeper/preview/KEY', 'own'],
  ['/lockkeeper/preview/KEY', 'own'],
  [`${secretArn}lockkeeper/preview/KEY-AbCdEf`, 'own'],
  [`${parameterArn}/lockkeeper/preview/KEY`, 'own'],
  ['lockkeeper/production/KEY', 'forbidden'],
  ['lockkeeper/sealing-key', 'forbidden'],
  ['lockkeeper/preview/', 'forbidden'],
  ['lockkeeper/previewer/KEY', 'forbidden'],
  [`${secretArn}lockkeeper/sealing-key-AbCdEf`, 'forbidden'],
  [`${parameterArn}/lockkeeper/production/KEY`, 'forbidden'],
  ['//lockkeeper/production/KEY', 'forbidden'],
  ['lockkeeper-2/preview/KEY', 'outside'],
  ['app/key', 'outside'],
])('%s is %s to a preview', (name, standing) => {
  expect(standingOf(name, 'lockkeeper', 'preview')).toBe(standing);
});
