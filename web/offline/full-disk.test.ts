import { createMemoryStorage } from '#tests/memory-storage.ts'
import 'fake-indexeddb/auto'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { keeperMedia } from '#contract/keepers/media.ts'
import { reflections } from '#contract/keepers/reflections.ts'
import { destroyLocalStore, LocalStore } from './local-store.ts'
import { createPendingWrite } from './pending-write.ts'
import { WriteQueue } from './write-queue.ts'

const writeContext = { what: 'Reflection', keeperId: 'k' }
let userNumber = 0
let receivedTexts: string[]
const tabs: WriteQueue[] = []

/** A tab with its own memory, over the shared disk. */
function openTab(): WriteQueue {
  const tab = new WriteQueue(new LocalStore(`full-${userNumber}`))
  tabs.push(tab)
  return tab
}
const createReflection = (content: string) => {
  const input = { params: { id: 'k' }, body: { id: content.replaceAll(' ', '-'), content } }
  return createPendingWrite(reflections.create, input, writeContext)
}
const picture = new Blob(['picture'], { type: 'image/png' })
const createUpload = () =>
  createPendingWrite(keeperMedia.upload, { params: { id: 'k' }, query: { id: 'c1' }, bytes: picture }, writeContext)

function mockFullDisk(storeName: string) {
  const put = IDBObjectStore.prototype.put
  return vi.spyOn(IDBObjectStore.prototype, 'put').mockImplementation(function (this: IDBObjectStore, ...args) {
    if (this.name === storeName) throw new DOMException('no room', 'QuotaExceededError')
    return put.apply(this, args)
  })
}

beforeEach(() => {
  userNumber += 1
  receivedTexts = []
  const storage = new Map([
    ['keeper_token', 't'],
    ['keeper_user', JSON.stringify({ id: `full-${userNumber}` })],
  ])
  vi.stubGlobal('localStorage', createMemoryStorage(storage))
  vi.stubGlobal('fetch', async (_url: string, { body }: RequestInit) => {
    const text = body instanceof Blob ? await body.text() : String(JSON.parse(String(body)).content)
    receivedTexts.push(text)
    return text === ''
      ? Response.json({ success: false, error: 'This file is empty.', code: 'validation' }, { status: 400 })
      : Response.json({ success: true, data: { id: 'x', rev: 1 } })
  })
})
afterEach(async () => {
  for (const tab of tabs.splice(0)) tab.close()
  await destroyLocalStore(`full-${userNumber}`)
})

test('writes in memory and on disk from two tabs are both sent', async () => {
  const [one, other] = [openTab(), openTab()]
  const full = mockFullDisk('writes')
  await one.enqueue(createReflection('long words of one tab'))
  full.mockRestore()
  await other.enqueue(createReflection('words of the other'))
  await one.flush()
  await other.flush()
  expect(receivedTexts.toSorted()).toEqual(['long words of one tab', 'words of the other'])
  await one.load()
  expect({
    onePending: one.getWrites(),
    otherPending: other.getWrites(),
    all: await new LocalStore(`full-${userNumber}`).getAll('writes'),
  }).toEqual({ onePending: [], otherPending: [], all: [] })
})

test('a picture in one tab’s memory is only sent by that tab', async () => {
  const [one, other] = [openTab(), openTab()]
  const full = mockFullDisk('bytes')
  await one.enqueue(createUpload(), picture)
  full.mockRestore()
  await other.flush()
  expect(receivedTexts).toEqual([])
  expect(other.getWrites()).toMatchObject([{ state: 'waiting', tries: 0 }])
  await one.flush()
  expect(receivedTexts).toEqual(['picture'])
  expect(one.getWrites()).toEqual([])
})

test('a picture lost with its tab is refused, and later writes are sent', async () => {
  const [one, other] = [openTab(), openTab()]
  const full = mockFullDisk('bytes')
  await one.enqueue(createUpload(), picture)
  full.mockRestore()
  one.close()
  await other.enqueue(createReflection('words of the other'))
  await other.flush()
  expect(receivedTexts).toEqual(['words of the other'])
  const refusal = { words: 'The file is no longer in this browser. Choose it again.', status: 0 }
  expect(other.getWrites()).toMatchObject([{ state: 'refused', refusal }])
})

test('without locks and crypto, writes wait in memory and keep their order', async () => {
  vi.stubGlobal('navigator', {})
  vi.stubGlobal('crypto', { getRandomValues: crypto.getRandomValues.bind(crypto) })
  const only = openTab()
  await Promise.all([only.enqueue(createReflection('first')), only.enqueue(createReflection('second'))])
  await only.enqueue(createUpload(), picture)
  expect(only.store.isPersistent).toBe(false)
  await Promise.all([only.flush(), only.flush()])
  expect(receivedTexts).toEqual(['first', 'second', 'picture'])
  expect(only.getWrites()).toEqual([])
})
