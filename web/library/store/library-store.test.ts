import { createMemoryStorage } from '#tests/memory-storage.ts'
import 'fake-indexeddb/auto'
import { openDB } from 'idb'
import { beforeEach, describe, expect, test, vi } from 'vitest'
import { destroyLocalStore } from '#web/offline/local-store.ts'
import { LibraryStore, undoMs } from './library-store.ts'
import { computeSha256 } from './storage-space.ts'

const session = new Map<string, string>()
let count = 0
let person = ''

function signIn(id: string) {
  session.set('keeper_token', 'token')
  session.set('keeper_user', JSON.stringify({ id }))
}
beforeEach(() => {
  vi.stubGlobal('localStorage', createMemoryStorage(session))
  count++
  person = `ada-${count}`
  signIn(person)
})

async function add(store: LibraryStore, name: string, text = name) {
  const blob = new Blob([text])
  return store.add({ name, blob, format: 'text', type: 'text', sha256: await computeSha256(blob) })
}
const names = async (store: LibraryStore) => (await store.listDocuments()).map(({ name }) => name).sort()
const getTimeAfterUndo = () => Date.now() + undoMs + 1

describe('the library store', () => {
  test('stores documents and returns their bytes unchanged', async () => {
    const store = new LibraryStore(person)
    const document = await add(store, 'a.txt', 'words')
    const reopened = new LibraryStore(person)
    expect(await reopened.listDocuments()).toEqual([document])
    expect(await (await reopened.readBytes(document)).text()).toBe('words')
  })

  test('a store of the first version keeps its documents and reads their texts again', async () => {
    const old = await openDB(`keeper-library-${person}`, 1, {
      upgrade(database) {
        database.createObjectStore('documents', { keyPath: 'id' }).put({ id: 'a', name: 'a.txt', blobKey: 'b' })
        database.createObjectStore('blobs').put(new Blob(['words']), 'b')
        database.createObjectStore('texts', { keyPath: 'id' }).put({ id: 'a', text: 'Ïðèâåò', state: 'read' })
      },
    })
    old.close()
    const store = new LibraryStore(person)
    expect(await names(store)).toEqual(['a.txt'])
    expect(await store.listIndexedIds()).toEqual([])
    await store.saveText({ id: 'a', text: 'Привет', state: 'read' })
    expect(await new LibraryStore(person).listIndexedIds()).toEqual(['a'])
  })

  test('detects identical bytes and stores them once for both documents', async () => {
    const store = new LibraryStore(person)
    const first = await add(store, 'a.txt', 'same')
    const blob = new Blob(['same'])
    const sha256 = await computeSha256(blob)
    expect((await store.findIdentical({ size: 4, sha256 }))?.id).toBe(first.id)
    expect(await store.findIdentical({ size: 4, sha256: null })).toBeUndefined()
    const second = await add(store, 'b.txt', 'same')
    expect(second.blobKey).toBe(first.blobKey)
    await store.remove([first.id])
    await store.purge(getTimeAfterUndo())
    expect(await names(store)).toEqual(['b.txt'])
    expect(await (await store.readBytes(second)).text()).toBe('same')
  })

  test('restores deletions until they expire, then drops the bytes', async () => {
    const store = new LibraryStore(person)
    const document = await add(store, 'a.txt')
    await store.saveText({ id: document.id, text: 'a', state: 'read' })
    expect(await store.remove([document.id, 'nobody'])).toBe(1)
    expect(await names(store)).toEqual([])
    await store.purge()
    expect(await store.restore([document.id])).toBe(1)
    expect((await store.listDocuments())[0]).toEqual(document)
    await store.remove([document.id])
    await store.purge(getTimeAfterUndo())
    expect(await store.restore([document.id])).toBe(0)
    expect(await store.listIndexedIds()).toEqual([])
    await expect(store.readBytes(document)).rejects.toThrow('no longer in this browser')
  })

  test('changes metadata unless the document was deleted', async () => {
    const store = new LibraryStore(person)
    const { id } = await add(store, 'a.txt')
    const info = { name: 'Lease', description: 'd', tags: ['house'] }
    expect(await store.change(id, info)).toMatchObject({ id, ...info })
    await store.remove([id])
    expect(await store.change(id, info)).toBeUndefined()
    expect(await names(store)).toEqual([])
  })

  test('yields texts in batches, without deleted documents', async () => {
    const store = new LibraryStore(person)
    const ids: string[] = []
    for (let n = 0; n < 90; n++) ids.push((await add(store, `${n}`)).id)
    for (const id of ids) await store.saveText({ id, text: `words of ${id}`, state: 'read' })
    await store.saveText({ id: 'no-document', text: 'x', state: 'read' })
    const storedIds: string[] = []
    for await (const batch of store.readTextBatches()) {
      expect(batch.length).toBeLessThanOrEqual(40)
      storedIds.push(...batch.map(({ id }) => id))
    }
    expect(storedIds.sort()).toEqual(ids.sort())
  })

  test('notifies other tabs of changes', async () => {
    const [one, other] = [new LibraryStore(person), new LibraryStore(person)]
    const notified = new Promise<void>((resolve) => other.onChange(resolve))
    await add(one, 'a.txt')
    await notified
    expect(await names(other)).toEqual(['a.txt'])
  })

  test('is closed to other people and survives the end of a session', async () => {
    const store = new LibraryStore(person)
    const document = await add(store, 'a.txt')
    signIn('grace')
    await expect(store.listDocuments()).rejects.toThrow('signed in')
    await expect(store.readBytes(document)).rejects.toThrow('signed in')
    expect(await new LibraryStore('grace').listDocuments()).toEqual([])
    session.clear()
    await expect(store.listDocuments()).rejects.toThrow('signed in')
    await destroyLocalStore(person)
    signIn(person)
    expect(await names(new LibraryStore(person))).toEqual(['a.txt'])
  })

  test('stores nothing of a document when the quota is exceeded', async () => {
    const store = new LibraryStore(person)
    await add(store, 'a.txt')
    const full = new DOMException('full', 'QuotaExceededError')
    const put = vi.spyOn(IDBObjectStore.prototype, 'put').mockImplementation(() => {
      throw full
    })
    await expect(add(store, 'b.txt')).rejects.toMatchObject({ name: 'QuotaExceededError' })
    put.mockRestore()
    expect(await names(store)).toEqual(['a.txt'])
    await add(store, 'b.txt')
    expect(await names(store)).toEqual(['a.txt', 'b.txt'])
  })
})
