import { Aws, Duration } from 'aws-cdk-lib';
import { Alarm, ComparisonOperator, type IMetric, Metric, TreatMissingData } from 'aws-cdk-lib/aws-cloudwatch';
import { SnsAction } from 'aws-cdk-lib/aws-cloudwatch-actions';
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

export interface AlarmsProps {
  readonly queues: LockkeeperQueues;
  readonly timing: Timing;
  /** Where the controller logs the end of each run. */
  readonly controllerLog: ILogGroup;
  /** Where the schedule logs what it found. */
  readonly scheduleLog: ILogGroup;
}

/**
 * Tells people that something waits for them, through one topic that they subscribe to. Each alarm is named for its section in
 * docs/runbook.md. Missing figures are no alarm: most of these metrics exist only while something is wrong.
 */
export class LockkeeperAlarms extends Construct {
  readonly topic: Topic;
  readonly #action: SnsAction;

  constructor(scope: Construct, id: string, { queues, timing, controllerLog, scheduleLog }: AlarmsProps) {
    super(scope, id);
    this.topic = new Topic(this, 'Topic', { displayName: 'Lockkeeper alarms', enforceSSL: true });
    this.#action = new SnsAction(this.topic);
    this.#alarm('dead-control-steps', 'A control step failed until its message died', deadLetters(queues.controlDead), 0);
    this.#alarm('dead-lines', 'The work on a line failed until its message died', deadLetters(queues.linesDead), 0);
    this.#alarm('failed-runs', 'A run ended failed', this.#failedRuns(controllerLog), 0);
    const stuck = (timeoutSeconds: number) => ATTEMPTS * visibilityOf(timeoutSeconds);
    this.#alarm('oldest-control-step', 'A control step is not getting done', oldest(queues.control), stuck(controlTimeoutOf(timing)));
    this.#alarm('oldest-line', 'The work on a line is not getting done', oldest(queues.lines), stuck(timing.lineTimeoutSeconds));
    this.#alarm('oldest-question', `A question has been open for ${QUESTION_HOURS} hours`, this.#oldestQuestion(scheduleLog), QUESTION_HOURS * 3600);
  }

  #alarm(name: string, what: string, metric: IMetric, above: number): void {
    const alarm = new Alarm(this, name, {
      alarmName: `${Aws.STACK_NAME}-${name}`,
      alarmDescription: `${what}. What to do: docs/runbook.md, section ${name}.`,
      metric,
      threshold: above,
      comparisonOperator: ComparisonOperator.GREATER_THAN_THRESHOLD,
      evaluationPeriods: 1,
      treatMissingData: TreatMissingData.NOT_BREACHING,
    });
    alarm.addAlarmAction(this.#action);
  }

  #failedRuns(log: ILogGroup): IMetric {
    const failed = FilterPattern.any(...['failed', 'fenced-out'].map((status) => FilterPattern.stringValue('$.status', '=', status)));
    return this.#counted('FailedRuns', log, FilterPattern.all(FilterPattern.stringValue('$.message', '=', runEndedLine), failed), '1').with({
      statistic: 'Sum',
      period: Duration.minutes(5),
    });
  }

  /** The schedule looks every 15 minutes; a period of twice that always holds a look. */
  #oldestQuestion(log: ILogGroup): IMetric {
    const looked = FilterPattern.stringValue('$.message', '=', sweptLine);
    return this.#counted('OldestQuestionSeconds', log, looked, '$.oldestQuestionSeconds').with({ statistic: 'Maximum', period: Duration.minutes(30) });
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

/**
 * Messages taken out of a dead-letter queue. Its depth would not do: the function that reads it empties it within seconds, and a move
 * by redrive is not counted as sent. A message that this function cannot handle either is taken out again and again.
 */
const deadLetters = (queue: IQueue): IMetric => queue.metricNumberOfMessagesReceived({ period: Duration.minutes(5), statistic: 'Sum' });

const oldest = (queue: IQueue): IMetric => queue.metricApproximateAgeOfOldestMessage({ period: Duration.minutes(5), statistic: 'Maximum' });
