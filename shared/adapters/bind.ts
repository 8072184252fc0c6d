import type { Binding, BindOp } from '../engine/bind.ts';
import type { Op } from '../engine/op.ts';
import { LockkeeperError } from '../errors/error.ts';
import type { Clock } from '../ports/clock.ts';
import { providerHttp } from './http/client.ts';
import { requireCredential } from './http/credential.ts';

/** What all lines of a process share; the composition root fills it. */
export interface HttpSettings {
  /** Overrides of base URLs, by variable name (`NEON_API_URL`). */
  readonly baseUrls: Readonly<Record<string, string | undefined>>;
  /** Masks every value the run knows, credentials included. */
  readonly redact: (text: string) => string;
  readonly clock: Clock;
  readonly timeoutMs?: number;
  readonly retries?: number;
  readonly retryBaseMs?: number;
  readonly random?: () => number;
  readonly fetch?: typeof fetch;
  /** Aborts after so many milliseconds; tests supply one they fire themselves. */
  readonly deadline?: (ms: number) => AbortSignal;
}

/**
 * Gives an op the one HTTP client, pointed at its provider and carrying its credential as a bearer token.
 *
 * The returned function throws LockkeeperError PROVIDER_AUTH for a missing credential, PLAN_INVALID for a provider block that
 * lacks something, PROVIDER_INVALID for a base URL that is none.
 */
export function opBinder(settings: HttpSettings): BindOp {
  return (op, binding) => {
    judgeProviderBlock(op, binding);
    const [credential] = op.credentials;
    const { clock, baseUrls, ...http } = settings;
    return {
      http: providerHttp({
        ...http,
        adapter: op.adapter,
        baseUrl: baseUrlOf(op, baseUrls),
        authorize: credential === undefined ? {} : { authorization: `Bearer ${requireCredential(credential, binding.credentials, binding.line)}` },
        credential,
        guard: binding.guard,
        clock,
      }),
      provider: binding.provider,
      context: binding.context,
      now: () => clock.now(),
    };
  };
}

function judgeProviderBlock(op: Op, binding: Binding): void {
  const judged = op.provider.safeParse(binding.provider);
  if (judged.success) return;
  const wrong = judged.error.issues.map((issue) => `\`providers.${[op.adapter, ...issue.path].join('.')}\`: ${issue.message}`).join('; ');
  throw new LockkeeperError({
    code: 'PLAN_INVALID',
    message: `Line \`${binding.line}\` cannot run: ${wrong}.`,
    details: { line: binding.line, adapter: op.adapter },
  });
}

function baseUrlOf(op: Op, overrides: HttpSettings['baseUrls']): string {
  const override = overrides[op.baseUrl.variable];
  if (override === undefined || override === '') return op.baseUrl.default;
  const url = URL.canParse(override) ? new URL(override) : undefined;
  if ((url?.protocol === 'http:' || url?.protocol === 'https:') && url.username === '' && url.search === '' && url.hash === '') return override;
  throw new LockkeeperError({
    code: 'PROVIDER_INVALID',
    message: `${op.baseUrl.variable} must be an http or https address without a user, a query or a fragment, such as ${op.baseUrl.default}.`,
    details: { variable: op.baseUrl.variable },
  });
}
