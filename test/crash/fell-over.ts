import type { Workbench } from '../ports/workbench.ts';

/** What a function that died says of the call at which it did: that it failed there is what was wanted. */
const died = /^\w+\.\w+$/;

/** Jobs that fell over the code itself: what they failed of has no code of its own, and nobody made them die. A sentence each. */
export function fellOver({ logged }: Pick<Workbench, 'logged'>): string[] {
  const reasons = logged.flatMap(({ message, fields }) =>
    message.startsWith('a job failed') && fields?.['code'] === 'INTERNAL' ? [String(fields['why'])] : [],
  );
  return [...new Set(reasons.filter((why) => !died.test(why)))].map((why) => `thrown: a job failed of: ${why}`);
}
