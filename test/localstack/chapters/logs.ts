import { runEndedLine, sweptLine } from '../../../infra/alarms.ts';
import { canaries } from '../../e2e/house.ts';
import type { Chapter } from '../../e2e/story/chapter.ts';
import { check } from '../../e2e/story/expect.ts';
import { leaksIn } from '../../e2e/story/leaks.ts';

/** Hands what the functions logged to the story's ending, which looks for secrets in it. `read` gives every line there is. */
export const logs = (read: () => Promise<readonly string[]>): Chapter => ({
  name: 'logs',
  title: 'What the functions logged',
  after: [],
  async tell(world, page) {
    const lines = await read();
    check(
      lines.some((line) => line.includes('"level"')),
      'the functions’ log lines are in their log groups',
      lines.length,
    );
    const counted = (message: string, field: string) => lines.filter((line) => line.includes(`"message":"${message}"`) && line.includes(`"${field}":`));
    check(counted(runEndedLine, 'status').length > 0 && counted(sweptLine, 'oldestQuestionSeconds').length > 0, 'the lines that alarms count are among them');
    check(leaksIn(world, { 'a planted line': [canaries.NEON_API_KEY] }).length > 0, 'a secret in a log would be seen');
    check(leaksIn(world, { logs: lines }).length === 0, 'none is in them');
    for (const line of lines) world.log.note(line);
    page.step('their log groups are read to the end', `${lines.length} lines, those that alarms count among them, and no secret in any`);
  },
});
