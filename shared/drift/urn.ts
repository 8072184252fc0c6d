/** `urn:pulumi:<stack>::<project>::<parent type>$…$<type>::<name>`. A stack's or a resource's name may hold dots, the name colons too. */
const urnForm = /^urn:[^:]+:((?:(?!::).)+)::((?:(?!::).)+)::((?:(?!::).)+)::(.+)$/s;

export interface Urn {
  readonly stack: string;
  readonly project: string;
  /** With the types of its parents before it, each followed by `$`. */
  readonly qualifiedType: string;
  readonly type: string;
  readonly name: string;
}

/** The parts of a URN, or undefined when it is none. */
export function urnParts(urn: string): Urn | undefined {
  const [, stack, project, qualifiedType, name] = urnForm.exec(urn) ?? [];
  if (stack === undefined || project === undefined || qualifiedType === undefined || name === undefined) return undefined;
  return { stack, project, qualifiedType, type: qualifiedType.slice(qualifiedType.lastIndexOf('$') + 1), name };
}

/** The node of a URN (R3.17): `<member>/<qualified type>::<name>`. A provider and the root stack stand on none. */
export function urnNode(member: string, urn: string): string | undefined {
  const parts = urnParts(urn);
  if (parts === undefined || parts.type === 'pulumi:pulumi:Stack' || parts.type.startsWith('pulumi:providers:')) return undefined;
  return `${member}/${parts.qualifiedType}::${parts.name}`;
}
