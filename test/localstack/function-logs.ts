import { account, type Endpoint, region } from './endpoint.ts';

/** What such an endpoint answers, as far as it is read. */
interface Answer {
  readonly logGroups?: readonly { readonly logGroupName: string }[];
  readonly events?: readonly { readonly message: string }[];
  readonly nextToken?: string;
}

/** Every line in every log group whose name holds `part`, asked of CloudWatch Logs' JSON interface: one question needs no client. */
export async function logLines(endpoint: Endpoint, part: string): Promise<string[]> {
  const lines: string[] = [];
  for await (const { logGroups = [] } of pages(endpoint, 'DescribeLogGroups', {})) {
    for (const { logGroupName } of logGroups) {
      if (!logGroupName.includes(part)) continue;
      for await (const { events = [] } of pages(endpoint, 'FilterLogEvents', { logGroupName })) lines.push(...events.map(({ message }) => message));
    }
  }
  return lines;
}

async function* pages(endpoint: Endpoint, action: string, question: Readonly<Record<string, unknown>>): AsyncGenerator<Answer> {
  let nextToken: string | undefined;
  do {
    const answer = await ask(endpoint, action, { ...question, ...(nextToken === undefined ? {} : { nextToken }) });
    yield answer;
    nextToken = answer.nextToken;
  } while (nextToken !== undefined);
}

/** The signature is a placeholder: these endpoints route by the header and check none. */
async function ask(endpoint: Endpoint, action: string, question: unknown): Promise<Answer> {
  const answer = await fetch(`${endpoint.url}/`, {
    method: 'POST',
    headers: {
      'x-amz-target': `Logs_20140328.${action}`,
      'content-type': 'application/x-amz-json-1.1',
      authorization: `AWS4-HMAC-SHA256 Credential=${account}/20260101/${region}/logs/aws4_request, SignedHeaders=host, Signature=0`,
    },
    body: JSON.stringify(question),
  });
  if (!answer.ok) throw new Error(`${action} answers ${answer.status}: ${await answer.text()}`);
  return (await answer.json()) as Answer;
}
