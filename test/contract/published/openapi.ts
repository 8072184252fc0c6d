import { type Answered, check, type Description, type Operation, type Parameter, resolve, type Schema } from '../../sim/published/conform.ts';
import type { Answer, Incoming } from '../../sim/wire/answer.ts';
import { type Judge, type Judgement, type Place, placeOf } from './judge.ts';
import { strangers } from './strangers.ts';

/** The judge that a description in OpenAPI 3.0 makes. */
export function openapiJudge(document: Description): Judge {
  const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ method: method.toUpperCase(), path, operation })),
  );
  return {
    request(request) {
      const place = placeOf(operations, request);
      return place === undefined ? 'unchecked' : [...parameters(document, place, request), ...body(document, place.operation, request)];
    },
    answer(request, answer) {
      const place = placeOf(operations, request);
      return place === undefined ? 'unchecked' : answered(document, place.operation, answer);
    },
  };
}

/** Path and query, each by its parameter; a query that is not published, and one that is required and lacks. */
function parameters(document: Description, { operation, parameters: inPath }: Place<Operation>, { query }: Incoming): string[] {
  const published = (operation.parameters ?? []).map((each) => (each.$ref === undefined ? each : (resolve(document, each.$ref) as Parameter)));
  const of = (name: string, where: string) => published.find((each) => each.name === name && each.in === where);
  const judge = (name: string, where: string, text: string): string[] => {
    const found = of(name, where);
    if (found === undefined) return [`${where} ${name}: not published`];
    return found.schema === undefined ? [] : check(document, found.schema, textAs(found.schema, text), `${where} ${name}`);
  };
  const missing = published.filter((each) => each.in === 'query' && each.required && !query.has(each.name)).map(({ name }) => `query ${name}: missing`);
  return [
    ...Object.entries(inPath).flatMap(([name, text]) => judge(name, 'path', text)),
    ...[...query].flatMap(([name, text]) => judge(name, 'query', text)),
    ...missing,
  ];
}

/** Text of a URL as the schema means it. */
function textAs({ type }: Schema, text: string): unknown {
  if (type === 'integer' || type === 'number') return text === '' ? text : Number(text);
  if (type === 'boolean') return text === 'true' ? true : text === 'false' ? false : text;
  return type === 'array' ? text.split(',') : text;
}

function body(document: Description, { requestBody }: Operation, request: Incoming): string[] {
  if (requestBody === undefined) return request.text === '' ? [] : ['$: a body where none is published'];
  const { required, content } = requestBody.$ref === undefined ? requestBody : (resolve(document, requestBody.$ref) as NonNullable<Operation['requestBody']>);
  if (request.text === '') return required ? ['$: no body where one is required'] : [];
  const schema = content?.['application/json']?.schema;
  if (schema === undefined || request.body === undefined) return ['$: no JSON'];
  return [...check(document, schema, request.body, '$'), ...strangers(document, [schema], request.body)];
}

/** An error whose form is not published, and bytes that are sent as they are, cannot be judged. */
function answered(document: Description, operation: Operation, answer: Answer): Judgement {
  const published = operation.responses[String(answer.status)];
  if (published === undefined) return answer.status < 400 ? [`status ${answer.status}: not published`] : 'unchecked';
  const { content } = published.$ref === undefined ? published : (resolve(document, published.$ref) as Answered);
  const schema = content?.['application/json']?.schema;
  if (answer.raw !== undefined || (schema === undefined && answer.status >= 400)) return 'unchecked';
  if (schema === undefined) return answer.body === undefined ? [] : ['$: a body where none is published'];
  return [...check(document, schema, answer.body, '$'), ...strangers(document, [schema], answer.body)];
}
