import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { driftDocumentDigest, parseDriftDocument } from '../../shared/drift/document.ts';
import { foldDriftLines } from '../../shared/drift/fold-stream.ts';
import { statuses } from '../../shared/drift/record.ts';
import { decodeDriftLines } from '../../shared/drift/stream.ts';

const folder = join(import.meta.dirname, 'drift');
const textOf = (file: string): string => readFileSync(join(folder, file), 'utf8');

/** The schema that the package ships, without its `$id`, which the judge does not know. */
const { $id: _, ...schema } = JSON.parse(readFileSync(join(import.meta.dirname, '..', '..', 'docs/drift.v1.schema.json'), 'utf8')) as Record<string, unknown>;
const judge = z.fromJSONSchema(schema as Parameters<typeof z.fromJSONSchema>[0]);

/** What earlier versions printed, with the digest that each had then. Files are added with a release, and never changed. */
const documents = {
  '0.1.0/every-status.json': '60420e735c773e29ca42fd26dd586649c1dd0de1bc69d8c7359d0b6d5b577ae8',
  '0.1.0/not-read.json': '4f53cda18c2baa0c0354bb5f9a3ecbe5ed12ab4d8e11ba873c2f11161202b945',
};
const streams = { '0.1.0/stream.ndjson': 'e76a3601cf93ba036dfceb636b5b9b46d995ccaf87e2f2be5923a998163f676e' };

describe('a drift document of an earlier version (R3.14)', () => {
  it('is kept here of every kind', () => {
    expect(globSync('*/*', { cwd: folder }).sort()).toEqual([...Object.keys(documents), ...Object.keys(streams)].sort());
  });

  it.each(Object.entries(documents))('%s is read as it was written, has the digest it had, and keeps to the schema', (file, digest) => {
    const document = parseDriftDocument(textOf(file));
    expect(document).toEqual(JSON.parse(textOf(file)));
    expect(driftDocumentDigest(document)).toBe(digest);
    expect(judge.safeParse(document).error?.issues).toBeUndefined();
  });

  it.each(Object.entries(streams))('%s is folded to what it told', (file, digest) => {
    const folded = foldDriftLines(decodeDriftLines(textOf(file)), '2027-01-01T00:00:00Z');
    expect(folded.doubts).toEqual([]);
    expect(driftDocumentDigest(folded)).toBe(digest);
  });

  it('has every status there is', () => {
    const { counts } = parseDriftDocument(textOf('0.1.0/every-status.json'));
    expect(statuses.filter((status) => counts[status] === 0)).toEqual([]);
  });
});
