import type { Selectable } from 'kysely'
import type * as z from 'zod/mini'
import type { KeeperType, keeperTypes } from '#contract/keepers/keeper-types.ts'
import type { Person } from '#server/accounts/person.ts'
import {
  type CatalogKind,
  createCatalogTexts,
  requireEntry,
  selectVisibleEntries,
  toCommonFields,
  type Viewer,
} from '#server/catalog/catalog.ts'
import { createEntry, insertSystemEntries } from '#server/catalog/save-entry.ts'
import type { Write } from '#server/db/database.ts'
import { toSlugBase } from '#server/db/insert-with-slug.ts'
import type { Schema } from '#server/db/schema.ts'
import type { Services } from '#server/services.ts'
import { selectOwnKeepers } from '../keeper-access.ts'

export type KeeperTypeRow = Selectable<Schema['keeper_types']>

export const queryVisibleKeeperTypes = (services: Services, person: Viewer) =>
  selectVisibleEntries(services, person, 'keeper_types')

export const keeperTypeKind: CatalogKind<KeeperTypeRow, KeeperType> = {
  table: 'keeper_types',
  noun: 'type',
  texts: {
    ...createCatalogTexts('Keeper type', 'keeper type'),
    system: 'This is a system-reserved Keeper Type. Editing is disabled.',
    foreign: 'Only the person who created this keeper type can change it.',
  },
  longColumns: ['description'],
  find: (services, person, id) => queryVisibleKeeperTypes(services, person).where('id', '=', id).executeTakeFirst(),
  /** Counts only the person's own keepers, since other people's are private. */
  async toViews({ db }, rows, person) {
    if (rows.length === 0) return []
    const ids = rows.map(({ id }) => id)
    const [keepers, templates] = await Promise.all([
      selectOwnKeepers(db, person.id)
        .clearSelect()
        .select(['keeper_type_id as id', (select) => select.fn.countAll<number>().as('count')])
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
      ...toCommonFields(row, person),
      name: row.name,
      memoryPattern: row.memory_pattern,
      _count: { engagement_templates: getCount(templates, row.id), Keeper: getCount(keepers, row.id) },
    }))
  },
  /** An agent assigned to this type alone would otherwise read keepers of every type. Deleted keepers lose their type. */
  listUses: ({ db }, _person, type) => [
    {
      rows: db
        .selectFrom('keepers')
        .select('keepers.id')
        .where('keepers.keeper_type_id', '=', type.id)
        .where('keepers.deleted_at', 'is', null),
      message: 'Keepers use this type. Give those keepers another type first, then delete this one.',
    },
    {
      rows: db
        .selectFrom('agent_keeper_types as assigned')
        .select('assigned.agent_id')
        .where('assigned.keeper_type_id', '=', type.id)
        .where(({ not, exists, selectFrom }) =>
          not(
            exists(
              selectFrom('agent_keeper_types as other')
                .select('other.agent_id')
                .whereRef('other.agent_id', '=', 'assigned.agent_id')
                .where('other.keeper_type_id', '!=', type.id),
            ),
          ),
        ),
      message: 'Some agents are assigned only to this type. Assign them to another type first, then delete this one.',
    },
  ],
}

export const requireKeeperTypeFor = (services: Services, person: Person, id: string): Promise<KeeperTypeRow> =>
  requireEntry(services, person, keeperTypeKind, id)

export const createKeeperType = (
  services: Services,
  person: Person,
  { name, description = '', memoryPattern }: z.output<typeof keeperTypes.create.body & {}>,
): Promise<KeeperType> =>
  createEntry(services, person, keeperTypeKind, {
    slug: toSlugBase(name),
    columns: { name, description, memory_pattern: memoryPattern || 'SOLE', system: false },
  })

interface SystemType {
  slug: string
  name: string
  description: string
  memory_pattern: 'SOLE' | 'CRMTimeline'
}

const systemTypes: SystemType[] = [
  {
    slug: 'journal',
    name: 'Journal',
    description: 'Keeps the days as they were lived, in the order they came.',
    memory_pattern: 'CRMTimeline',
  },
  {
    slug: 'project',
    name: 'Project',
    description: 'Keeps what was decided, done and left open on the way to one goal.',
    memory_pattern: 'CRMTimeline',
  },
  {
    slug: 'educational',
    name: 'Educational',
    description: 'Keeps what was learned, as one account that grows with it.',
    memory_pattern: 'SOLE',
  },
  {
    slug: 'professional',
    name: 'Professional',
    description: 'Keeps people, meetings and commitments from your work, by date.',
    memory_pattern: 'CRMTimeline',
  },
  {
    slug: 'wellness',
    name: 'Wellness',
    description: 'Keeps track of how your body and mind are doing, and what helps.',
    memory_pattern: 'SOLE',
  },
  {
    slug: 'custom',
    name: 'Custom',
    description: 'Keeps whatever has no place in the other types.',
    memory_pattern: 'SOLE',
  },
]

export const insertSystemKeeperTypes = (services: Services): Write[] =>
  insertSystemEntries(services, 'keeper_types', systemTypes)
