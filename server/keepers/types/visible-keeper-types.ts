import type { Selectable } from 'kysely'
import type { KeeperType } from '#contract/keepers/keeper-types.ts'
import type { Person } from '#server/accounts/person.ts'
import type { Schema } from '#server/db/schema.ts'
import { whereUsableBy } from '#server/domains/visibility.ts'
import { Problem } from '#server/http/problem.ts'
import type { Services } from '#server/services.ts'

export type KeeperTypeRow = Selectable<Schema['keeper_types']>

/** Types of the system, of the person, and of people who agreed to share a domain. */
export function queryVisibleKeeperTypes({ db }: Services, person: Pick<Person, 'id'>) {
  return db
    .selectFrom('keeper_types')
    .selectAll('keeper_types')
    .where(whereUsableBy(db, 'keeper_types', person.id))
    .orderBy('keeper_types.system', 'desc')
    .orderBy('keeper_types.created_at')
    .orderBy('keeper_types.id')
}

export async function requireKeeperTypeFor(services: Services, person: Person, id: string): Promise<KeeperTypeRow> {
  const row = await queryVisibleKeeperTypes(services, person).where('keeper_types.id', '=', id).executeTakeFirst()
  if (!row) throw new Problem('not-found', { message: 'Keeper type not found' })
  return row
}

/** A type made by this person. @throws Problem 404; 403 for someone else's or the system's */
export async function requireOwnKeeperType(services: Services, person: Person, id: string): Promise<KeeperTypeRow> {
  const row = await requireKeeperTypeFor(services, person, id)
  if (row.system)
    throw new Problem('forbidden', { message: 'This is a system-reserved Keeper Type. Editing is disabled.' })
  if (row.owner_id !== person.id)
    throw new Problem('forbidden', { message: 'Only the person who created this keeper type can change it.' })
  return row
}

/** Counts only the person's own keepers, as those of others are private. */
export async function toKeeperTypes(
  { db }: Services,
  rows: readonly KeeperTypeRow[],
  person: Pick<Person, 'id'>,
): Promise<KeeperType[]> {
  if (rows.length === 0) return []
  const ids = rows.map(({ id }) => id)
  const [keepers, templates] = await Promise.all([
    db
      .selectFrom('keepers')
      .select(['keeper_type_id as id', (select) => select.fn.countAll<number>().as('count')])
      .where('owner_id', '=', person.id)
      .where('deleted_at', 'is', null)
      .where('keeper_type_id', 'in', ids)
      .groupBy('keeper_type_id')
      .execute(),
    db
      .selectFrom('keeper_type_templates')
      .select(['keeper_type_id as id', (select) => select.fn.countAll<number>().as('count')])
      .where('keeper_type_id', 'in', ids)
      .groupBy('keeper_type_id')
      .execute(),
  ])
  const getCount = (counts: { id: string | null; count: number }[], id: string) =>
    counts.find((entry) => entry.id === id)?.count ?? 0
  return rows.map((row) => ({
    id: row.id,
    name: row.name,
    slug: row.slug,
    description: row.description,
    memoryPattern: row.memory_pattern,
    system: row.system,
    mine: row.owner_id === person.id,
    rev: row.rev,
    createdAt: new Date(row.created_at).toISOString(),
    _count: { engagement_templates: getCount(templates, row.id), Keeper: getCount(keepers, row.id) },
  }))
}

export async function toKeeperType(
  services: Services,
  row: KeeperTypeRow,
  person: Pick<Person, 'id'>,
): Promise<KeeperType> {
  const [view] = await toKeeperTypes(services, [row], person)
  if (!view) throw new Error('A keeper type has no view')
  return view
}
