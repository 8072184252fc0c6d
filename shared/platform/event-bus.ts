import { type EventBridgeClient, PutEventsCommand } from '@aws-sdk/client-eventbridge';
import type { Bus } from '../ports/bus.ts';
import { unreachable } from './failure.ts';

/** Announces what happened, with `lockkeeper` as the source. */
export function eventBus(client: EventBridgeClient, name: string): Bus {
  return {
    async announce(detailType, detail) {
      const entry = { EventBusName: name, Source: 'lockkeeper', DetailType: detailType, Detail: JSON.stringify(detail) };
      try {
        const { Entries = [] } = await client.send(new PutEventsCommand({ Entries: [entry] }));
        const failed = Entries.find((one) => one.ErrorCode !== undefined);
        if (failed) throw new Error(`${failed.ErrorCode}: ${failed.ErrorMessage ?? ''}`);
      } catch (error) {
        throw unreachable(`announcing ${detailType}`, error);
      }
    },
  };
}
