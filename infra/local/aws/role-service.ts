import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { readAll } from '../http/read-all.ts';
import { tag } from '../s3/xml.ts';
import { account } from '../template/place.ts';
import type { OtherProtocol } from './json-service.ts';

/** Roles of the account that the stack pretends to be in; any other account's nobody can assume from here. */
const ownRole = new RegExp(`^arn:aws:iam::${account}:role/[\\w+=,.@/-]+$`);

/** STS, as far as it is called: what it hands out opens nothing. It speaks AWS's query protocol, a form in and XML out. */
export const roleService: OtherProtocol = (request, response) => {
  if (!/^application\/x-www-form-urlencoded/.test(request.headers['content-type'] ?? '')) return false;
  void answer(request, response);
  return true;
};

async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const form = new URLSearchParams((await readAll(request)).toString());
  const role = form.get('RoleArn') ?? '';
  if (form.get('Action') !== 'AssumeRole') return send(response, 400, error('InvalidAction', 'That is not served here'));
  if (!ownRole.test(role))
    return send(response, 403, error('AccessDenied', `User: arn:aws:iam::${account}:root is not authorized to perform: sts:AssumeRole on resource: ${role}`));
  const id = randomUUID().replaceAll('-', '').toUpperCase();
  const until = new Date(Date.now() + Number(form.get('DurationSeconds') ?? 3600) * 1000).toISOString();
  const made =
    tag('AccessKeyId', `ASIA${id.slice(0, 16)}`) +
    tag('SecretAccessKey', `secret-of-${role}`) +
    tag('SessionToken', `session-${id}`) +
    tag('Expiration', until);
  send(response, 200, nested('AssumeRoleResponse', nested('AssumeRoleResult', nested('Credentials', made))));
}

const nested = (name: string, inner: string): string => `<${name}>${inner}</${name}>`;

const error = (code: string, message: string): string =>
  nested('ErrorResponse', nested('Error', tag('Type', 'Sender') + tag('Code', code) + tag('Message', message)));

function send(response: ServerResponse, status: number, body: string): void {
  response.writeHead(status, { 'content-type': 'text/xml', 'x-amzn-requestid': randomUUID() }).end(body);
}
