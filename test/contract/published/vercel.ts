import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Answer, Incoming } from '../../sim/wire/answer.ts';
import { type Judge, type Judgement, type Place, placeOf } from './judge.ts';

/**
 * Vercel publishes its API as a client, with one schema for what goes in and one for what comes back of each operation. A call of
 * that client is one file of generated text, and names method, path, query parameters, schemas and the statuses of errors.
 */
const calls = [
  'projectsGetProject',
  'projectsFilterProjectEnvs',
  'projectsCreateProjectEnv',
  'projectsGetProjectEnv',
  'projectsEditProjectEnv',
  'projectsRemoveProjectEnv',
  'deploymentsGetDeployments',
  'deploymentsGetDeployment',
  'deploymentsCreateDeployment',
] as const;

/** What the client's schemas can do, whatever version of zod they are made of. */
interface PublishedSchema {
  safeParse(value: unknown): { success: true; data: unknown } | { success: false; error: { issues: readonly Issue[] } };
}
interface Issue {
  readonly path: readonly (string | number)[];
  readonly message: string;
  readonly unionErrors?: readonly { readonly issues: readonly Issue[] }[];
}

interface Call {
  readonly request: PublishedSchema;
  readonly answer: PublishedSchema;
  readonly status: number;
  readonly query: readonly string[];
  readonly hasBody: boolean;
}

export async function vercelJudge(): Promise<Judge> {
  const operations = await Promise.all(calls.map(read));
  return {
    request(request) {
      const place = placeOf(operations, request);
      return place === undefined ? 'unchecked' : judgeRequest(place, request);
    },
    answer(request, answer) {
      const place = placeOf(operations, request);
      return place === undefined ? 'unchecked' : judgeAnswer(place.operation, answer);
    },
  };
}

/** Reads one call of the client. @throws Error when its text is not as it was. */
async function read(name: string): Promise<{ method: string; path: string; operation: Call }> {
  const text = readFileSync(fileURLToPath(import.meta.resolve(`@vercel/sdk/funcs/${name}.js`)), 'utf8');
  const one = (pattern: RegExp): string => {
    const [, found] = pattern.exec(text) ?? [];
    if (found === undefined) throw new Error(`@vercel/sdk: ${name} does not say ${pattern}`);
    return found;
  };
  const schema = async (named: string): Promise<PublishedSchema> => {
    const module = one(new RegExp(`import \\{[^}]*\\b${named.replace('$', '\\$')},[^}]*\\} from "\\.\\./(models/\\w+\\.js)"`));
    return ((await import(`@vercel/sdk/${module}`)) as Record<string, PublishedSchema>)[named] as PublishedSchema;
  };
  const block = /encodeFormQuery\(\{([^}]*)\}\)/.exec(text)?.[1] ?? '';
  return {
    method: one(/method: "([A-Z]+)"/),
    path: one(/pathToFunc\("([^"]+)"\)/),
    operation: {
      request: await schema(one(/=> (\w+\$outboundSchema)\.parse/)),
      answer: await schema(one(/M\.json\(\d+, (\w+\$inboundSchema)\)/)),
      status: Number(one(/M\.json\((\d+),/)),
      query: [...block.matchAll(/"(\w+)":/g)].map(([, parameter]) => String(parameter)),
      hasBody: text.includes('payload.RequestBody'),
    },
  };
}

function judgeRequest({ operation, parameters }: Place<Call>, { query, text, body }: Incoming): string[] {
  const unknown = [...query.keys()].filter((name) => !operation.query.includes(name)).map((name) => `query ${name}: not published`);
  if (text !== '' && !operation.hasBody) unknown.push('$: a body where none is published');
  const given = { ...parameters, ...Object.fromEntries(query), ...(operation.hasBody ? { requestBody: body } : {}) };
  const parsed = operation.request.safeParse(given);
  // A number in a query is text; only what is still wrong when it is read as one is wrong.
  const read = parsed.success ? parsed : operation.request.safeParse(withNumbers(given, query));
  if (!read.success) return [...unknown, ...complaints(read.error.issues)];
  const { RequestBody } = read.data as { RequestBody?: unknown };
  return [...unknown, ...(operation.hasBody ? dropped(body, RequestBody) : [])];
}

const withNumbers = (given: object, query: URLSearchParams): object => ({
  ...given,
  ...Object.fromEntries([...query].filter(([, text]) => /^\d+$/.test(text)).map(([name, text]) => [name, Number(text)])),
});

/** Of an answer that is refused only the status is published, not its form. */
function judgeAnswer(operation: Call, { status, body }: Answer): Judgement {
  if (status >= 400) return 'unchecked';
  if (status !== operation.status) return [`status ${status}: not published`];
  const parsed = operation.answer.safeParse(body);
  return parsed.success ? dropped(body, parsed.data) : complaints(parsed.error.issues);
}

/** Of a union's complaints those of the choice that fits best. */
function complaints(issues: readonly Issue[]): string[] {
  return issues.flatMap(({ path, message, unionErrors }) => {
    const [best] = (unionErrors ?? []).map((choice) => complaints(choice.issues)).toSorted((a, b) => a.length - b.length);
    return best === undefined || best.length === 0 ? [`$.${path.join('.')}: ${message}`] : best.map((inner) => `$.${path.join('.')} ${inner}`);
  });
}

/** What the client drops, since no schema names it. It gives members with an underscore another name. */
function dropped(wire: unknown, parsed: unknown, at = '$'): string[] {
  if (Array.isArray(wire)) return Array.isArray(parsed) ? wire.flatMap((item, index) => dropped(item, parsed[index], `${at}[${index}]`)) : [];
  if (!isObject(wire) || !isObject(parsed)) return [];
  return Object.entries(wire).flatMap(([name, member]) => {
    const kept = [name, name.replaceAll(/_(\w)/g, (_, letter: string) => letter.toUpperCase())].find((each) => Object.hasOwn(parsed, each));
    return kept === undefined ? [`${at}.${name}: not published`] : dropped(member, parsed[kept], `${at}.${name}`);
  });
}

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null && !Array.isArray(value);
