/** What the names in the policy file owe each other: told once, environments declared, production out of reach of a pull request. */
import type { Problem } from '../errors/error.ts';
import { didYouMean, nearest } from '../errors/nearest.ts';
import { isPlainMap, listed, quoted } from '../errors/quoted.ts';
import type { Add } from '../yaml/findings.ts';
import type { PositionOf } from '../yaml/place.ts';
import { alwaysProtected, usualEnvironments } from './policy.ts';
import { policyPath } from './policy-file.ts';
import { type SelectedText, selected, selectedTexts } from './selected.ts';

type Root = Readonly<Record<string, unknown>>;

export function judgeNames(root: Root, positionOf: PositionOf, add: Add): void {
  const refuse = (at: SelectedText, message: string) =>
    add(() => ({ code: 'POLICY_INVALID', message: `${quoted(at.path.join('.'))}: ${message}`, at: positionOf(at.path) }));
  const once = (texts: readonly SelectedText[], message: (first: string) => string, same = (text: string) => text) => {
    const first = new Map<string, SelectedText>();
    for (const text of texts) {
      const earlier = first.get(same(text.value));
      if (earlier === undefined) first.set(same(text.value), text);
      else {
        const { line, column } = positionOf(earlier.path);
        refuse(text, message(`${line}:${column}`));
      }
    }
  };

  once(selectedTexts(root, ['plans', '*', 'name']), (first) => `the name is taken by the plan at ${first}: choose another`);
  const paths = selectedTexts(root, ['plans', '*', 'path']);
  once(paths, (first) => `the file belongs to the plan at ${first}, and two ledgers for one file would fight: keep one of them`);
  for (const path of paths) if (path.value === policyPath) refuse(path, `${quoted(policyPath)} is policy and no plan: name the plan file`);
  for (const { path } of selected(root, ['environments', '*'])) {
    const logins = selectedTexts(root, [...path, 'approvers', '*', 'github']);
    once(
      logins,
      (first) => `this person is listed at ${first} already: remove one`,
      (login) => login.toLowerCase(),
    );
    const teams = selectedTexts(root, [...path, 'approvers', '*', 'team']);
    once(
      teams,
      (first) => `this team is listed at ${first} already: remove one`,
      (team) => team.toLowerCase(),
    );
  }
  judgeReadCredentials(root, refuse);
  for (const list of eventLists(root)) {
    once(list.names, (first) => `the environment is named at ${first} already: remove one`);
    judgeEnvironments(list, environmentsOf(root), refuse);
  }
}

/**
 * The secret that a variable is called by is what its environment writes with: one that is named as able to read alone would hand the write credential
 * to a plan that nobody has reviewed. That of another provider's variable is one as well.
 */
function judgeReadCredentials(root: Root, refuse: (at: SelectedText, message: string) => void): void {
  for (const { value, path } of selected(root, ['environments', '*', 'read_credentials'])) {
    const variables = isPlainMap(value) ? Object.keys(value) : [];
    for (const secret of selectedTexts(root, [...path, '*'])) {
      if (variables.includes(secret.value))
        refuse(secret, `the environment writes with the secret ${quoted(secret.value)}: name another one, whose value can only read`);
    }
  }
}

interface EventList {
  readonly event: string;
  readonly names: readonly SelectedText[];
}

function eventLists(root: Root): readonly EventList[] {
  const maps = [...selected(root, ['events']), ...selected(root, ['plans', '*', 'events'])];
  return maps.flatMap(({ path }) => ['pull_request', 'push'].map((event) => ({ event, names: selectedTexts(root, [...path, event, '*']) })));
}

/** A misspelt environment in an event would leave the one that was meant alone, and nobody would be told. */
function judgeEnvironments({ event, names }: EventList, declared: readonly string[], refuse: (at: SelectedText, message: string) => void): void {
  for (const name of names) {
    if (event === 'pull_request' && name.value === alwaysProtected) {
      refuse(name, `a pull request is code nobody has reviewed, and a run of ${quoted(alwaysProtected)} reads its secrets: name it under \`push\``);
    } else if (!declared.includes(name.value)) {
      const instead = `use ${listed(declared, 'or')}, or give it a block under \`environments\``;
      refuse(name, `the environment ${quoted(name.value)} is not declared${didYouMean(name.value, declared)}: ${instead}`);
    }
  }
}

const environmentsOf = (root: Root): readonly string[] => [
  ...new Set([...usualEnvironments, ...selected(root, ['environments', '*']).map(({ path }) => String(path.at(-1)))]),
];

/** What is said of decisions, and of nothing else. */
const ofDecisions = ['approvers', 'required', 'allow_self', 'recheck', 'slack'] as const;

/** What is allowed and still looks like a slip. */
export function doubtful(root: Root, positionOf: PositionOf): readonly Problem[] {
  const doubts: Problem[] = [];
  for (const { path } of selected(root, ['environments', '*'])) {
    const name = String(path.at(-1));
    const meant = usualEnvironments.includes(name) ? undefined : nearest(name, usualEnvironments);
    if (meant === undefined) continue;
    const message = `the environment ${quoted(name)} is nearly called ${quoted(meant)}, and what is said here does not hold there: is it meant?`;
    doubts.push({ code: 'POLICY_DOUBTFUL', message, at: positionOf(path, 'key') });
  }
  for (const { value, path } of selected(root, ['environments', alwaysProtected, 'protected'])) {
    if (value !== false) continue;
    const message = `${quoted(alwaysProtected)} is protected whatever stands here: remove \`protected: false\``;
    doubts.push({ code: 'POLICY_DOUBTFUL', message, at: positionOf(path) });
  }
  for (const { path, value } of selected(root, ['environments', '*'])) {
    const name = String(path.at(-1));
    const meant = !usualEnvironments.includes(name) && nearest(name, usualEnvironments) !== undefined;
    if (name === alwaysProtected || meant || !isPlainMap(value) || value['protected'] === true) continue;
    const idle = ofDecisions.find((key) => value[key] !== undefined);
    if (idle === undefined) continue;
    const message = `nobody is asked about ${quoted(name)}, which is not protected, so ${idle === 'approvers' ? 'these approvers decide' : `${quoted(idle)} does`} nothing: add \`protected: true\``;
    doubts.push({ code: 'POLICY_DOUBTFUL', message, at: positionOf([...path, idle], 'key') });
  }
  return doubts;
}

/** Adapters that nothing is known of: what is said of them holds for no line. */
export function doubtfulAdapters(root: Root, positionOf: PositionOf, adapters: readonly string[]): readonly Problem[] {
  return selected(root, ['environments', '*', 'providers', '*']).flatMap(({ path }): Problem[] => {
    const name = String(path.at(-1));
    if (adapters.includes(name)) return [];
    const message = `there is no adapter ${quoted(name)}${didYouMean(name, adapters)}: use ${listed(adapters, 'or')}`;
    return [{ code: 'POLICY_DOUBTFUL', message, at: positionOf(path, 'key') }];
  });
}
