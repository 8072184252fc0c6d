/**
 * Fields whose values come from closed sets (design "Values"): never masked, or a secret that happens to read `complete` would
 * turn a receipt into one that says nothing. A field belongs here only if nothing a person or a provider writes gets into it.
 */
export const closedFields: ReadonlySet<string> = new Set([
  'adapter',
  'available',
  'code',
  'command',
  'conclusion',
  'createdBy',
  'digest',
  'effectsDigest',
  'errorCode',
  'exit',
  'kind',
  'line',
  'op',
  'phase',
  'planDigest',
  'state',
  'status',
]);
