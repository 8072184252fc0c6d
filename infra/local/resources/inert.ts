import { arn } from '../template/place.ts';
import type { ResourceKind } from './kind.ts';

/** Types that mean something in an account and nothing on one machine: who may do what, how long logs stay, who is paged. */
export const inert: ResourceKind = {
  types: [
    'AWS::CDK::Metadata',
    'AWS::CloudWatch::Alarm',
    'AWS::CloudWatch::Dashboard',
    'AWS::IAM::ManagedPolicy',
    'AWS::IAM::Policy',
    'AWS::IAM::Role',
    'AWS::Lambda::Permission',
    'AWS::Logs::LogGroup',
    'AWS::Logs::MetricFilter',
    'AWS::Logs::ResourcePolicy',
    'AWS::S3::BucketPolicy',
    'AWS::SNS::Topic',
    'AWS::SNS::TopicPolicy',
    'AWS::SQS::QueuePolicy',
    'AWS::Scheduler::ScheduleGroup',
    'AWS::SecretsManager::ResourcePolicy',
  ],
  identity: ({ id, type }) => ({ name: id, ref: id, attribute: (name) => arn('inert', `${type}/${id}/${name}`) }),
};
