import { type RawBuilder, type SqlBool, sql } from 'kysely'
import type { TemplateStep } from '#contract/keepers/engagement-templates.ts'
import { insertEntryCopy } from '#server/catalog/save-entry.ts'
import { json, requireChanges, type Write } from '#server/db/database.ts'
import type { TemplateRow } from '#server/keepers/templates/template-catalog.ts'
import type { Services } from '#server/services.ts'

/** For each heir, the leaving person's template ids with the ids of their copies. */
export type TemplateCopies = Map<string, Map<string, string>>

export interface NeededTemplate {
  heir: string
  templateId: string
}

type ForeignProcess = Pick<TemplateRow, 'id' | 'steps' | 'rev'> & { owner_id: string }

export async function buildTemplateTransfers(
  services: Services,
  personId: string,
  alsoNeeded: readonly NeededTemplate[],
): Promise<{ writes: Write[]; copies: TemplateCopies }> {
  const { db } = services
  const leavingTemplates = await db
    .selectFrom('engagement_templates')
    .selectAll()
    .where('owner_id', '=', personId)
    .execute()
  if (leavingTemplates.length === 0) return { writes: [], copies: new Map() }
  const ids = leavingTemplates.map(({ id }) => id)
  const processes = await listForeignProcesses(services, personId, ids)
  const copies = assignCopyIds(services, leavingTemplates, [
    ...alsoNeeded,
    ...(await listNeededTemplates(services, personId, ids)),
    ...processes.flatMap(({ owner_id: heir, steps }) => listFormIds(steps).map((templateId) => ({ heir, templateId }))),
  ])
  const agentSlugs = await listAgentSlugs(services, personId)
  const templateById = new Map(leavingTemplates.map((row) => [row.id, row]))
  const writes = [
    ...lockTemplates(services, ids),
    ...[...copies].flatMap(([heir, copyIds]) =>
      [...copyIds].flatMap(([templateId, copyId]) => {
        const row = templateById.get(templateId)
        return row
          ? buildTemplateTransfer(services, { row, heir, copyId, steps: toCopySteps(row, copyIds, agentSlugs) })
          : []
      }),
    ),
    ...processes.flatMap((process) => {
      const copyIds = copies.get(process.owner_id)
      return copyIds && listFormIds(process.steps).some((id) => copyIds.has(id))
        ? [updateProcessSteps(services, process, copyIds)]
        : []
    }),
  ]
  return { writes, copies }
}

/** SQL condition: no one else has an unfinished run of this person's templates, whose answers would be lost. */
export function whereTemplatesUnused(personId: string): RawBuilder<SqlBool> {
  return sql<SqlBool>`not exists (
    select 1 from template_runs inner join engagement_templates on engagement_templates.id = template_runs.template_id
    where engagement_templates.owner_id = ${personId} and template_runs.owner_id <> ${personId}
      and template_runs.finished_at is null)`
}

/** On PostgreSQL, concurrent starts must see the lock or find the template deleted; SQLite serializes writes. */
function lockTemplates({ db }: Services, ids: readonly string[]): Write[] {
  if (db.engine === 'sqlite') return []
  return [db.selectFrom('engagement_templates').select('id').where('id', 'in', ids).orderBy('id').forUpdate()]
}

/** Includes trashed runs and keepers, which can be restored. */
function listNeededTemplates({ db }: Services, personId: string, ids: readonly string[]): Promise<NeededTemplate[]> {
  const startedRuns = db
    .selectFrom('template_runs')
    .select(['owner_id as heir', 'template_id as templateId'])
    .where('template_id', 'in', ids)
    .where('owner_id', '!=', personId)
    .where('finished_at', 'is', null)
  const linkedTemplates = db
    .selectFrom('keeper_templates')
    .innerJoin('keepers', 'keepers.id', 'keeper_templates.keeper_id')
    .select(['keepers.owner_id as heir', 'keeper_templates.template_id as templateId'])
    .where('keeper_templates.template_id', 'in', ids)
    .where('keepers.owner_id', '!=', personId)
  return startedRuns.union(linkedTemplates).execute()
}

function listForeignProcesses({ db }: Services, personId: string, ids: readonly string[]): Promise<ForeignProcess[]> {
  return db.longRead<ForeignProcess>(
    db
      .selectFrom('engagement_templates as process')
      .select(['process.id', 'process.owner_id', 'process.steps', 'process.rev'])
      .where('process.kind', '=', 'process')
      .where('process.owner_id', '!=', personId)
      .where((where) =>
        where.exists(
          db
            .selectFrom('engagement_templates as form')
            .select('form.id')
            .where('form.id', 'in', ids)
            .where('form.kind', '=', 'content-type')
            // The quotes match the whole id; inside step texts they would be escaped.
            .where(sql<SqlBool>`cast(process.steps as text) like '%"' || form.id || '"%'`),
        ),
      )
      .$castTo<ForeignProcess>(),
  )
}

function assignCopyIds(
  services: Services,
  leavingTemplates: readonly TemplateRow[],
  neededTemplates: readonly NeededTemplate[],
): TemplateCopies {
  const templateById = new Map(leavingTemplates.map((row) => [row.id, row]))
  const copies: TemplateCopies = new Map()
  for (const { heir, templateId } of neededTemplates) {
    const ids = copies.get(heir) ?? new Map<string, string>()
    for (const id of [templateId, ...listFormIds(templateById.get(templateId)?.steps ?? [])])
      if (templateById.has(id) && !ids.has(id)) ids.set(id, services.newId())
    if (ids.size > 0) copies.set(heir, ids)
  }
  return copies
}

const listFormIds = (steps: readonly TemplateStep[]): string[] =>
  steps.flatMap(({ contentTypeId }) => contentTypeId ?? [])

const replaceFormIds = (steps: readonly TemplateStep[], ids: ReadonlyMap<string, string>): TemplateStep[] =>
  steps.map((step) => ({
    ...step,
    contentTypeId: step.contentTypeId && (ids.get(step.contentTypeId) ?? step.contentTypeId),
  }))

/** Removes the leaving person's agents, since another agent may get their slugs later. */
const toCopySteps = (row: TemplateRow, ids: ReadonlyMap<string, string>, agentSlugs: ReadonlySet<string>) =>
  replaceFormIds(row.steps, ids).map((step) => ({
    ...step,
    agentSlug: step.agentSlug !== null && agentSlugs.has(step.agentSlug) ? null : step.agentSlug,
  }))

async function listAgentSlugs({ db }: Services, personId: string): Promise<Set<string>> {
  const agents = db.selectFrom('agents').select('slug').where('owner_id', '=', personId)
  const reservedSlugs = db.selectFrom('held_slugs').select('slug').where('owner_id', '=', personId)
  return new Set((await agents.union(reservedSlugs).execute()).map(({ slug }) => slug))
}

interface TemplateTransfer {
  row: TemplateRow
  heir: string
  copyId: string
  steps: TemplateStep[]
}

function buildTemplateTransfer(services: Services, { row, heir, copyId, steps }: TemplateTransfer): Write[] {
  const { db } = services
  return [
    insertEntryCopy(services, 'engagement_templates', row, { id: copyId, owner_id: heir, steps }),
    db
      .updateTable('template_runs')
      .set({ template_id: copyId })
      .where('template_id', '=', row.id)
      .where('owner_id', '=', heir),
    db
      .updateTable('keeper_templates')
      .set({ template_id: copyId })
      .where('template_id', '=', row.id)
      .where('keeper_id', 'in', db.selectFrom('keepers').select('id').where('owner_id', '=', heir)),
  ]
}

function updateProcessSteps({ db }: Services, process: ForeignProcess, ids: ReadonlyMap<string, string>): Write {
  return requireChanges(
    db
      .updateTable('engagement_templates')
      .set({ steps: json(replaceFormIds(process.steps, ids)), rev: process.rev + 1 })
      .where('id', '=', process.id)
      .where('rev', '=', process.rev),
  )
}
