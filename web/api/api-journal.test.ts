import { expect, it } from 'vitest'
import { getReachability, recordCall } from './api-journal.ts'

const record = (path: string, status?: number) =>
  recordCall({
    at: 0,
    method: 'GET',
    path,
    status,
    durationMs: 1,
    ...(status !== undefined && { requestId: 'request' }),
  })

it('a call that fails alone counts as blocked, not as a lost connection', () => {
  record('/start', 200)
  record('/blocked')
  expect(getReachability()).toBe('unreachable')
  record('/keepers', 200)
  expect(getReachability()).toBe('reached')
  record('/blocked')
  record('/blocked')
  expect(getReachability()).toBe('reached')
  record('/keepers')
  expect(getReachability()).toBe('unreachable')
})

it('a lost connection is noticed again once the call was answered', () => {
  record('/blocked', 200)
  record('/keepers', 200)
  record('/blocked')
  expect(getReachability()).toBe('unreachable')
  record('/keepers', 500)
  expect(getReachability()).toBe('reached')
})
