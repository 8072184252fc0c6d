/** A registry for this folder's tests: ops with the parameters and outputs that the samples use, and nothing behind them. */
import { z } from 'zod';
import type { Op, OpRegistry } from '../engine/op.ts';
import { LockkeeperError } from '../errors/error.ts';
import { scalar, templated, value } from './value-forms.ts';

const unused = (): never => {
  throw new LockkeeperError({ code: 'INTERNAL', message: 'sample ops reach no provider' });
};

type Sample = Pick<Op, 'adapter' | 'name' | 'params' | 'provider'> & { readonly outputs: readonly string[]; readonly defaults?: Op['defaults'] };

function sampleOp({ outputs, defaults = (params) => params, ...sample }: Sample): Op {
  return {
    ...sample,
    version: 1,
    credentials: [],
    baseUrl: { variable: 'SAMPLE_API_URL', default: 'http://127.0.0.1' },
    outputs: Object.fromEntries(outputs.map((name) => [name, { available: 'immediate', about: name }])),
    keyParams: [],
    nothingLive: undefined,
    defaults,
    writesEnvironment: () => undefined,
    identity: unused,
    read: unused,
    diff: unused,
    apply: unused,
    lookup: unused,
    destroy: unused,
  };
}

const project = z.strictObject({ project: z.string().min(1), team: z.string().min(1).optional() });
const variableName = z.string().regex(/^[A-Za-z_][A-Za-z0-9_]*$/, 'a variable has letters, digits and underscores, no digit first');

const ops: readonly Op[] = [
  sampleOp({
    adapter: 'neon',
    name: 'branch',
    provider: z.strictObject({ project: z.string().min(1) }),
    params: z.strictObject({ name: value(z.string()).optional(), parent: value(z.string()).optional() }),
    outputs: ['branch_id', 'connection_string', 'host'],
    defaults: (params, context) => ({ name: `sample/${context.environment}/${context.scope}`, ...params }),
  }),
  sampleOp({
    adapter: 'vercel',
    name: 'env',
    provider: project,
    params: z.strictObject({
      target: templated(z.enum(['preview', 'production', 'development'])).optional(),
      branch: value(z.string()).optional(),
      values: z.record(variableName, value(scalar)).default({}),
    }),
    outputs: ['preview_url', 'deployment_id'],
  }),
  sampleOp({ adapter: 'vercel', name: 'deploy', provider: project, params: z.strictObject({}), outputs: ['preview_url', 'deployment_id'] }),
  sampleOp({ adapter: 'clerk', name: 'redirect_allow', provider: z.strictObject({}), params: z.strictObject({ url: value(z.string()) }), outputs: ['id'] }),
];

export const sampleRegistry: OpRegistry = {
  find: (adapter, name) => ops.find((op) => op.adapter === adapter && op.name === name),
  adapters: () => ['clerk', 'neon', 'vercel'],
  ops: (adapter) => ops.filter((op) => op.adapter === adapter).map((op) => op.name),
};
