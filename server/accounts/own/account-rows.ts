import { sql } from 'kysely'
import { getPersonBucket, getPlatformPersonBucket } from '#server/agents/usage/spending-limits.ts'
import { batchSize, type Database, type Write, writeInBatches } from '#server/db/database.ts'
import type { Schema } from '#server/db/schema.ts'
import { deleteAttempts } from '#server/http/throttle.ts'
import { personTables } from '#server/quota/person-tables.ts'

export async function deleteRowsInBatches(db: Database, personId: string): Promise<void> {
  for (const { table, whereOwned } of personTables.filter(({ isDeletedInBatches }) => isDeletedInBatches)) {
    const batch = sql`select id from ${sql.table(table)} where ${whereOwned(personId)} limit ${batchSize}`
    await writeInBatches(db, sql`delete from ${sql.table(table)} where id in (${batch})`)
  }
  await transferPictures(db, personId)
}

async function transferPictures(db: Database, personId: string): Promise<void> {
  const batch = sql`select board_pictures.id from board_pictures join boards on boards.id = board_id
    where person_id = ${personId} and owner_id != ${personId} limit ${batchSize}`
  const owner = sql`(select owner_id from boards where boards.id = board_id)`
  await writeInBatches(db, sql`update board_pictures set person_id = ${owner} where id in (${batch})`)
}

const actorColumns = [
  ['role_grants', 'granted_by'],
  ['agent_grants', 'granted_by'],
  ['agent_keeper_types', 'assigned_by'],
  ['domain_members', 'added_by'],
  ['budgets', 'updated_by'],
  ['model_prices', 'updated_by'],
  ['context_texts', 'updated_by'],
  ['trusted_tool_servers', 'trusted_by'],
  ['platform_settings', 'updated_by'],
  ['sole_versions', 'decided_by'],
  ['held_slugs', 'owner_id'],
  ['runs', 'agent_owner_id'],
  ['runs', 'payer'],
  ['model_calls', 'agent_owner_id'],
  ['model_calls', 'payer'],
] as const satisfies readonly (readonly [keyof Schema, string])[]

/** Clears every reference to the person that the database doesn't cascade; run before their row is deleted. `slugsReservedUntil` is in ms. */
export function buildForgetWrites(
  db: Database,
  { id, email_folded }: { id: string; email_folded: string },
  slugsReservedUntil: number,
): Write[] {
  return [
    db.deleteFrom('provider_keys').where('owner', '=', id),
    db.deleteFrom('search_pending').where('owner_id', '=', id),
    sql`update people set preferred_theme_id = null
      where preferred_theme_id in (select id from themes where owner_id = ${id})`,
    db.deleteFrom('budgets').where('scope', '=', 'mine').where('subject', '=', id),
    ...['spend_windows', 'budget_holds'].map(
      (
        table,
      ) => sql`delete from ${sql.table(table)} where bucket in (${getPersonBucket(id)}, ${getPlatformPersonBucket(id)})
        or bucket in (select 'agent:' || id from agents where owner_id = ${id})`,
    ),
    db.deleteFrom('model_calls').where('payer', '=', id).where('person_id', 'is', null),
    // Invitations contain the invited person's email.
    db.deleteFrom('invitations').where('email_folded', '=', email_folded),
    db
      .updateTable('sole_versions')
      .set({ author_id: null, author_name: 'Someone who left' })
      .where('author_id', '=', id),
    deleteAttempts(id),
    deleteAttempts(email_folded),
    ...actorColumns.map(
      ([table, column]) =>
        sql`update ${sql.table(table)} set ${sql.ref(column)} = null where ${sql.ref(column)} = ${id}`,
    ),
    sql`insert into held_slugs (slug, owner_id, held_until)
      select slug, null, cast(${slugsReservedUntil} as bigint) from agents where owner_id = ${id}
      on conflict (slug) do update set owner_id = null, held_until = excluded.held_until`,
  ]
}
