import { BlockList, isIPv4, isIPv6 } from 'node:net'

const specialV4Subnets = [
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.31.196.0/24',
  '192.52.193.0/24',
  '192.88.99.0/24',
  '192.168.0.0/16',
  '192.175.48.0/24',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/3',
]
const specialV6Subnets = ['2001::/23', '2001:db8::/32', '2002::/16', '2620:4f:8000::/48', '3fff::/20']

const specialV4 = createBlockList(specialV4Subnets, 'ipv4')
const specialV6 = createBlockList(specialV6Subnets, 'ipv6')
const publicV6 = createBlockList(['2000::/3'], 'ipv6')

/** IPv6 addresses that stand for IPv4 ones (mapped, NAT64, 6to4, Teredo) are never public. */
export function isPublicAddress(address: string): boolean {
  if (isIPv4(address)) return !specialV4.check(address, 'ipv4')
  // A zone, as in fe80::1%eth0, is local to this machine.
  if (!isIPv6(address) || address.includes('%')) return false
  return publicV6.check(address, 'ipv6') && !specialV6.check(address, 'ipv6')
}

const linkLocalV4 = createBlockList(['169.254.0.0/16'], 'ipv4')
const linkLocalV6 = createBlockList(['fe80::/10', '::ffff:169.254.0.0/112', 'fd00:ec2::254/128'], 'ipv6')

/** Whether a numeric address is link-local, where clouds serve credentials (metadata services). */
export function isLinkLocalAddress(address: string): boolean {
  const [plain = ''] = address.split('%')
  return isIPv4(plain) ? linkLocalV4.check(plain, 'ipv4') : isIPv6(plain) && linkLocalV6.check(plain, 'ipv6')
}

function createBlockList(subnets: string[], family: 'ipv4' | 'ipv6'): BlockList {
  const list = new BlockList()
  for (const subnet of subnets) {
    const [network = '', prefix] = subnet.split('/')
    list.addSubnet(network, Number(prefix), family)
  }
  return list
}
