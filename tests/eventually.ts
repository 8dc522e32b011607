import { vi } from 'vitest'

/** Retries an expectation for up to 10 s and returns its value; CI machines may be busy. */
export function eventually<T>(check: () => T | Promise<T>): Promise<T> {
  return vi.waitFor(check, { timeout: 10_000, interval: 10 })
}
