import { Duration, RemovalPolicy, Validations } from 'aws-cdk-lib';
import { BlockPublicAccess, Bucket, BucketEncryption, type LifecycleRule } from 'aws-cdk-lib/aws-s3';
import { Construct } from 'constructs';

/** Folders of the bucket and how many days their objects live (design 4). Receipts are not named: they never expire. */
const lifetimes = { runs: 90, plans: 180, drift: 180, tools: 2, sources: 2, 'plans/saved': 30, words: 90 } as const;

/**
 * What a control step reads and writes, each a prefix of keys. Drift documents are written for whoever reads the bucket: no function reads one; and
 * the files of a commit are for tool jobs. Of those it looks after applies alone, where a run has lost its lease to another.
 */
export const foldersRead = ['receipts', 'runs', 'plans', 'tools/apply'] as const;
export const foldersInUse = [...foldersRead, 'drift', 'sources'] as const;

/** What a line's worker reads and writes there: the mailboxes of its tool jobs, and the plans they saved. What tools said is for people alone. */
export const lineFoldersRead = ['tools', 'plans/saved'] as const;
export const lineFoldersInUse = ['tools', 'plans/saved', 'words'] as const;

/** The versioned bucket of receipts, plan documents, drift documents, run logs and what tool jobs are given and say. It outlives the stack, but not a first deployment that failed. */
export class LockkeeperBucket extends Construct {
  readonly bucket: Bucket;

  constructor(scope: Construct, id: string) {
    super(scope, id);
    this.bucket = new Bucket(this, 'Bucket', {
      versioned: true,
      encryption: BucketEncryption.S3_MANAGED,
      blockPublicAccess: BlockPublicAccess.BLOCK_ALL,
      enforceSSL: true,
      lifecycleRules: Object.entries(lifetimes).flatMap(([folder, days]) => expire(folder, days)),
      removalPolicy: RemovalPolicy.RETAIN_ON_UPDATE_OR_DELETE,
    });
    Validations.of(this.bucket).acknowledge({
      id: 'AwsSolutions-S1',
      reason:
        'One principal reads and writes this bucket, every object is versioned, and each receipt names the digest of the one before it, so a change behind its back shows. Server access logs would need a second bucket with the same question; an account that wants a read trail turns on CloudTrail data events.',
    });
  }
}

/** Expiry in a versioned bucket only hides an object: the hidden version goes a week later, and its marker after it. */
function expire(folder: string, days: number): LifecycleRule[] {
  const prefix = `${folder}/`;
  return [
    { id: `${folder}-expire`, prefix, expiration: Duration.days(days), noncurrentVersionExpiration: Duration.days(7) },
    { id: `${folder}-markers`, prefix, expiredObjectDeleteMarker: true },
  ];
}
