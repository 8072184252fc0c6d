import { count } from '../words.ts';
import { type HeaderState, headerStateOf, type Tally } from './tally.ts';

const headerWords: Readonly<Record<HeaderState, string>> = {
  'first-run': 'nothing has been looked at yet',
  failing: 'something failed and needs somebody',
  deploying: 'something is being released',
  pending: 'something waits to be released',
  drift: 'something was changed outside',
  'in-sync': 'everything is as it was released',
};

/** The picture, where there is an address for it; its text says what the line of counts says. GitHub fetches it: nothing of the repository is in its address. */
export function picture(tally: Tally, address: string | undefined): string {
  if (address === undefined) return '';
  const state = headerStateOf(tally);
  const alt = `Lockkeeper: ${headerWords[state]}. ${plainCounts(tally)}`;
  return [
    '<p align="center"><picture>',
    `<source media="(prefers-color-scheme: dark)" srcset="${address}/${state}-dark.svg">`,
    `<img src="${address}/${state}-light.svg" width="880" alt="${alt}">`,
    '</picture></p>\n\n',
  ].join('\n');
}

/** How many rows are in which state. Drift and what is seldom is named only where there is some (R2.27). */
export const counts = (tally: Tally): string => `${countsOf(tally, (text) => `**${text}**`).join(' · ')}\n`;

const plainCounts = (tally: Tally): string => `${countsOf(tally, (text) => text).join(', ')}.`;

function countsOf({ states, destructive, failed }: Tally, strong: (text: string) => string): string[] {
  const some = (n: number, text: string) => (n === 0 ? [] : [text]);
  return [
    strong(`${states.pending} pending`),
    ...some(states.drift, `${states.drift} drifted`),
    `${states.deploying} deploying`,
    `${states['preview-failed']} with a failed preview`,
    `${states['in-sync']} in sync`,
    ...some(states.unknown, `${states.unknown} not looked at yet`),
    ...some(failed, `${count(failed, 'failed run')}`),
    ...some(destructive, `⚠️ ${strong(`${destructive} would delete or replace`)}`),
  ];
}
