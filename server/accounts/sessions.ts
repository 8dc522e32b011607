import type { SignedIn, User } from '#contract/accounts/accounts.ts'
import { auditing } from '#server/audit/write-audit.ts'
import type { Write } from '#server/db/database.ts'
import type { Services } from '#server/services.ts'
import { newToken } from '#server/token.ts'
import { sessionLifetime } from './authenticate.ts'
import type { Person } from './person.ts'

/** Opens a session, together with `also`; the token is given out here once and never again. */
export async function openSession(services: Services, user: User, also: readonly Write[] = []): Promise<SignedIn> {
  const { token, hash } = newToken()
  const now = services.now().getTime()
  const expiresAt = now + sessionLifetime
  await services.db.batch([
    services.db.insertInto('sessions').values({
      id: services.newId(),
      person_id: user.id,
      token_hash: hash,
      created_at: now,
      last_seen_at: now,
      expires_at: expiresAt,
    }),
    services.db.updateTable('people').set({ last_sign_in_at: now }).where('id', '=', user.id),
    services.db.deleteFrom('sessions').where('expires_at', '<', now),
    ...also,
  ])
  return { user, token, expiresAt: new Date(expiresAt).toISOString() }
}

export async function endSession(services: Services, person: Pick<Person, 'id' | 'sessionId'>): Promise<void> {
  await services.db.batch([
    services.db.deleteFrom('sessions').where('id', '=', person.sessionId),
    auditing(services, { action: 'session-ended', actor: person, personId: person.id }),
  ])
  services.sessions.forgetSession(person.sessionId)
  services.live.tell(person.id, { type: 'session-ended' })
}

/** Ends every session of a person but, if told, one. */
export async function endOtherSessions(services: Services, personId: string, keep: string | null): Promise<void> {
  let ending = services.db.deleteFrom('sessions').where('person_id', '=', personId)
  if (keep !== null) ending = ending.where('id', '!=', keep)
  await ending.execute()
  services.sessions.forgetPerson(personId)
  services.live.tell(personId, { type: 'session-ended' })
}
