import { beforeEach, expect, it, vi } from 'vitest'
import { createMemoryStorage } from '#tests/memory-storage.ts'
import { isLockDue, isLockDueAtStart, type LockRecord, readLockRecord, writeLockRecord } from './lock-record.ts'
import { createPinVerifier, matchesPin } from './pin-verifier.ts'

const record: LockRecord = {
  person: 'ada',
  minutes: 5,
  activeAt: 0,
  isLocked: false,
  hasPin: true,
  hasPassword: true,
  hasPasskey: false,
  wrongTries: 0,
}

beforeEach(() => {
  vi.stubGlobal('localStorage', createMemoryStorage())
})

it('the lock is due after idle minutes, when locked, and if the clock was set back', () => {
  const now = Date.now()
  expect(isLockDue({ ...record, activeAt: now - 4 * 60_000 })).toBe(false)
  expect(isLockDue({ ...record, activeAt: now - 5 * 60_000 })).toBe(true)
  expect(isLockDue({ ...record, activeAt: now, isLocked: true })).toBe(true)
  expect(isLockDue({ ...record, activeAt: now + 60 * 60_000 })).toBe(true)
})

it('a page without a record, or with an unreadable one, starts uncovered', () => {
  expect(isLockDueAtStart()).toBe(false)
  localStorage.setItem('keeper-lock', '{half')
  expect({ record: readLockRecord(), isDue: isLockDueAtStart() }).toEqual({ record: null, isDue: false })
  writeLockRecord({ ...record, activeAt: Date.now() - 10 * 60_000 })
  expect(isLockDueAtStart()).toBe(true)
})

it('a PIN is checked without being stored', async () => {
  const verifier = await createPinVerifier('482915')
  expect(JSON.stringify(verifier)).not.toContain('482915')
  expect(verifier && (await matchesPin('482915', verifier))).toBe(true)
  expect(verifier && (await matchesPin('482916', verifier))).toBe(false)
  expect((await createPinVerifier('482915'))?.hash).not.toBe(verifier?.hash)
})
