import { rm } from 'node:fs/promises'
import { type RawBuilder, type SqlBool, sql } from 'kysely'
import { lockingSuperAdmins, superAdminStaysWithout } from '#server/administration/last-super-admin.ts'
import { heldForMs } from '#server/agents/slugs.ts'
import { auditing } from '#server/audit/write-audit.ts'
import { requireChanges } from '#server/db/database.ts'
import { UnexpectedChanges } from '#server/db/database-errors.ts'
import { detachHost } from '#server/domains/detach-host.ts'
import { importPath } from '#server/keepers/transfer/import-jobs.ts'
import { removeMedia } from '#server/media/sweep-media.ts'
import type { Services } from '#server/services.ts'
import { handingOn } from './hand-on.ts'
import { nobodyElseIsInTemplatesOf } from './hand-on-templates.ts'
import { deleteManyRows, forgettingPerson } from './rows-of-account.ts'
import { whatStandsAround } from './what-stands-around.ts'

/** Accounts deactivated before the deadline are kept, since their owners can't cancel; later ones are being deleted. */
function isDue(now: number): RawBuilder<SqlBool> {
  return sql<SqlBool>`(deletes_at <= ${now} and (deactivated_at is null or deactivated_at >= deletes_at))`
}

/** Safe to run concurrently and after a crash: the person is the last row, and files are deleted after their rows. */
export async function deleteAccounts(services: Services): Promise<number> {
  const due = await services.db
    .selectFrom('people')
    .select(['id', 'email_folded'])
    .where(isDue(services.now().getTime()))
    .orderBy('deletes_at')
    .execute()
  let deleted = 0
  for (const person of due) {
    try {
      if (await deleteAccount(services, person)) deleted += 1
    } catch (error) {
      services.log.error({ err: error, personId: person.id }, 'an account could not be deleted')
    }
  }
  return deleted
}

/** For timers: never rejects, and runs once at a time per process. */
export async function sweepAccounts(services: Services): Promise<void> {
  if (sweeping.has(services)) return
  sweeping.add(services)
  try {
    await deleteAccounts(services)
  } catch (error) {
    services.log.error({ err: error }, 'accounts due for deletion could not be read')
  } finally {
    sweeping.delete(services)
  }
}

const sweeping = new WeakSet<Services>()

async function deleteAccount(services: Services, person: { id: string; email_folded: string }): Promise<boolean> {
  if (!(await closeAccount(services, person.id))) return false
  const { db } = services
  const around = await whatStandsAround(services, person.id)
  for (const run of services.runs.all())
    if (run.personId === person.id || around.agentIds.has(run.agentId)) run.abort.abort('stopped')
  // Before the rows, which say after a crash what to detach.
  for (const domain of around.domains) await detachHost(services, domain)
  await deleteManyRows(db, person.id)
  try {
    await db.batch([
      ...(await handingOn(services, person.id)),
      ...forgettingPerson(db, person, services.now().getTime() + heldForMs),
      requireChanges(
        db
          .deleteFrom('people')
          .where('id', '=', person.id)
          .where(isDue(services.now().getTime()))
          .where(nobodyElseIsInTemplatesOf(person.id)),
      ),
      ...around.domains.map((domain) =>
        auditing(services, {
          action: 'domain-deleted',
          actor: null,
          domainId: domain.id,
        }),
      ),
      auditing(services, { action: 'account-deleted', actor: null, personId: person.id }),
    ])
  } catch (error) {
    // Deleted by another process, or someone just started one of their templates; retried next time.
    if (error instanceof UnexpectedChanges) return false
    throw error
  }
  await services.customHosts.loadChanged(db)
  for (const { personId, domainId } of around.domainMates)
    services.live.tell(personId, { type: 'domains-changed', domainId })
  for (const personId of around.agentUsers) services.live.tell(personId, { type: 'agents-changed' })
  for (const jobId of around.importIds) await rm(importPath(services, jobId), { force: true })
  await removeMedia(services, around.mediaHashes)
  services.log.info({ personId: person.id }, 'an account was deleted')
  return true
}

/** Cancels the deletion of a person who became the last super-admin, so that they can sign in again. */
async function keepLastSuperAdmin(services: Services, personId: string): Promise<void> {
  const { db } = services
  const due = db
    .updateTable('people')
    .set({ deletes_at: null })
    .where('id', '=', personId)
    .where(isDue(services.now().getTime()))
    .where((where) => where.not(superAdminStaysWithout(personId)))
  try {
    await db.batch([
      requireChanges(due),
      auditing(services, { action: 'account-deletion-withdrawn', actor: null, personId }),
    ])
  } catch (error) {
    // Already deleted, or there is another super-admin again; retried next time.
    if (error instanceof UnexpectedChanges) return
    throw error
  }
  services.log.warn({ personId }, 'an account was not deleted: it is the last super-admin')
}

async function closeAccount(services: Services, personId: string): Promise<boolean> {
  const { db } = services
  const now = services.now().getTime()
  try {
    await db.batch([
      ...lockingSuperAdmins(services),
      requireChanges(
        db
          .updateTable('people')
          .set((set) => ({ deactivated_at: set.fn.coalesce('deactivated_at', set.val(now)) }))
          .where('id', '=', personId)
          .where(isDue(now))
          .where(superAdminStaysWithout(personId)),
      ),
      db.deleteFrom('sessions').where('person_id', '=', personId),
    ])
  } catch (error) {
    if (!(error instanceof UnexpectedChanges)) throw error
    await keepLastSuperAdmin(services, personId)
    return false
  }
  services.sessions.forgetPerson(personId)
  services.live.tell(personId, { type: 'session-ended' })
  return true
}
