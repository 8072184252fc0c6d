/** What may be told of why Terraform or OpenTofu failed: never its words, which hold values. */
export interface WhyFailed {
  /** It asks for `init`: a module, a provider or the backend is not there as the configuration wants it. */
  readonly needsInit: boolean;
  /** The resource that an error is about. */
  readonly address?: string;
}

/** @param printed events of a run with `-json`, and text for people among them. */
export function whyFailed(printed: string): WhyFailed {
  const errors = printed.split('\n').flatMap(errorOn);
  const address = errors.find((error) => error.address !== undefined)?.address;
  // Text for people is framed and broken into lines anywhere.
  const plain = printed.replace(/[│╷╵\s]+/g, ' ');
  return { needsInit: /\b(?:terraform|tofu) init\b/.test(plain), ...(address === undefined ? {} : { address }) };
}

function errorOn(line: string): { readonly address?: string }[] {
  if (!line.startsWith('{')) return [];
  try {
    const { diagnostic } = JSON.parse(line) as { readonly diagnostic?: { readonly severity?: unknown; readonly address?: unknown } };
    if (diagnostic?.severity !== 'error') return [];
    return [typeof diagnostic.address === 'string' ? { address: diagnostic.address } : {}];
  } catch {
    return [];
  }
}
