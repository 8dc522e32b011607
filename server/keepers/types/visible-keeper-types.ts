import type { Selectable } from 'kysely'
import type { KeeperType } from '#contract/keepers/keeper-types.ts'
import type { Person } from '#server/accounts/person.ts'
import type { Schema } from '#server/db/schema.ts'
import { Problem } from '#server/http/problem.ts'
import type { Services } from '#server/services.ts'

const mostTypes = 1000

export type KeeperTypeRow = Selectable<Schema['keeper_types']>

/** The types a person may use: the system's, their own, and those of people they share a domain with. */
export function visibleKeeperTypes({ db }: Services, person: Pick<Person, 'id'>) {
  const ownDomains = db
    .selectFrom('domains')
    .select('domains.id')
    .where('domains.owner_id', '=', person.id)
    .union(db.selectFrom('domain_members').select('domain_id as id').where('person_id', '=', person.id))
  return db
    .selectFrom('keeper_types')
    .selectAll('keeper_types')
    .where((where) =>
      where.or([
        where('keeper_types.system', '=', true),
        where('keeper_types.owner_id', '=', person.id),
        where(
          'keeper_types.owner_id',
          'in',
          db.selectFrom('domains').select('owner_id').where('domains.id', 'in', ownDomains),
        ),
        where(
          'keeper_types.owner_id',
          'in',
          db.selectFrom('domain_members').select('person_id').where('domain_id', 'in', ownDomains),
        ),
      ]),
    )
    .orderBy('keeper_types.system', 'desc')
    .orderBy('keeper_types.created_at')
    .orderBy('keeper_types.id')
    .limit(mostTypes)
}

export async function requireKeeperTypeFor(services: Services, person: Person, id: string): Promise<KeeperTypeRow> {
  const row = await visibleKeeperTypes(services, person).where('keeper_types.id', '=', id).executeTakeFirst()
  if (!row) throw new Problem('not-found', { message: 'Keeper type not found' })
  return row
}

export function keeperTypeView(row: KeeperTypeRow, person: Pick<Person, 'id'>): KeeperType {
  return {
    id: row.id,
    name: row.name,
    slug: row.slug,
    description: row.description,
    memoryPattern: row.memory_pattern,
    system: row.system,
    mine: row.owner_id === person.id,
    rev: row.rev,
    createdAt: new Date(row.created_at).toISOString(),
    // Keeper has neither keepers nor templates in its database yet, so there are none of any type.
    _count: { engagement_templates: 0, Keeper: 0 },
  }
}
