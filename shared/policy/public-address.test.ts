import { describe, expect, test } from 'vitest';
import { notPublic, notPublicHost } from './public-address.ts';

describe('an address is refused', () => {
  test.each([
    ['127.0.0.1', 'loopback'],
    ['10.1.2.3', 'private'],
    ['172.31.255.255', 'private'],
    ['192.168.0.1', 'private'],
    ['100.64.0.1', 'shared by a carrier'],
    ['169.254.169.254', 'link-local'],
    ['168.63.129.16', 'cloud metadata'],
    ['0.0.0.0', 'this host'],
    ['224.0.0.1', 'multicast'],
    ['255.255.255.255', 'reserved'],
    ['::', 'reserved'],
    ['::1', 'loopback'],
    ['::127.0.0.1', 'reserved'],
    ['::ffff:127.0.0.1', 'mapped from IPv4'],
    ['::ffff:8.8.8.8', 'mapped from IPv4'],
    ['64:ff9b::7f00:1', 'translated to IPv4'],
    ['64:ff9b:1::a9fe:a9fe', 'translated to IPv4'],
    ['2002:7f00:1::', 'relay'],
    ['2001:0:4136:e378::1', 'reserved'],
    ['2001:db8::1', 'documentation'],
    ['fd00:ec2::254', 'private'],
    ['fe80::1', 'link-local'],
    ['fe80::1%eth0', 'no address'],
    ['ff02::1', 'multicast'],
    ['not an address', 'no address'],
  ])('%s: %s', (address, kind) => {
    expect(notPublic(address)).toBe(kind);
  });

  test.each(['8.8.8.8', '1.1.1.1', '172.32.0.1', '100.128.0.1', '169.253.1.1', '2606:4700::1111', '2a00:1450:4001::200e'])(
    'and a public one is not: %s',
    (address) => {
      expect(notPublic(address)).toBeUndefined();
    },
  );
});

describe('a host is told by its spelling, where that tells', () => {
  test.each([
    'http://0x7f.1',
    'http://017700000001',
    'http://2130706433',
    'http://127.1',
    'http://①②⑦.0.0.1',
    'http://127.0.0.1.',
    'http://[::1]',
    'http://[0:0:0:0:0:ffff:7f00:1]',
    'http://localhost',
    'http://LOCALHOST.',
    'http://api.localhost',
    'http://user@127.0.0.1',
    'http://api.example.com@169.254.169.254',
    'http://0251.0376.0251.0376',
    'http://0xa9fea9fe',
  ])('%s', (address) => {
    expect(notPublicHost(new URL(address).hostname)).toBeTypeOf('string');
  });

  test('a name is not judged before it is resolved', () => {
    expect(notPublicHost('api.example.com')).toBeUndefined();
    expect(notPublicHost('localhost.example.com')).toBeUndefined();
  });
});
