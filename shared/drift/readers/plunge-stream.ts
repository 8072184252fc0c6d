import { LockkeeperError } from '../../errors/error.ts';
import { driftRecord } from '../drift-record.ts';
import { foldDriftLines } from '../fold-stream.ts';
import { nodeOf } from '../placement.ts';
import type { DriftFields, DriftRecord } from '../record.ts';
import { decodeDriftLines } from '../stream.ts';
import { wayOf } from './paths.ts';
import { token } from './place.ts';
import type { DriftReading, ReaderContext } from './reading.ts';
import { mayShow, type Shown } from './show.ts';
import { UnreadableError } from './unreadable.ts';

/**
 * `plunge drift --stream`, which is our own stream already (R3.19): its records keep their status and get our member and our place.
 *
 * From description: plunge writes the layout of the drift record; no recording was made for this project.
 *
 * @throws UnreadableError when it is no stream, or does not hang together.
 */
export function readPlungeStream(bytes: Uint8Array, context: ReaderContext): DriftReading {
  const { records, doubts } = folded(bytes, context);
  const [foreign] = records.filter(({ engine }) => engine !== 'plunge');
  if (foreign !== undefined) throw new UnreadableError('it is a drift stream of another engine than plunge: it is what this command would print');
  const notes = doubts.some(({ what }) => what === 'cut') ? ['The stream was cut: what it did not come to was not observed.'] : [];
  return { engine: 'plunge', read: 'refresh', records: records.map((record) => ours(record, context)), notes };
}

/**
 * The record of one URN: `plunge drift --resource <urn> --stream`. Of a stream that says nothing of it, it was not reached; of one that does
 * not decode, the read failed.
 */
export function readPlungeResource(bytes: Uint8Array, urn: string, context: ReaderContext): DriftRecord {
  const of = { member: context.member, engine: 'plunge', read: 'refresh', address: urn, observedAt: context.observedAt } as const;
  const none = (reason: 'not-reached' | 'read-failed'): DriftRecord =>
    driftRecord({ ...of, ...nodeOf({ member: context.member, address: urn }, context.graph), status: 'not-observed', unobserved: { reason } });
  try {
    return readPlungeStream(bytes, context).records.find(({ address }) => address === urn) ?? none('not-reached');
  } catch (thrown) {
    if (!(thrown instanceof LockkeeperError)) throw thrown;
    return none('read-failed');
  }
}

function folded(bytes: Uint8Array, { observedAt }: ReaderContext): ReturnType<typeof foldDriftLines> {
  try {
    const lines = [...decodeDriftLines(new TextDecoder().decode(bytes))];
    if (!lines.some(({ type }) => type === 'drift-start')) throw new UnreadableError('no read begins in it', { line: lines.length + 1 });
    return foldDriftLines(lines, observedAt);
  } catch (thrown) {
    const line = thrown instanceof LockkeeperError ? thrown.problem.details?.['line'] : undefined;
    if (typeof line !== 'number' || thrown instanceof UnreadableError) throw thrown;
    throw new UnreadableError('this is no line of a drift stream', { line });
  }
}

/** Only what a record is made of is taken over, and a value only where the list says so. */
function ours(record: DriftRecord, { member, graph, show }: ReaderContext): DriftRecord {
  const { address, resourceType, observedAt, read, status, unobserved, attributes, attributesUnobserved, ownership, evidence } = record;
  const fields: DriftFields = {
    member,
    engine: 'plunge',
    address,
    ...(resourceType === undefined ? {} : { resourceType }),
    ...nodeOf({ member, address }, graph),
    observedAt,
    read,
    status,
    ...(unobserved === undefined ? {} : { unobserved: { reason: unobserved.reason } }),
    ...(attributes === undefined ? {} : { attributes: attributes.map((one) => shownOnly(one, resourceType, show)) }),
    ...(attributesUnobserved === undefined ? {} : { attributesUnobserved: { reason: attributesUnobserved.reason } }),
    ...(ownership === undefined ? {} : { ownership: { verdict: ownership.verdict, by: ownership.by } }),
    evidence: { tool: 'plunge', ...(evidence?.engineCode !== undefined && token.test(evidence.engineCode) ? { engineCode: evidence.engineCode } : {}) },
  };
  return driftRecord(fields);
}

function shownOnly(attribute: NonNullable<DriftRecord['attributes']>[number], type: string | undefined, show: readonly Shown[]): typeof attribute {
  const { path, sensitive, before, after } = attribute;
  const way = wayOf(path);
  const values =
    way !== undefined && mayShow(show, type, way) ? { ...(before === undefined ? {} : { before }), ...(after === undefined ? {} : { after }) } : {};
  return { path, ...values, ...(sensitive === true ? { sensitive } : {}) };
}
