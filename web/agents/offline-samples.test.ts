import { afterEach, describe, expect, it, vi } from 'vitest'
import { sampleAgents } from '#contract/samples/sample-agents.ts'
import { createAnswer } from '#tests/keeper-answer.ts'
import { loadAgents } from './agent-queries.ts'
import { findWorkspaceAgent } from './studio/agent-workspace.tsx'

const kip = sampleAgents.find(({ slug }) => slug === 'kip')
if (!kip) throw new Error('Kip is one of the samples')
const saved = { ...kip, id: 'saved', owner_id: 'ada' }
const { signal } = new AbortController()

afterEach(() => vi.unstubAllGlobals())

const stubResponse = (status: number, body: unknown) =>
  vi.stubGlobal('fetch', async () => createAnswer(typeof body === 'string' ? body : JSON.stringify(body), { status }))
const stubOffline = () => vi.stubGlobal('fetch', async () => Promise.reject(new TypeError('Failed to fetch')))

describe('samples while the server is unreachable', () => {
  it('the list and a workspace use samples', async () => {
    stubOffline()
    expect(await loadAgents(signal)).toEqual({ source: 'samples', agents: sampleAgents })
    expect(sampleAgents.map(({ slug }) => slug)).toEqual(['type-agent', 'platform-agent', 'code-agent', 'kip', 'ceox'])
    expect(await findWorkspaceAgent('kip', signal)).toBe(kip)
    await expect(findWorkspaceAgent('an-agent-of-ones-own', signal)).rejects.toThrow('couldn’t be reached')
  })

  it('samples never replace agents the page already has', async () => {
    stubOffline()
    await expect(loadAgents(signal, { source: 'server', agents: [saved] })).rejects.toThrow('couldn’t be reached')
    expect(await loadAgents(signal, { source: 'samples', agents: sampleAgents })).toMatchObject({ source: 'samples' })
  })

  it.each([401, 403, 404, 500, 502, 503])('status %i is reported as it is, without samples', async (status) => {
    stubResponse(status, { success: false, error: 'Told by the server.' })
    await expect(loadAgents(signal)).rejects.toMatchObject({ status, message: 'Told by the server.' })
    await expect(findWorkspaceAgent('kip', signal)).rejects.toMatchObject({ status })
  })

  it.each([
    ['a page of a proxy', '<h1>Welcome</h1>'],
    ['no list', { success: true, data: { agents: [] } }],
    ['half an answer', '{"success":true,"data":[{'],
  ])('%s is unreadable, not offline', async (_, body) => {
    stubResponse(200, body)
    expect(await loadAgents(signal)).toEqual({ source: 'unreadable', agents: [] })
  })

  it('a paginated list is read to its end or until the server fails', async () => {
    const page = (slug: string, next_cursor: string | null) =>
      createAnswer(JSON.stringify({ success: true, data: [{ ...kip, id: slug, slug }], next_cursor }))
    const requestedPaths: string[] = []
    let isReachable = true
    vi.stubGlobal('fetch', async (address: string) => {
      requestedPaths.push(address)
      if (!address.includes('cursor')) return page('one', 'more')
      if (!isReachable) throw new TypeError('Failed to fetch')
      return page('two', null)
    })
    const slugs = async () => (await loadAgents(signal)).agents.map(({ slug }) => slug)
    expect(await slugs()).toEqual(['one', 'two'])
    expect(requestedPaths).toEqual(['/api/kip/agents', '/api/kip/agents?cursor=more'])
    isReachable = false
    expect(await slugs()).toEqual(['one'])
  })

  it('an empty list is empty', async () => {
    stubResponse(200, { success: true, data: [] })
    expect(await loadAgents(signal)).toEqual({ source: 'server', agents: [] })
  })
})
