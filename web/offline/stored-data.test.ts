import { createMemoryStorage } from '#tests/memory-storage.ts'
import 'fake-indexeddb/auto'
import { openDB } from 'idb'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { recordCall } from '#web/api/api-journal.ts'
import { destroyLocalStore, getCurrentStore, type LocalStore } from './local-store.ts'
import { DraftStore, listDrafts } from './use-draft.ts'
import { getCurrentQueue } from './write-queue.ts'

/* Rows as version 1 of the store has them in people's browsers, written without the code that reads them. */

const toHex = (bytes: ArrayBuffer) => Buffer.from(bytes).toString('hex')
const encode = (text: string) => new TextEncoder().encode(text)

async function writeRows(rows: [store: string, name: string, value: unknown][]) {
  const keys = {
    seal: await crypto.subtle.generateKey({ name: 'AES-GCM', length: 256 }, false, ['encrypt', 'decrypt']),
    name: await crypto.subtle.generateKey({ name: 'HMAC', hash: 'SHA-256' }, false, ['sign']),
  }
  const db = await openDB('keeper-ada', 1, {
    upgrade(database) {
      database.createObjectStore('keys')
      for (const store of ['drafts', 'writes', 'bytes', 'reads']) database.createObjectStore(store, { keyPath: 'name' })
    },
  })
  await db.put('keys', keys, 'own')
  for (const [store, name, value] of rows) {
    const iv = crypto.getRandomValues(new Uint8Array(12))
    const content = value instanceof Uint8Array ? [1, ...value] : [0, ...encode(JSON.stringify(value))]
    await db.put(store, {
      name: toHex(await crypto.subtle.sign('HMAC', keys.name, encode(name))),
      iv,
      sealed: await crypto.subtle.encrypt({ name: 'AES-GCM', iv }, keys.seal, new Uint8Array(content)),
      stamp: (value as { stamp?: string }).stamp ?? `stamp of ${name}`,
    })
  }
  db.close()
}

const createDraft = (key: string, page: string, value: unknown, at: string) => ({
  key,
  page,
  value,
  at,
  stamp: `${key} ${at}`,
})
const createWrite = (order: number, fields: object) => ({
  what: 'Reflection',
  keeperId: 'k',
  id: `write-${order}`,
  order,
  at: `2026-03-0${order}T10:00:00.000Z`,
  endpoint: { method: 'POST', path: '/api/keeper/keepers/:id/reflections', creates: true },
  params: { id: 'k' },
  fields: ['id', 'content', 'createdAt'],
  tries: 0,
  state: 'waiting',
  ...fields,
})
const stalePut = {
  endpoint: { method: 'PUT', path: '/api/keeper/reflections/:id', creates: false },
  params: { id: 'r3' },
  thing: 'r3',
  body: { content: 'mine' },
  ifMatch: 1,
  state: 'stale',
  yours: { content: 'mine' },
  current: { content: 'theirs', rev: 2 },
}
const hand = { page: 'p1', since: '2026-03-01T09:00:00.000Z', at: '2026-03-02T10:00:00.000Z' }

const sent: { url: string; key: string | null; ifMatch: string | null; body: string }[] = []
const tab = createMemoryStorage()

beforeEach(() => {
  sent.length = 0
  const storage = new Map([
    ['keeper_token', 't'],
    ['keeper_user', JSON.stringify({ id: 'ada' })],
  ])
  vi.stubGlobal('localStorage', createMemoryStorage(storage))
  vi.stubGlobal('sessionStorage', tab)
  recordCall({ at: 0, method: 'GET', path: '/', status: 200, durationMs: 1, requestId: 'request-1' })
  vi.stubGlobal('fetch', async (url: string, { headers, body }: RequestInit) => {
    const [key, ifMatch] = ['Idempotency-Key', 'If-Match'].map((name) => (headers as Headers).get(name))
    sent.push({
      url,
      key: key ?? null,
      ifMatch: ifMatch ?? null,
      body: body instanceof Blob ? await body.text() : String(body),
    })
    return Response.json({ success: true, data: { id: 'r', rev: 3 } })
  })
})
afterEach(async () => {
  getCurrentQueue()?.close()
  await destroyLocalStore('ada')
})

test('stored drafts are restored, also from an unloaded page', async () => {
  await writeRows([
    ['drafts', 'reflection/new/k p1', createDraft('reflection/new/k', 'p1', 'older', '2026-03-01T10:00:00.000Z')],
    ['drafts', 'reflection/new/k p2', createDraft('reflection/new/k', 'p2', 'newer', '2026-03-02T10:00:00.000Z')],
    [
      'drafts',
      'moment/new/k p1',
      createDraft('moment/new/k', 'p1', { body: 'sent already' }, '2026-03-01T10:00:00.000Z'),
    ],
  ])
  const record = createDraft('card/c', 'p3', { content: 'typed while leaving' }, '2026-03-03T10:00:00.000Z')
  const entries = [{ place: 'card/c p3', stamp: record.stamp, record }, { place: 'moment/new/k p1' }]
  for (const entry of entries) tab.setItem(`keeper-last-words ada ${entry.place}`, JSON.stringify(entry))
  const reflection = new DraftStore<string>('reflection/new/k')
  await reflection.open()
  expect(reflection.getSnapshot()).toEqual({ isDrafted: true, value: 'newer', restored: true, ready: true })
  await reflection.close()
  const { newest, older } = await listDrafts(getCurrentStore() as LocalStore)
  expect(newest.map(({ value }) => value)).toEqual([{ content: 'typed while leaving' }, 'newer'])
  expect(older.map(({ value }) => value)).toEqual(['older'])
  expect(Object.keys(tab)).toEqual([])
})

test('stored writes are sent once, in order, and blocked ones wait', async () => {
  const upload = {
    endpoint: { method: 'POST', path: '/api/keeper/keepers/:id/media', creates: false },
    mime: 'image/png',
  }
  await writeRows([
    [
      'writes',
      '2 write-2',
      createWrite(2, { place: '2 write-2', hand, thing: 'r2', body: { id: 'r2', content: 'second' } }),
    ],
    ['writes', '1', createWrite(1, { thing: 'r1', body: { id: 'r1', content: 'first' }, tries: 1 })],
    ['writes', '3 write-3', createWrite(3, { ...stalePut, place: '3 write-3', hand })],
    ['writes', '4 write-4', createWrite(4, { ...upload, place: '4 write-4', hand, query: { id: 'm1' }, fields: [] })],
    ['bytes', 'write-4', encode('picture')],
  ])
  await getCurrentQueue()?.flush()
  expect(sent).toMatchObject([
    { url: '/api/keeper/keepers/k/reflections', key: 'write-1', body: '{"id":"r1","content":"first"}' },
    { url: '/api/keeper/keepers/k/reflections', key: 'write-2', body: '{"id":"r2","content":"second"}' },
    { url: '/api/keeper/keepers/k/media?id=m1', key: null, body: 'picture' },
  ])
  const [blockedWrite, ...others] = getCurrentQueue()?.getWrites() ?? []
  expect(others).toEqual([])
  if (!blockedWrite) throw new Error('The blocked write is missing.')
  expect(blockedWrite).toMatchObject({ yours: { content: 'mine' }, current: { content: 'theirs', rev: 2 } })
  await getCurrentQueue()?.requeueResolved(blockedWrite, { body: { content: 'both' }, ifMatch: 2 })
  expect(sent.at(-1)).toMatchObject({ url: '/api/keeper/reflections/r3', ifMatch: '2', body: '{"content":"both"}' })
  expect(await getCurrentStore()?.getAll('writes')).toEqual([])
  expect(await getCurrentStore()?.getAll('bytes')).toEqual([])
})
