/** Tells that something is going on. */
export interface Progress {
  /** `step` names what is being done, `detail` how far it is. */
  show(step: string, detail?: string): void;
  /** Takes the line away, before anything else is written. */
  clear(): void;
}

/** On a terminal one line that is written over; elsewhere a line for each step, once, so that logs stay short. */
export function createProgress(write: (text: string) => void, terminal: boolean, columns: () => number): Progress {
  let shown = '';
  let step = '';
  return {
    show(next, detail) {
      const text = detail === undefined ? next : `${next}: ${detail}`;
      if (!terminal) {
        if (next !== step) write(`${text}\n`);
      } else if (text !== shown) {
        write(`\r\u001b[2K${text.length < columns() ? text : `${text.slice(0, columns() - 2)}…`}`);
        shown = text;
      }
      step = next;
    },
    clear() {
      if (shown !== '') write('\r\u001b[2K');
      shown = '';
    },
  };
}
