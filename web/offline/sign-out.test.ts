import 'fake-indexeddb/auto'
import { expect, it, vi } from 'vitest'
import { rememberedSession, rememberSession } from '#web/agents/chat/chat-memory.ts'
import { leaveNothing } from './sign-out.ts'

/** A storage whose enumerable properties are what it has, as in a browser. */
function storageOf(entries: Record<string, string>): Storage {
  const storage: Record<string, string> = Object.create({
    getItem: (name: string) => storage[name] ?? null,
    setItem: (name: string, value: string) => Object.assign(storage, { [name]: value }),
    removeItem: (name: string) => delete storage[name],
  })
  return Object.assign(storage, entries) as unknown as Storage
}

it('after sign-out this browser no longer says which chats were had; what belongs to the browser stays', () => {
  vi.stubGlobal('localStorage', storageOf({ 'keeper-theme': 'dark' }))
  rememberSession('kip', 'a-session')
  rememberSession('frame-f1', 'another-session')
  expect(rememberedSession('kip')).toBe('a-session')
  leaveNothing('somebody')
  expect({ ...localStorage }).toEqual({ 'keeper-theme': 'dark' })
})
