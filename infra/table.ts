import { RemovalPolicy } from 'aws-cdk-lib';
import { AttributeType, BillingMode, ProjectionType, Table } from 'aws-cdk-lib/aws-dynamodb';
import { Construct } from 'constructs';

/**
 * The one table (design 4): on demand, restorable to any second, its TTL only for rubbish. It outlives the stack, because
 * the ledger is what tells a later run which resources are ours. Unlike bucket and keys it also outlives a first deployment that
 * failed: nothing may delete a protected table, and a rollback that tries would leave a stack that can be neither used nor removed.
 *
 * Both indexes are sparse: an item is in one only while it carries the attributes. `due` is read by the sweep, `repo` by lists.
 */
export class LockkeeperTable extends Construct {
  readonly table: Table;

  constructor(scope: Construct, id: string) {
    super(scope, id);
    this.table = new Table(this, 'Table', {
      partitionKey: string('pk'),
      sortKey: string('sk'),
      billingMode: BillingMode.PAY_PER_REQUEST,
      pointInTimeRecoverySpecification: { pointInTimeRecoveryEnabled: true },
      timeToLiveAttribute: 'ttl',
      deletionProtection: true,
      removalPolicy: RemovalPolicy.RETAIN,
    });
    this.table.addGlobalSecondaryIndex({ indexName: 'due', partitionKey: string('status'), sortKey: string('since'), projectionType: ProjectionType.ALL });
    this.table.addGlobalSecondaryIndex({ indexName: 'repo', partitionKey: string('repo'), sortKey: string('order'), projectionType: ProjectionType.ALL });
  }
}

const string = (name: string): { name: string; type: AttributeType } => ({ name, type: AttributeType.STRING });
