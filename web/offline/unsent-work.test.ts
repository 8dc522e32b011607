import { createMemoryStorage } from '#tests/memory-storage.ts'
import 'fake-indexeddb/auto'
import { expect, it, vi } from 'vitest'
import { getRememberedSessionId, rememberSession } from '#web/agents/chat/open-chat-session.ts'
import { clearUserData } from './unsent-work.ts'

it('signing out removes chat keys but keeps browser settings', () => {
  vi.stubGlobal('localStorage', createMemoryStorage(new Map([['keeper-theme', 'dark']])))
  rememberSession('kip', true, 'a-session')
  rememberSession('kip', false, 'one-before')
  rememberSession('frame-f1', true, 'another-session')
  expect(getRememberedSessionId('kip', true)).toBe('a-session')
  expect(getRememberedSessionId('kip', false)).toBe('one-before')
  clearUserData('somebody')
  expect({ ...localStorage }).toEqual({ 'keeper-theme': 'dark' })
})
