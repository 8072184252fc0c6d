import { ArnFormat, Aws, Duration, Stack } from 'aws-cdk-lib';
import { Alarm, type AlarmProps, ComparisonOperator, type IMetric, Metric, TreatMissingData } from 'aws-cdk-lib/aws-cloudwatch';
import { SnsAction } from 'aws-cdk-lib/aws-cloudwatch-actions';
import { PolicyStatement, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { FilterPattern, type ILogGroup, MetricFilter } from 'aws-cdk-lib/aws-logs';
import { Topic } from 'aws-cdk-lib/aws-sns';
import type { IQueue } from 'aws-cdk-lib/aws-sqs';
import { Construct } from 'constructs';
import type { LockkeeperQueues } from './queues.ts';
import { controlTimeoutOf, type Timing, visibilityOf } from './timing.ts';

/** How long people may let a question lie before somebody else should know, hours. Half of the time it stays open by default. */
const QUESTION_HOURS = 12;

/** Log lines that are counted. The functions write them; a test holds the two together. */
export const runEndedLine = 'run ended';
export const sweptLine = 'swept';
export const brokenGlassLine = 'the glass was broken';
export const clickFailedLine = 'slack interaction failed: whoever clicked is told to try again';

export interface AlarmsProps {
  readonly queues: LockkeeperQueues;
  readonly timing: Timing;
  /** Where the controller logs the end of each run. */
  readonly controllerLog: ILogGroup;
  /** Where the schedule logs what it found. */
  readonly scheduleLog: ILogGroup;
  /** Where the function that takes clicks in Slack logs those it could not take. */
  readonly interactionLog: ILogGroup;
}

/**
 * Tells people that something waits for them, through one topic that they subscribe to. Each alarm is named for its section in
 * docs/runbook.md. Missing figures are no alarm, since most of these metrics exist only while something is wrong; what the schedule
 * writes each time it looks is the exception.
 */
export class LockkeeperAlarms extends Construct {
  readonly topic: Topic;
  readonly #action: SnsAction;
  readonly #names: string[] = [];

  constructor(scope: Construct, id: string, { queues, timing, controllerLog, scheduleLog, interactionLog }: AlarmsProps) {
    super(scope, id);
    this.topic = new Topic(this, 'Topic', { displayName: 'Lockkeeper alarms', enforceSSL: true });
    this.#action = new SnsAction(this.topic);
    this.#alarm('dead-control-steps', 'A control step failed until its message died', deadLetters(queues.controlDead), 0);
    this.#alarm('dead-lines', 'The work on a line failed until its message died', deadLetters(queues.linesDead), 0);
    this.#alarm('unread-control-steps', 'Dead control steps are read by nobody', unread(queues.controlDead), 0);
    this.#alarm('unread-lines', 'Dead lines are read by nobody', unread(queues.linesDead), 0);
    this.#alarm('broken-glass', 'A run went on while GitHub was silent', this.#brokenGlass(controllerLog), 0);
    this.#alarm('failed-runs', 'A run ended failed', this.#failedRuns(controllerLog), 0);
    this.#alarm('failed-clicks', 'A click in Slack could not be taken', this.#failedClicks(interactionLog), 0);
    const stuck = (timeoutSeconds: number) => ATTEMPTS * visibilityOf(timeoutSeconds);
    this.#alarm('oldest-control-step', 'A control step is not getting done', oldest(queues.control), stuck(controlTimeoutOf(timing)));
    this.#alarm('oldest-line', 'The work on a line is not getting done', oldest(queues.lines), stuck(timing.lineTimeoutSeconds));
    const looks = this.#oldestQuestion(scheduleLog);
    this.#alarm('oldest-question', `A question has been open for ${QUESTION_HOURS} hours`, looks, QUESTION_HOURS * 3600);
    this.#alarm('overdue-scans', 'No scan of an environment has ended for three intervals', this.#overdueScans(scheduleLog), 0);
    this.#alarm('stopped-schedule', 'The schedule has not looked for an hour', looks.with({ statistic: 'SampleCount', period: Duration.hours(1) }), 1, silent);
    this.topic.addToResourcePolicy(this.#tellsFromHere());
  }

  #alarm(name: string, what: string, metric: IMetric, threshold: number, when: When = tooMuch): void {
    this.#names.push(name);
    const alarm = new Alarm(this, name, {
      alarmName: alarmName(name),
      alarmDescription: `${what}. What to do: docs/runbook.md, section ${name}.`,
      metric,
      threshold,
      ...when,
      evaluationPeriods: 1,
    });
    alarm.addAlarmAction(this.#action);
  }

  /**
   * A topic with a policy of its own, as TLS asks for one, has lost the policy SNS gives, under which alarms of the account may publish:
   * it is said here, and of these alarms alone. docs.aws.amazon.com/AmazonCloudWatch/latest/monitoring, "Notifying users on alarm changes".
   */
  #tellsFromHere(): PolicyStatement {
    const arnOf = (name: string): string =>
      Stack.of(this).formatArn({ service: 'cloudwatch', resource: 'alarm', resourceName: alarmName(name), arnFormat: ArnFormat.COLON_RESOURCE_NAME });
    return new PolicyStatement({
      sid: 'TheseAlarmsMayPublish',
      principals: [new ServicePrincipal('cloudwatch.amazonaws.com')],
      actions: ['sns:Publish'],
      resources: [this.topic.topicArn],
      conditions: { StringEquals: { 'aws:SourceAccount': Stack.of(this).account }, ArnEquals: { 'aws:SourceArn': this.#names.map(arnOf) } },
    });
  }

  #failedRuns(log: ILogGroup): IMetric {
    const failed = FilterPattern.any(...['failed', 'fenced-out'].map((status) => FilterPattern.stringValue('$.status', '=', status)));
    return this.#counted('FailedRuns', log, FilterPattern.all(FilterPattern.stringValue('$.message', '=', runEndedLine), failed), '1').with({
      statistic: 'Sum',
      period: Duration.minutes(5),
    });
  }

  #brokenGlass(log: ILogGroup): IMetric {
    return this.#counted('BrokenGlass', log, FilterPattern.stringValue('$.message', '=', brokenGlassLine), '1').with({
      statistic: 'Sum',
      period: Duration.minutes(5),
    });
  }

  #failedClicks(log: ILogGroup): IMetric {
    const failed = FilterPattern.stringValue('$.message', '=', clickFailedLine);
    return this.#counted('FailedClicks', log, failed, '1').with({ statistic: 'Sum', period: Duration.minutes(5) });
  }

  /** The schedule looks every 15 minutes; a period of twice that always holds a look. */
  #oldestQuestion(log: ILogGroup): Metric {
    const looked = FilterPattern.stringValue('$.message', '=', sweptLine);
    return this.#counted('OldestQuestionSeconds', log, looked, '$.oldestQuestionSeconds').with({ statistic: 'Maximum', period: Duration.minutes(30) });
  }

  /** Told by the same look, where anything is scanned. */
  #overdueScans(log: ILogGroup): Metric {
    const looked = FilterPattern.all(FilterPattern.stringValue('$.message', '=', sweptLine), FilterPattern.numberValue('$.scansOverdue', '>=', 0));
    return this.#counted('OverdueScans', log, looked, '$.scansOverdue').with({ statistic: 'Maximum', period: Duration.minutes(30) });
  }

  /** A metric of this stack's own: two stacks of one account do not add up. */
  #counted(
    metricName: string,
    logGroup: ILogGroup,
    filterPattern: ConstructorParameters<typeof MetricFilter>[2]['filterPattern'],
    metricValue: string,
  ): Metric {
    const metricNamespace = `Lockkeeper/${Aws.STACK_NAME}`;
    new MetricFilter(this, metricName, { logGroup, metricNamespace, metricName, filterPattern, metricValue });
    return new Metric({ namespace: metricNamespace, metricName });
  }
}

/** A message may be handed out this often, each time to a function that dies, before somebody should look. */
const ATTEMPTS = 3;

type When = Pick<AlarmProps, 'comparisonOperator' | 'treatMissingData'>;

const tooMuch: When = { comparisonOperator: ComparisonOperator.GREATER_THAN_THRESHOLD, treatMissingData: TreatMissingData.NOT_BREACHING };
const silent: When = { comparisonOperator: ComparisonOperator.LESS_THAN_THRESHOLD, treatMissingData: TreatMissingData.BREACHING };

const alarmName = (name: string): string => `${Aws.STACK_NAME}-${name}`;

/**
 * Messages taken out of a dead-letter queue. Depth would not do: the function that reads the queue empties it within seconds, and a move
 * by redrive is not counted as sent.
 */
const deadLetters = (queue: IQueue): IMetric => queue.metricNumberOfMessagesReceived({ period: Duration.minutes(5), statistic: 'Sum' });

/**
 * Messages that lie in a dead-letter queue, where nobody takes them out: that function's mapping is disabled. An alarm of its own, because
 * the sum of both figures would be metric math, which not every endpoint knows that the template is deployed to.
 */
const unread = (queue: IQueue): IMetric => queue.metricApproximateNumberOfMessagesVisible({ period: Duration.minutes(5), statistic: 'Maximum' });

const oldest = (queue: IQueue): IMetric => queue.metricApproximateAgeOfOldestMessage({ period: Duration.minutes(5), statistic: 'Maximum' });
