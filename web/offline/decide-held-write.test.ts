import 'fake-indexeddb/auto'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { reflections } from '#contract/keepers/reflections.ts'
import { type PendingWrite, pendingWrite } from './pending-write.ts'
import { destroyVault, Vault } from './vault.ts'
import { WriteQueue } from './write-queue.ts'

const id = 'reflection-1'
const kept = { what: 'Reflection', keeperId: 'k' }
const editOf = (content: string) =>
  pendingWrite(reflections.update, { params: { id }, body: { content }, ifMatch: 1 }, kept)

let person = 0
let queue: WriteQueue
let otherTab: WriteQueue
let sent: unknown[]

const held = () => queue.pending()[0] as PendingWrite
/** Simulates an edit in a tab that was already open when the write was blocked. */
const typedInTheOtherTab = (content: string) => otherTab.keep(editOf(content))

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
  queue = new WriteQueue(new Vault(`person-${person}`))
  otherTab = new WriteQueue(new Vault(`person-${person}`))
  const stale = { state: 'stale', yours: { content: 'mine' }, current: { content: 'theirs', rev: 2 } } as const
  await queue.keep({ ...editOf('mine'), ...stale })
})
afterEach(async () => {
  queue.close()
  otherTab.close()
  await destroyVault(`person-${person}`)
})

it('a decision is sent on the revision that was shown', async () => {
  await queue.decide(held(), { body: { content: 'ours' }, ifMatch: 2 })
  expect(sent).toEqual([{ content: 'ours' }])
  expect(queue.pending()).toEqual([])
})

it('a decision on an outdated view does not replace later text', async () => {
  const seen = held()
  await typedInTheOtherTab('mine, and more')
  await expect(queue.decide(seen, { body: { content: 'ours' }, ifMatch: 2 })).rejects.toThrow('Look at it again')
  expect(sent).toEqual([])
  expect(queue.pending()).toMatchObject([
    { state: 'stale', body: { content: 'mine, and more' }, current: { content: 'theirs', rev: 2 } },
  ])
  await queue.decide(held(), { body: { content: 'ours, and more' }, ifMatch: 2 })
  expect(sent).toEqual([{ content: 'ours, and more' }])
})

it('discarding on an outdated view does not drop later text', async () => {
  const seen = held()
  await typedInTheOtherTab('mine, and more')
  await expect(queue.throwAway(seen)).rejects.toThrow('Look at it again')
  expect(queue.pending()).toMatchObject([{ body: { content: 'mine, and more' } }])
  await queue.throwAway(held())
  expect(queue.pending()).toEqual([])
  expect(sent).toEqual([])
})

it('a write decided in another tab is not reported as saved here', async () => {
  const seen = held()
  await otherTab.load()
  await otherTab.decide(otherTab.pending()[0] as PendingWrite, { body: { content: 'of the other tab' }, ifMatch: 2 })
  await expect(queue.decide(seen, { body: { content: 'ours' }, ifMatch: 2 })).rejects.toThrow('Look at it again')
  expect(sent).toEqual([{ content: 'of the other tab' }])
})
