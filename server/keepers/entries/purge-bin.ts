import { sql } from 'kysely'
import { keptInBinMs } from '#contract/keepers/entries.ts'
import { json, type Write } from '#server/db/database.ts'
import type { Services } from '#server/services.ts'
import { deleteRowsOfKeeper } from './delete-rows-of-keeper.ts'
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
  await purgeMergedTopics(services)
  // Runs of templates that were discarded; few, and nothing hangs on them.
  await services.db.deleteFrom('template_runs').where('deleted_at', '<=', before).execute()
  return purged
}

/** Those of a chain whose last one went: a topic may have been merged into one that was merged itself. */
async function purgeMergedTopics({ db }: Services): Promise<void> {
  const orphans = sql`select topics.id from topics left join topics as target on target.id = topics.merged_into
    where topics.merged_into is not null and target.id is null`
  while ((await db.write(sql`delete from topics where id in (select id from (${orphans}) as orphans)`)).changes > 0);
}

async function purgeKeepers(services: Services, before: number): Promise<number> {
  const { db } = services
  const rows = await db.selectFrom('keepers').select('id').where('deleted_at', '<=', before).execute()
  for (const { id } of rows) {
    // Asked again within each write: what was brought back meanwhile keeps the rest.
    const gone = () => db.selectFrom('keepers').select('id').where('id', '=', id).where('deleted_at', '<=', before)
    await deleteRowsOfKeeper(db, gone)
    await db.batch([
      db.deleteFrom('media').where('keeper_id', 'in', gone()),
      db.deleteFrom('keepers').where('id', '=', id).where('deleted_at', '<=', before),
    ])
  }
  return rows.length
}

/** The finished templates that became one of these: their answers are the same words. */
async function runsThatMade({ db }: Services, rows: readonly { id: string; keeper_id: string }[]): Promise<string[]> {
  const finished = await db
    .selectFrom('template_runs')
    .select(['id', 'entries'])
    .where('keeper_id', 'in', [...new Set(rows.map(({ keeper_id }) => keeper_id))])
    .where('finished_at', 'is not', null)
    .execute()
  const going = new Set(rows.map(({ id }) => id))
  return finished.filter(({ entries }) => entries.some(({ id }) => going.has(id))).map(({ id }) => id)
}

async function purgeEntries(services: Services, entity: EntryEntity, before: number): Promise<number> {
  const { db } = services
  const table = entryTables[entity] as 'reflections'
  for (let purged = 0; ; ) {
    const rows = await db
      .selectFrom(table)
      .select(['id', 'keeper_id'])
      .where('deleted_at', '<=', before)
      .limit(atOnce)
      .execute()
    if (rows.length === 0) return purged
    const ids = rows.map(({ id }) => id)
    const madeBy = await runsThatMade(services, rows)
    // Asked again within the write: what was brought back meanwhile keeps everything.
    const gone = () => db.selectFrom(table).select('id').where('id', 'in', ids).where('deleted_at', '<=', before)
    const links: Write[] = [
      ...(madeBy.length === 0
        ? []
        : [
            db
              .updateTable('template_runs')
              .set({ answers: json([]) })
              .where('id', 'in', madeBy),
          ]),
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
