import { describe, expect, it } from 'vitest';
import { idOf, propertiesOf } from '../test/template/reading.ts';
import { synthesizeTemplate } from './template.ts';
import { awsTiming } from './timing.ts';

const template = synthesizeTemplate({ timing: awsTiming });

/** But not a first deployment that failed: nothing was recorded then, and the names would be in the way of the second. */
const kept = { DeletionPolicy: 'RetainExceptOnCreate', UpdateReplacePolicy: 'Retain' };

describe('what outlives the stack', () => {
  it('is the table, restorable to any second, with its two sparse indexes', () => {
    const id = idOf(template, 'AWS::DynamoDB::Table', 'StateTable');
    // It has no name of its own to be in the way, and a deletion that its protection refuses would leave the whole stack stuck.
    expect(template.Resources[id]).toMatchObject({ DeletionPolicy: 'Retain', UpdateReplacePolicy: 'Retain', Properties: { DeletionProtectionEnabled: true } });
    expect(propertiesOf(template, id)['TableName']).toBeUndefined();
    expect(propertiesOf(template, id)).toMatchObject({
      BillingMode: 'PAY_PER_REQUEST',
      PointInTimeRecoverySpecification: { PointInTimeRecoveryEnabled: true },
      TimeToLiveSpecification: { AttributeName: 'ttl', Enabled: true },
      GlobalSecondaryIndexes: [
        { IndexName: 'due', KeySchema: [{ AttributeName: 'status' }, { AttributeName: 'since' }] },
        { IndexName: 'repo', KeySchema: [{ AttributeName: 'repo' }, { AttributeName: 'order' }] },
      ],
    });
  });

  it('is the bucket, versioned, private and reached over TLS alone', () => {
    const id = idOf(template, 'AWS::S3::Bucket', 'ObjectsBucket');
    expect(template.Resources[id]).toMatchObject(kept);
    expect(propertiesOf(template, id)).toMatchObject({
      VersioningConfiguration: { Status: 'Enabled' },
      PublicAccessBlockConfiguration: { BlockPublicAcls: true, BlockPublicPolicy: true, IgnorePublicAcls: true, RestrictPublicBuckets: true },
    });
    const policy = JSON.stringify(propertiesOf(template, idOf(template, 'AWS::S3::BucketPolicy', 'ObjectsBucketPolicy')));
    expect(policy).toContain('"Condition":{"Bool":{"aws:SecureTransport":"false"}},"Effect":"Deny"');
  });

  it('expires run logs, plans, drift and what tool jobs leave, and never a receipt', () => {
    const text = JSON.stringify(propertiesOf(template, idOf(template, 'AWS::S3::Bucket', 'ObjectsBucket'))['LifecycleConfiguration']);
    expect(new Set([...text.matchAll(/"Prefix":"([^"]*)"/g)].map(([, prefix]) => prefix))).toEqual(
      new Set(['runs/', 'plans/', 'drift/', 'tools/', 'sources/', 'plans/saved/', 'words/']),
    );
    expect([...text.matchAll(/"ExpirationInDays":(\d+),"Id":"([\w/]+)-expire/g)].map(([, days, folder]) => [folder, days])).toEqual([
      ['runs', '90'],
      ['plans', '180'],
      ['drift', '180'],
      ['tools', '2'],
      ['sources', '2'],
      ['plans/saved', '30'],
      ['words', '90'],
    ]);
    expect(text.match(/"Prefix"/g)).toHaveLength(text.match(/"Status"/g)?.length ?? 0);
  });

  it('is the two keys, each 32 random bytes in hex under a key id', () => {
    for (const name of ['SecretsFingerprintKey', 'SecretsSealingKey']) {
      const id = idOf(template, 'AWS::SecretsManager::Secret', name);
      expect(template.Resources[id]).toMatchObject(kept);
      expect(propertiesOf(template, id)['GenerateSecretString']).toMatchObject({
        PasswordLength: 64,
        ExcludeUppercase: true,
        ExcludePunctuation: true,
        ExcludeCharacters: 'ghijklmnopqrstuvwxyz',
        SecretStringTemplate: '{"id":"1"}',
        GenerateStringKey: 'key',
      });
    }
  });
});
