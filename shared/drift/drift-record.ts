import { LockkeeperError } from '../errors/error.ts';
import type { Attribute, DriftFields, DriftRecord } from './record.ts';
import { type BrokenRule, brokenRule, fieldOrder } from './rules.ts';
import { holdsSensitive, isSensitiveKey, isSensitivePath } from './sensitive-key.ts';
import { withheld, withoutSensitive } from './without-sensitive.ts';

/** A record that breaks a rule. Names whose it is and the rule, and no value (R3.10). */
export class DriftRecordError extends LockkeeperError {
  readonly rule: string;

  constructor(fields: unknown, { rule, says }: BrokenRule) {
    const of = nameOf(fields);
    const whose = `of member ${of.member}, address ${of.address}, read ${of.read}, status ${of.status}`;
    super({ code: 'DRIFT_RECORD_INVALID', message: `The drift record ${whose} breaks the rule ${rule}: ${says}.`, details: { ...of, rule } });
    this.rule = rule;
  }
}

/**
 * Builds a record, and is the only way to one: its fields stand in their order, attributes by path, and what has the name of a secret has
 * lost its values (R3.9, R3.11). Fields that `v1` does not name are carried (R3.14), without what has such a name in them.
 *
 * @param fields not trusted: a record that came from elsewhere goes through here as well.
 * @throws DriftRecordError when a rule is broken.
 */
export function driftRecord(fields: DriftFields): DriftRecord {
  const broken = brokenRule(fields);
  if (broken !== undefined) throw new DriftRecordError(fields, broken);
  const given: Readonly<Record<string, unknown>> = { ...fields };
  const attributes = fields.attributes?.map(shown).sort((a, b) => (a.path < b.path ? -1 : 1));
  const known = fieldOrder.map((name) => [name, name === 'attributes' ? attributes : given[name]] as const);
  const carried = Object.entries(given).filter(([name]) => !fieldOrder.includes(name));
  carried.sort(([a], [b]) => (a < b ? -1 : 1));
  const kept = carried.map(([name, value]) => [name, isSensitiveKey(name) ? withheld : withoutSensitive(value)] as const);
  const record: unknown = Object.fromEntries([...known, ...kept].filter(([, value]) => value !== undefined));
  // The rules hold: that is what the brand says.
  return record as DriftRecord;
}

function shown(attribute: Attribute): Attribute {
  const { before, after, sensitive, ...rest } = attribute;
  if (sensitive === true || isSensitivePath(attribute.path) || holdsSensitive(before) || holdsSensitive(after)) return { ...rest, sensitive: true };
  return attribute;
}

const nameless = '(none)';

/** What can be told of something that may be anything: texts of these four fields, and nothing else of it. */
function nameOf(fields: unknown): Record<'member' | 'address' | 'read' | 'status', string> {
  const given = (typeof fields === 'object' && fields !== null ? fields : {}) as Readonly<Record<string, unknown>>;
  const text = (name: string): string => (typeof given[name] === 'string' ? given[name] : nameless);
  return { member: text('member'), address: text('address'), read: text('read'), status: text('status') };
}
