import { expect, it } from 'vitest'
import { ProcessBus } from '#server/live/process-bus.ts'
import type { Person } from './person.ts'
import { SessionCache } from './session-cache.ts'

const person = (sessionId: string, id = 'ada'): Person => ({
  id,
  email: 'ada@example.com',
  name: null,
  nickname: null,
  roles: [],
  permissions: new Set(),
  sessionId,
  sessionExpiresAt: 1_000_000,
  deletesAt: null,
})

it('caches for thirty seconds, but never past the end of the session', () => {
  const cache = new SessionCache()
  cache.remember('hash', person('one'), 0, cache.generation)
  expect(cache.find('hash', 29_999)?.sessionId).toBe('one')
  expect(cache.find('hash', 30_000)).toBeUndefined()
  cache.remember('late', person('two'), 999_990, cache.generation)
  expect(cache.find('late', 999_999)).toBeDefined()
  expect(cache.find('late', 1_000_000)).toBeUndefined()
})

it("doesn't cache what was read before an invalidation", () => {
  const cache = new SessionCache()
  const { generation } = cache
  cache.forgetSession('one')
  cache.remember('hash', person('one'), 0, generation)
  expect(cache.find('hash', 1)).toBeUndefined()
})

it('forgets one session, or all sessions of one person', () => {
  const cache = new SessionCache()
  for (const [hash, session, personId] of [
    ['a', 'one', 'ada'],
    ['b', 'two', 'ada'],
    ['c', 'three', 'ben'],
  ] as const)
    cache.remember(hash, person(session, personId), 0, cache.generation)
  cache.forgetSession('one')
  expect(['a', 'b', 'c'].map((hash) => cache.find(hash, 1)?.sessionId)).toEqual([undefined, 'two', 'three'])
  cache.forgetPerson('ada')
  expect(['a', 'b', 'c'].map((hash) => cache.find(hash, 1)?.sessionId)).toEqual([undefined, undefined, 'three'])
})

it('forgets what another process announces, and nothing else', () => {
  const received = new Map<string, (message: object) => void>()
  const bus = new ProcessBus()
  bus.on = (kind, onMessage) => {
    received.set(kind, onMessage as (message: object) => void)
    return () => true
  }
  const cache = new SessionCache(bus)
  cache.remember('a', person('one', 'ada'), 0, cache.generation)
  cache.remember('b', person('two', 'ben'), 0, cache.generation)
  received.get('person-forgotten')?.({ personId: 'ada' })
  expect(['a', 'b'].map((hash) => cache.find(hash, 1)?.sessionId)).toEqual([undefined, 'two'])
  received.get('session-forgotten')?.({ sessionId: 'two' })
  expect(cache.find('b', 1)).toBeUndefined()
})

it('never holds more than ten thousand entries', () => {
  const cache = new SessionCache()
  for (let index = 0; index <= 10_000; index++) cache.remember(`h${index}`, person(`s${index}`), 0, cache.generation)
  expect(cache.find('h0', 1)).toBeUndefined()
  expect(cache.find('h10000', 1)).toBeDefined()
})
