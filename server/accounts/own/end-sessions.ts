import type { Person } from '#server/accounts/person.ts'
import { endOtherSessions } from '#server/accounts/sessions.ts'
import { insertAudit } from '#server/audit/write-audit.ts'
import { requireChanges } from '#server/db/database.ts'
import { UnexpectedChanges } from '#server/db/database-errors.ts'
import { Problem } from '#server/http/problem.ts'
import type { Services } from '#server/services.ts'

/** Ends one of the person's sessions, possibly the current one. @throws Problem 404 alike for others' and unknown ids */
export async function endOwnSession(services: Services, person: Person, id: string): Promise<void> {
  try {
    await services.db.batch([
      requireChanges(services.db.deleteFrom('sessions').where('id', '=', id).where('person_id', '=', person.id)),
      insertAudit(services, { action: 'session-ended', actor: person, personId: person.id }),
    ])
  } catch (error) {
    if (error instanceof UnexpectedChanges) throw new Problem('not-found', { message: 'Session not found' })
    throw error
  }
  services.sessions.forgetSession(id)
  services.live.publish(person.id, { type: 'session-ended' })
  services.live.publish(person.id, { type: 'account-changed' })
}

export async function endOwnOtherSessions(services: Services, person: Person): Promise<void> {
  const other = await services.db
    .selectFrom('sessions')
    .select('id')
    .where('person_id', '=', person.id)
    .where('id', '!=', person.sessionId)
    .limit(1)
    .executeTakeFirst()
  if (!other) return
  const auditEntry = insertAudit(services, { action: 'signed-out-everywhere', actor: person, personId: person.id })
  await endOtherSessions(services, person.id, person.sessionId, [auditEntry])
}
