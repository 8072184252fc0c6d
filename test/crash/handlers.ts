/** The handlers that are deployed, each invocation on a world of its own. */
import type { APIGatewayProxyEventV2, Context, SQSBatchResponse, SQSRecord } from 'aws-lambda';
import { deadJob } from '../../functions/dead-letter/job.ts';
import { allowList } from '../../functions/github-webhook/allow-list.ts';
import { webhook } from '../../functions/github-webhook/webhook.ts';
import { lineJob } from '../../functions/line-worker/job.ts';
import type { HandBack } from '../../functions/queue-job.ts';
import { controlJob } from '../../functions/run-controller/job.ts';
import { night } from '../../functions/schedule/night.ts';
import { tick } from '../../functions/schedule/tick.ts';
import { interaction } from '../../functions/slack-interaction/interaction.ts';
import { signingSecret } from '../ports/in-slack.ts';
import type { Mail } from '../ports/redelivery.ts';
import { repository, type Workbench } from '../ports/workbench.ts';

/** What its webhooks are signed with. */
export const webhookSecret = 'the webhook secret of the simulator, long enough';

/** What is answered to whoever sent an event. */
export interface Answered {
  readonly statusCode?: number | undefined;
}

export interface Handlers {
  /** Of the queue that the message lies in. */
  message(mail: Mail, record: SQSRecord, handBack: HandBack): Promise<SQSBatchResponse>;
  webhook(event: APIGatewayProxyEventV2): Promise<Answered>;
  click(event: APIGatewayProxyEventV2): Promise<Answered>;
  schedule(which: 'tick' | 'night'): Promise<unknown>;
}

export function handlersOf(bench: Workbench): Handlers {
  const context = {} as Context;
  const world = (): ReturnType<Workbench['world']> => bench.world();
  const opened = async (): Promise<ReturnType<Workbench['world']>> => bench.world();
  const log = () => bench.log;
  return {
    message(mail, record, handBack) {
      const job = mail.dead ? deadJob(world, handBack, log) : mail.queue === 'control' ? controlJob(opened, handBack, log) : lineJob(opened, handBack, log);
      return job({ Records: [record] }, context);
    },
    async webhook(event) {
      return webhook({ ...world(), secret: async () => webhookSecret, allows: allowList(`${repository.owner}/${repository.name}`) })(event, context);
    },
    click: (event) => interaction({ ...world(), signingSecret: async () => signingSecret }, event),
    schedule: (which) => (which === 'tick' ? tick(world()) : night(world())),
  };
}
