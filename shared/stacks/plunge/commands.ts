/** What is live beside what plunge recorded, as a stream of drift records: of one resource, or of all. From description. */
export const driftArgs = (stack: string, resource?: string): string[] => [
  'drift',
  ...(resource === undefined ? [] : ['--resource', resource]),
  '--stream',
  '--stack',
  stack,
];
