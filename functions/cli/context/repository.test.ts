import { tmpdir } from 'node:os';
import { expect, it } from 'vitest';
import { localRepository, remoteAddress } from './repository.ts';

it.each([
  'git@github.com:acme/storefront.git',
  'https://github.com/acme/storefront',
  'https://GitHub.com/acme/storefront.git/',
  'https://x-access-token:ghs_secret@github.com/acme/storefront.git',
  'ssh://git@github.com:22/acme/storefront.git',
  'git://github.com//acme/storefront',
])('%s is one repository, however it was cloned', (remote) => {
  expect(remoteAddress(remote)).toBe('github.com/acme/storefront');
});

it.each([
  ['/srv/git/storefront.git', '/srv/git/storefront'],
  ['../storefront', '../storefront'],
])('the remote %s is a path', (remote, address) => {
  expect(remoteAddress(remote)).toBe(address);
});

it('has one id for every clone of a remote, and another without a remote', () => {
  const ssh = localRepository({ root: tmpdir(), remote: 'git@github.com:acme/storefront.git' });
  const https = localRepository({ root: '/', remote: 'https://t@github.com/acme/storefront' });
  expect(ssh).toMatchObject({ owner: 'acme', name: 'storefront', defaultBranch: 'main' });
  expect(ssh.id).toMatch(/^[0-9a-f]{32}$/);
  expect(https.id).toBe(ssh.id);
  expect(localRepository({ root: tmpdir() }).id).not.toBe(ssh.id);
});

it('shows no credential of the remote', () => {
  expect(JSON.stringify(localRepository({ root: '/', remote: 'https://user:secret@host.test/a/b.git' }))).not.toMatch(/secret|user/);
});
