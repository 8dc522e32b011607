import { expect, test, vi } from 'vitest'
import { forgetToken, keepToken, keptToken } from './link-token.ts'

test('a link opens its own board even when session storage is full', () => {
  const stored = new Map([['keeper_board_link', 'of-another-link']])
  vi.stubGlobal('sessionStorage', {
    getItem: (key: string) => stored.get(key) ?? null,
    setItem() {
      throw new DOMException('full', 'QuotaExceededError')
    },
    removeItem: (key: string) => stored.delete(key),
  })
  keepToken('of-this-link')
  expect(keptToken()).toBe('of-this-link')
  forgetToken()
  expect(keptToken()).toBeNull()
})
