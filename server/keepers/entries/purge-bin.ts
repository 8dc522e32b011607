import { keptInBinMs } from '#contract/keepers/entries.ts'
import type { Write } from '#server/db/database.ts'
import type { Services } from '#server/services.ts'
import { type EntryEntity, entryTables } from './entry-tables.ts'

/** So many rows in one write: others write too. */
const atOnce = 200

/**
 * Removes for good what has lain in the bin for 30 days, with everything that hangs on it. The bytes of its pictures
 * follow with the sweep of media. Answers how many things went.
 */
export async function purgeBin(services: Services): Promise<number> {
  const before = services.now().getTime() - keptInBinMs
  let purged = await purgeKeepers(services, before)
  // Paths before journeys, which would take theirs along.
  const entities: EntryEntity[] = [
    'path',
    ...(Object.keys(entryTables) as EntryEntity[]).filter((each) => each !== 'path'),
  ]
  for (const entity of entities) purged += await purgeEntries(services, entity, before)
  // Runs of templates that were discarded; few, and nothing hangs on them.
  await services.db.deleteFrom('template_runs').where('deleted_at', '<=', before).execute()
  return purged
}

async function purgeKeepers(services: Services, before: number): Promise<number> {
  const { db } = services
  for (let purged = 0; ; ) {
    const rows = await db.selectFrom('keepers').select('id').where('deleted_at', '<=', before).limit(atOnce).execute()
    if (rows.length === 0) return purged
    const ids = rows.map(({ id }) => id)
    const gone = () => db.selectFrom('keepers').select('id').where('id', 'in', ids).where('deleted_at', '<=', before)
    await db.batch([
      db.deleteFrom('media').where('keeper_id', 'in', gone()),
      db.deleteFrom('keepers').where('id', 'in', ids).where('deleted_at', '<=', before),
    ])
    purged += rows.length
  }
}

async function purgeEntries(services: Services, entity: EntryEntity, before: number): Promise<number> {
  const { db } = services
  const table = entryTables[entity] as 'reflections'
  for (let purged = 0; ; ) {
    const rows = await db.selectFrom(table).select('id').where('deleted_at', '<=', before).limit(atOnce).execute()
    if (rows.length === 0) return purged
    const ids = rows.map(({ id }) => id)
    // Asked again within the write: what was brought back meanwhile keeps everything.
    const gone = () => db.selectFrom(table).select('id').where('id', 'in', ids).where('deleted_at', '<=', before)
    const links: Write[] = [
      db.deleteFrom('entry_history').where('entity', '=', entity).where('entity_id', 'in', gone()),
      ...(entity === 'moment' || entity === 'voice'
        ? [db.deleteFrom('media').where('entity', '=', entity).where('entity_id', 'in', gone())]
        : []),
      ...(entity === 'moment'
        ? [
            db.updateTable('reflections').set({ moment_id: null }).where('moment_id', 'in', gone()),
            db.updateTable('logbook_entries').set({ moment_id: null }).where('moment_id', 'in', gone()),
          ]
        : []),
      ...(entity === 'journey'
        ? [
            db.updateTable('moments').set({ journey_id: null }).where('journey_id', 'in', gone()),
            db.updateTable('logbook_entries').set({ journey_id: null }).where('journey_id', 'in', gone()),
            // Its paths go with it and are in no bin of their own.
            db
              .deleteFrom('entry_history')
              .where('entity', '=', 'path')
              .where('entity_id', 'in', db.selectFrom('paths').select('id').where('journey_id', 'in', gone())),
          ]
        : []),
      // Those that were merged into it lie in no bin, and are seen nowhere without it.
      ...(entity === 'topic' ? [db.deleteFrom('topics').where('merged_into', 'in', gone())] : []),
      ...(entity === 'journey' || entity === 'path' || entity === 'echo' || entity === 'topic'
        ? []
        : [db.deleteFrom('entry_topics').where('entity', '=', entity).where('entity_id', 'in', gone())]),
    ]
    await db.batch([...links, db.deleteFrom(table).where('id', 'in', ids).where('deleted_at', '<=', before)])
    purged += rows.length
  }
}
