import { beforeEach, expect, it, vi } from 'vitest'
import { storageOver } from '#tests/storage-over.ts'
import { notePlace, recentPlaces } from './recent-places.ts'

const stored = { local: new Map<string, string>(), session: new Map<string, string>() }
const signIn = (id: string) =>
  stored.local.set('keeper_token', `token of ${id}`).set('keeper_user', JSON.stringify({ id }))

beforeEach(() => {
  stored.local.clear()
  stored.session.clear()
  vi.stubGlobal('localStorage', storageOver(stored.local))
  vi.stubGlobal('sessionStorage', storageOver(stored.session))
})

it('recent pages are the newest six, each once', () => {
  signIn('ada')
  for (const path of ['/a', '/b', '/c', '/d', '/e', '/f', '/g', '/c']) notePlace(path)
  expect(recentPlaces()).toEqual(['/c', '/g', '/f', '/e', '/d', '/b'])
})

it('recent pages are hidden from visitors and from the next user', () => {
  signIn('ada')
  notePlace('/keeper/of-ada/echo-writer')
  stored.local.clear()
  expect(recentPlaces()).toEqual([])
  notePlace('/login')
  signIn('ben')
  expect(recentPlaces()).toEqual([])
})

it('a full session storage shows no recent pages and breaks nothing', () => {
  signIn('ada')
  const full = () => {
    throw new DOMException('no room', 'QuotaExceededError')
  }
  vi.stubGlobal('sessionStorage', { getItem: () => null, setItem: full })
  expect(() => notePlace('/a')).not.toThrow()
  expect(recentPlaces()).toEqual([])
})
