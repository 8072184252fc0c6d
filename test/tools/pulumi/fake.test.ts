import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { describe, expect, it, onTestFinished } from 'vitest';
import { isMap, type Json } from '../../../shared/drift/readers/json.ts';
import { recording } from '../../../shared/stacks/pulumi/pulumi.fixture.ts';
import { valuesIn } from '../../../shared/stacks/pulumi/values.ts';
import { inThisProcess } from './in-this-process.ts';
import { openBackend } from './stack.ts';

/** Every place that a map of the output has: `resourcePreEvent.metadata.old.urn`. What the program chose is left out. */
function placesIn(value: Json, at = '', found = new Set<string>()): Set<string> {
  if (Array.isArray(value)) for (const one of value) placesIn(one, `${at}[]`, found);
  else if (isMap(value) && !/\.(?:inputs|outputs|config|resourceChanges|changeSummary|resourcePlans|state)$/.test(at))
    for (const [key, held] of Object.entries(value)) placesIn(held, `${at}.${key}`, found.add(`${at}.${key}`));
  return found;
}

const recorded = new Set(
  ['preview-replace.ndjson', 'refresh-drift.ndjson', 'refresh-provider-down.ndjson', 'preview-replace.json', 'up.json', 'up-violates-plan.json'].flatMap(
    (name) => valuesIn(recording(name)).flatMap((value) => [...placesIn(value)]),
  ),
);

describe('the Pulumi that is none', () => {
  it('writes nothing that the recorded one does not write, in any form of its output', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'lockkeeper-pulumi-'));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    const states = join(folder, 'backend');
    mkdirSync(states);
    openBackend(states).write('dev', { resources: [], outputs: {}, pending: [] });
    const program = (size: number) =>
      JSON.stringify({ name: 'shop', runtime: 'yaml', resources: { a: { type: 'aws:s3/bucket:Bucket', properties: { key: size, size } } }, outputs: { size } });
    const run = inThisProcess({ folder, environment: { PULUMI_BACKEND_URL: pathToFileURL(states).href }, calls: [] });
    const streaming = { PULUMI_ENABLE_STREAMING_JSON_PREVIEW: 'true' };
    const written: string[] = [];
    for (const size of [1, 2]) {
      writeFileSync(join(folder, 'Pulumi.yaml'), program(size));
      for (const [args, environment] of [
        [['preview', '--json', '--stack', 'dev'], streaming],
        [['preview', '--json', '--stack', 'dev'], {}],
        [['up', '--yes', '--json', '--stack', 'dev'], {}],
        [['refresh', '--preview-only', '--json', '--stack', 'dev'], streaming],
      ] as const) {
        const end = await run({ program: 'pulumi', args, environment });
        if (end.end === 'exited') written.push(...valuesIn(end.stdout).flatMap((value) => [...placesIn(value)]));
      }
    }
    writeFileSync(join(states, 'mischief.json'), JSON.stringify({ fails: { 'preview:a': 'it fails' } }));
    writeFileSync(join(folder, 'Pulumi.yaml'), program(3));
    const failed = await run({ program: 'pulumi', args: ['preview', '--json', '--stack', 'dev'], environment: streaming });
    if (failed.end === 'exited') written.push(...valuesIn(failed.stdout).flatMap((value) => [...placesIn(value)]));
    expect(written.length).toBeGreaterThan(200);
    expect([...new Set(written)].filter((place) => !recorded.has(place))).toEqual([]);
  });
});
