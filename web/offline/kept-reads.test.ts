import { storageOver } from '#tests/storage-over.ts'
import 'fake-indexeddb/auto'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { agents } from '#contract/agents/agents.ts'
import { keepers } from '#contract/keepers/keepers.ts'
import { reflections } from '#contract/keepers/reflections.ts'
import { call, letReadsBeKept, Unreachable } from '#web/api.ts'
import { findRead, forgetKeeper, keepRead } from './kept-reads.ts'
import { readsKeeper } from './reads-keeper.ts'
import { destroyVault, forgetReads, ownVault } from './vault.ts'
import { noteFreshReads, whatIsKept } from './what-is-kept.ts'

const storage = new Map<string, string>()
const away = async () => {
  throw new TypeError('Failed to fetch')
}
const answers = (data: unknown) => async () => new Response(JSON.stringify({ success: true, data }))

describe('reading offline', () => {
  beforeEach(() => {
    storage.clear()
    storage.set('keeper_token', 't').set('keeper_user', JSON.stringify({ id: 'ada' }))
    vi.stubGlobal('localStorage', storageOver(storage))
    letReadsBeKept(readsKeeper)
    noteFreshReads()
  })
  afterEach(async () => {
    storage.set('keeper_token', 't')
    await destroyVault('ada')
  })

  it('returns the last answer and its time', async () => {
    const before = new Date().toISOString()
    vi.stubGlobal('fetch', answers([{ id: 'k', title: 'The Harbour Year' }]))
    await call(keepers.list)
    await vi.waitFor(async () => expect(await findRead('/api/keeper/keepers')).toBeDefined())
    expect(whatIsKept().asOf).toBeNull()
    vi.stubGlobal('fetch', away)
    expect(await call(keepers.list)).toEqual([{ id: 'k', title: 'The Harbour Year' }])
    expect((whatIsKept().asOf ?? '') >= before).toBe(true)
  })

  it('fails for uncached areas, searches and other people', async () => {
    vi.stubGlobal('fetch', answers([]))
    const search = { params: { id: 'k' }, query: { q: 'a canary' } }
    await call(agents.list)
    await call(reflections.list, search)
    await keepRead('/api/keeper/keepers', [])
    await new Promise((wait) => setTimeout(wait, 50))
    vi.stubGlobal('fetch', away)
    await expect(call(agents.list)).rejects.toBeInstanceOf(Unreachable)
    await expect(call(reflections.list, search)).rejects.toBeInstanceOf(Unreachable)
    storage.set('keeper_user', JSON.stringify({ id: 'ben' }))
    await expect(call(keepers.list)).rejects.toBeInstanceOf(Unreachable)
    await destroyVault('ben')
  })

  it('forgets a deleted keeper everywhere, and no other', async () => {
    const answer = (data: unknown) => ({ success: true, data })
    const other = answer([{ id: 'm2', keeperId: 'sample-ada-2', body: 'Stays.' }])
    await keepRead('/api/keeper/keepers', answer([{ id: 'sample-ada' }, { id: 'mine' }]))
    await keepRead('/api/keeper/keepers/sample-ada', answer({ id: 'sample-ada' }))
    await keepRead('/api/keeper/keepers/sample-ada/moments?limit=50', answer([{ id: 'm1' }]))
    await keepRead('/api/keeper/moments/m1', answer({ id: 'm1', keeperId: 'sample-ada', body: 'Goes.' }))
    await keepRead('/api/keeper/keepers/sample-ada-2/moments', other)
    await keepRead('/api/kam/auth/session', answer({ user: { id: 'ada' } }))
    await forgetKeeper('sample-ada')
    expect((await findRead('/api/keeper/keepers'))?.answer).toEqual(answer([{ id: 'mine' }]))
    expect((await findRead('/api/keeper/keepers/sample-ada-2/moments'))?.answer).toEqual(other)
    expect(await findRead('/api/kam/auth/session')).toBeDefined()
    const left = JSON.stringify(await ownVault()?.all('reads'))
    expect(left).not.toMatch(/"sample-ada"|sample-ada\/|sample-ada\?|Goes/)
  })

  it('never answers a refusal from the cache', async () => {
    await keepRead('/api/keeper/keepers', { success: true, data: [] })
    vi.stubGlobal(
      'fetch',
      async () => new Response('{"success":false,"error":"No","code":"forbidden"}', { status: 403 }),
    )
    await expect(call(keepers.list)).rejects.toMatchObject({ status: 403 })
  })

  it('drops the cache when the session ends, but keeps pending writes', async () => {
    await keepRead('/api/keeper/keepers', { success: true, data: [] })
    await ownVault()?.put('writes', '1', { order: 1 })
    storage.delete('keeper_token')
    await forgetReads('ada')
    storage.set('keeper_token', 't')
    expect(await findRead('/api/keeper/keepers')).toBeUndefined()
    expect(await ownVault()?.all('writes')).toEqual([{ order: 1 }])
  })
})
