/**
 * The product with one of its safeguards taken out. Each edit replaces a text that stands exactly once in its file; the loader
 * beside this list makes it while the file is loaded, so the product has no switch for any of it.
 */
export interface Mutant {
  readonly name: string;
  readonly edits: readonly Edit[];
  /** Rule of the protocol or invariant that it breaks. */
  readonly breaks: string;
  /** Chapter of the story that cannot end as it should. */
  readonly chapter: string;
  /** What the story says about it. */
  readonly says: RegExp;
}

export interface Edit {
  /** From the root of the repository. */
  readonly file: string;
  readonly anchor: string;
  readonly replacement: string;
}

const fenceUnchecked: Edit = {
  file: 'shared/ledger/ledger-line.ts',
  anchor: `  const unmoved = all(equal('version', before.version), atMost('fence', tenure.fence));`,
  replacement: `  const unmoved = all(equal('version', before.version));`,
};

export const mutants: readonly Mutant[] = [
  {
    name: 'claim off',
    edits: [
      {
        file: 'shared/ledger/claim.ts',
        anchor: 'const owner = { scope, line, identity: { ...identity } };',
        replacement: 'const owner = { scope, line, identity: { ...identity } };\n  if (owner) return { ours: true, writeId: world.ids.fresh() };',
      },
    ],
    breaks: 'P4, claims; I5',
    chapter: 'neighbour',
    says: /OWNED_BY_OTHER_SCOPE/,
  },
  { name: 'fence not looked at', edits: [fenceUnchecked], breaks: 'P4, the fence of a ledger write; I9', chapter: 'takeover', says: /late write/ },
  {
    name: 'drift is overwritten',
    edits: [{ file: 'shared/engine/judge.ts', anchor: `if (evidence.reconcile) return replaced`, replacement: `if (evidence.live) return replaced` }],
    breaks: 'R0.10, a console edit is never overwritten in silence',
    chapter: 'console',
    says: /DRIFT_CHANGED/,
  },
  {
    name: 'adopted is destroyed',
    edits: [
      { file: 'shared/engine/undo-line.ts', anchor: `  if (entry.createdBy === 'adopted') {\n    const said`, replacement: `  if (isCopy) {\n    const said` },
    ],
    breaks: 'R1.69, an adopted resource is never deleted; I5',
    chapter: 'closing',
    says: /adopted|was there before/,
  },
];
