import pc from 'picocolors';
import type { StatusWords } from './words.ts';

/** Colours text by what it means to the reader. */
export type Painter = (tone: StatusWords['tone'], text: string) => string;

/** Whether colours are wanted is the caller's to know (a terminal, NO_COLOR): nothing is looked up here. */
export function painter(colour: boolean): Painter {
  const colours = pc.createColors(colour);
  const by = { bad: colours.red, open: colours.yellow, done: colours.green, same: colours.dim };
  return (tone, text) => by[tone](text);
}
