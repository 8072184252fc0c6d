/**
 * Where a stack's webhook is reached. Its output names AWS's own host, `<id>.execute-api.<region>.…`; a LocalStack-compatible endpoint
 * (`AWS_ENDPOINT_URL`) takes the API's id and stage in the path, under its own address.
 */
export function webhookAddress(output: string, endpoint: string | undefined): string {
  if (!endpoint) return output;
  const { hostname, pathname } = new URL(output);
  const [id, service] = hostname.split('.');
  if (service !== 'execute-api') throw new Error(`${output} is not the address of an HTTP API`);
  return `${endpoint.replace(/\/+$/, '')}/_aws/execute-api/${id}/$default${pathname}`;
}
