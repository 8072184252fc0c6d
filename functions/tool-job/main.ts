import { startJob } from './start-job.ts';

await startJob();
