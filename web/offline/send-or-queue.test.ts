import { createMemoryStorage } from '#tests/memory-storage.ts'
import 'fake-indexeddb/auto'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { reflections } from '#contract/keepers/reflections.ts'
import { recordCall } from '#web/api-journal.ts'
import { createClientId } from './create-client-id.ts'
import { sendOrQueue } from './send-or-queue.ts'
import { StoreClosedError, setPageOwner } from './signed-in-user.ts'
import { getCurrentQueue } from './write-queue.ts'

const storage = new Map<string, string>()
const signIn = (person: string) =>
  storage.set('keeper_token', `token of ${person}`).set('keeper_user', JSON.stringify({ id: person }))
const write = () =>
  sendOrQueue(
    reflections.create,
    { params: { id: 'k' }, body: { id: createClientId(), content: 'Mine.' } },
    { what: 'Reflection', keeperId: 'k' },
  )
const pending = async () => {
  await getCurrentQueue()?.load()
  return getCurrentQueue()?.getWrites()
}

const sent: (string | null)[] = []
beforeEach(() => {
  sent.length = 0
  vi.stubGlobal('localStorage', createMemoryStorage(storage))
  vi.stubGlobal('fetch', async (_url: string, init: RequestInit) => {
    sent.push((init.headers as Headers).get('Authorization'))
    return new Response(JSON.stringify({ success: true, data: { id: 'r', rev: 1 } }))
  })
  // Another test file of this worker may have left the server unreachable.
  recordCall({ at: 0, method: 'GET', path: '/', status: 200, milliseconds: 1 })
  signIn('ada')
  setPageOwner('ada')
})
// Test files share module state.
afterEach(() => setPageOwner(null))

test('a write is rejected when someone else signed in in another tab', async () => {
  signIn('ben')
  await expect(write()).rejects.toThrow(StoreClosedError)
  expect(sent).toEqual([])
  expect(await pending(), 'nothing of it waits for Ben').toEqual([])
  signIn('ada')
  expect(await pending(), 'nor for Ada, whose form has it still').toEqual([])
  expect(await write()).toMatchObject({ state: 'sent' })
  expect(sent).toEqual(['Bearer token of ada'])
})

test('a sign-in on the same page writes under the new name', async () => {
  setPageOwner(null)
  signIn('ben')
  setPageOwner('ben')
  expect(await write()).toMatchObject({ state: 'sent' })
  expect(sent).toEqual(['Bearer token of ben'])
})
