import { rm } from 'node:fs/promises'
import { type RawBuilder, type SqlBool, sql } from 'kysely'
import { buildSuperAdminRemainsCondition, lockSuperAdmins } from '#server/administration/roles.ts'
import { slugReservationMs } from '#server/agents/slugs.ts'
import { insertAudit } from '#server/audit/write-audit.ts'
import { requireChanges } from '#server/db/database.ts'
import type { DomainRow } from '#server/domains/domain-access.ts'
import { detachHost } from '#server/domains/set-custom-domain.ts'
import { getImportPath } from '#server/keepers/transfer/import-state.ts'
import { removeMedia } from '#server/media/sweep-media.ts'
import type { Services } from '#server/services.ts'
import { buildForgetWrites, deleteRowsInBatches } from './account-rows.ts'
import { buildTransferWrites } from './transfer-owned-items.ts'
import { whereTemplatesUnused } from './transfer-templates.ts'

/** Accounts deactivated before the deadline stay, since their owners can't cancel. Deletion itself deactivates an account after the deadline. */
function whereDue(now: number): RawBuilder<SqlBool> {
  return sql<SqlBool>`(deletes_at <= ${now} and (deactivated_at is null or deactivated_at >= deletes_at))`
}

/** Safe to run concurrently and after a crash: the row in `people` is deleted last, and files after their rows. */
export async function deleteAccounts(services: Services): Promise<number> {
  const dueAccounts = await services.db
    .selectFrom('people')
    .select(['id', 'email_folded'])
    .where(whereDue(services.now().getTime()))
    .orderBy('deletes_at')
    .execute()
  let deletedCount = 0
  for (const person of dueAccounts) {
    try {
      if (await deleteAccount(services, person)) deletedCount += 1
    } catch (error) {
      services.log.error({ err: error, personId: person.id }, 'an account could not be deleted')
    }
  }
  return deletedCount
}

/** For timers: never rejects, and runs once at a time per process. */
export async function sweepAccounts(services: Services): Promise<void> {
  if (sweepingServices.has(services)) return
  sweepingServices.add(services)
  try {
    await deleteAccounts(services)
  } catch (error) {
    services.log.error({ err: error }, 'accounts due for deletion could not be read')
  } finally {
    sweepingServices.delete(services)
  }
}

const sweepingServices = new WeakSet<Services>()

async function deleteAccount(services: Services, person: { id: string; email_folded: string }): Promise<boolean> {
  if (!(await closeAccount(services, person.id))) return false
  const { db } = services
  const context = await readAccountContext(services, person.id)
  for (const run of services.runs.list())
    if (run.personId === person.id || context.agentIds.has(run.agentId)) run.abortController.abort('stopped')
  // Detached before the rows are deleted, because after a crash the rows tell what to detach.
  for (const domain of context.domains) await detachHost(services, domain)
  await deleteRowsInBatches(db, person.id)
  const isDeleted = await db.batchUnlessChanged([
    ...(await buildTransferWrites(services, person.id)),
    ...buildForgetWrites(db, person, services.now().getTime() + slugReservationMs),
    requireChanges(
      db
        .deleteFrom('people')
        .where('id', '=', person.id)
        .where(whereDue(services.now().getTime()))
        .where(whereTemplatesUnused(person.id)),
    ),
    ...context.domains.map(({ id }) => insertAudit(services, { action: 'domain-deleted', actor: null, domainId: id })),
    insertAudit(services, { action: 'account-deleted', actor: null, personId: person.id }),
  ])
  // Another process deleted the account, or someone just started one of its templates; the next sweep tries again.
  if (!isDeleted) return false
  await services.customHosts.loadChanged(db)
  for (const { personId, domainId } of context.domainMates)
    services.live.publish(personId, { type: 'domains-changed', domainId })
  for (const personId of context.agentUserIds) services.live.publish(personId, { type: 'agents-changed' })
  for (const jobId of context.importIds) await rm(getImportPath(services, jobId), { force: true })
  await removeMedia(services, context.mediaHashes)
  services.log.info({ personId: person.id }, 'an account was deleted')
  return true
}

async function cancelForLastSuperAdmin(services: Services, personId: string): Promise<void> {
  const { db } = services
  const cancelWrite = db
    .updateTable('people')
    .set({ deletes_at: null })
    .where('id', '=', personId)
    .where(whereDue(services.now().getTime()))
    .where((where) => where.not(buildSuperAdminRemainsCondition(personId)))
  const isCanceled = await db.batchUnlessChanged([
    requireChanges(cancelWrite),
    insertAudit(services, { action: 'account-deletion-withdrawn', actor: null, personId }),
  ])
  if (isCanceled) services.log.warn({ personId }, 'an account was not deleted: it is the last super-admin')
}

async function closeAccount(services: Services, personId: string): Promise<boolean> {
  const { db } = services
  const now = services.now().getTime()
  const isClosed = await db.batchUnlessChanged([
    ...lockSuperAdmins(services),
    requireChanges(
      db
        .updateTable('people')
        .set((set) => ({ deactivated_at: set.fn.coalesce('deactivated_at', set.val(now)) }))
        .where('id', '=', personId)
        .where(whereDue(now))
        .where(buildSuperAdminRemainsCondition(personId)),
    ),
    db.deleteFrom('sessions').where('person_id', '=', personId),
  ])
  if (!isClosed) {
    await cancelForLastSuperAdmin(services, personId)
    return false
  }
  services.sessions.evictPerson(personId)
  services.live.publish(personId, { type: 'session-ended' })
  return true
}

interface AccountContext {
  domains: DomainRow[]
  domainMates: { personId: string; domainId: string }[]
  agentIds: Set<string>
  agentUserIds: string[]
  importIds: string[]
  mediaHashes: string[]
}

async function readAccountContext({ db }: Services, personId: string): Promise<AccountContext> {
  const domains = await db.selectFrom('domains').selectAll().where('owner_id', '=', personId).execute()
  const domainIds = db
    .selectFrom('domains')
    .select('id')
    .where('owner_id', '=', personId)
    .union(db.selectFrom('domain_members').select('domain_id as id').where('person_id', '=', personId))
  const members = await db
    .selectFrom('domain_members')
    .select(['person_id as personId', 'domain_id as domainId'])
    .where('domain_id', 'in', domainIds)
    .union(db.selectFrom('domains').select(['owner_id as personId', 'id as domainId']).where('id', 'in', domainIds))
    .execute()
  const agents = await db.selectFrom('agents').select('id').where('owner_id', '=', personId).execute()
  const users = await db
    .selectFrom('agent_grants')
    .select('person_id')
    .distinct()
    .where('agent_id', 'in', db.selectFrom('agents').select('id').where('owner_id', '=', personId))
    .execute()
  const imports = await db.selectFrom('import_jobs').select('id').where('owner_id', '=', personId).execute()
  const whereOwnedMedia = sql`person_id = ${personId}
      or keeper_id in (select id from keepers where owner_id = ${personId})
      or run_id in (select id from runs where agent_id in (select id from agents where owner_id = ${personId}))`
  const whereOwnedPictures = sql`person_id = ${personId} or board_id in (select id from boards where owner_id = ${personId})`
  const media = await db.longRead<{ sha256: string }>(sql`select distinct sha256 from media where ${whereOwnedMedia}
    union select sha256 from board_pictures where ${whereOwnedPictures}
    union select small_sha256 from media where small_sha256 is not null and (${whereOwnedMedia})
    union select small_sha256 from board_pictures where small_sha256 is not null and (${whereOwnedPictures})`)
  return {
    domains,
    domainMates: members.filter((member) => member.personId !== personId),
    agentIds: new Set(agents.map(({ id }) => id)),
    agentUserIds: users.map(({ person_id }) => person_id).filter((id) => id !== personId),
    importIds: imports.map(({ id }) => id),
    mediaHashes: media.map(({ sha256 }) => sha256),
  }
}
