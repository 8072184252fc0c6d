/** Secrets of every shape that has been seen to get past a mask somewhere. Planted where they may be used, looked for everywhere else. */
export interface Canary {
  readonly name: string;
  readonly value: string;
  /** Not looked for: the word is used by us as well. It must not break what it happens to read like. */
  readonly isWord?: true;
}

const pem = (kind: string): string =>
  [
    `-----BEGIN ${kind}-----`,
    'Y2FuYXJ5LWZpcnN0LWxpbmUtb2YtYS1rZXk0aXQ',
    'ZmVlZHMtb24tcGVtLWxpa2UtdGV4dHMtMDEyMzQ',
    'bGFzdC1saW5lPT0',
    `-----END ${kind}-----`,
    '',
  ].join('\n');

export const canaries: readonly Canary[] = [
  { name: 'CANARY_LINES', value: pem('CANARY KEY') },
  { name: 'CANARY_DSN', value: 'postgresql://app:pw-of-a-can%40ry@db.internal.example:5432/app?sslmode=require' },
  { name: 'CANARY_FIVE', value: 'q7Zx#' },
  { name: 'CANARY_NUMBER', value: '7391846205' },
  { name: 'CANARY_BASE64', value: 'c2VjcmV0LWxvb2tpbmctYmlyZC1zb25n+/8=' },
  { name: 'CANARY_JSON', value: '{"token":"bird-in-json-77aa","deep":["x",{"y":1}]}' },
  { name: 'CANARY_QUOTES', value: `a'bird"in<quotes>&100%; \\of/them` },
  { name: 'CANARY_UNICODE', value: 'kanárek-鳥-🐤-ptáček' },
  { name: 'CANARY_HEX', value: 'deadb1bdcafe0123456789abcdef4b1d' },
  { name: 'CANARY_LONG', value: Array.from({ length: 300 }, (_, index) => `long-bird-${index * 7919}`).join('.') },
  { name: 'CANARY_INNER', value: 'bird-inner-51c8e0' },
  { name: 'CANARY_OUTER', value: 'outer/bird-inner-51c8e0/around' },
  { name: 'CANARY_SPACES', value: '  bird with\tspaces  in it ' },
  { name: 'CANARY_WORD', value: 'create', isWord: true },
];
