import { BlockList, isIP } from 'node:net';

/** Whether a request from this address may deliver webhooks. */
export type IsAllowedSource = (address: string | undefined) => boolean;

/**
 * Allows the addresses of these ranges (CIDR, IPv4 and IPv6) alone; without ranges any address. An address that is missing or
 * malformed is in no range.
 *
 * @throws for what is no range: the function then does not start
 */
export function createSourceRanges(ranges: readonly string[] | undefined): IsAllowedSource {
  if (ranges === undefined) return () => true;
  const list = new BlockList();
  for (const range of ranges) {
    const [address = '', prefix] = range.split('/');
    list.addSubnet(address, Number(prefix), familyOf(address));
  }
  return (address = '') => isIP(address) !== 0 && list.check(address, familyOf(address));
}

function familyOf(address: string): 'ipv4' | 'ipv6' {
  return address.includes(':') ? 'ipv6' : 'ipv4';
}
