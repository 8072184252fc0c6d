import { findEndpoint } from '../localstack/endpoint.ts';

/** Region and credentials for emulators, which check neither; the SDK finds the credentials in the process's environment. */
export const emulated = { AWS_REGION: 'us-east-1', AWS_ACCESS_KEY_ID: 'emulator-key-id', AWS_SECRET_ACCESS_KEY: 'emulator-secret-key' };

for (const [name, value] of Object.entries(emulated)) process.env[name] ??= value;

export interface DeployedEndpoint {
  readonly url: string;
  /** As it names itself, `MiniStack 1.5.33`; its URL where it does not. */
  readonly name: string;
}

/** A LocalStack-compatible endpoint that the contracts are held against as well, when one is named: none or one. */
export const deployedEndpoints: readonly DeployedEndpoint[] = await named(process.env['AWS_ENDPOINT_URL']);

async function named(url: string | undefined): Promise<DeployedEndpoint[]> {
  if (!url) return [];
  const found = await findEndpoint(process.env);
  return [{ url, name: found?.version ?? url }];
}
