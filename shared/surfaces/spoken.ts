/** A command that a hint names, as it is typed. */
const command = /`lockkeeper (\w+)([^`]*)`/g;
/** What is looked at or changed in a stack; `validate` and the like read what lies in the folder. */
const ofTheStack: ReadonlySet<string> = new Set(
  'absorb accept adopt apply approve cancel confirm destroy diff drift freeze log plan prune receipt reconcile recover recreate reject retry runs show undo unfreeze withdraw'.split(
    ' ',
  ),
);
/** What can be written on a pull request as well. */
const asComment: ReadonlySet<string> = new Set('accept adopt approve cancel confirm prune reconcile recreate reject retry undo withdraw'.split(' '));

/**
 * A hint as it is read at the code host: its commands name the stack, as they must from a clone, and where they are about a pull request
 * the comment that does the same stands beside them.
 *
 * @param stack its name; absent: a word in its place.
 * @param onPullRequest whether whoever reads it stands on the pull request it is about.
 */
export function spoken(hint: string, onPullRequest: boolean, stack = '<stack>'): string {
  return hint.replaceAll(command, (whole, verb: string, rest: string) => {
    if (!ofTheStack.has(verb) || / --(stack|sim|local)\b/.test(rest)) return whole;
    const typed = `\`lockkeeper ${verb}${rest} --stack ${stack}\``;
    return onPullRequest && asComment.has(verb) ? `${typed}, or the comment \`/lockkeeper ${verb}${verb === 'retry' ? '' : written(rest)}\`` : typed;
  });
}

/** The words of a comment, which `retry` needs none of: it stands where it is about, and says until when and why without flags. */
const written = (words: string): string =>
  words
    .replaceAll(/ --(?:env|pr|branch|plan) (?:'[^']*'|\S+)/g, '')
    .replace(' --until', ' until')
    .replace(/ --reason "([^"]*)"/, ' $1')
    .replace(' --reason', '');
