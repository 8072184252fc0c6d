/** Cards that ask what is not asked any more. */
import type { ProtocolMutant } from '../mutant.ts';

const card = 'shared/run/card.ts';
const click = 'shared/intake/slack-click.ts';

export const ofCards: readonly ProtocolMutant[] = [
  {
    name: 'a click answers whatever is asked',
    edits: [
      {
        file: click,
        anchor: 'if (question?.q !== q || question.digest !== digest) return overNow(',
        replacement: 'if (!question || (q < 0 && digest)) return overNow(',
      },
      { file: click, anchor: 'giveAnswer(world, run, { digest, q },', replacement: 'giveAnswer(world, run, { digest: question.digest, q: question.q },' },
    ],
    breaks: 'I7',
    caught: {
      case: 'somebody presses the button of a question that was found stale, when the next one is asked',
      says: /^I7: run \w+ sent \w+ b=3 in production: nobody approved/,
    },
  },
  {
    name: 'an edit does not ask whose card it is',
    edits: [
      {
        file: card,
        anchor: "const noted = await write(world, key, change, all(present, lacks('passedTo')));",
        replacement: "const noted = await write(world, key, change, any(present, lacks('passedTo')));",
      },
      { file: card, anchor: 'import { all, lacks, present } from', replacement: 'import { any, lacks, present } from' },
    ],
    breaks: 'I11',
    caught: {
      case: 'a step that shows its question comes late to a card that a newer commit has taken over',
      says: /^I11: the card in Slack asks for run \w+, and run \w+ waits for an answer/,
    },
  },
  {
    name: 'a click on a card that was taken over heals nothing',
    edits: [{ file: card, anchor: 'if (known.passedTo !== undefined) await showAnew(world, known);', replacement: '' }],
    breaks: 'I11',
    caught: {
      case: 'a step writes over the card that a newer commit has taken over, and dies before it can know',
      says: /^I11: everything that Slack asks is approved, and the newest run is undefined in awaiting/,
    },
  },
];
