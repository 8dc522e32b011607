import { describe, expect, it } from 'vitest'
import { Problem } from '#server/http/problem.ts'
import { readSettings } from '#server/settings/settings.ts'
import { isApex, readHostName } from './host-name.ts'

const settings = readSettings({
  KEEPER_PUBLIC_URL: 'https://keeper.example.org',
  KEEPER_EDGE_HOST: 'Edge.Keeper.net',
})

describe('a host name', () => {
  it.each([
    ['memories.example.com', 'memories.example.com'],
    ['  HTTPS://Memories.Example.COM:8443/a/b?c=d#e ', 'memories.example.com'],
    ['memories.example.com.', 'memories.example.com'],
    ['example.com/', 'example.com'],
    ['müller.example.com', 'xn--mller-kva.example.com'],
    ['日本語テスト.com', 'xn--zckzah9945czlbtz6h.com'],
    ['memories。example。com', 'memories.example.com'],
    ['a.co.uk', 'a.co.uk'],
    ['mykeeper.example.org', 'mykeeper.example.org'],
    ['keeper.example.org.example.com', 'keeper.example.org.example.com'],
    [`${`${'a'.repeat(61)}.`.repeat(4)}com`, `${`${'a'.repeat(61)}.`.repeat(4)}com`],
  ])('is parsed from %j', (typed, name) => {
    expect(readHostName(typed, settings)).toBe(name)
  })

  it.each([
    ['', /Enter a domain name/],
    ['   ', /Enter a domain name/],
    ['https://', /Enter a domain name/],
    ['memories', /isn’t a domain name/],
    ['two words.com', /isn’t a domain name/],
    ['a_b.example.com', /isn’t a domain name/],
    ['-a.example.com', /isn’t a domain name/],
    ['*.example.com', /isn’t a domain name/],
    ['a..example.com', /isn’t a domain name/],
    ['memories.example.com..', /isn’t a domain name/],
    [`${'a'.repeat(64)}.com`, /isn’t a domain name/],
    [`${'a.'.repeat(126)}com`, /at most 253/],
    ['memories.example.c0m', /isn’t a domain name/],
    ['ada@example.com', /email/],
    ['https://ada:secret@example.com', /email/],
    ['127.0.0.1', /IP address/],
    ['http://127.0.0.1:3000/', /IP address/],
    ['[::1]', /IP address/],
    ['2001:db8::1', /domain name/],
    ['2130706433', /IP address/],
    ['0x7f.1', /IP address/],
    ['0177.0.0.1', /IP address/],
    ['①②⑦.0.0.1', /IP address/],
    ['keeper.example.org', /own address/],
    ['KEEPER.example.org.', /own address/],
    ['below.keeper.example.org', /own address/],
    ['edge.keeper.net', /own address/],
    ['keeper.localhost', /from the internet/],
    ['nas.local', /from the internet/],
    ['co.uk', /Anyone can register/],
    ['com.au', /Anyone can register/],
    ['github.io', /Anyone can register/],
    ['pаypal.com', /alphabets/],
    ['xn--pypal-4ve.com', /alphabets/],
    ['example.com\u0000', /isn’t a domain name/],
    ['exa\u202emple.com', /isn’t a domain name/],
  ])("isn't parsed from %j", (typed, expectedText) => {
    let problem: unknown
    try {
      readHostName(typed, settings)
    } catch (error) {
      problem = error
    }
    expect(problem).toBeInstanceOf(Problem)
    const { status, message, details } = problem as Problem
    expect({ status, fields: details.fields }).toEqual({ status: 400, fields: { customDomain: message } })
    expect(message).toMatch(expectedText)
  })

  it('is an apex if it is a registrable domain', () => {
    expect(['example.com', 'example.co.uk'].every(isApex)).toBe(true)
    expect(['www.example.com', 'a.b.example.co.uk'].some(isApex)).toBe(false)
  })
})
