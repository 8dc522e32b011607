import { sql } from 'kysely'
import { keptInBinMs } from '#contract/keepers/entries.ts'
import { json, type Write } from '#server/db/database.ts'
import type { Services } from '#server/services.ts'
import { deleteRowsOfKeeper } from './delete-rows-of-keeper.ts'
import { type EntryEntity, entryTables } from './entry-tables.ts'

/** Per write, so that others can write in between. */
const atOnce = 200

/** Deletes items after 30 days in the bin, with dependents; the media sweep deletes files. Returns the number purged.
 * */
export async function purgeBin(services: Services): Promise<number> {
  const before = services.now().getTime() - keptInBinMs
  let purged = await purgeKeepers(services, before)
  // Paths first, because journeys cascade to them.
  const entities: EntryEntity[] = [
    'path',
    ...(Object.keys(entryTables) as EntryEntity[]).filter((each) => each !== 'path'),
  ]
  for (const entity of entities) purged += await purgeEntries(services, entity, before)
  await purgeMergedTopics(services)
  // Discarded template runs are few and have no dependents.
  await services.db.deleteFrom('template_runs').where('deleted_at', '<=', before).execute()
  return purged
}

/** Repeats for chains of merges. */
async function purgeMergedTopics({ db }: Services): Promise<void> {
  const orphans = sql`select topics.id from topics left join topics as target on target.id = topics.merged_into
    where topics.merged_into is not null and target.id is null`
  while ((await db.write(sql`delete from topics where id in (select id from (${orphans}) as orphans)`)).changes > 0);
}

async function purgeKeepers(services: Services, before: number): Promise<number> {
  const { db } = services
  const rows = await db.selectFrom('keepers').select('id').where('deleted_at', '<=', before).execute()
  for (const { id } of rows) {
    // Evaluated in each write, because the keeper can be restored in between.
    const gone = () => db.selectFrom('keepers').select('id').where('id', '=', id).where('deleted_at', '<=', before)
    await deleteRowsOfKeeper(db, gone)
    await db.batch([
      db.deleteFrom('media').where('keeper_id', 'in', gone()),
      db.deleteFrom('keepers').where('id', '=', id).where('deleted_at', '<=', before),
    ])
  }
  return rows.length
}

/** Finished template runs whose answers repeat these entries. */
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
    // Evaluated in the write, because an entry can be restored in between.
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
            // Paths are deleted with their journey and have no bin of their own.
            db
              .deleteFrom('entry_history')
              .where('entity', '=', 'path')
              .where('entity_id', 'in', db.selectFrom('paths').select('id').where('journey_id', 'in', gone())),
          ]
        : []),
      // Merged topics are visible only through their target.
      ...(entity === 'topic' ? [db.deleteFrom('topics').where('merged_into', 'in', gone())] : []),
      ...(entity === 'journey' || entity === 'path' || entity === 'echo' || entity === 'topic'
        ? []
        : [db.deleteFrom('entry_topics').where('entity', '=', entity).where('entity_id', 'in', gone())]),
    ]
    await db.batch([...links, db.deleteFrom(table).where('id', 'in', ids).where('deleted_at', '<=', before)])
    purged += rows.length
  }
}
