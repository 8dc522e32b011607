import { getInstallationName } from '#server/db/migrate.ts'
import type { Services } from '#server/services.ts'
import { dayMs } from '#server/values/time-units.ts'

/** Files that were just uploaded may not have a row yet. */
const minAgeMs = dayMs
const batchSize = 400

export async function sweepMedia(services: Services): Promise<number> {
  await sweepUploads(services)
  const cutoff = services.now().getTime() - minAgeMs
  await services.media.removeUnfinished(cutoff)
  if (!(await canDeleteMedia(services))) return 0
  let sweptCount = 0
  for await (const names of services.media.listOlderThan(cutoff))
    sweptCount += await removeUnreferenced(services, names)
  return sweptCount
}

/** Removes unreferenced files at least a day old; the sweep removes the others later. `hashes` are SHA-256 in hex. */
export async function removeMedia(services: Services, hashes: readonly string[]): Promise<void> {
  if (hashes.length === 0 || !(await canDeleteMedia(services))) return
  for (const sha256 of new Set(hashes)) await removeUnreferenced(services, [sha256])
}

/** False for a bucket that another installation owns, since its rows aren't here; logs a warning. */
export async function canDeleteMedia({ db, media, log }: Services): Promise<boolean> {
  if (await media.isOwnedBy(await getInstallationName(db))) return true
  log.warn(
    'the bucket belongs to another Keeper, so nothing is deleted in it. Give this Keeper its own bucket or S3_PREFIX; or, if it replaces the other one, claim the bucket: npm run admin -- media-to-bucket',
  )
  return false
}

async function removeUnreferenced(services: Services, hashes: readonly string[]): Promise<number> {
  const cutoff = services.now().getTime() - minAgeMs
  const referenced = await findReferenced(services, hashes)
  let removedCount = 0
  for (const sha256 of hashes)
    if (!referenced.has(sha256) && (await services.media.removeIfOlder(sha256, cutoff))) removedCount += 1
  return removedCount
}

async function findReferenced({ db }: Services, hashes: readonly string[]): Promise<Set<string>> {
  const select = (table: 'media' | 'board_pictures', column: 'sha256' | 'small_sha256') =>
    db.selectFrom(table).select(`${column} as sha256`).where(column, 'in', hashes)
  const rows = await select('media', 'sha256')
    .union(select('board_pictures', 'sha256'))
    .union(select('media', 'small_sha256'))
    .union(select('board_pictures', 'small_sha256'))
    .execute()
  return new Set(rows.flatMap(({ sha256 }) => sha256 ?? []))
}

/** Deletes the rows of uploads that no entry uses. */
async function sweepUploads(services: Services): Promise<void> {
  const { db, now } = services
  const nowMs = now().getTime()
  for (let lastId = ''; ; ) {
    const rows = await db
      .selectFrom('media')
      .select(['id', 'keeper_id'])
      .where('entity', 'is', null)
      .where('gone_at', '<', nowMs)
      .where('id', '>', lastId)
      .orderBy('id')
      .limit(batchSize)
      .execute()
    const last = rows.at(-1)
    if (!last) break
    const usedIds = await findUsedByUnfinishedRuns(services, new Set(rows.flatMap(({ keeper_id }) => keeper_id ?? [])))
    const unusedIds = rows.map(({ id }) => id).filter((id) => !usedIds.has(id))
    if (unusedIds.length > 0)
      await db
        .deleteFrom('media')
        .where('id', 'in', unusedIds)
        .where('entity', 'is', null)
        .where('gone_at', '<', nowMs)
        .execute()
    lastId = last.id
  }
  for (const [entity, table] of [
    ['moment', 'moments'],
    ['voice', 'voice_entries'],
    ['source', 'sources'],
  ] as const)
    await db
      .deleteFrom('media')
      .where('entity', '=', entity)
      .where(({ not, exists, selectFrom }) =>
        not(exists(selectFrom(table).select('id').whereRef(`${table}.id`, '=', 'media.entity_id'))),
      )
      .execute()
}

/** Unfinished runs may pause for a year before they become a moment; discarded ones keep files until purged. */
async function findUsedByUnfinishedRuns({ db }: Services, keeperIds: ReadonlySet<string>): Promise<Set<string>> {
  if (keeperIds.size === 0) return new Set()
  const runs = await db
    .selectFrom('template_runs')
    .select('answers')
    .where('keeper_id', 'in', [...keeperIds])
    .where('finished_at', 'is', null)
    .execute()
  return new Set(runs.flatMap(({ answers }) => answers.flatMap((answer) => Object.values(answer).flat().map(String))))
}
