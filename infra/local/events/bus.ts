import { randomUUID } from 'node:crypto';
import { account, region } from '../template/place.ts';
import { matches, type Pattern } from './pattern.ts';
import type { Target, Targets } from './targets.ts';

/** An event as a rule's target receives it. */
export interface BusEvent {
  readonly version: '0';
  readonly id: string;
  readonly 'detail-type': string;
  readonly source: string;
  readonly account: string;
  readonly time: string;
  readonly region: string;
  readonly resources: readonly string[];
  readonly detail: unknown;
}

export interface BusRule {
  readonly busName: string;
  readonly pattern: Pattern;
  readonly targets: readonly Target[];
}

export interface Bus {
  addRule(rule: BusRule): void;
  /** Takes an event, remembers it, gives it to the targets of every rule that matches; returns its id. */
  put(busName: string, event: BusEvent): string;
  stamped(event: { source: string; detailType: string; detail: unknown; resources?: readonly string[] }): BusEvent;
  /** The newest events put, oldest first. */
  events(): readonly BusEvent[];
}

/** How many events are remembered for whoever asks. */
const remembered = 10_000;

/** The event bus, of whatever name: events live in memory only, as they do in AWS. */
export function createBus(targets: Targets): Bus {
  const rules: BusRule[] = [];
  const events: BusEvent[] = [];
  return {
    addRule: (rule) => void rules.push(rule),
    put(busName, event) {
      events.push(event);
      if (events.length > remembered) events.shift();
      const bare = busName.split('/').at(-1);
      for (const rule of rules) if (rule.busName === bare && matches(rule.pattern, event)) targets.deliverAll(rule.targets, event);
      return event.id;
    },
    stamped: ({ source, detailType, detail, resources = [] }) => ({
      version: '0',
      id: randomUUID(),
      'detail-type': detailType,
      source,
      account,
      time: new Date().toISOString(),
      region,
      resources,
      detail,
    }),
    events: () => [...events],
  };
}
