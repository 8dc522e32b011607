import type { AccountDeletion } from '#contract/accounts/own-account.ts'
import type { Person } from '#server/accounts/person.ts'
import { insertAudit } from '#server/audit/write-audit.ts'
import { requireChanges } from '#server/db/database.ts'
import { UnexpectedChanges } from '#server/db/database-errors.ts'
import type { Services } from '#server/services.ts'
import { showDeletion } from './show-deletion.ts'

export async function cancelDeletion(services: Services, person: Person): Promise<AccountDeletion> {
  try {
    await services.db.batch([
      requireChanges(
        services.db
          .updateTable('people')
          .set({ deletes_at: null })
          .where('id', '=', person.id)
          .where('deletes_at', '>', services.now().getTime()),
      ),
      insertAudit(services, { action: 'account-deletion-withdrawn', actor: person, personId: person.id }),
    ])
    services.sessions.forgetPerson(person.id)
    services.live.publish(person.id, { type: 'account-changed' })
  } catch (error) {
    if (!(error instanceof UnexpectedChanges)) throw error
  }
  return showDeletion(services, person)
}
