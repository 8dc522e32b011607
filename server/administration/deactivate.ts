import { sql } from 'kysely'
import { deletionGraceDays } from '#contract/accounts/own-account.ts'
import { deleteUnusedLinks } from '#server/accounts/one-time-link.ts'
import type { Person } from '#server/accounts/person.ts'
import { endOtherSessions } from '#server/accounts/sessions.ts'
import { insertAudit } from '#server/audit/write-audit.ts'
import { requireChanges } from '#server/db/database.ts'
import { UnexpectedChanges } from '#server/db/database-errors.ts'
import { publishDomainsChanged } from '#server/domains/publish-domain-changed.ts'
import type { Services } from '#server/services.ts'
import { dayMs } from '#server/values/time-units.ts'
import { requireManageableAccount } from './account-access.ts'
import { buildSuperAdminRemainsCondition, createLastSuperAdminProblem, lockSuperAdmins } from './last-super-admin.ts'

/** Idempotent; keeps data even past a requested deletion. @throws Problem 403, 404; 409 for the last super-admin */
export async function deactivate(services: Services, person: Person, id: string): Promise<void> {
  await requireManageableAccount(services, person, id)
  const { db } = services
  try {
    await endOtherSessions(services, id, null, [
      ...lockSuperAdmins(services),
      requireChanges(
        db
          .updateTable('people')
          .set({ deactivated_at: services.now().getTime() })
          .where('id', '=', id)
          .where('deactivated_at', 'is', null)
          .where(buildSuperAdminRemainsCondition(id)),
      ),
      deleteUnusedLinks(services, id),
      insertAudit(services, { action: 'account-deactivated', actor: person, personId: id }),
    ])
    await publishDomainsChanged(services, id)
  } catch (error) {
    if (!(error instanceof UnexpectedChanges)) throw error
    const { deactivated_at } = await requireManageableAccount(services, person, id)
    if (deactivated_at === null) throw createLastSuperAdminProblem()
  }
}

/** Restarts the grace period of a requested deletion. Idempotent. @throws Problem 403, 404 */
export async function reactivate(services: Services, person: Person, id: string): Promise<void> {
  await requireManageableAccount(services, person, id)
  const extendedDeadline = services.now().getTime() + deletionGraceDays * dayMs
  const reactivatePerson = services.db
    .updateTable('people')
    .set({
      deactivated_at: null,
      // An account deactivated after its deadline is already being deleted; that goes on.
      deletes_at: sql<
        number | null
      >`case when deactivated_at < deletes_at and deletes_at < ${extendedDeadline} then ${extendedDeadline}
        else deletes_at end`,
    })
    .where('id', '=', id)
    .where('deactivated_at', 'is not', null)
  try {
    await services.db.batch([
      requireChanges(reactivatePerson),
      insertAudit(services, { action: 'account-reactivated', actor: person, personId: id }),
    ])
    await publishDomainsChanged(services, id)
  } catch (error) {
    if (!(error instanceof UnexpectedChanges)) throw error
  }
}
