/**
 * What the two documents of `terraform show -json` and `tofu show -json` have in common: their head, their resources, what they mark.
 * The format is HashiCorp's "JSON Output Format", 1.x, and what OpenTofu made of it; both only add to it.
 */
import { placeOf } from '../address.ts';
import type { Masking } from '../masking.ts';
import type { Engine, Evidence } from '../record.ts';
import { isMap, memberOf } from './json.ts';
import { markBy } from './marks.ts';
import { isThere, itemsIn, membersIn, type Place, textIn, textOf, textOrNone, token, under, unreadable, version } from './place.ts';
import { deposedAddress } from './reading.ts';

/** The engine when neither caller nor document says: a plan that uses nothing but built-in providers names no registry. */
export function engineOf(root: Place, given: Engine | undefined, providers: Iterable<string>): Engine {
  if (given === 'terraform' || given === 'tofu' || given === 'choudoufu') return given;
  if (given !== undefined) throw unreadable(root, `this is Terraform's or OpenTofu's, and not ${given}'s`);
  for (const provider of providers) if (provider.startsWith('registry.opentofu.org/')) return 'tofu';
  return 'terraform';
}

const newerHint = 'A newer tool than this version knows: update Lockkeeper.';

/** The tool and its version, after the document has said that it is of a format that is known. */
export function evidenceOf(root: Place, engine: Engine, command: string): Evidence {
  const format = textIn(under(root, 'format_version'));
  if (!/^(?:0\.[12]|1\.\d{1,4})$/.test(format)) throw unreadable(under(root, 'format_version'), 'the format is 0.1, 0.2 or 1.x', newerHint);
  const tool = textOrNone(under(root, 'terraform_version'), version, 'a version');
  return { tool: engine, ...(tool === undefined ? {} : { version: tool }), command: `${engine} ${command}` };
}

/** One row of the document about one managed object. Data sources are read, and what is ephemeral is opened, and neither is deployed: they have no records. */
export interface TerraformObject {
  readonly at: Place;
  /** With the key of the object behind it, where a replacement left one behind. */
  readonly address: string;
  readonly type: string;
  /** The address without anything behind it. */
  readonly current: string;
}

const typeForm = /^[A-Za-z_][A-Za-z0-9_-]{0,255}$/;
const keyForm = /^[0-9a-f]{1,32}$/;

/** @param deposed the field in which this document names an object that was left behind. */
export function objectAt(at: Place, deposed: 'deposed' | 'deposed_key'): TerraformObject | undefined {
  const mode = textOf(under(at, 'mode'), token, 'a mode');
  if (mode === 'data' || mode === 'ephemeral') return undefined;
  if (mode !== 'managed') throw unreadable(under(at, 'mode'), 'the mode is managed, data or ephemeral');
  const current = addressIn(under(at, 'address'));
  const type = textOf(under(at, 'type'), typeForm, 'a resource type');
  const key = textOrNone(under(at, deposed), keyForm, 'the key of a deposed object');
  return { at, address: key === undefined ? current : deposedAddress(current, key), type, current };
}

export function addressIn(place: Place): string {
  const address = textIn(place);
  if (address.length > 4096 || placeOf(address) === undefined || /[\p{Cc}]/u.test(address)) throw unreadable(place, 'the address of a resource belongs here');
  return address;
}

/** The objects of a list, each address once. */
export function objectsIn(list: Place, deposed: 'deposed' | 'deposed_key'): TerraformObject[] {
  return eachOnce(itemsIn(list).flatMap((at) => objectAt(at, deposed) ?? []));
}

/** The objects of a state: those of the root module and of every module in it, at any depth. */
export function objectsOfState(values: Place): TerraformObject[] {
  const found: TerraformObject[] = [];
  const walk = (module: Place): void => {
    found.push(...itemsIn(under(module, 'resources')).flatMap((at) => objectAt(at, 'deposed_key') ?? []));
    for (const child of itemsIn(under(module, 'child_modules'))) walk(child);
  };
  const root = under(values, 'root_module');
  if (isThere(root)) walk(root);
  return eachOnce(found);
}

function eachOnce(objects: TerraformObject[]): TerraformObject[] {
  const seen = new Set<string>();
  for (const { address, at } of objects) {
    if (seen.has(address)) throw unreadable(at, 'this address has a row already');
    seen.add(address);
  }
  return objects;
}

/** Marks what a state's resources and outputs mark. */
export function markState(values: Place, masking: Pick<Masking, 'mark'>): void {
  for (const { at } of objectsOfState(values)) markBy(masking, under(at, 'values').value, under(at, 'sensitive_values').value);
  markOutputs(under(values, 'outputs'), masking);
}

export function markOutputs(outputs: Place, masking: Pick<Masking, 'mark'>): void {
  for (const [, output] of membersIn(outputs)) if (under(output, 'sensitive').value === true) masking.mark(under(output, 'value').value);
}

/** Marks both sides of every change of a list or of the outputs. */
export function markChange(change: Place, masking: Pick<Masking, 'mark'>): void {
  if (!isThere(change)) return;
  for (const side of ['before', 'after']) markBy(masking, under(change, side).value, under(change, `${side}_sensitive`).value);
}

/** Marks the values of the variables that the configuration calls sensitive. */
export function markVariables(root: Place, masking: Pick<Masking, 'mark'>): void {
  const module = under(root, 'configuration').value;
  const declared = isMap(module) ? memberOf(module, 'root_module') : undefined;
  const variables = isMap(declared) ? memberOf(declared, 'variables') : undefined;
  if (!isMap(variables)) return;
  for (const [name, variable] of membersIn(under(root, 'variables'))) {
    const declaration = memberOf(variables, name);
    if (isMap(declaration) && memberOf(declaration, 'sensitive') === true) {
      masking.mark(under(variable, 'value').value);
      masking.mark(memberOf(declaration, 'default'));
    }
  }
}

/** The names of the providers of all rows, for whoever wants to know whose document it is. */
export function* providersIn(lists: readonly Place[]): Generator<string> {
  for (const list of lists) {
    for (const row of itemsIn(list)) {
      const provider = under(row, 'provider_name').value;
      if (typeof provider === 'string') yield provider;
    }
  }
}
