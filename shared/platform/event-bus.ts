import { type EventBridgeClient, PutEventsCommand } from '@aws-sdk/client-eventbridge';
import { unreachable } from './failure.ts';

/** Announces what happened on the stack's event bus, for whoever listens. */
export interface EventBus {
  /** @throws LockkeeperError STORE_UNREACHABLE; nothing that decides depends on an announcement. */
  announce(detailType: string, detail: Readonly<Record<string, unknown>>): Promise<void>;
}

export function eventBus(client: EventBridgeClient, name: string): EventBus {
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
