import { randomUUID } from 'node:crypto';
import type { Cloud } from '../cloud.ts';
import { type Delivery, deliver } from '../github/deliver.ts';
import { noteDelivery } from '../github/deliveries.ts';
import { type Webhook, type WebhookInput, type WebhookKind, webhookOf } from '../github/webhook.ts';
import { demoSeed } from '../seed.ts';
import type { RuleInput } from '../wire/rule.ts';
import { addRule, dropRules } from '../wire/rulebook.ts';
import type { Scene, World } from '../world/world.ts';
import { type EditInput, type EditName, type EditOutput, edits } from './edits.ts';
import { applySettings, type SettingsInput } from './settings.ts';

/** What a test can do to the cloud from within its process. The control endpoint does the same over HTTP. */
export interface Control {
  /** Adds a rule and returns its number. Throws ZodError for one that makes no sense. */
  rule(rule: RuleInput): number;
  /** Takes the rules of those numbers away, or all; held requests stay held. Returns the ones that no request has met. */
  clear(ids?: readonly number[]): RuleInput[];
  /** Lets held requests go on and returns how many there were. */
  release(): number;
  /** How many requests are held now. */
  held(): number;
  /** Resolves when at least `count` requests are held. */
  untilHeld(count?: number): Promise<void>;
  set(settings: SettingsInput): void;
  /** Does what a person does in a console or on GitHub. Throws ZodError or NoSuchThing. */
  edit<Name extends EditName>(name: Name, input: EditInput<Name>): EditOutput<Name>;
  /** Builds the webhook GitHub would send about the cloud as it is now. Throws NoSuchThing. */
  webhook<Kind extends WebhookKind>(kind: Kind, input: WebhookInput[Kind]): Webhook;
  /** Sends a webhook, signed, and remembers it for `redeliver`. */
  deliver(to: string, hook: Webhook, secret: string, id?: string): Promise<Delivery>;
  /** Sends a remembered webhook once more, under its id: the one named, or the last. Undefined when there is none. */
  redeliver(id?: string): Promise<Delivery | undefined>;
  /** An attempt to tell of a webhook that did not get through: nothing is sent, and GitHub's list of deliveries shows it. Returns its guid. */
  lose(to: string, hook: Webhook, secret: string): string;
  /** Makes the attempts that the app has asked GitHub for since. Returns their answers. */
  tellAgain(): Promise<Delivery[]>;
  /** Replaces everything the cloud holds; rules, logs and held requests go as well. */
  reset(state?: World): void;
}

/** The controls of one cloud. */
export function controlOf(cloud: Cloud): Control {
  const sent: { readonly to: string; readonly hook: Webhook; readonly secret: string; readonly id: string }[] = [];
  return {
    rule: (rule) => addRule(cloud.book, rule),
    clear: (ids) => dropRules(cloud.book, ids),
    release: () => cloud.letGo(true),
    held: () => cloud.held.length,
    untilHeld: (count = 1) =>
      new Promise((resolve) => {
        const look = (): void => {
          if (cloud.held.length < count) return;
          cloud.watchers = cloud.watchers.filter((watcher) => watcher !== look);
          resolve();
        };
        cloud.watchers.push(look);
        look();
      }),
    set: (settings) => {
      applySettings(cloud.world, settings);
      cloud.keep();
    },
    edit: (name, input) => {
      const output = applyEdit(name, input, cloud.scene());
      cloud.keep();
      return output;
    },
    webhook: (kind, input) => {
      const hook = webhookOf(cloud.scene(), kind, input);
      cloud.keep();
      return hook;
    },
    deliver: async (to, hook, secret, id) => {
      const delivery = await deliver(to, hook, secret, id);
      sent.push({ to, hook, secret, id: delivery.id });
      noteDelivery(cloud.scene(), hook, delivery.id, delivery.status);
      return delivery;
    },
    lose: (to, hook, secret) => {
      const id = randomUUID();
      sent.push({ to, hook, secret, id });
      noteDelivery(cloud.scene(), hook, id, 502);
      cloud.keep();
      return id;
    },
    tellAgain: async () => {
      const { deliveries = [], askedAgain = [] } = cloud.world.github;
      cloud.world.github.askedAgain = [];
      const guids = askedAgain.map((id) => deliveries.find((each) => each.id === id)?.guid);
      const told: Delivery[] = [];
      for (const { to, hook, secret, id } of sent.filter((each) => guids.includes(each.id))) {
        const delivery = await deliver(to, hook, secret, id);
        noteDelivery(cloud.scene(), hook, id, delivery.status, true);
        told.push(delivery);
      }
      return told;
    },
    redeliver: async (id) => {
      const former = id === undefined ? sent.at(-1) : sent.find((each) => each.id === id);
      return former === undefined ? undefined : deliver(former.to, former.hook, former.secret, former.id);
    },
    reset: (state) => {
      cloud.world = structuredClone(state) ?? demoSeed();
      cloud.forget();
      cloud.keep();
    },
  };
}

function applyEdit<Name extends EditName>(name: Name, input: EditInput<Name>, at: Scene): EditOutput<Name> {
  const { input: schema, apply } = edits[name];
  // The name ties input and output together, which the compiler cannot follow through the union of all edits.
  return (apply as (input: unknown, scene: Scene) => EditOutput<Name>)(schema.parse(input), at);
}
