import { expect, it, vi } from 'vitest';
import { createRedactor } from '../../../shared/redact/redactor.ts';
import { doctor } from './doctor.ts';

it('says in words that AWS cannot be reached, or that the region is missing', async () => {
  const credentials = { AWS_ACCESS_KEY_ID: 'nobody', AWS_SECRET_ACCESS_KEY: 'knows', AWS_ENDPOINT_URL: 'http://127.0.0.1:9', AWS_MAX_ATTEMPTS: '1' };
  const look = (environment: Readonly<Record<string, string>>) => {
    for (const [name, value] of Object.entries({ AWS_CONFIG_FILE: '/nowhere', AWS_REGION: '', AWS_DEFAULT_REGION: '', ...environment }))
      vi.stubEnv(name, value);
    return doctor({ stack: 'Lockkeeper' }, { environment, redactor: createRedactor() }, '0.0.0');
  };
  try {
    await expect(look({ ...credentials, AWS_REGION: 'us-east-1' })).rejects.toMatchObject({
      code: 'AWS_ACCESS',
      message: expect.stringContaining('cannot be reached'),
    });
    await expect(look(credentials)).rejects.toMatchObject({ code: 'AWS_ACCESS', message: 'The AWS region is not known.' });
  } finally {
    vi.unstubAllEnvs();
  }
});
