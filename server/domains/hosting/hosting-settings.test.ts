import { expect, it } from 'vitest'
import { BadSetting, readSettings } from '#server/settings/settings.ts'

it('without settings there is no driver, and defaults are known', () => {
  expect(readSettings({}).customDomains).toEqual({
    driver: null,
    vercel: { baseUrl: 'https://api.vercel.com', token: null, projectId: null, teamId: null },
    dnsServers: ['1.1.1.1:53', '8.8.8.8:53'],
    edgeHost: null,
    edgeIps: [],
  })
})

it('vercel can start without token and project, and its status says so', () => {
  expect(readSettings({ CUSTOM_DOMAIN_DRIVER: 'vercel' }).customDomains.driver).toBe('vercel')
})

it('reads targets, name servers and credentials', () => {
  const settings = readSettings({
    CUSTOM_DOMAIN_DRIVER: 'dns',
    KEEPER_EDGE_HOST: 'Edge.Example.com',
    KEEPER_EDGE_IPS: '192.0.2.1, 2001:db8::1',
    KEEPER_DNS_SERVERS: '9.9.9.9, 127.0.0.1:5353, 2620:fe::fe, [::1]:5300',
    VERCEL_API_BASE_URL: 'http://127.0.0.1:9999/',
    VERCEL_TOKEN: 'abc',
  }).customDomains
  expect(settings).toMatchObject({
    driver: 'dns',
    edgeHost: 'edge.example.com',
    edgeIps: ['192.0.2.1', '2001:db8::1'],
    dnsServers: ['9.9.9.9:53', '127.0.0.1:5353', '[2620:fe::fe]:53', '[::1]:5300'],
    vercel: { baseUrl: 'http://127.0.0.1:9999', token: 'abc' },
  })
})

it.each([
  ['CUSTOM_DOMAIN_DRIVER', 'netlify', {}],
  ['KEEPER_EDGE_HOST or KEEPER_EDGE_IPS', 'dns', { CUSTOM_DOMAIN_DRIVER: 'dns' }],
  ['KEEPER_EDGE_HOST or KEEPER_EDGE_IPS', 'dns', { CUSTOM_DOMAIN_DRIVER: 'dns', KEEPER_EDGE_IPS: '2001:db8::1' }],
  ['KEEPER_EDGE_HOST', 'https://edge.example.com', {}],
  ['KEEPER_EDGE_IPS', '192.0.2.256', {}],
  ['KEEPER_DNS_SERVERS', 'dns.example.com', {}],
  ['KEEPER_DNS_SERVERS', '1.1.1.1:99999', {}],
  ['VERCEL_API_BASE_URL', 'api.vercel.com', {}],
  ['VERCEL_TOKEN', 'two words', {}],
])('an invalid %s is refused with one line: %j', (name, value, environment) => {
  const variables = Object.keys(environment).length > 0 ? environment : { [name]: value }
  let refusal: unknown
  try {
    readSettings(variables)
  } catch (error) {
    refusal = error
  }
  expect(refusal).toBeInstanceOf(BadSetting)
  expect((refusal as Error).message).toContain(name)
  expect((refusal as Error).message).not.toContain('\n')
  if (name === 'VERCEL_TOKEN') expect((refusal as Error).message).not.toContain(value)
})
