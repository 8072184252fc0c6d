import { startJob } from '../../../functions/tool-job/start-job.ts';

/** The program of a tool job that gives a deaf tool less time instead of most of a minute. */
await startJob({ graceMs: 15_000, lookMs: 300 });
