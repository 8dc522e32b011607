import { vi } from 'vitest'

/** Waits until an expectation holds, and gives what it answers; patient, because the machine may be busy. */
export function eventually<T>(check: () => T | Promise<T>): Promise<T> {
  return vi.waitFor(check, { timeout: 10_000, interval: 10 })
}
