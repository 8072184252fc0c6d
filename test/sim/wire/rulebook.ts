import { covers } from './glob.ts';
import type { Provider, Rule, RuleInput } from './rule.ts';
import { ruleSchema } from './rule.ts';

/** A rule with what is left of it. */
export interface StandingRule {
  readonly id: number;
  readonly rule: Rule;
  skip: number;
  /** Undefined: it never runs out. */
  times: number | undefined;
  /** Whether a request has met it. */
  met?: true;
}

/** What one request meets: how long it waits, and at most one action. */
export interface Fate {
  readonly latencyMs: number;
  readonly rule?: Rule;
}

const order = ['hold', 'hang', 'kill', 'drop', 'reset', 'nonsense', 'fail'] as const;

/** The rules that stand, oldest first, and the numbers they were given. */
export interface Rulebook {
  rules: StandingRule[];
  next: number;
}

export function emptyRulebook(): Rulebook {
  return { rules: [], next: 1 };
}

/** Adds a rule and returns its number. Throws ZodError for a rule that makes no sense. */
export function addRule(book: Rulebook, input: RuleInput): number {
  const rule = ruleSchema.parse(input);
  const id = book.next++;
  const times = rule.times ?? (rule.latencyMs === undefined ? 1 : undefined);
  book.rules.push({ id, rule, skip: rule.skip ?? 0, times });
  return id;
}

/** Takes the rules of those numbers away, or all. Returns the ones that no request has met. */
export function dropRules(book: Rulebook, ids?: readonly number[]): Rule[] {
  const dropped = book.rules.filter(({ id }) => ids === undefined || ids.includes(id));
  book.rules = book.rules.filter((standing) => !dropped.includes(standing));
  return dropped.filter(({ met }) => met === undefined).map(({ rule }) => rule);
}

/** Decides what a request meets and uses up the rules it met. The newest latency that covers it counts. */
export function meet(book: Rulebook, provider: Provider, method: string, path: string): Fate {
  const matching = book.rules.filter((standing) => concerns(standing.rule, provider, method, path));
  const latency = matching.filter((standing) => standing.rule.latencyMs !== undefined).at(-1);
  const latencyMs = latency === undefined || !use(book, latency) ? 0 : (latency.rule.latencyMs ?? 0);
  for (const effect of order) {
    for (const standing of matching) {
      if (standing.rule[effect] !== undefined && use(book, standing)) return { latencyMs, rule: standing.rule };
    }
  }
  return { latencyMs };
}

function concerns(rule: Rule, provider: Provider, method: string, path: string): boolean {
  if (rule.provider !== undefined && rule.provider !== provider) return false;
  if (rule.on === undefined) return method !== 'GET' && method !== 'HEAD';
  const patterns = typeof rule.on === 'string' ? [rule.on] : rule.on;
  return patterns.some((pattern) => covers(pattern, method, path));
}

/** True when the rule takes effect now; false while it lets requests pass. */
function use(book: Rulebook, standing: StandingRule): boolean {
  if (standing.skip > 0) {
    standing.skip -= 1;
    return false;
  }
  standing.met = true;
  if (standing.times === undefined) return true;
  standing.times -= 1;
  if (standing.times <= 0) book.rules = book.rules.filter((other) => other !== standing);
  return true;
}
