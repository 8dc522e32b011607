import type { Person } from '#server/accounts/person.ts'
import { endOtherSessions } from '#server/accounts/sessions.ts'
import { insertAudit } from '#server/audit/write-audit.ts'
import { requireChanges } from '#server/db/database.ts'
import { Problem } from '#server/http/problem.ts'
import type { Services } from '#server/services.ts'

/** Ends one of the person's sessions, possibly the current one. @throws Problem 404 alike for others' and unknown ids */
export async function endOwnSession(services: Services, person: Person, id: string): Promise<void> {
  const isDeleted = await services.db.batchUnlessChanged([
    requireChanges(services.db.deleteFrom('sessions').where('id', '=', id).where('person_id', '=', person.id)),
    insertAudit(services, { action: 'session-ended', actor: person, personId: person.id }),
  ])
  if (!isDeleted) throw new Problem('not-found', { message: 'Session not found' })
  services.sessions.forgetSession(id)
  services.live.publish(person.id, { type: 'session-ended' })
  services.live.publish(person.id, { type: 'account-changed' })
}

export async function endOwnOtherSessions(services: Services, person: Person): Promise<void> {
  const { db } = services
  const others = db
    .selectFrom('sessions')
    .select('id')
    .where('person_id', '=', person.id)
    .where('id', '!=', person.sessionId)
  if (!(await db.exists(others))) return
  const auditEntry = insertAudit(services, { action: 'signed-out-everywhere', actor: person, personId: person.id })
  await endOtherSessions(services, person.id, person.sessionId, [auditEntry])
}
