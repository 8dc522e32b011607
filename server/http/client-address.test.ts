import type { IncomingMessage } from 'node:http'
import { expect, it } from 'vitest'
import { readSettings } from '#server/settings/settings.ts'
import { getClientAddress, getNetwork, isSecure } from './client-address.ts'

it.each([
  ['203.0.113.7', '203.0.113.7'],
  ['::ffff:203.0.113.7', '203.0.113.7'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
  ['2001:DB8:0001:0002::1', '2001:db8:1:2::/64'],
  ['2001:db8::1', '2001:db8:0:0::/64'],
  ['::1', '0:0:0:0::/64'],
  ['fe80::1%eth0', 'fe80:0:0:0::/64'],
  ['1::2:3:4:5:6:7', '1:0:2:3::/64'],
  ['not an address', 'not an address'],
])('limits count %s as %s', (address, network) => {
  expect(getNetwork(address)).toBe(network)
})

const request = (headers: Record<string, string>) => new Request('http://localhost/', { headers })

it('only as many entries from the right count as there are trusted proxies', () => {
  const spoofed = request({ 'x-forwarded-for': '1.1.1.1, 2.2.2.2 ,, 3.3.3.3' })
  expect([0, 1, 2, 3, 4].map((proxyCount) => getClientAddress(spoofed, undefined, proxyCount))).toEqual([
    '127.0.0.1',
    '3.3.3.3',
    '2.2.2.2',
    '1.1.1.1',
    '127.0.0.1',
  ])
})

it.each([
  ['203.0.113.7:50123', '203.0.113.7'],
  ['203.0.113.7', '203.0.113.7'],
  ['[2001:db8:1:2::9]:443', '2001:db8:1:2::/64'],
  ['[2001:db8:1:2::9]', '2001:db8:1:2::/64'],
  ['2001:db8:1:2::9', '2001:db8:1:2::/64'],
  ['::ffff:203.0.113.7', '203.0.113.7'],
  ['[::ffff:203.0.113.7]:80', '203.0.113.7'],
])('a proxy entry %s means %s', (entry, address) => {
  expect(getClientAddress(request({ 'x-forwarded-for': `1.1.1.1, ${entry}` }), undefined, 1)).toBe(address)
})

it.each(['unknown', '_hidden', '203.0.113', '203.0.113.7:', '203.0.113.7:x', '[]', '[203.0.113.7', 'a[2001:db8::1]'])(
  'an invalid entry (%s) counts as the connecting address',
  (entry) => {
    const incoming = { socket: { remoteAddress: '198.51.100.4' } } as IncomingMessage
    expect(getClientAddress(request({ 'x-forwarded-for': `1.1.1.1, ${entry}` }), { incoming }, 1)).toBe('198.51.100.4')
  },
)

it('a connection is secure if the public address or a trusted proxy says so', () => {
  const isSecureWith = (environment: Record<string, string>, headers: Record<string, string> = {}) =>
    isSecure(request(headers), readSettings(environment))
  const forwarded = { 'x-forwarded-proto': 'https' }
  expect(isSecureWith({ KEEPER_PUBLIC_URL: 'https://keeper.example' })).toBe(true)
  expect(isSecureWith({ KEEPER_PUBLIC_URL: 'http://keeper.example' }, forwarded)).toBe(false)
  expect(isSecureWith({}, forwarded)).toBe(false)
  expect(isSecureWith({ KEEPER_TRUSTED_PROXIES: '1' }, forwarded)).toBe(true)
  expect(isSecureWith({ KEEPER_TRUSTED_PROXIES: '1' })).toBe(false)
})
