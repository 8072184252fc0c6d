/** A fresh process of the webhook: loads the bundle at `argv[2]`, handles the event in the file `argv[3]` `argv[4]` times, says each status. */
import { readFileSync } from 'node:fs';

const { handler } = await import(process.argv[2]);
const event = JSON.parse(readFileSync(process.argv[3], 'utf8'));
// Log lines of the function go elsewhere: what is timed is the answer.
const say = process.stdout.write.bind(process.stdout);
process.stdout.write = () => true;
for (let times = Number(process.argv[4] ?? 1); times > 0; times -= 1) {
  const { statusCode } = await handler(event, {});
  say(`${statusCode}\n`);
}
process.exit(0);
