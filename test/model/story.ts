import type { Found } from './explore.ts';

/** What was found, as a story for people. */
export const storyText = ({ breaks, story }: Found): string => [`  ${breaks}`, ...story.map((says, at) => `    ${String(at).padStart(2)}. ${says}`)].join('\n');
