/** From a file's bytes to plain data with a place for everything in it, or to why not: what every YAML file goes through before its own rules are asked. */
import type { Problem } from '../errors/error.ts';
import { yamlDocument } from './document.ts';
import type { FileKind } from './file-kind.ts';
import { fileText } from './text.ts';
import { type YamlTree, yamlTree } from './tree.ts';

/** `tree` is missing where the bytes are no YAML; `problems` then say why. What is wrong inside a tree stands in the tree. */
export type YamlRead = { readonly tree: YamlTree; readonly hash: string } | { readonly problems: readonly Problem[] };

/** Never throws. `file` is the name in messages; `hash` is the SHA-256 of the bytes, hex. */
export function readYaml(bytes: Uint8Array | string, file: string, kind: FileKind): YamlRead {
  const text = fileText(bytes, file, kind);
  if ('problem' in text) return { problems: [text.problem] };
  const { document, problems } = yamlDocument(text.text, file, kind);
  return document === undefined ? { problems } : { tree: yamlTree(document), hash: text.hash };
}
