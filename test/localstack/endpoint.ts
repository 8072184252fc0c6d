/** A LocalStack-compatible endpoint: where it is, what it is, and how it is told from AWS itself. */

/** What LocalStack and everything compatible with it answers under `/_localstack/health`. */
export interface Endpoint {
  /** Base URL without a slash at its end. */
  readonly url: string;
  /** As the endpoint names itself, for example `MiniStack 1.5.33`. */
  readonly version: string;
}

const defaultEndpoint = 'http://127.0.0.1:4566';

const HEALTH_TIMEOUT_MS = 3_000;

/** Where the endpoint is looked for: a base URL without a slash at its end. */
const addressIn = (environment: Variables): string => (environment['AWS_ENDPOINT_URL'] || defaultEndpoint).replace(/\/+$/, '');

type Variables = Readonly<Record<string, string | undefined>>;

/**
 * The endpoint of `AWS_ENDPOINT_URL`, or the default one, when it answers the health question. AWS itself never does: nothing here
 * can be pointed at an account by mistake.
 */
export async function findEndpoint(environment: Variables): Promise<Endpoint | undefined> {
  const url = addressIn(environment);
  try {
    const ask = (path: string) => fetch(`${url}${path}`, { signal: AbortSignal.timeout(HEALTH_TIMEOUT_MS) });
    const answer = await ask('/_localstack/health');
    const health = (await answer.json()) as { services?: unknown; version?: unknown };
    if (!answer.ok || typeof health.services !== 'object') return undefined;
    return { url, version: `${(await ask('/_ministack/health')).ok ? 'MiniStack' : 'LocalStack'} ${health.version}` };
  } catch {
    return undefined;
  }
}

/** Variables under which the CDK and every SDK client talk to the endpoint, and to nothing else. */
export const variablesOf = ({ url }: Endpoint): Record<string, string> => ({
  AWS_ENDPOINT_URL: url,
  AWS_ENDPOINT_URL_S3: url,
  AWS_REGION: region,
  AWS_DEFAULT_REGION: region,
  AWS_ACCESS_KEY_ID: 'test',
  AWS_SECRET_ACCESS_KEY: 'test',
  AWS_EC2_METADATA_DISABLED: 'true',
});

export const region = 'us-east-1';
/** The one account of such an endpoint. */
export const account = '000000000000';

/** What to do when no endpoint answers. */
export const needsOf = (
  environment: Variables,
): string => `No LocalStack-compatible endpoint answers at ${addressIn(environment)} (AWS_ENDPOINT_URL names another).

One without Docker, started for this run alone and stopped after it (Python 3.10 or later):
  test/localstack/ministack.sh npm run test:localstack

Or LocalStack, which needs Docker and an account token:
  docker run --rm -d -p 127.0.0.1:4566:4566 -e LOCALSTACK_AUTH_TOKEN -v /var/run/docker.sock:/var/run/docker.sock localstack/localstack
  npm run test:localstack

LOCKKEEPER_REQUIRE_ENDPOINT=1 makes the missing endpoint a failure.
`;
