import middy from '@middy/core';
import type { APIGatewayProxyEventV2, APIGatewayProxyStructuredResultV2, Context } from 'aws-lambda';
import type { Log } from '../../shared/ports/log.ts';
import type { RecordPorts } from '../recording/put-once.ts';
import { type AdmissionRules, admit } from './admission.ts';
import type { Happening } from './intake-of.ts';
import { recordAndQueue } from './record.ts';

export interface WebhookWorld extends RecordPorts, AdmissionRules {
  readonly log: Log;
}

/** A delivery behind the admission: what it says happened stands beside the raw event. */
interface AdmittedEvent extends APIGatewayProxyEventV2 {
  admitted: { readonly delivery: string; readonly happening: Happening };
}
type Answer = APIGatewayProxyStructuredResultV2;
type Middleware = middy.MiddlewareObj<AdmittedEvent, Answer>;

/** The webhook as a chain: admission answers whatever starts nothing; the rest is recorded, queued and answered 202. */
export function webhook(world: WebhookWorld): (event: APIGatewayProxyEventV2, context: Context) => Promise<Answer> {
  const chain = middy<AdmittedEvent, Answer>()
    .use(unavailable(world.log))
    .use(admission(world))
    .handler(async ({ admitted: { delivery, happening } }) => {
      const intake = await recordAndQueue(world, delivery, happening);
      const action = 'action' in happening ? { action: happening.action } : {};
      world.log.info('intake recorded and queued', { intake, delivery, event: happening.event, ...action, repository: happening.repository.id });
      return answer(202, { intake });
    });
  // The chain's own admission makes the event an admitted one before anything reads it as such.
  return (event, context) => chain(event as AdmittedEvent, context);
}

function admission(world: WebhookWorld): Middleware {
  const before = async ({ event }: middy.Request<AdmittedEvent>): Promise<Answer | undefined> => {
    const verdict = await admit(event, world);
    if (verdict.admitted) {
      event.admitted = verdict;
      return undefined;
    }
    const { status, reason } = verdict;
    const [delivery, name] = [event.headers['x-github-delivery'], event.headers['x-github-event']];
    world.log[status < 300 ? 'info' : 'warn'](`webhook answered ${status}: ${reason}`, { status, delivery, event: name });
    return answer(status, status === 204 ? undefined : { message: reason });
  };
  return { before };
}

/** Whatever failed inside: GitHub shows the delivery as failed, and sent again it finds its way. */
function unavailable(log: Log): Middleware {
  const onError = ({ error }: middy.Request<AdmittedEvent, Answer>): Answer => {
    log.error('webhook failed: deliver the event again once the cause is gone', { status: 503, error: error?.message });
    return answer(503, { message: 'not recorded, or recorded and not queued: deliver this event again' });
  };
  return { onError };
}

const answer = (statusCode: number, body?: object): Answer =>
  body === undefined ? { statusCode } : { statusCode, headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) };
