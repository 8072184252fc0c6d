/** Region and credentials for emulators, which check neither; the SDK finds the credentials in the process's environment. */
export const emulated = { AWS_REGION: 'us-east-1', AWS_ACCESS_KEY_ID: 'emulator-key-id', AWS_SECRET_ACCESS_KEY: 'emulator-secret-key' };

for (const [name, value] of Object.entries(emulated)) process.env[name] ??= value;

/** A LocalStack-compatible endpoint that the contracts are held against as well, when one is named: none or one. */
export const deployedEndpoints = [process.env['AWS_ENDPOINT_URL'] ?? []].flat();
