import { randomUUID } from 'node:crypto';

/** How a state that waits for its token ends: with an output, or with an error by name. */
export type Answer = { readonly output: unknown } | { readonly error: string; readonly cause: string };

/** The tokens somebody waits for, in the process. */
export interface TaskTokens {
  /** A token nobody waits for yet. */
  fresh(): string;
  /** `answered` is called once, by whoever completes the token first. */
  wait(token: string, answered: (answer: Answer) => void): void;
  /** False when nobody waits for that token, or nobody does any more. */
  complete(token: string, answer: Answer): boolean;
  forget(token: string): void;
}

const prefix = 'local-task-';

/** Whether a text could be a token of this process or of an earlier one. */
export const isTaskToken = (text: string): boolean => text.startsWith(prefix);

export function createTaskTokens(): TaskTokens {
  const waiting = new Map<string, (answer: Answer) => void>();
  return {
    fresh: () => prefix + randomUUID(),
    wait: (token, answered) => void waiting.set(token, answered),
    complete(token, answer) {
      const answered = waiting.get(token);
      waiting.delete(token);
      answered?.(answer);
      return answered !== undefined;
    },
    forget: (token) => void waiting.delete(token),
  };
}
