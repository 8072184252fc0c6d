import { expect, it } from 'vitest';
import { webhookAddress } from './webhook-address.ts';

const output = 'https://a1b2c3d4.execute-api.eu-central-1.amazonaws.com/webhooks/github';

it('is the stack’s output in an account', () => {
  expect(webhookAddress(output, undefined)).toBe(output);
  expect(webhookAddress(output, '')).toBe(output);
});

it('is a path of the endpoint where there is one', () => {
  expect(webhookAddress(output, 'http://127.0.0.1:4566/')).toBe('http://127.0.0.1:4566/_aws/execute-api/a1b2c3d4/$default/webhooks/github');
});

it('refuses what is no HTTP API rather than asking a stranger', () => {
  expect(() => webhookAddress('https://hooks.example/webhooks/github', 'http://127.0.0.1:4566')).toThrow('is not the address of an HTTP API');
});
