import { expect, it } from 'vitest'
import type { DnsStatus } from '#contract/domains/custom-domains.ts'
import { getStatusButtons, isApexName, normalizeDnsStatus, toStatusErrorText } from './custom-domain-badge.tsx'

const status = (input: Partial<DnsStatus> & { provider?: 'vercel' | 'dns' | null; verified?: boolean }): DnsStatus => ({
  attached: false,
  configured: false,
  records: [],
  nameServers: [],
  error: null,
  errorCode: null,
  ...input,
  details: {
    customDomain: 'memories.example.org',
    verified: input.verified ?? false,
    provider: input.provider === undefined ? 'vercel' : input.provider,
    checkedAt: null,
    brokenSince: null,
    configuredBy: null,
    conflicts: [],
  },
})

it.each([
  ['403', 'Access denied to Vercel. Please check your Vercel configuration.'],
  ['404', 'Domain not found in Vercel project. Please add it to Vercel first.'],
  ['DNS_CONFIG_ERROR', 'Failed to load DNS configuration. Please try again.'],
  ['rate_limited', 'Vercel error: Rate limit exceeded'],
])('the error code %s has its own text', (errorCode, text) => {
  expect(toStatusErrorText(status({ errorCode, error: 'Rate limit exceeded' }))).toBe(text)
})

it('the text names Vercel without a driver, and no brand for the dns driver', () => {
  expect(toStatusErrorText(status({ errorCode: '403', error: 'x', provider: null }))).toMatch(
    /^Access denied to Vercel\./,
  )
  for (const errorCode of ['403', '404', 'DNS_CONFIG_ERROR', 'other'])
    expect(toStatusErrorText(status({ errorCode, error: 'x', provider: 'dns' }))).not.toMatch(/vercel/i)
  expect(toStatusErrorText(status({}))).toBeUndefined()
})

it.each([
  ['not added yet', {}, ['add']],
  ['not added, with an error', { error: 'x', errorCode: '404' }, ['retry']],
  ['added, DNS pending', { attached: true }, ['check']],
  ['added, DNS unknown', { attached: true, error: 'x', errorCode: 'DNS_CONFIG_ERROR' }, ['retry', 'check']],
  ['added and configured', { attached: true, configured: true }, ['verify']],
  ['verified', { attached: true, configured: true, verified: true }, []],
  ['verified, and broken since', { attached: true, verified: true }, ['check']],
] as const)('%s: shows only the buttons that help', (_, input, names) => {
  const { verified = false } = input as { verified?: boolean }
  const visibleButtons = Object.entries(getStatusButtons(status(input), verified)).filter(([, isVisible]) => isVisible)
  expect(visibleButtons.map(([name]) => name)).toEqual([...names])
})

it.each([
  ['example.org', true],
  ['https://Example.org/about', true],
  ['example.co.uk', true],
  ['keep.example.org', false],
  ['keep.example.co.uk', false],
  ['example', false],
  ['', false],
  ['example.', false],
])('%s is a whole domain: %s', (name, isApex) => {
  expect(isApexName(name)).toBe(isApex)
})

it('a status with nothing but an error gets all other fields', () => {
  const bare = normalizeDnsStatus({ attached: false, error: 'gone', errorCode: '404', details: null })
  expect(toStatusErrorText(bare)).toBe('Domain not found in Vercel project. Please add it to Vercel first.')
  expect(getStatusButtons(normalizeDnsStatus({ attached: true, configured: true }), false)).toMatchObject({
    verify: true,
    retry: false,
  })
  const complete = status({ attached: true, verified: true, provider: 'dns' })
  expect(normalizeDnsStatus(complete)).toEqual(complete)
})

it('a record with only its required fields counts as not checked', () => {
  const record = { type: 'CNAME', domain: 'memories.example.org', value: 'edge.example.org' }
  const { records, nameServers } = normalizeDnsStatus({
    attached: true,
    records: [record],
    nameServers: null,
    error: null,
  })
  expect(records).toEqual([{ ...record, found: [], state: 'unknown', reason: '' }])
  expect(nameServers).toEqual([])
})

it('a verified domain offers no verification', () => {
  expect(getStatusButtons(status({ attached: true, configured: true }), true)).toMatchObject({ verify: false })
})
