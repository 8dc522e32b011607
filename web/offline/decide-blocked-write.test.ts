import 'fake-indexeddb/auto'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { reflections } from '#contract/keepers/reflections.ts'
import { destroyLocalStore, LocalStore } from './local-store.ts'
import { createPendingWrite, type PendingWrite } from './pending-write.ts'
import { WriteQueue } from './write-queue.ts'

const id = 'reflection-1'
const writeContext = { what: 'Reflection', keeperId: 'k' }
const createEdit = (content: string) =>
  createPendingWrite(reflections.update, { params: { id }, body: { content }, ifMatch: 1 }, writeContext)

let person = 0
let queue: WriteQueue
let otherTab: WriteQueue
let sent: unknown[]

const getBlockedWrite = () => queue.getWrites()[0] as PendingWrite
/** Simulates an edit in a tab that was already open when the write was blocked. */
const typeInOtherTab = (content: string) => otherTab.enqueue(createEdit(content))

beforeEach(async () => {
  person += 1
  sent = []
  vi.stubGlobal('localStorage', {
    getItem: (key: string) => (key === 'keeper_user' ? JSON.stringify({ id: `person-${person}` }) : 't'),
  })
  vi.stubGlobal('fetch', async (_url: string, { body }: RequestInit) => {
    sent.push(JSON.parse(String(body)))
    return new Response(JSON.stringify({ success: true, data: { id, rev: 3 } }))
  })
  queue = new WriteQueue(new LocalStore(`person-${person}`))
  otherTab = new WriteQueue(new LocalStore(`person-${person}`))
  const stale = { state: 'stale', yours: { content: 'mine' }, current: { content: 'theirs', rev: 2 } } as const
  await queue.enqueue({ ...createEdit('mine'), ...stale })
})
afterEach(async () => {
  queue.close()
  otherTab.close()
  await destroyLocalStore(`person-${person}`)
})

it('a decision is sent on the revision that was shown', async () => {
  await queue.requeueResolved(getBlockedWrite(), { body: { content: 'ours' }, ifMatch: 2 })
  expect(sent).toEqual([{ content: 'ours' }])
  expect(queue.getWrites()).toEqual([])
})

it('a decision on an outdated view does not replace later text', async () => {
  const displayedWrite = getBlockedWrite()
  await typeInOtherTab('mine, and more')
  await expect(queue.requeueResolved(displayedWrite, { body: { content: 'ours' }, ifMatch: 2 })).rejects.toThrow(
    'Review it again',
  )
  expect(sent).toEqual([])
  expect(queue.getWrites()).toMatchObject([
    { state: 'stale', body: { content: 'mine, and more' }, current: { content: 'theirs', rev: 2 } },
  ])
  await queue.requeueResolved(getBlockedWrite(), { body: { content: 'ours, and more' }, ifMatch: 2 })
  expect(sent).toEqual([{ content: 'ours, and more' }])
})

it('discarding on an outdated view does not drop later text', async () => {
  const displayedWrite = getBlockedWrite()
  await typeInOtherTab('mine, and more')
  await expect(queue.discard(displayedWrite)).rejects.toThrow('Review it again')
  expect(queue.getWrites()).toMatchObject([{ body: { content: 'mine, and more' } }])
  await queue.discard(getBlockedWrite())
  expect(queue.getWrites()).toEqual([])
  expect(sent).toEqual([])
})

it('a write decided in another tab is not reported as saved here', async () => {
  const displayedWrite = getBlockedWrite()
  await otherTab.load()
  await otherTab.requeueResolved(otherTab.getWrites()[0] as PendingWrite, {
    body: { content: 'of the other tab' },
    ifMatch: 2,
  })
  await expect(queue.requeueResolved(displayedWrite, { body: { content: 'ours' }, ifMatch: 2 })).rejects.toThrow(
    'Review it again',
  )
  expect(sent).toEqual([{ content: 'of the other tab' }])
})
