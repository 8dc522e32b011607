import { hash } from 'node:crypto'
import { proofLifetimeMs } from '#contract/accounts/session-methods.ts'
import { insertAudit } from '#server/audit/write-audit.ts'
import { requireChanges } from '#server/db/database.ts'
import { UnexpectedChanges, UniqueViolation } from '#server/db/database-errors.ts'
import { Problem } from '#server/http/problem.ts'
import { requireAttempt } from '#server/http/throttle.ts'
import type { Services } from '#server/services.ts'
import type { Person } from '../person.ts'
import { buildProofWrite } from '../recent-proof.ts'
import { createOidcThrottle } from './complete-sign-in.ts'
import { flowLifetimeMs, startFlow } from './flow.ts'
import { canProveWithProvider, findIdentity } from './identities.ts'
import { requireOidcSettings } from './provider.ts'
import { readIdentity } from './read-identity.ts'
import { explainRefusals, OidcRefused } from './refusals.ts'

export async function startProof(services: Services, person: Person, address: string) {
  await requireAttempt(services, createOidcThrottle(services), address)
  return explainRefusals(services, person, async () => {
    const { label } = requireOidcSettings(services)
    if (!(await canProveWithProvider(services, person)))
      throw new Problem('unprocessable', { message: `Connect ${label} to this account in your profile first.` })
    return startFlow(services, { purpose: 'prove', personId: person.id, sessionId: person.sessionId })
  })
}

/** Proves the session with a sign-in of the last minutes at the provider, by the same person, once. @throws Problem */
export async function proveWithProvider(
  services: Services,
  person: Person,
  answer: { flow: string; query: string },
  address: string,
): Promise<{ provedAt: string }> {
  await requireAttempt(services, createOidcThrottle(services), address)
  const { id: personId, sessionId } = person
  return explainRefusals(services, person, async () => {
    const { flow, identity } = await readIdentity(services, { purpose: 'prove', personId, sessionId }, answer)
    const { issuer, subject, ageMs, providerSession } = identity
    const row = await findIdentity(services, issuer, subject)
    if (row?.person_id !== personId) throw new OidcRefused('other-identity')
    if (ageMs === null) throw new OidcRefused('no-sign-in-time')
    if (ageMs >= proofLifetimeMs) throw new OidcRefused('not-recent')
    const { db } = services
    const now = services.now().getTime()
    const used = { challenge_hash: hash('sha256', `oidc ${flow.state}`, 'base64url'), expires_at: now + flowLifetimeMs }
    try {
      await db.batch([
        db.insertInto('used_challenges').values(used),
        requireChanges(db.updateTable('identities').set({ last_used_at: now }).where('id', '=', row.id)),
        buildProofWrite(services, person, 'oidc', ageMs),
        // The provider may have started a new session, which its logout will name.
        db
          .updateTable('sessions')
          .set({ provider_session: providerSession })
          .where('id', '=', sessionId)
          .where('identity_id', '=', row.id),
        insertAudit(services, { action: 'identity-confirmed', actor: person, personId, details: { method: 'oidc' } }),
      ])
    } catch (error) {
      const isUsed = error instanceof UniqueViolation || error instanceof UnexpectedChanges
      throw isUsed ? new OidcRefused('expired', error) : error
    }
    services.sessions.forgetSession(sessionId)
    return { provedAt: new Date(now - ageMs).toISOString() }
  })
}
