import { vi } from 'vitest'

/** Waits until an expectation holds; patient, because the machine may be busy. */
export function eventually(check: () => void): Promise<void> {
  return vi.waitFor(check, { timeout: 10_000, interval: 10 })
}
