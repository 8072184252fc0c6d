/**
 * Text of the plan file with `${…}` in it, taken apart. `${ctx.…}` is a variable of the release, `${lines.<id>.<output>}` an output of
 * another line, and `$${` a `${` that is only text. Anything else that opens with `${` is a mistake.
 */

/** What every placeholder for a variable begins with, and one for an output. */
const outputOpening = 'lines.';
/** After the opening: a line's id, a dot, and the output's name, which may hold dots itself. */
const outputName = /^([a-z][a-z0-9_-]*)\.([^{}\s]+)$/;
/** An escaped `${`, or a placeholder with what stands between its braces; without the closing one, up to the end. */
const opening = /\$\$\{|\$\{([^}]*)(\}?)/g;

/** A piece of a text. `name` is what stands between the braces. */
export type TextPart =
  | { readonly is: 'text'; readonly text: string }
  | { readonly is: 'placeholder'; readonly name: string }
  | { readonly is: 'output'; readonly name: string; readonly from: string }
  | { readonly is: 'unclosed' };

/** The pieces of a text, in order. Linear in its length. */
export function textParts(text: string): readonly TextPart[] {
  const parts: TextPart[] = [];
  let plain = '';
  let end = 0;
  const flush = (): void => {
    if (plain !== '') parts.push({ is: 'text', text: plain });
    plain = '';
  };
  for (const match of text.matchAll(opening)) {
    plain += text.slice(end, match.index);
    end = match.index + match[0].length;
    const [whole, name, closing] = match;
    if (whole === '$${') plain += '${';
    else {
      flush();
      parts.push(closing === '}' ? placeholderPart(name ?? '') : { is: 'unclosed' });
    }
  }
  plain += text.slice(end);
  flush();
  return parts;
}

function placeholderPart(name: string): TextPart {
  const from = name.startsWith(outputOpening) ? name.slice(outputOpening.length) : '';
  return outputName.test(from) ? { is: 'output', name, from } : { is: 'placeholder', name };
}

/** The outputs that a text names, as `line.output`, each as often as it stands there. */
export const outputsInText = (text: string): readonly string[] =>
  text.includes('${') ? textParts(text).flatMap((part) => (part.is === 'output' ? [part.from] : [])) : [];

/** Plain text as it is written in a template, so that it is read back as itself. */
export const escapeText = (text: string): string => text.replaceAll('${', () => '$${');

/** How an output is written in a template. */
export const outputText = (from: string): string => `\${${outputOpening}${from}}`;
