import type { SessionMethod } from '#contract/accounts/session-methods.ts'
import type { Services } from '#server/services.ts'
import type { Person } from './person.ts'

export type ProofFactor = 'password' | 'oidc' | 'totp' | 'recovery' | 'passkey'

/** The session's method after a proof with another factor. */
function addFactor(method: SessionMethod | null, factor: ProofFactor): SessionMethod | null {
  if (factor === 'password' || factor === 'oidc' || (method !== 'password' && method !== 'oidc')) return method
  return `${method}+${factor}`
}

/** After executing this write, drop the cached session with `services.sessions.forgetSession`. */
export function buildProofWrite({ db, now }: Services, person: Person, factor: ProofFactor, ageMs = 0) {
  return db
    .updateTable('sessions')
    .set({ proved_at: now().getTime() - ageMs, method: addFactor(person.sessionMethod, factor) })
    .where('id', '=', person.sessionId)
}
