import 'fake-indexeddb/auto'
import { expect, it, vi } from 'vitest'
import { rememberedSession, rememberSession } from '#web/agents/chat/chat-memory.ts'
import { leaveNothing } from './sign-out.ts'

/** A storage with enumerable entries, as in a browser. */
function storageOf(entries: Record<string, string>): Storage {
  const storage: Record<string, string> = Object.create({
    getItem: (name: string) => storage[name] ?? null,
    setItem: (name: string, value: string) => Object.assign(storage, { [name]: value }),
    removeItem: (name: string) => delete storage[name],
  })
  return Object.assign(storage, entries) as unknown as Storage
}

it('signing out removes chat keys but keeps browser settings', () => {
  vi.stubGlobal('localStorage', storageOf({ 'keeper-theme': 'dark' }))
  rememberSession('kip', true, 'a-session')
  rememberSession('kip', false, 'one-before')
  rememberSession('frame-f1', true, 'another-session')
  expect(rememberedSession('kip', true)).toBe('a-session')
  expect(rememberedSession('kip', false)).toBe('one-before')
  leaveNothing('somebody')
  expect({ ...localStorage }).toEqual({ 'keeper-theme': 'dark' })
})
