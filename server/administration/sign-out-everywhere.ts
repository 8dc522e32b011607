import { deleteUnusedLinks } from '#server/accounts/one-time-link.ts'
import type { Person } from '#server/accounts/person.ts'
import { endOtherSessions } from '#server/accounts/sessions.ts'
import { insertAudit } from '#server/audit/write-audit.ts'
import type { Services } from '#server/services.ts'
import { requireManageableAccount } from './account-access.ts'

/** Ends all sessions, streams and password links of an account. @throws Problem 403, 404 */
export async function signOutEverywhere(services: Services, person: Person, id: string): Promise<void> {
  await requireManageableAccount(services, person, id)
  await endOtherSessions(services, id, null, [
    deleteUnusedLinks(services, id),
    insertAudit(services, { action: 'signed-out-everywhere', actor: person, personId: id }),
  ])
}
