import { account, arn } from '../template/place.ts';
import { identityOf, physicalName } from './identity.ts';
import type { ResourceKind } from './kind.ts';

const attributes = [
  'VisibilityTimeout',
  'DelaySeconds',
  'MessageRetentionPeriod',
  'MaximumMessageSize',
  'ReceiveMessageWaitTimeSeconds',
  'FifoQueue',
  'ContentBasedDeduplication',
  'RedrivePolicy',
] as const;

/** A queue. Its URL holds the loopback address, since the SDK sends to the host it finds in the URL. */
export const queue: ResourceKind = {
  types: ['AWS::SQS::Queue'],
  identity(declared, place) {
    const name = physicalName(declared, 'QueueName') + (declared.property('FifoQueue') === true && !declared.property('QueueName') ? '.fifo' : '');
    const url = `${place.sqs}/${account}/${name}`;
    return identityOf(name, url, { Arn: arn('sqs', name), QueueName: name, QueueUrl: url });
  },
  create(resource, { dataPlane }) {
    const given = attributes.filter((name) => resource.properties[name] !== undefined);
    return dataPlane.createQueue(resource.identity.name, Object.fromEntries(given.map((name) => [name, attributeText(resource.properties[name])])));
  },
};

const attributeText = (value: unknown): string => (typeof value === 'object' ? JSON.stringify(value) : String(value));
