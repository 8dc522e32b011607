import { beforeEach, expect, it, vi } from 'vitest'
import { createMemoryStorage } from '#tests/memory-storage.ts'
import { clearStoredSession, readStoredSession, storeSession, storeUser } from './stored-session.ts'

const ada = { id: '1', name: 'Ada', nickname: null, email: 'ada@keeper.example' }
const stored = new Map<string, string>()

beforeEach(() => {
  stored.clear()
  vi.stubGlobal('localStorage', createMemoryStorage(stored))
})

it('token and user are stored and read back', () => {
  expect(storeSession({ token: 'kps_1', user: ada, expiresAt: '' })).toBe(true)
  expect(stored.get('keeper_token')).toBe('kps_1')
  expect(readStoredSession()).toEqual({ token: 'kps_1', user: ada })
})

it('sign-in data without a user or a token is ignored', () => {
  expect(storeSession({ token: 'kps_1' })).toBe(false)
  expect(storeSession({ user: ada })).toBe(false)
  expect(storeSession(null)).toBe(false)
  expect(stored.size).toBe(0)
})

it('unparsable entries are both removed, and an error is logged', () => {
  const consoleError = vi.spyOn(console, 'error').mockImplementation(() => {})
  stored.set('keeper_token', 'kps_1').set('keeper_user', '{half')
  expect(readStoredSession()).toBeNull()
  expect(stored.size).toBe(0)
  expect(consoleError.mock.calls[0]?.[0]).toBe('Failed to parse auth data from localStorage')
})

it('no token is stored when there is no space for the user', () => {
  const throwIfFull = (key: string, value: string) => {
    if (key === 'keeper_user') throw new DOMException('full', 'QuotaExceededError')
    stored.set(key, value)
  }
  vi.stubGlobal('localStorage', { setItem: throwIfFull })
  expect(() => storeSession({ token: 'kps_1', user: ada, expiresAt: '' })).toThrow('full')
  expect(stored.size).toBe(0)
})

it('a browser that denies storage is signed out without throwing', () => {
  const consoleError = vi.spyOn(console, 'error').mockImplementation(() => {})
  const throwDenied = () => {
    throw new DOMException('denied', 'SecurityError')
  }
  vi.stubGlobal('localStorage', { getItem: throwDenied, setItem: throwDenied, removeItem: throwDenied })
  expect(readStoredSession()).toBeNull()
  expect(consoleError).toHaveBeenCalledTimes(1)
  expect(() => storeUser(ada)).not.toThrow()
  expect(() => clearStoredSession()).not.toThrow()
})
