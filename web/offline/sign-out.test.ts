import 'fake-indexeddb/auto'
import { expect, it, vi } from 'vitest'
import { getRememberedSession, rememberSession } from '#web/agents/chat/chat-memory.ts'
import { clearUserData } from './sign-out.ts'

/** A storage with enumerable entries, as in a browser. */
function createStorage(entries: Record<string, string>): Storage {
  const storage: Record<string, string> = Object.create({
    getItem: (name: string) => storage[name] ?? null,
    setItem: (name: string, value: string) => Object.assign(storage, { [name]: value }),
    removeItem: (name: string) => delete storage[name],
  })
  return Object.assign(storage, entries) as unknown as Storage
}

it('signing out removes chat keys but keeps browser settings', () => {
  vi.stubGlobal('localStorage', createStorage({ 'keeper-theme': 'dark' }))
  rememberSession('kip', true, 'a-session')
  rememberSession('kip', false, 'one-before')
  rememberSession('frame-f1', true, 'another-session')
  expect(getRememberedSession('kip', true)).toBe('a-session')
  expect(getRememberedSession('kip', false)).toBe('one-before')
  clearUserData('somebody')
  expect({ ...localStorage }).toEqual({ 'keeper-theme': 'dark' })
})
