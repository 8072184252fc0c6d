import { LockkeeperError } from '../../shared/errors/error.ts';
import type { HostIssues, Issue, IssueEdit } from '../../shared/ports/code-host.ts';

interface KeptIssue {
  readonly number: number;
  readonly label: string;
  readonly edits: IssueEdit[];
  readonly ours: boolean;
  open: boolean;
  title: string;
  gone: boolean;
}

/** Issues of one repository in memory, with the history of their bodies. */
export interface FakeIssues {
  readonly issues: HostIssues;
  readonly kept: KeptIssue[];
  /** Turned off in the repository. */
  off: boolean;
  /** The present body. */
  body(number: number): string;
  /** Somebody edits the body: as a person in a browser, with CR LF at the ends of lines. */
  edit(number: number, login: string, change: (body: string) => string, type?: string): void;
  /** Somebody opens an issue of their own. */
  open(login: string, label: string, body: string): number;
  /** Deleted, or moved away. */
  remove(number: number): void;
  close(number: number): void;
  /** How often a body was written by the App. */
  writes: number;
  /** Runs right before each call is answered: for a world that changes meanwhile. */
  onCall: ((call: keyof HostIssues) => void) | undefined;
}

export const ourLogin = 'lockkeeper[bot]';

/** @param now epoch ms; the host's clock tells seconds. */
export function fakeIssues(now: () => number): FakeIssues {
  const kept: KeptIssue[] = [];
  const at = (): string => `${new Date(now()).toISOString().slice(0, 19)}Z`;
  const by = (login: string, type = 'User') => ({ login, type, ours: login === ourLogin });
  const newest = (one: KeptIssue): IssueEdit => one.edits[0] as IssueEdit;
  const there = (number: number): KeptIssue | undefined => kept.find((one) => one.number === number && !one.gone);
  const shown = (one: KeptIssue): Issue => ({ number: one.number, open: one.open, title: one.title, body: newest(one).body ?? '', updatedAt: newest(one).at });
  const add = (label: string, title: string, body: string, login: string, type?: string): KeptIssue => {
    const one: KeptIssue = {
      number: kept.length + 11,
      label,
      edits: [{ at: at(), by: by(login, type), body }],
      ours: login === ourLogin,
      open: true,
      title,
      gone: false,
    };
    kept.push(one);
    return one;
  };
  const called = (call: keyof HostIssues): void => {
    fake.onCall?.(call);
    if (fake.off) throw new LockkeeperError({ code: 'ISSUES_OFF', message: 'Issues are disabled in acme/storefront.' });
  };

  const fake: FakeIssues = {
    kept,
    off: false,
    writes: 0,
    onCall: undefined,
    body: (number) => newest(there(number) as KeptIssue).body ?? '',
    edit(number, login, change, type) {
      const one = there(number) as KeptIssue;
      one.edits.unshift({ at: at(), by: by(login, type), body: change((newest(one).body ?? '').replaceAll('\n', '\r\n')).replace(/\r\n?/g, '\n') });
    },
    open: (login, label, body) => add(label, 'An issue', body, login).number,
    remove: (number) => void Object.assign(there(number) ?? {}, { gone: true }),
    close: (number) => void Object.assign(there(number) ?? {}, { open: false }),
    issues: {
      async find(_repository, label, marker) {
        called('find');
        return kept.filter((one) => one.ours && !one.gone && one.label === label && marker.test((newest(one).body ?? '').split('\n', 1)[0] ?? '')).map(shown);
      },
      async create(_repository, { title, body, label }) {
        called('create');
        fake.writes += 1;
        return shown(add(label, title, body, ourLogin, 'Bot'));
      },
      async read(_repository, number) {
        called('read');
        const one = there(number);
        return one && shown(one);
      },
      async write(_repository, number, { body, title, open }) {
        called('write');
        const one = there(number);
        if (!one) return false;
        if (body !== undefined) {
          fake.writes += 1;
          one.edits.unshift({ at: at(), by: by(ourLogin, 'Bot'), body });
        }
        if (title !== undefined) one.title = title;
        if (open !== undefined) one.open = open;
        return true;
      },
      async edits(_repository, number, since) {
        called('edits');
        const all = there(number)?.edits ?? [];
        const end = since === undefined ? -1 : all.findIndex((one) => one.at < since);
        return end < 0 ? [...all] : all.slice(0, end + 1);
      },
    },
  };
  return fake;
}
