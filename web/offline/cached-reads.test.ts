import { createMemoryStorage } from '#tests/memory-storage.ts'
import 'fake-indexeddb/auto'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { agents } from '#contract/agents/agents.ts'
import { keepers } from '#contract/keepers/keepers.ts'
import { reflections } from '#contract/keepers/reflections.ts'
import { createAnswer } from '#tests/keeper-answer.ts'
import { call, NetworkError, setReadCache } from '#web/api/api.ts'
import { cacheRead, findCachedRead, forgetKeeperReads, readCache } from './cached-reads.ts'
import {
  destroyLocalStore,
  forgetReads,
  getCurrentStore,
  getStorageStatus,
  updateStorageStatus,
} from './local-store.ts'

const storage = new Map<string, string>()
const failFetch = async () => {
  throw new TypeError('Failed to fetch')
}
const respondWith = (data: unknown) => async () => createAnswer(JSON.stringify({ success: true, data }))

describe('reading offline', () => {
  beforeEach(() => {
    storage.clear()
    storage.set('keeper_token', 't').set('keeper_user', JSON.stringify({ id: 'ada' }))
    vi.stubGlobal('localStorage', createMemoryStorage(storage))
    setReadCache(readCache)
    updateStorageStatus({ oldestReadAt: null })
  })
  afterEach(async () => {
    storage.set('keeper_token', 't')
    await destroyLocalStore('ada')
  })

  it('returns the last answer and its time', async () => {
    const startedAt = new Date().toISOString()
    vi.stubGlobal('fetch', respondWith([{ id: 'k', title: 'The Harbour Year' }]))
    await call(keepers.list)
    await vi.waitFor(async () => expect(await findCachedRead('/api/keeper/keepers')).toBeDefined())
    expect(getStorageStatus().oldestReadAt).toBeNull()
    vi.stubGlobal('fetch', failFetch)
    expect(await call(keepers.list)).toEqual([{ id: 'k', title: 'The Harbour Year' }])
    expect((getStorageStatus().oldestReadAt ?? '') >= startedAt).toBe(true)
  })

  it('fails for uncached areas, searches and other people', async () => {
    vi.stubGlobal('fetch', respondWith([]))
    const search = { params: { id: 'k' }, query: { q: 'a canary' } }
    await call(agents.list)
    await call(reflections.list, search)
    await cacheRead('/api/keeper/keepers', [])
    await new Promise((wait) => setTimeout(wait, 50))
    vi.stubGlobal('fetch', failFetch)
    await expect(call(agents.list)).rejects.toBeInstanceOf(NetworkError)
    await expect(call(reflections.list, search)).rejects.toBeInstanceOf(NetworkError)
    storage.set('keeper_user', JSON.stringify({ id: 'ben' }))
    await expect(call(keepers.list)).rejects.toBeInstanceOf(NetworkError)
    await destroyLocalStore('ben')
  })

  it('forgets a deleted keeper everywhere, and no other', async () => {
    const answer = (data: unknown) => ({ success: true, data })
    const other = answer([{ id: 'm2', keeperId: 'sample-ada-2', body: 'Stays.' }])
    await cacheRead('/api/keeper/keepers', answer([{ id: 'sample-ada' }, { id: 'mine' }]))
    await cacheRead('/api/keeper/keepers/sample-ada', answer({ id: 'sample-ada' }))
    await cacheRead('/api/keeper/keepers/sample-ada/moments?limit=50', answer([{ id: 'm1' }]))
    await cacheRead('/api/keeper/moments/m1', answer({ id: 'm1', keeperId: 'sample-ada', body: 'Goes.' }))
    await cacheRead('/api/keeper/keepers/sample-ada-2/moments', other)
    await cacheRead('/api/kam/auth/session', answer({ user: { id: 'ada' } }))
    await forgetKeeperReads('sample-ada')
    expect((await findCachedRead('/api/keeper/keepers'))?.answer).toEqual(answer([{ id: 'mine' }]))
    expect((await findCachedRead('/api/keeper/keepers/sample-ada-2/moments'))?.answer).toEqual(other)
    expect(await findCachedRead('/api/kam/auth/session')).toBeDefined()
    const remainingReads = JSON.stringify(await getCurrentStore()?.getAll('reads'))
    expect(remainingReads).not.toMatch(/"sample-ada"|sample-ada\/|sample-ada\?|Goes/)
  })

  it('never answers a refusal from the cache', async () => {
    await cacheRead('/api/keeper/keepers', { success: true, data: [] })
    vi.stubGlobal('fetch', async () =>
      createAnswer('{"success":false,"error":"No","code":"forbidden"}', { status: 403 }),
    )
    await expect(call(keepers.list)).rejects.toMatchObject({ status: 403 })
  })

  it('drops the cache when the session ends, but keeps pending writes', async () => {
    await cacheRead('/api/keeper/keepers', { success: true, data: [] })
    await getCurrentStore()?.put('writes', '1', { order: 1 })
    storage.delete('keeper_token')
    await forgetReads('ada')
    storage.set('keeper_token', 't')
    expect(await findCachedRead('/api/keeper/keepers')).toBeUndefined()
    expect(await getCurrentStore()?.getAll('writes')).toEqual([{ order: 1 }])
  })
})
