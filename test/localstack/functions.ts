/** The deployed functions: found by the table they write, pointed at the fake cloud, and invoked. */
import {
  type FunctionConfiguration,
  InvokeCommand,
  type LambdaClient,
  paginateListFunctions,
  UpdateFunctionConfigurationCommand,
  waitUntilFunctionUpdatedV2,
} from '@aws-sdk/client-lambda';
import { ENTRY_METADATA } from '../../infra/entry-function.ts';
import type { Template } from '../../infra/template.ts';

/** A deployed function and the variables it has. */
export interface DeployedFunction {
  readonly name: string;
  readonly entry: string;
  readonly environment: Readonly<Record<string, string>>;
}

/**
 * Adds variables to every function of the stack. The template stays the one that adopters deploy: where the providers are is
 * changed after the fact, as a person at the console could.
 */
export async function pointFunctions(
  lambda: LambdaClient,
  { template, table }: { readonly template: Template; readonly table: string },
  more: Readonly<Record<string, string>>,
): Promise<DeployedFunction[]> {
  const pointed: Promise<DeployedFunction>[] = [];
  const point = async (name: string, environment: Record<string, string>): Promise<DeployedFunction> => {
    await lambda.send(new UpdateFunctionConfigurationCommand({ FunctionName: name, Environment: { Variables: environment } }));
    await waitUntilFunctionUpdatedV2({ client: lambda, maxWaitTime: 60 }, { FunctionName: name });
    return { name, entry: entryOf(template, name), environment };
  };
  for await (const page of paginateListFunctions({ client: lambda }, {})) {
    for (const { FunctionName: name = '', Environment } of page.Functions ?? []) {
      if (Environment?.Variables?.['TABLE_NAME'] === table) pointed.push(point(name, { ...Environment.Variables, ...more }));
    }
  }
  return Promise.all(pointed);
}

/** By the logical id, which lies between the stack's name and a random part; where that would be too long, the end of the id's hash is cut off. */
function entryOf(template: Template, name: NonNullable<FunctionConfiguration['FunctionName']>): string {
  const afterStack = name.slice(name.indexOf('-') + 1);
  const hash = 8;
  const isNamed = ([id, { Type }]: [string, Template['Resources'][string]]) => Type === 'AWS::Lambda::Function' && afterStack.startsWith(id.slice(0, -hash));
  const entry = Object.entries(template.Resources).find(isNamed)?.[1].Metadata?.[ENTRY_METADATA];
  if (typeof entry !== 'string') throw new Error(`${name} is no function of the template`);
  return entry;
}

/** Invokes a function and waits for its answer. @throws Error with what the function threw. */
export async function invoke(lambda: LambdaClient, name: string, event: unknown): Promise<unknown> {
  const answer = await lambda.send(new InvokeCommand({ FunctionName: name, Payload: Buffer.from(JSON.stringify(event)) }));
  const text = Buffer.from(answer.Payload ?? []).toString('utf8');
  if (answer.FunctionError) throw new Error(`${name}: ${text}`);
  return text === '' ? undefined : JSON.parse(text);
}
