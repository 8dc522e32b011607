import type { Services } from '#server/services.ts'

/** Younger files may be waiting for their row. */
const youngestSwept = 24 * 60 * 60 * 1000

/**
 * Deletes uploads that nothing shows any more, and the bytes that no row names any more: those of deleted agents,
 * people, runs and entries. Answers how many files went.
 */
export async function sweepMedia(services: Services): Promise<number> {
  await sweepUploads(services)
  const before = services.now().getTime() - youngestSwept
  await services.media.removeUnfinished(before)
  let swept = 0
  for await (const names of services.media.before(before)) swept += await removeUnnamed(services, names)
  return swept
}

/**
 * Deletes these bytes, unless a row names them again. Those younger than a day are left to the sweep.
 * @param hashes SHA-256 in hexadecimal
 */
export async function removeMedia(services: Services, hashes: readonly string[]): Promise<void> {
  for (const sha256 of new Set(hashes)) await removeUnnamed(services, [sha256])
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
async function sweepUploads({ db, now }: Services): Promise<void> {
  await db.deleteFrom('media').where('entity', 'is', null).where('gone_at', '<', now().getTime()).execute()
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
