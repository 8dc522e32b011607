import { describe, expect, it } from 'vitest'
import { agents } from '#contract/agents/agents.ts'
import { keys } from '#contract/keys/keys.ts'
import { buildAddress, buildRequest } from './api-request.ts'

describe('the request of a call', () => {
  it('includes the constants of the endpoint', () => {
    expect(buildAddress(agents.logs, { query: { page: 2, agentId: undefined } })).toBe(
      '/api/kip/agents?logs=true&page=2',
    )
    const { init } = buildRequest(agents.run, { body: { agentId: 'kip', input: 'Hello' } }, null, 'application/json')
    expect(JSON.parse(init.body as string)).toEqual({ agentId: 'kip', input: 'Hello', action: 'run' })
  })

  it('replaces characters that can’t be stored', () => {
    const { init } = buildRequest(agents.run, { body: { input: 'di\u0000erent \ud83d 🦆 \\u0000' } }, null, '*/*')
    expect(JSON.parse(init.body as string)).toMatchObject({ input: 'di\ufffderent \ufffd 🦆 \\u0000' })
  })

  it('leaves wildcard parameters to the caller', () => {
    expect(buildAddress(agents.bySlug, { query: { slug: 'kip' } })).toBe('/api/kip/agents?slug=kip')
  })

  it('escapes path parameters', () => {
    expect(buildAddress(keys.removePersonal, { params: { provider: 'a/b' } })).toBe('/api/kip/user-keys/a%2Fb')
  })

  it('refuses a missing path parameter', () => {
    expect(() => buildAddress(keys.removePersonal, {})).toThrow('needs provider')
  })

  it('carries the token and the version only when given', () => {
    const bare = buildRequest(agents.list, {}, null, 'application/json').init
    expect([...bare.headers.keys()]).toEqual(['accept'])
    expect(bare.body).toBeUndefined()
    const full = buildRequest(agents.update, { body: { id: 'a' }, ifMatch: 3 }, 'kps_1', 'application/json').init
    expect(full.headers.get('Authorization')).toBe('Bearer kps_1')
    expect(full.headers.get('If-Match')).toBe('3')
  })
})
