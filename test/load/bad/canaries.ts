/** Values that nobody may ever see in what a door answers or logs, and the places where bad input carries one. */
import { signingSecret } from '../../ports/in-slack.ts';
import { placeOf, spellings } from '../../property/oracles/i1-no-secret.ts';
import { secrets } from '../../property/plan.ts';
import type { Random } from '../../weave/random.ts';

/** What the webhooks are signed with here. */
export const webhookSecret = 'canary-of-the-webhook-secret-4711';

/** What a plan's `env://` references stand for, and the provider's credential, in a workbench. */
export const stackSecrets: Readonly<Record<string, string>> = { ...secrets, EXAMPLE_TOKEN: 'token-of-the-example-provider' };

/** A value that only the input has: a literal in a plan, a token in a message. */
export const carried = 'sk-live-c4n4ry0f7h31npu7';

const wanted = [...new Set([webhookSecret, signingSecret, carried, ...Object.values(stackSecrets)].flatMap(spellings))];

/** Says that a secret is in what was told, and where; undefined: none is. */
export function canaryIn(told: unknown, ...more: readonly string[]): string | undefined {
  const text = wordsOf(told).join('\n');
  const at = placeOf(text, [...wanted, ...more]);
  return at < 0 ? undefined : `I1: a secret is told: … ${text.slice(Math.max(0, at - 100), at + 40)}`;
}

/** Sometimes a message with a field too many, or a token among the variables of a tool job: neither is anything to repeat. */
export function planted(value: unknown, random: Random): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value) || !random.chance(0.3)) return value;
  if ('variables' in value) return { ...value, variables: [{ name: 'LOCKKEEPER_TOOL_TOKEN', value: carried }] };
  return random.one<() => object>([
    () => ({ ...value, [carried]: true }),
    () => ({ ...value, note: carried }),
    () => ({ ...value, format: carried }),
    () => ({ ...value, step: carried }),
  ])();
}

/** Every text in it, names of fields too: a text that is JSON itself is spelled as JSON once, and not twice. */
function wordsOf(told: unknown): string[] {
  if (typeof told === 'string') return [told];
  if (typeof told !== 'object' || told === null) return [];
  if (Array.isArray(told) || told instanceof Set) return [...told].flatMap(wordsOf);
  return Object.entries(told).flatMap(([name, value]) => [name, ...wordsOf(value)]);
}
