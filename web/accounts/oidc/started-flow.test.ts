import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { createMemoryStorage } from '#tests/memory-storage.ts'
import { readEndSessionUrl, storeEndSessionUrl, storeFlow, takeFlow } from './started-flow.ts'

const stored = new Map<string, string>()
beforeEach(() => {
  stored.clear()
  vi.stubGlobal('localStorage', createMemoryStorage(stored))
})
afterEach(() => {
  vi.useRealTimers()
})

it('each tab has its own flow, which can be taken once', () => {
  storeFlow('one', { purpose: 'sign-in', flow: 'sealed one', next: '/root' })
  storeFlow('two', { purpose: 'link', flow: 'sealed two' })
  expect(takeFlow('two')).toMatchObject({ purpose: 'link', flow: 'sealed two' })
  expect(takeFlow('two')).toBeUndefined()
  expect(takeFlow('one')).toMatchObject({ next: '/root' })
  expect(takeFlow('')).toBeUndefined()
})

it('flows expire after ten minutes', () => {
  vi.useFakeTimers()
  storeFlow('old', { purpose: 'sign-in', flow: 'sealed' })
  vi.advanceTimersByTime(11 * 60_000)
  storeFlow('new', { purpose: 'sign-in', flow: 'sealed' })
  expect([...stored.keys()]).toEqual(['keeper-oidc-flow-new'])
  expect(takeFlow('old')).toBeUndefined()
})

it('signing out at the provider is offered only for a web address', () => {
  storeEndSessionUrl('https://id.example/logout')
  expect(readEndSessionUrl()).toBe('https://id.example/logout')
  storeEndSessionUrl('javascript:alert(1)')
  expect(readEndSessionUrl()).toBeNull()
  storeEndSessionUrl(null)
  expect(stored.size).toBe(0)
})
