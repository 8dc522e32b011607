import { type Expression, sql } from 'kysely'
import { trashRetentionMs } from '#contract/keepers/entries.ts'
import { batchSize, type Database, json, type Write, writeInBatches } from '#server/db/database.ts'
import type { Services } from '#server/services.ts'
import { hasMedia } from '../media/attach-media.ts'
import { type EntryEntity, entryTables, getEntryTable, isTopical } from './entry-tables.ts'

const purgeBatchSize = 200

/** Dependents are deleted too; the media sweep deletes files. Returns the number purged. */
export async function purgeTrash(services: Services): Promise<number> {
  const deletedBefore = services.now().getTime() - trashRetentionMs
  let purgedCount = await purgeKeepers(services, deletedBefore)
  // Paths first, because journeys cascade to them.
  const entities: EntryEntity[] = [
    'path',
    ...(Object.keys(entryTables) as EntryEntity[]).filter((otherEntity) => otherEntity !== 'path'),
  ]
  for (const entity of entities) purgedCount += await purgeEntries(services, entity, deletedBefore)
  await purgeMergedTopics(services)
  await services.db.deleteFrom('template_runs').where('deleted_at', '<=', deletedBefore).execute()
  return purgedCount
}

async function purgeMergedTopics({ db }: Services): Promise<void> {
  const orphans = sql`select topics.id from topics left join topics as target on target.id = topics.merged_into
    where topics.merged_into is not null and target.id is null`
  const deleteOrphans = () => db.write(sql`delete from topics where id in (select id from (${orphans}) as orphans)`)
  let { changes } = await deleteOrphans()
  while (changes > 0) ({ changes } = await deleteOrphans())
}

async function purgeKeepers(services: Services, deletedBefore: number): Promise<number> {
  const { db } = services
  const rows = await db.selectFrom('keepers').select('id').where('deleted_at', '<=', deletedBefore).execute()
  for (const { id } of rows) {
    // Evaluated in each write, because the keeper can be restored in between.
    const selectExpired = () =>
      db.selectFrom('keepers').select('id').where('id', '=', id).where('deleted_at', '<=', deletedBefore)
    await deleteKeeperRows(db, selectExpired)
    await db.batch([
      db.deleteFrom('media').where('keeper_id', 'in', selectExpired()),
      db.deleteFrom('keepers').where('id', '=', id).where('deleted_at', '<=', deletedBefore),
    ])
  }
  return rows.length
}

async function findSourceRuns({ db }: Services, rows: readonly { id: string; keeper_id: string }[]): Promise<string[]> {
  const finishedRuns = await db
    .selectFrom('template_runs')
    .select(['id', 'entries'])
    .where('keeper_id', 'in', [...new Set(rows.map(({ keeper_id }) => keeper_id))])
    .where('finished_at', 'is not', null)
    .execute()
  const entryIds = new Set(rows.map(({ id }) => id))
  return finishedRuns.filter(({ entries }) => entries.some(({ id }) => entryIds.has(id))).map(({ id }) => id)
}

async function purgeEntries(services: Services, entity: EntryEntity, deletedBefore: number): Promise<number> {
  const { db } = services
  const table = getEntryTable(entity)
  for (let purgedCount = 0; ; ) {
    const rows = await db
      .selectFrom(table)
      .select(['id', 'keeper_id'])
      .where('deleted_at', '<=', deletedBefore)
      .limit(purgeBatchSize)
      .execute()
    if (rows.length === 0) return purgedCount
    const ids = rows.map(({ id }) => id)
    const sourceRunIds = await findSourceRuns(services, rows)
    const selectExpired = () =>
      db.selectFrom(table).select('id').where('id', 'in', ids).where('deleted_at', '<=', deletedBefore)
    const linkWrites: Write[] = [
      ...(sourceRunIds.length === 0
        ? []
        : [
            db
              .updateTable('template_runs')
              .set({ answers: json([]) })
              .where('id', 'in', sourceRunIds),
          ]),
      db.deleteFrom('entry_history').where('entity', '=', entity).where('entity_id', 'in', selectExpired()),
      ...(hasMedia(entity)
        ? [db.deleteFrom('media').where('entity', '=', entity).where('entity_id', 'in', selectExpired())]
        : []),
      ...(entity === 'moment'
        ? [
            db.updateTable('reflections').set({ moment_id: null }).where('moment_id', 'in', selectExpired()),
            db.updateTable('logbook_entries').set({ moment_id: null }).where('moment_id', 'in', selectExpired()),
          ]
        : []),
      ...(entity === 'journey'
        ? [
            db.updateTable('moments').set({ journey_id: null }).where('journey_id', 'in', selectExpired()),
            db.updateTable('logbook_entries').set({ journey_id: null }).where('journey_id', 'in', selectExpired()),
            // Paths are deleted with their journey and are never in the trash alone.
            db
              .deleteFrom('entry_history')
              .where('entity', '=', 'path')
              .where('entity_id', 'in', db.selectFrom('paths').select('id').where('journey_id', 'in', selectExpired())),
          ]
        : []),
      // Merged topics are visible only through their target.
      ...(entity === 'topic' ? [db.deleteFrom('topics').where('merged_into', 'in', selectExpired())] : []),
      ...(isTopical(entity)
        ? [db.deleteFrom('entry_topics').where('entity', '=', entity).where('entity_id', 'in', selectExpired())]
        : []),
    ]
    await db.batch([
      ...linkWrites,
      db.deleteFrom(table).where('id', 'in', ids).where('deleted_at', '<=', deletedBefore),
    ])
    purgedCount += rows.length
  }
}

const maxCascadedRows = batchSize

/** A keeper can have tens of thousands of rows in these tables, too many for the cascade of one delete. */
const largeTables = ['memory_reads', 'entry_history', 'memory_cards', 'moments', 'reflections', 'sources'] as const

/** @param keeperIdQuery selects nothing once the keeper was restored; evaluated in each write */
export async function deleteKeeperRows(db: Database, keeperIdQuery: () => Expression<unknown>): Promise<void> {
  for (const table of largeTables) {
    const batch = sql`select id from ${sql.table(table)} where keeper_id in (${keeperIdQuery()}) limit ${batchSize} offset ${maxCascadedRows}`
    await writeInBatches(db, sql`delete from ${sql.table(table)} where id in (${batch})`)
  }
}
