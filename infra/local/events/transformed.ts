/**
 * EventBridge's input transformer, for templates that are JSON: each `<name>` that stands for itself is replaced by the JSON of what lies at its
 * path (`$.detail.state`), null where nothing does.
 *
 * @throws SyntaxError where what comes out is no JSON.
 */
export function transformed(
  { InputPathsMap, InputTemplate }: { readonly InputPathsMap: Readonly<Record<string, string>>; readonly InputTemplate: string },
  event: unknown,
): unknown {
  const text = InputTemplate.replaceAll(/<([\w.-]+)>/g, (all, name: string) => {
    const path = InputPathsMap[name];
    return path === undefined ? all : (JSON.stringify(at(path, event)) ?? 'null');
  });
  return JSON.parse(text);
}

const at = (path: string, event: unknown): unknown =>
  path
    .split('.')
    .slice(1)
    .reduce((found: unknown, name) => (typeof found === 'object' && found !== null ? (found as Record<string, unknown>)[name] : undefined), event);
