import type { APIGatewayProxyEventV2, APIGatewayProxyStructuredResultV2 } from 'aws-lambda';
import type { Log } from '../../shared/ports/log.ts';
import type { RecordPorts } from '../recording/put-once.ts';
import { type AdmissionRules, admit } from './admission.ts';
import { recordAndQueue } from './record.ts';

export interface InteractionWorld extends RecordPorts, AdmissionRules {
  readonly clock: RecordPorts['clock'];
  readonly log: Log;
}

type Answer = APIGatewayProxyStructuredResultV2;

/**
 * One interaction: verified, recorded, queued, answered. Slack waits three seconds, and a function is frozen after its answer, so nothing
 * else happens here. A body that was seen before is answered as the first time: Slack shows whoever clicked any other status as an error.
 */
export async function interaction(world: InteractionWorld, event: APIGatewayProxyEventV2): Promise<Answer> {
  try {
    const verdict = await admit(event, world);
    if (!verdict.admitted) {
      world.log[verdict.status === 200 ? 'info' : 'warn'](`slack answered ${verdict.status}: ${verdict.reason}`, { status: verdict.status });
      return { statusCode: verdict.status };
    }
    const delivery = await recordAndQueue(world, verdict.body, verdict.click);
    const { question, verdict: said, user } = verdict.click;
    if (delivery === undefined) world.log.warn('slack click refused: its body was seen before', { run: question.run, user });
    else world.log.info('slack click recorded and queued', { delivery, run: question.run, verdict: said, user });
    return { statusCode: 200 };
  } catch (error) {
    world.log.error('slack interaction failed: whoever clicked is told to try again', {
      status: 503,
      error: error instanceof Error ? error.message : 'unknown',
    });
    return { statusCode: 503 };
  }
}
