import { buildProgram } from './build-process.ts';

/** Starts a build, tells its process, and waits to be killed. */
const [file = ''] = process.argv.slice(2);
const { pid } = buildProgram({ programs: { job: { file } }, s3: () => 'http://127.0.0.1:1', path: '' })('job', {});
console.log(pid);
setInterval(() => undefined, 1000);
