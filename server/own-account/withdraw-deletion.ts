import type { AccountDeletion } from '#contract/accounts/own-account.ts'
import type { Person } from '#server/accounts/person.ts'
import { auditing } from '#server/audit/write-audit.ts'
import { requireChanges } from '#server/db/database.ts'
import { UnexpectedChanges } from '#server/db/database-errors.ts'
import type { Services } from '#server/services.ts'
import { showDeletion } from './show-deletion.ts'

/** Cancels the deletion until its last minute. Does nothing if none was requested. */
export async function withdrawDeletion(services: Services, person: Person): Promise<AccountDeletion> {
  try {
    await services.db.batch([
      requireChanges(
        services.db
          .updateTable('people')
          .set({ deletes_at: null })
          .where('id', '=', person.id)
          .where('deletes_at', '>', services.now().getTime()),
      ),
      auditing(services, { action: 'account-deletion-withdrawn', actor: person, personId: person.id }),
    ])
    services.sessions.forgetPerson(person.id)
    services.live.tell(person.id, { type: 'account-changed' })
  } catch (error) {
    if (!(error instanceof UnexpectedChanges)) throw error
  }
  return showDeletion(services, person)
}
