import { sql } from 'kysely'
import { insertEntryCopy } from '#server/catalog/save-entry.ts'
import type { Write } from '#server/db/database.ts'
import { addSlugSuffix, toSlugBase } from '#server/db/insert-with-slug.ts'
import {
  findPatternUsers,
  type PatternRow,
  queryVisiblePatterns,
  resolvePattern,
} from '#server/keepers/patterns/pattern-catalog.ts'
import type { KeeperTypeRow } from '#server/keepers/types/type-catalog.ts'
import type { Services } from '#server/services.ts'
import { buildTemplateTransfers, type NeededTemplate, type TemplateCopies } from './transfer-templates.ts'

interface NeededKeeperType {
  row: KeeperTypeRow
  heir: string
  links: { templateId: string; position: number }[]
}

async function listNeededTypes({ db }: Services, personId: string): Promise<NeededKeeperType[]> {
  const leavingTypes = await db.selectFrom('keeper_types').selectAll().where('owner_id', '=', personId).execute()
  if (leavingTypes.length === 0) return []
  const ids = leavingTypes.map(({ id }) => id)
  const neededByKeepers = db
    .selectFrom('keepers')
    .select(['keeper_type_id as typeId', 'owner_id as heir'])
    .where('keeper_type_id', 'in', ids)
    .where('owner_id', '!=', personId)
    .$narrowType<{ typeId: string }>()
  const neededByAgents = db
    .selectFrom('agent_keeper_types')
    .innerJoin('agents', 'agents.id', 'agent_keeper_types.agent_id')
    .select(['keeper_type_id as typeId', 'agents.owner_id as heir'])
    .where('keeper_type_id', 'in', ids)
    .where('agents.owner_id', '!=', personId)
    .$narrowType<{ heir: string }>()
  const [neededTypes, links] = await Promise.all([
    neededByKeepers.union(neededByAgents).execute(),
    db
      .selectFrom('keeper_type_templates')
      .select(['keeper_type_id', 'template_id as templateId', 'position'])
      .where('keeper_type_id', 'in', ids)
      .execute(),
  ])
  return neededTypes.flatMap(({ typeId, heir }) => {
    const row = leavingTypes.find(({ id }) => id === typeId)
    return row ? [{ row, heir, links: links.filter(({ keeper_type_id }) => keeper_type_id === typeId) }] : []
  })
}

const listTypeTemplates = (types: readonly NeededKeeperType[]): NeededTemplate[] =>
  types.flatMap(({ heir, links }) => links.map(({ templateId }) => ({ heir, templateId })))

/** Copies the types for their other users. Agents stay restricted: one without types reads keepers of every type. */
function buildKeeperTypeTransfers(
  services: Services,
  types: readonly NeededKeeperType[],
  copies: TemplateCopies,
): Write[] {
  const { db } = services
  return types.flatMap(({ row, heir, links }) => {
    const id = services.newId()
    const templateLinks = links.map(({ templateId, position }) => ({
      keeper_type_id: id,
      template_id: copies.get(heir)?.get(templateId) ?? templateId,
      position,
    }))
    return [
      insertEntryCopy(services, 'keeper_types', row, { id, owner_id: heir }),
      ...(templateLinks.length > 0 ? [db.insertInto('keeper_type_templates').values(templateLinks)] : []),
      db
        .updateTable('keepers')
        .set({ keeper_type_id: id })
        .where('keeper_type_id', '=', row.id)
        .where('owner_id', '=', heir),
      // Only the heir's and built-in agents: no one else could see the type to unassign it.
      sql`insert into agent_keeper_types (agent_id, keeper_type_id, assigned_at, assigned_by)
        select agent_id, ${id}, assigned_at, assigned_by
        from agent_keeper_types inner join agents on agents.id = agent_keeper_types.agent_id
        where keeper_type_id = ${row.id} and (agents.owner_id is null or agents.owner_id = ${heir})`,
    ]
  })
}

export async function buildTransferWrites(services: Services, personId: string): Promise<Write[]> {
  const types = await listNeededTypes(services, personId)
  const { writes, copies } = await buildTemplateTransfers(services, personId, listTypeTemplates(types))
  return [
    ...writes,
    ...buildKeeperTypeTransfers(services, types, copies),
    ...(await buildPatternTransfers(services, personId)),
  ]
}

async function buildPatternTransfers(services: Services, personId: string): Promise<Write[]> {
  const { db } = services
  const leavingPatterns = await db.selectFrom('memory_patterns').selectAll().where('owner_id', '=', personId).execute()
  const writes: Write[] = []
  for (const row of leavingPatterns) {
    const usages = (await findPatternUsers(services, { id: personId }, row)).filter(
      ({ ownerId }) => ownerId !== personId,
    )
    for (const [heir, heirUsages] of Map.groupBy(usages, ({ ownerId }) => ownerId)) {
      const names = {
        name: await chooseCopyName(services, heir, row),
        slug: addSlugSuffix(services, toSlugBase(row.slug)),
      }
      writes.push(
        insertEntryCopy(services, 'memory_patterns', row, { ...names, owner_id: heir }),
        // Keepers that name the pattern find the copy, since a person's own patterns come first.
        ...heirUsages
          .filter(({ reference }) => reference.toLowerCase() !== names.name.toLowerCase())
          .map(({ reference }) =>
            db
              .updateTable('keepers')
              .set({ memory_pattern: names.slug })
              .where('owner_id', '=', heir)
              .where('memory_pattern', '=', reference),
          ),
      )
    }
  }
  return writes
}

async function chooseCopyName(services: Services, heir: string, { id, name }: PatternRow): Promise<string> {
  const visible = await queryVisiblePatterns(services, { id: heir }).execute()
  const resolvedPattern = resolvePattern(name, heir, visible)
  return resolvedPattern?.id === id ? name : `${name.slice(0, 60)} ${services.newId().slice(-8)}`
}
