import { storageOver } from '#tests/storage-over.ts'
import 'fake-indexeddb/auto'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { reflections } from '#contract/keepers/reflections.ts'
import { newClientId } from './new-client-id.ts'
import { sendOrKeep } from './send-or-keep.ts'
import { pageBelongsTo, VaultClosed } from './whose-browser.ts'
import { ownQueue } from './write-queue.ts'

const storage = new Map<string, string>()
const signIn = (person: string) =>
  storage.set('keeper_token', `token of ${person}`).set('keeper_user', JSON.stringify({ id: person }))
const write = () =>
  sendOrKeep(
    reflections.create,
    { params: { id: 'k' }, body: { id: newClientId(), content: 'Mine.' } },
    { what: 'Reflection', keeperId: 'k' },
  )
const pending = async () => {
  await ownQueue()?.load()
  return ownQueue()?.pending()
}

const sent: (string | null)[] = []
beforeEach(() => {
  sent.length = 0
  vi.stubGlobal('localStorage', storageOver(storage))
  vi.stubGlobal('fetch', async (_url: string, init: RequestInit) => {
    sent.push((init.headers as Headers).get('Authorization'))
    return new Response(JSON.stringify({ success: true, data: { id: 'r', rev: 1 } }))
  })
  signIn('ada')
  pageBelongsTo('ada')
})
// Test files share module state.
afterEach(() => pageBelongsTo(null))

test('a write is rejected when someone else signed in in another tab', async () => {
  signIn('ben')
  await expect(write()).rejects.toThrow(VaultClosed)
  expect(sent).toEqual([])
  expect(await pending(), 'nothing of it waits for Ben').toEqual([])
  signIn('ada')
  expect(await pending(), 'nor for Ada, whose form has it still').toEqual([])
  expect(await write()).toMatchObject({ state: 'sent' })
  expect(sent).toEqual(['Bearer token of ada'])
})

test('a sign-in on the same page writes under the new name', async () => {
  pageBelongsTo(null)
  signIn('ben')
  pageBelongsTo('ben')
  expect(await write()).toMatchObject({ state: 'sent' })
  expect(sent).toEqual(['Bearer token of ben'])
})
