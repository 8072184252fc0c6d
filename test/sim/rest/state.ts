import type { Json } from '../wire/answer.ts';

/** Any JSON API, as the fake keeps it: objects by their paths, host first (`/api.hooks.example/v1/webhooks/wh_1`). */
export interface RestState {
  readonly objects: RestObject[];
  /** What a create with an idempotency key made, by the key. */
  readonly performed: Record<string, string>;
  readonly settings: {
    /** Most objects in one answer. */
    pageSize: number;
    /** Whether lists are `{items, next}` instead of arrays. */
    envelope: boolean;
    /** How long a new object is `provisioning`, ms. */
    readyMs: number;
    /** What a new object's status is afterwards. */
    outcome: 'ready' | 'failed';
    /** Fields of which no two objects of a list may have the same value. */
    unique: string[];
    /** How a second one is refused. */
    existsStatus: number;
    /** How an object is refused that was deleted. */
    goneStatus: number;
    /** Fields that are taken and never shown. */
    hidden: string[];
    /** Fields that the answer to a create alone shows. */
    once: string[];
  };
}

export interface RestObject {
  readonly path: string;
  body: Json;
  readonly readyAt: number;
  deleted: boolean;
}

export const emptyRest = (): RestState => ({
  objects: [],
  performed: {},
  settings: {
    pageSize: 100,
    envelope: true,
    readyMs: 0,
    outcome: 'ready',
    unique: ['name'],
    existsStatus: 409,
    goneStatus: 404,
    hidden: ['signing'],
    once: [],
  },
});
