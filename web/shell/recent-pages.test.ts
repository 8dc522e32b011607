import { beforeEach, expect, it, vi } from 'vitest'
import { createMemoryStorage } from '#tests/memory-storage.ts'
import { getRecentPages, recordPageVisit } from './recent-pages.ts'

const stored = { local: new Map<string, string>(), session: new Map<string, string>() }
const signIn = (id: string) =>
  stored.local.set('keeper_token', `token of ${id}`).set('keeper_user', JSON.stringify({ id }))

beforeEach(() => {
  stored.local.clear()
  stored.session.clear()
  vi.stubGlobal('localStorage', createMemoryStorage(stored.local))
  vi.stubGlobal('sessionStorage', createMemoryStorage(stored.session))
})

it('recent pages are the newest six, each once', () => {
  signIn('ada')
  for (const path of ['/a', '/b', '/c', '/d', '/e', '/f', '/g', '/c']) recordPageVisit(path)
  expect(getRecentPages()).toEqual(['/c', '/g', '/f', '/e', '/d', '/b'])
})

it('recent pages are hidden from visitors and from the next user', () => {
  signIn('ada')
  recordPageVisit('/keeper/of-ada/echo-writer')
  stored.local.clear()
  expect(getRecentPages()).toEqual([])
  recordPageVisit('/login')
  signIn('ben')
  expect(getRecentPages()).toEqual([])
})

it('a full session storage shows no recent pages and breaks nothing', () => {
  signIn('ada')
  const full = () => {
    throw new DOMException('no room', 'QuotaExceededError')
  }
  vi.stubGlobal('sessionStorage', { getItem: () => null, setItem: full })
  expect(() => recordPageVisit('/a')).not.toThrow()
  expect(getRecentPages()).toEqual([])
})
