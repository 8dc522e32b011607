import { storageOver } from '#tests/storage-over.ts'
import 'fake-indexeddb/auto'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { keeperMedia } from '#contract/keepers/media.ts'
import { reflections } from '#contract/keepers/reflections.ts'
import { pendingWrite } from './pending-write.ts'
import { destroyVault, Vault } from './vault.ts'
import { WriteQueue } from './write-queue.ts'

const kept = { what: 'Reflection', keeperId: 'k' }
let person = 0
let heard: string[]
const tabs: WriteQueue[] = []

/** A tab with its own memory, over the shared disk. */
function tab(): WriteQueue {
  const opened = new WriteQueue(new Vault(`full-${person}`))
  tabs.push(opened)
  return opened
}
const reflection = (content: string) => {
  const input = { params: { id: 'k' }, body: { id: content.replaceAll(' ', '-'), content } }
  return pendingWrite(reflections.create, input, kept)
}
const picture = new Blob(['picture'], { type: 'image/png' })
const upload = () =>
  pendingWrite(keeperMedia.upload, { params: { id: 'k' }, query: { id: 'c1' }, bytes: picture }, kept)

function fullFor(shelf: string) {
  const put = IDBObjectStore.prototype.put
  return vi.spyOn(IDBObjectStore.prototype, 'put').mockImplementation(function (this: IDBObjectStore, ...given) {
    if (this.name === shelf) throw new DOMException('no room', 'QuotaExceededError')
    return put.apply(this, given)
  })
}

beforeEach(() => {
  person += 1
  heard = []
  const storage = new Map([
    ['keeper_token', 't'],
    ['keeper_user', JSON.stringify({ id: `full-${person}` })],
  ])
  vi.stubGlobal('localStorage', storageOver(storage))
  vi.stubGlobal('fetch', async (_url: string, { body }: RequestInit) => {
    const text = body instanceof Blob ? await body.text() : String(JSON.parse(String(body)).content)
    heard.push(text)
    return text === ''
      ? Response.json({ success: false, error: 'This file is empty.', code: 'validation' }, { status: 400 })
      : Response.json({ success: true, data: { id: 'x', rev: 1 } })
  })
})
afterEach(async () => {
  for (const each of tabs.splice(0)) each.close()
  await destroyVault(`full-${person}`)
})

test('writes in memory and on disk from two tabs are both sent', async () => {
  const [one, other] = [tab(), tab()]
  const full = fullFor('writes')
  await one.keep(reflection('long words of one tab'))
  full.mockRestore()
  await other.keep(reflection('words of the other'))
  await one.flush()
  await other.flush()
  expect(heard.toSorted()).toEqual(['long words of one tab', 'words of the other'])
  await one.load()
  expect([one.pending(), other.pending(), await new Vault(`full-${person}`).all('writes')]).toEqual([[], [], []])
})

test('a picture in one tab’s memory is only sent by that tab', async () => {
  const [one, other] = [tab(), tab()]
  const full = fullFor('bytes')
  await one.keep(upload(), picture)
  full.mockRestore()
  await other.flush()
  expect(heard).toEqual([])
  expect(other.pending()).toMatchObject([{ state: 'waiting', tries: 0 }])
  await one.flush()
  expect(heard).toEqual(['picture'])
  expect(one.pending()).toEqual([])
})

test('a picture lost with its tab is refused, and later writes are sent', async () => {
  const [one, other] = [tab(), tab()]
  const full = fullFor('bytes')
  await one.keep(upload(), picture)
  full.mockRestore()
  one.close()
  await other.keep(reflection('words of the other'))
  await other.flush()
  expect(heard).toEqual(['words of the other'])
  const refusal = { words: 'The file is no longer in this browser. Choose it again.', status: 0 }
  expect(other.pending()).toMatchObject([{ state: 'refused', refusal }])
})

test('without locks and crypto, writes wait in memory and keep their order', async () => {
  vi.stubGlobal('navigator', {})
  vi.stubGlobal('crypto', { getRandomValues: crypto.getRandomValues.bind(crypto) })
  const only = tab()
  await Promise.all([only.keep(reflection('first')), only.keep(reflection('second'))])
  await only.keep(upload(), picture)
  expect(only.vault.lasting).toBe(false)
  await Promise.all([only.flush(), only.flush()])
  expect(heard).toEqual(['first', 'second', 'picture'])
  expect(only.pending()).toEqual([])
})
