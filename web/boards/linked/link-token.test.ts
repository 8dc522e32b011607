import { expect, test, vi } from 'vitest'
import { getStoredLinkToken, storeLinkToken } from './linked-board-view.tsx'

test('a link opens its own board even when session storage is full', () => {
  const stored = new Map([['keeper_board_link', 'of-another-link']])
  vi.stubGlobal('sessionStorage', {
    getItem: (key: string) => stored.get(key) ?? null,
    setItem() {
      throw new DOMException('full', 'QuotaExceededError')
    },
    removeItem: (key: string) => stored.delete(key),
  })
  storeLinkToken('of-this-link')
  expect(getStoredLinkToken()).toBe('of-this-link')
  storeLinkToken(null)
  expect(getStoredLinkToken()).toBeNull()
})
