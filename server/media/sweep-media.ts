import { installationOf } from '#server/db/installation.ts'
import { dayMs } from '#server/hours-and-days.ts'
import type { Services } from '#server/services.ts'

/** Younger files may be waiting for their row. */
const youngestSwept = dayMs
const atOnce = 400

/**
 * Deletes uploads that nothing shows any more, and the bytes that no row names any more: those of deleted agents,
 * people, runs and entries. Answers how many files went.
 */
export async function sweepMedia(services: Services): Promise<number> {
  await sweepUploads(services)
  const before = services.now().getTime() - youngestSwept
  await services.media.removeUnfinished(before)
  if (!(await mayDeleteMedia(services))) return 0
  let swept = 0
  for await (const names of services.media.before(before)) swept += await removeUnnamed(services, names)
  return swept
}

/**
 * Deletes these bytes, unless a row names them again. Those younger than a day are left to the sweep.
 * @param hashes SHA-256 in hexadecimal
 */
export async function removeMedia(services: Services, hashes: readonly string[]): Promise<void> {
  if (hashes.length === 0 || !(await mayDeleteMedia(services))) return
  for (const sha256 of new Set(hashes)) await removeUnnamed(services, [sha256])
}

/** Not in a bucket that is another Keeper's, whose rows are not here: says so in the log. */
export async function mayDeleteMedia({ db, media, log }: Services): Promise<boolean> {
  if (await media.isOf(await installationOf(db))) return true
  log.warn(
    'the bucket belongs to another Keeper, so nothing is deleted in it. Give this Keeper a bucket or an S3_PREFIX of its own; or, when it takes the place of the other one, say so: npm run admin -- media-to-bucket',
  )
  return false
}

async function removeUnnamed(services: Services, hashes: readonly string[]): Promise<number> {
  const before = services.now().getTime() - youngestSwept
  const named = await namedByRows(services, hashes)
  let removed = 0
  for (const sha256 of hashes)
    if (!named.has(sha256) && (await services.media.removeIfBefore(sha256, before))) removed += 1
  return removed
}

/** Those of these files that some row names. */
async function namedByRows({ db }: Services, hashes: readonly string[]): Promise<Set<string>> {
  const rows = await db
    .selectFrom('media')
    .select('sha256')
    .where('sha256', 'in', hashes)
    .union(db.selectFrom('board_pictures').select('sha256').where('sha256', 'in', hashes))
    .execute()
  return new Set(rows.map(({ sha256 }) => sha256))
}

/** Uploads whose time to be shown is over, and those of entries that left the bin for good. */
async function sweepUploads(services: Services): Promise<void> {
  const { db, now } = services
  const overdue = now().getTime()
  for (let after = ''; ; ) {
    const rows = await db
      .selectFrom('media')
      .select(['id', 'keeper_id'])
      .where('entity', 'is', null)
      .where('gone_at', '<', overdue)
      .where('id', '>', after)
      .orderBy('id')
      .limit(atOnce)
      .execute()
    const last = rows.at(-1)
    if (!last) break
    const waiting = await namedByUnfinishedRuns(services, new Set(rows.flatMap(({ keeper_id }) => keeper_id ?? [])))
    const unwanted = rows.map(({ id }) => id).filter((id) => !waiting.has(id))
    if (unwanted.length > 0)
      await db
        .deleteFrom('media')
        .where('id', 'in', unwanted)
        .where('entity', 'is', null)
        .where('gone_at', '<', overdue)
        .execute()
    after = last.id
  }
  for (const [entity, table] of [
    ['moment', 'moments'],
    ['voice', 'voice_entries'],
  ] as const)
    await db
      .deleteFrom('media')
      .where('entity', '=', entity)
      .where(({ not, exists, selectFrom }) =>
        not(exists(selectFrom(table).select('id').whereRef(`${table}.id`, '=', 'media.entity_id'))),
      )
      .execute()
}

/**
 * Ids in answers to a template that is not finished: a run may wait for its next step for a year, and becomes a moment
 * that shows them. One that was discarded holds them until it is gone from the bin.
 */
async function namedByUnfinishedRuns({ db }: Services, keeperIds: ReadonlySet<string>): Promise<Set<string>> {
  if (keeperIds.size === 0) return new Set()
  const runs = await db
    .selectFrom('template_runs')
    .select('answers')
    .where('keeper_id', 'in', [...keeperIds])
    .where('finished_at', 'is', null)
    .execute()
  return new Set(runs.flatMap(({ answers }) => answers.flatMap((each) => Object.values(each).flat().map(String))))
}
