import type { Binding, BindOp } from '../engine/bind.ts';
import type { Connection, CredentialSpec, Op } from '../engine/op.ts';
import { LockkeeperError } from '../errors/error.ts';
import type { Clock } from '../ports/clock.ts';
import { providerHttp } from './http/client.ts';
import { requireCredential } from './http/credential.ts';
import { publicFetch } from './http/public-fetch.ts';

/** What all lines of a process share; the composition root fills it. */
export interface HttpSettings {
  /** Overrides of base URLs, by variable name (`NEON_API_URL`). */
  readonly baseUrls: Readonly<Record<string, string | undefined>>;
  /** Where every API that a plan names by its address is simulated. The composition root alone sets it; no plan and no policy can. */
  readonly simulatedApis?: string | undefined;
  /** Masks every value the run knows, credentials included. */
  readonly redact: (text: string) => string;
  readonly clock: Clock;
  readonly timeoutMs?: number;
  readonly retries?: number;
  readonly retryBaseMs?: number;
  readonly random?: () => number;
  readonly fetch?: typeof fetch;
  /** For addresses that a plan names: reaches public ones alone. */
  readonly publicFetch?: typeof fetch;
  /** Aborts after so many milliseconds; tests supply one they fire themselves. */
  readonly deadline?: (ms: number) => AbortSignal;
}

/**
 * Gives an op the one HTTP client, pointed at its provider and carrying its credential: as a bearer token, or as its provider block says.
 *
 * The returned function throws LockkeeperError PROVIDER_AUTH for a missing credential, PLAN_INVALID for a provider block that
 * lacks something, PROVIDER_INVALID for a base URL that is none. Requests of an op with a `connection` of its own throw POLICY_DENIED for an
 * address that is not public.
 */
export function opBinder(settings: HttpSettings): BindOp {
  return (op, binding) => {
    judgeProviderBlock(op, binding);
    const [credential] = [...op.credentials, ...(op.credentialsFor?.(binding.provider) ?? [])];
    const { clock, baseUrls, simulatedApis, publicFetch: reachPublic = usualPublicFetch, ...http } = settings;
    const credentialOf = (spec: CredentialSpec) => requireCredential(spec, binding.credentials, binding.line);
    const { baseUrl, headers } = op.connection?.(binding.provider, credentialOf) ?? usualConnection(op, { baseUrls, simulatedApis }, credentialOf);
    return {
      http: providerHttp({
        ...http,
        adapter: op.adapter,
        ...(op.connection ? planNamed(baseUrl, simulatedApis, settings.fetch ?? reachPublic) : { baseUrl }),
        authorize: headers,
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

/** One for the process: it keeps its connections. */
const usualPublicFetch = publicFetch();

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

function usualConnection(op: Op, where: Pick<HttpSettings, 'baseUrls' | 'simulatedApis'>, credentialOf: (spec: CredentialSpec) => string): Connection {
  const [credential] = op.credentials;
  const headers = credential === undefined ? {} : { authorization: `Bearer ${credentialOf(credential)}` };
  return { baseUrl: op.baseUrl ? baseUrlOf(op.baseUrl, where) : '', headers };
}

/** An address that the plan names: a public one, or its place in the fake cloud, below the host it has. */
function planNamed(baseUrl: string, simulated: string | undefined, reachPublic: typeof fetch): { baseUrl: string; fetch?: typeof fetch } {
  if (simulated === undefined) return { baseUrl, fetch: reachPublic };
  return { baseUrl: simulatedPlace(baseUrl, simulated) };
}

function simulatedPlace(baseUrl: string, simulated: string): string {
  const { host, pathname } = new URL(baseUrl);
  return `${simulated}/${host}${pathname === '/' ? '' : pathname}`;
}

/** Beside the fake cloud, an API that it does not know by name is one of the usual make: nothing real is ever reached from there. */
function baseUrlOf(baseUrl: NonNullable<Op['baseUrl']>, { baseUrls, simulatedApis }: Pick<HttpSettings, 'baseUrls' | 'simulatedApis'>): string {
  const override = baseUrls[baseUrl.variable];
  if (override === undefined || override === '') return simulatedApis === undefined ? baseUrl.default : simulatedPlace(baseUrl.default, simulatedApis);
  const url = URL.canParse(override) ? new URL(override) : undefined;
  if ((url?.protocol === 'http:' || url?.protocol === 'https:') && url.username === '' && url.search === '' && url.hash === '') return override;
  throw new LockkeeperError({
    code: 'PROVIDER_INVALID',
    message: `${baseUrl.variable} must be an http or https address without a user, a query or a fragment, such as ${baseUrl.default}.`,
    details: { variable: baseUrl.variable },
  });
}
