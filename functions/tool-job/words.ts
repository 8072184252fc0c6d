import { createMasking } from '../../shared/drift/masking.ts';
import type { ToolWork } from '../../shared/stacks/tool-work.ts';

/** What a tool said in the course of one job, for the encrypted object that a person with access reads. */
export interface Words {
  /** Adds a line or several. Past the bound the middle is left out: a failure is told at the end. */
  say(text: string): void;
  /** From now on nothing of this value is told, in whatever was said before either. */
  hide(value: unknown): void;
  /** All of it, without anything that is hidden. */
  told(): string;
  /** Any other text, without anything that is hidden. */
  mask(text: string): string;
}

const mostCharacters = 256 * 1024;

/** Knows from the start what the job was told to hide: texts to mask, the secrets of its environment among them, and secret variables. */
export function openWords(work: Pick<ToolWork, 'mask' | 'variables' | 'secretVariables'>): Words {
  const masking = createMasking();
  for (const text of work.mask) masking.mark(text);
  for (const name of work.secretVariables) masking.mark(work.variables[name]);
  const [head, tail]: [string[], string[]] = [[], []];
  let [headSize, tailSize, left] = [0, 0, 0];

  function say(text: string): void {
    const size = text.length + 1;
    if (tail.length === 0 && headSize + size <= mostCharacters / 2) {
      head.push(text);
      headSize += size;
      return;
    }
    tail.push(text.slice(-mostCharacters / 2));
    tailSize += Math.min(size, mostCharacters / 2);
    if (tailSize > mostCharacters) shorten();
  }

  /** Down to half, so that it is rarely done. */
  function shorten(): void {
    let count = 0;
    for (; tailSize > mostCharacters / 2; count += 1) tailSize -= (tail[count] ?? '').length + 1;
    tail.splice(0, count);
    left += count;
  }

  const told = (): string => masking.maskText([...head, ...(left === 0 ? [] : [`… ${left} more …`]), ...tail].join('\n'));

  return { say, hide: (value) => masking.mark(value), told, mask: (text) => masking.maskText(text) };
}
