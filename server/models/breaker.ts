const failuresToOpen = 5
const countedWithinMs = 30_000
const openForMs = 10_000

interface Circuit {
  /** When each of the latest failures in a row happened. */
  failures: number[]
  /** Calls fail fast until then; the first one after it is the probe. */
  openUntil: number
}

const circuits = new Map<string, Circuit>()

/**
 * How many milliseconds a call to `address` should not even be tried, 0 when it may go ahead. After 5 failures in a
 * row within 30 s a provider rests for 10 s; then one call may probe it while the others keep failing fast.
 */
export function restOf(address: string, now: number): number {
  const circuit = circuits.get(address)
  if (!circuit || circuit.openUntil === 0) return 0
  if (now < circuit.openUntil) return circuit.openUntil - now
  circuit.openUntil = now + openForMs
  return 0
}

export function reportUp(address: string): void {
  circuits.delete(address)
}

export function reportDown(address: string, now: number): void {
  const circuit = circuits.get(address) ?? { failures: [], openUntil: 0 }
  circuit.failures = [...circuit.failures.filter((at) => now - at < countedWithinMs), now].slice(-failuresToOpen)
  // A failed probe opens the circuit again whatever the count.
  if (circuit.failures.length >= failuresToOpen || circuit.openUntil > 0) circuit.openUntil = now + openForMs
  circuits.set(address, circuit)
}

/** Forgets every failure, for tests that share a provider. */
export function resetBreakers(): void {
  circuits.clear()
}
