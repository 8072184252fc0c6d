import type { StoryResult } from '../e2e/story/result.ts';

/** A step around the story: deploying, pointing, removing. */
export interface Stage {
  readonly name: string;
  readonly seconds: number;
  readonly detail: string;
}

export interface Transcript {
  readonly commit: string;
  readonly version: string;
  readonly date: Date;
  readonly endpoint: string;
  readonly node: string;
  readonly cdk: string;
  readonly stages: readonly Stage[];
  /** Number of resources by CloudFormation type. */
  readonly resources: Readonly<Record<string, number>>;
  readonly outputs: Readonly<Record<string, string>>;
  readonly story: StoryResult;
}

/** The transcript as a page, `docs/deploy-proof.md`. */
export function page(transcript: Transcript): string {
  const { story, stages, resources } = transcript;
  const count = Object.values(resources).reduce((sum, n) => sum + n, 0);
  return `# A deployment, from nothing to removal

Written by \`npm run test:localstack -- --proof\`; every figure is of that run, and nothing here is written by hand. \`.ci/run\` does the
same on every change, and fails when any of it does.

| | |
|---|---|
| Lockkeeper | ${transcript.version}, commit ${transcript.commit} |
| Date | ${transcript.date.toISOString()} |
| Endpoint | ${transcript.endpoint} |
| Tools | Node.js ${transcript.node}, CDK ${transcript.cdk} |
| Story | ${story.chapters.length} chapters, ${story.chapters.flatMap(({ runs }) => runs).length} runs, ${story.total.providerWrites} writes at providers |
| Deployed | ${count} resources |

## What was done

| Step | Seconds | |
|---|---:|---|
${rows(stages.map(({ name, seconds, detail }) => [name, seconds.toFixed(1), detail]))}

## What stood there

| Resource | Number |
|---|---:|
${rows(
  Object.entries(resources)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([type, n]) => [`\`${type}\``, String(n)]),
)}

Outputs: ${Object.keys(transcript.outputs)
    .sort()
    .map((name) => `\`${name}\``)
    .join(', ')}.

## What was played on it

${story.chapters.map(chapterText).join('\n\n')}

## What was proven at the end

${story.proven.map((sentence) => `- ${sentence}`).join('\n')}
`;
}

function chapterText({ title, seconds, steps, runs }: StoryResult['chapters'][number]): string {
  const ends =
    runs.length === 0 ? '' : `\n\nIts runs end: ${runs.map(({ status, note }) => (note === undefined ? status : `${status} (${note})`)).join(', ')}.`;
  return `### ${title} (${seconds.toFixed(1)} s)\n\n${steps.map(({ outside, lockkeeper }) => `- ${outside}\n  → ${lockkeeper}`).join('\n')}${ends}`;
}

const rows = (cells: readonly (readonly string[])[]): string => cells.map((row) => `| ${row.join(' | ')} |`).join('\n');
