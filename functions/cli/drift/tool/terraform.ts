import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { driftRecord } from '../../../../shared/drift/drift-record.ts';
import { mapDriftToGraph } from '../../../../shared/drift/placement.ts';
import { inputBytes } from '../../../../shared/drift/readers/input.ts';
import { parseJson } from '../../../../shared/drift/readers/json-text.ts';
import { graphOfPlan } from '../../../../shared/drift/readers/terraform-graph.ts';
import { readTerraformPlan } from '../../../../shared/drift/readers/terraform-plan.ts';
import { readTerraformState } from '../../../../shared/drift/readers/terraform-state.ts';
import { UnreadableError } from '../../../../shared/drift/readers/unreadable.ts';
import type { DriftRecord } from '../../../../shared/drift/record.ts';
import type { CommandEnd } from '../../../../shared/platform/command.ts';
import { planArgs, showArgs, variablesOf, versionArgs, versionIn, workspaceListArgs, workspacesIn } from '../../../../shared/stacks/terraform/commands.ts';
import { whyFailed } from '../../../../shared/stacks/terraform/why-failed.ts';
import { ReadRefused } from '../refused-read.ts';
import type { ToolFound, ToolRead } from './tool-read.ts';
import { missingWords, unread, versionWords } from './unread.ts';

/**
 * Reads a root of Terraform or OpenTofu in the folder as it is: what is recorded (`state`), or what a plan's refresh finds (`plan`). Never
 * initialises anything (R3.24), and takes no lock. A plan that fails falls back to what is recorded (R3.23).
 *
 * @throws ReadRefused for a workspace that is not there: no other one is read in its place (R3.31).
 */
export async function readTerraform(asked: ToolRead): Promise<ToolFound> {
  const { tool } = asked.line;
  const read = asked.read === 'plan' ? 'plan' : 'state';
  const of = { engine: tool === 'tofu' ? 'tofu' : 'terraform', read } as const;
  const version = await asked.call(versionArgs);
  const fault = missingWords(tool, version.end) ?? versionWords(asked.line, version.end === 'output' ? versionIn(version.bytes.toString('utf8')) : undefined);
  if (fault !== undefined) return unread(asked, of, 'cannot-read', fault);
  const variables = await workspaceOf(asked);
  if (variables === undefined) return unread(asked, of, 'read-failed', initWords(asked));
  if (read === 'state') {
    const state = await stateOf(asked, variables);
    return 'failed' in state ? unread(asked, of, 'read-failed', words(asked, state.failed, 'show')) : found(of, state);
  }
  const plan = await planOf(asked, variables);
  if (!('failed' in plan)) return found(of, plan);
  const why = words(asked, plan.failed, 'plan');
  const state = await stateOf(asked, variables);
  if ('failed' in state || state.records.length === 0) return unread(asked, of, 'read-failed', why);
  return {
    ...found({ ...of, read: 'state' }, { ...state, records: state.records.map((record) => driftRecord({ ...record, fellBackFrom: 'plan' })) }),
    notes: [`${why} What is recorded was read in its place, which says nothing of what is there.`, ...state.notes],
  };
}

interface Come {
  readonly records: readonly DriftRecord[];
  readonly notes: readonly string[];
}

type Came = Come | { readonly failed: CommandEnd | UnreadableError };

const found = (of: Pick<ToolFound, 'engine' | 'read'>, { records, notes }: Come): ToolFound => ({ ...of, records, notes });

async function planOf({ call, context, line, scratch, member }: ToolRead, variables: Record<string, string>): Promise<Came> {
  const out = join(scratch, 'plan.bin');
  const values = join(scratch, 'values.tfvars.json');
  const varFiles = [...line.root.varFiles, ...(existsSync(values) ? [values] : [])];
  const planned = await call(planArgs({ out, lock: false, varFiles }), variables);
  if (planned.end !== 'output') return { failed: planned };
  const shown = await call(showArgs(out), variables);
  if (shown.end !== 'output') return { failed: shown };
  return parsed(() => {
    const document = parseJson(inputBytes(shown.bytes));
    const { records, notes } = readTerraformPlan(document, context, engineOf(line));
    return { records: mapDriftToGraph(records, graphOfPlan(document, member)), notes };
  });
}

async function stateOf({ call, context, line }: ToolRead, variables: Record<string, string>): Promise<Came> {
  const shown = await call(showArgs(), variables);
  if (shown.end !== 'output') return { failed: shown };
  return parsed(() => readTerraformState(parseJson(inputBytes(shown.bytes)), context, engineOf(line)));
}

const engineOf = ({ tool }: ToolRead['line']) => ({ engine: tool === 'tofu' ? 'tofu' : 'terraform' }) as const;

function parsed(read: () => Come): Came {
  try {
    return read();
  } catch (error) {
    if (error instanceof UnreadableError) return { failed: error };
    throw error;
  }
}

/** Of a failure that is not known no word is told: what a tool says may hold values. Whoever types the command reads it all. */
function words(asked: ToolRead, failed: CommandEnd | UnreadableError, command: 'plan' | 'show'): string {
  const { tool, root } = asked.line;
  if (failed instanceof UnreadableError) return `What \`${tool} show -json\` printed was not understood: ${failed.says}.`;
  if (failed.end === 'timed-out') return `\`${tool} ${command}\` did not end in time.`;
  if (failed.end === 'too-large') return `\`${tool} ${command}\` printed more than is read.`;
  const why = failed.end === 'failed' ? whyFailed(`${failed.bytes.toString('utf8')}\n${failed.stderr}`) : undefined;
  if (why?.needsInit) return initWords(asked);
  const at = why?.address === undefined ? '' : ` at ${why.address}`;
  return `\`${tool} ${command}\` failed${at}: run \`${tool} ${command === 'plan' ? 'plan -lock=false' : 'show'}\` in ${root.path} to see why.`;
}

const initWords = ({ line: { tool, root } }: ToolRead): string =>
  `This root is not initialised as it stands, and a read initialises nothing: run \`${tool} init\` in ${root.path}.`;

/**
 * The variables that name the workspace; undefined where it cannot be asked for. A tool that is told a workspace which is not there would make it:
 * so it is looked for first. Without one the line means `default`, whatever somebody has selected in the folder.
 */
async function workspaceOf({ call, folder, environment, line: { root, tool } }: ToolRead): Promise<Record<string, string> | undefined> {
  const variables = variablesOf(root);
  if (root.stack === undefined) return { ...variables, ...(selectedElsewhere(folder, environment['TF_DATA_DIR']) ? { TF_WORKSPACE: 'default' } : {}) };
  const listed = await call(workspaceListArgs, variablesOf({}));
  if (listed.end !== 'output') return undefined;
  if (workspacesIn(listed.bytes.toString('utf8')).includes(root.stack)) return variables;
  throw new ReadRefused('no-drift-read', `There is no workspace ${root.stack} of ${tool} in ${root.path}, and no other one is read in its place.`);
}

/** Whether a workspace is selected in the folder that the line does not mean. With HCP Terraform the selection is the configuration's own. */
function selectedElsewhere(folder: string, given: string | undefined): boolean {
  const data = resolve(folder, given || '.terraform');
  const text = (name: string): string => {
    try {
      return readFileSync(join(data, name), 'utf8').trim();
    } catch {
      return '';
    }
  };
  const selected = text('environment');
  return selected !== '' && selected !== 'default' && !/"type":\s*"(?:cloud|remote)"/.test(text('terraform.tfstate'));
}
