import { z } from 'zod';
import { identityOf, physicalName } from './identity.ts';
import type { ResourceKind } from './kind.ts';

const properties = z.looseObject({ VersioningConfiguration: z.looseObject({ Status: z.string() }).optional() });

export const bucket: ResourceKind = {
  types: ['AWS::S3::Bucket'],
  identity(declared, place) {
    const name = physicalName(declared, 'BucketName').toLowerCase();
    const host = `${name}.s3.amazonaws.com`;
    return identityOf(name, name, { Arn: `arn:aws:s3:::${name}`, DomainName: host, RegionalDomainName: host, WebsiteURL: `${place.s3}/${name}` });
  },
  create(resource, { objects }) {
    const { VersioningConfiguration } = properties.parse(resource.properties);
    objects.createBucket(resource.identity.name, VersioningConfiguration?.Status === 'Enabled');
  },
};
