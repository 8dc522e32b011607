import { createMemoryStorage } from '#tests/memory-storage.ts'
import 'fake-indexeddb/auto'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { LibraryStore } from '#web/library/store/library-store.ts'
import { destroyLocalStore, getStorageStatus, LocalStore, updateStorageStatus } from './local-store.ts'

let person = ''
let count = 0

beforeEach(() => {
  person = `lost-${++count}`
  updateStorageStatus({ isPersistent: true })
  const session = new Map([
    ['keeper_token', 't'],
    ['keeper_user', JSON.stringify({ id: person })],
  ])
  vi.stubGlobal('localStorage', createMemoryStorage(session))
})
afterEach(() => destroyLocalStore(person))

/** Lets the connections that are open now fail as in Safari, which doesn't announce it. */
function loseConnections(errorName: string) {
  const lost = new WeakSet<IDBDatabase>()
  const connections = new Set<IDBDatabase>()
  const transaction = IDBDatabase.prototype.transaction
  vi.spyOn(IDBDatabase.prototype, 'transaction').mockImplementation(function (this: IDBDatabase, ...args) {
    connections.add(this)
    if (lost.has(this)) throw new DOMException('Connection to Indexed Database server lost.', errorName)
    return transaction.apply(this, args)
  })
  return () => {
    for (const connection of connections) lost.add(connection)
  }
}

for (const errorName of ['InvalidStateError', 'UnknownError']) {
  test(`a draft is stored over a new connection after ${errorName}`, async () => {
    const lose = loseConnections(errorName)
    const store = new LocalStore(person)
    await store.put('drafts', 'a', 'first')
    lose()
    await store.put('drafts', 'a', 'second')
    expect(getStorageStatus().isPersistent).toBe(true)
    expect(await new LocalStore(person).get('drafts', 'a')).toBe('second')
    lose()
    expect(await store.getAll('drafts')).toEqual(['second'])
  })
}

test('several uses of a lost connection share a new one', async () => {
  const lose = loseConnections('UnknownError')
  const store = new LocalStore(person)
  await store.put('drafts', 'a', 'first')
  lose()
  const open = vi.spyOn(indexedDB, 'open')
  await Promise.all([store.put('drafts', 'a', 'second'), store.getAll('drafts'), store.get('writes', 'b')])
  expect(open).toHaveBeenCalledOnce()
})

test('a document of the library is added over a new connection', async () => {
  const lose = loseConnections('InvalidStateError')
  const library = new LibraryStore(person)
  expect(await library.listDocuments()).toEqual([])
  lose()
  await library.add({ name: 'a.txt', blob: new Blob(['words']), format: 'text', type: 'text', sha256: null })
  expect(await library.listDocuments()).toHaveLength(1)
})

test('a draft stays in memory, and people are told, while the disk fails', async () => {
  const store = new LocalStore(person)
  await store.put('drafts', 'a', 'first')
  const disk = vi.spyOn(IDBDatabase.prototype, 'transaction').mockImplementation(() => {
    throw new DOMException('Internal error.', 'UnknownError')
  })
  await store.put('drafts', 'a', 'second')
  expect(await store.get('drafts', 'a')).toBe('second')
  expect(store.isOnDisk('drafts', 'a')).toBe(false)
  expect(getStorageStatus().isPersistent).toBe(false)
  disk.mockRestore()
  await store.put('drafts', 'a', 'third')
  expect(await new LocalStore(person).get('drafts', 'a')).toBe('third')
  expect(getStorageStatus().isPersistent).toBe(true)
})

test('a lost connection isn’t opened again for someone who signed out', async () => {
  const lose = loseConnections('InvalidStateError')
  const store = new LocalStore(person)
  await store.put('drafts', 'a', 'first')
  lose()
  localStorage.removeItem('keeper_token')
  await expect(store.put('drafts', 'a', 'second')).rejects.toThrow('signed in')
})
