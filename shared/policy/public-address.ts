import { BlockList, isIP } from 'node:net';

/** IPv4 ranges that are not the public internet, with the word for each (IANA special-purpose registry, and where clouds keep their metadata). */
const ranges: readonly (readonly [string, number, string])[] = [
  ['0.0.0.0', 8, 'this host'],
  ['10.0.0.0', 8, 'private'],
  ['100.64.0.0', 10, 'shared by a carrier'],
  ['127.0.0.0', 8, 'loopback'],
  ['168.63.129.16', 32, 'cloud metadata'],
  ['169.254.0.0', 16, 'link-local'],
  ['172.16.0.0', 12, 'private'],
  ['192.0.0.0', 24, 'reserved'],
  ['192.0.2.0', 24, 'documentation'],
  ['192.88.99.0', 24, 'relay'],
  ['192.168.0.0', 16, 'private'],
  ['198.18.0.0', 15, 'benchmarking'],
  ['198.51.100.0', 24, 'documentation'],
  ['203.0.113.0', 24, 'documentation'],
  ['224.0.0.0', 4, 'multicast'],
  ['240.0.0.0', 4, 'reserved'],
];

/** What of 2000::/3, the one public part of IPv6, carries something else: tunnels, which hold an IPv4 address, and documentation. */
const tunnels: readonly (readonly [string, number, string])[] = [
  ['2001::', 23, 'reserved'],
  ['2001:db8::', 32, 'documentation'],
  ['2002::', 16, 'relay'],
  ['3fff::', 20, 'documentation'],
];

const listOf = (family: 'ipv4' | 'ipv6', entries: readonly (readonly [string, number, string])[]) =>
  entries.map(([net, bits, kind]) => {
    const list = new BlockList();
    list.addSubnet(net, bits, family);
    return { kind, list };
  });
const refused4 = listOf('ipv4', ranges);
const refused6 = listOf('ipv6', tunnels);
const named6 = listOf('ipv6', [
  ['::1', 128, 'loopback'],
  ['::ffff:0:0', 96, 'mapped from IPv4'],
  ['64:ff9b::', 96, 'translated to IPv4'],
  ['64:ff9b:1::', 48, 'translated to IPv4'],
  ['fc00::', 7, 'private'],
  ['fe80::', 10, 'link-local'],
  ['ff00::', 8, 'multicast'],
]);
const [public6] = listOf('ipv6', [['2000::', 3, 'public']]);

/**
 * Why an address may not be reached: the kind of what it is; undefined for a public one. Of IPv6 only what is known to be public is, so
 * that no address with another one inside (mapped, translated, tunnelled) passes.
 *
 * @param address an IP address as `net.isIP` takes it, without brackets.
 */
export function notPublic(address: string): string | undefined {
  const [bare = ''] = address.split('%');
  if (isIP(bare) === 4) return refused4.find(({ list }) => list.check(bare, 'ipv4'))?.kind;
  if (isIP(bare) !== 6 || bare !== address) return 'no address';
  const inside = refused6.find(({ list }) => list.check(bare, 'ipv6'));
  if (inside) return inside.kind;
  if (public6?.list.check(bare, 'ipv6') && !named6[1]?.list.check(bare, 'ipv6')) return undefined;
  return named6.find(({ list }) => list.check(bare, 'ipv6'))?.kind ?? 'reserved';
}

/**
 * The same for a host as a URL has it, as far as its spelling tells: an address in any notation that a URL knows (`0x7f.1`, `2130706433`,
 * `[::1]`), or a name that never leaves the machine. Undefined: only its name's resolution tells.
 */
export function notPublicHost(hostname: string): string | undefined {
  const host = hostname.replace(/^\[|\]$/g, '');
  if (isIP(host) > 0) return notPublic(host);
  return /(^|\.)localhost\.?$/i.test(host) ? 'loopback' : undefined;
}
