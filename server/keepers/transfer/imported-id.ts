import { createHash } from 'node:crypto'

/** Deterministic, so that a resumed import doesn't create duplicates. */
export function createImportedId(scopeId: string, kind: string, origin: string): string {
  return createHash('sha256').update(`${scopeId}\n${kind}\n${origin}`).digest('hex').slice(0, 32)
}
