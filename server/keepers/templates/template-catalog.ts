import { type Selectable, type SelectQueryBuilder, sql } from 'kysely'
import type * as z from 'zod/mini'
import {
  type EngagementTemplate,
  type engagementTemplates,
  singleAnswerKey,
  type TemplateField,
  type TemplateTarget,
  templateTypes,
} from '#contract/keepers/engagement-templates.ts'
import type { Person } from '#server/accounts/person.ts'
import { canRun, findAgentFor } from '#server/agents/agent-access.ts'
import {
  type CatalogKind,
  createCatalogTexts,
  createEntryNotFound,
  requireEntry,
  selectVisibleEntries,
  toCommonFields,
  type Viewer,
} from '#server/catalog/catalog.ts'
import { createEntry } from '#server/catalog/save-entry.ts'
import { ForeignKeyViolation, replaceError } from '#server/db/database-errors.ts'
import { toSlugBase } from '#server/db/insert-with-slug.ts'
import type { Schema } from '#server/db/schema.ts'
import { badField } from '#server/http/problem.ts'
import type { Services } from '#server/services.ts'
import { toIsoTime } from '#server/values/iso-time.ts'
import { publishKeeperChanged } from '../entries/publish-keeper-changed.ts'
import { requireKeeperFor } from '../keeper-access.ts'

export type TemplateRow = Selectable<Schema['engagement_templates']>

export const queryVisibleTemplates = (services: Services, person: Viewer) =>
  selectVisibleEntries(services, person, 'engagement_templates')

export const selectTemplatesOfType = ({ db }: Services, typeId: string) =>
  db
    .selectFrom('engagement_templates')
    .innerJoin('keeper_type_templates', 'keeper_type_templates.template_id', 'engagement_templates.id')
    .selectAll('engagement_templates')
    .where('keeper_type_templates.keeper_type_id', '=', typeId)
    .orderBy('keeper_type_templates.position')
    .orderBy('engagement_templates.id')

export const isTemplateType = (value: string): value is TemplateRow['type'] =>
  (templateTypes as readonly string[]).includes(value)

export const templateKind: CatalogKind<TemplateRow, EngagementTemplate> = {
  table: 'engagement_templates',
  noun: 'template',
  texts: createCatalogTexts('Engagement template', 'template'),
  longColumns: ['description', 'fields', 'steps'],
  find: (services, person, idOrSlug) =>
    queryVisibleTemplates(services, person)
      .where((where) => where.or([where('id', '=', idOrSlug), where('slug', '=', idOrSlug)]))
      .executeTakeFirst(),
  async toViews(services, rows, person) {
    if (rows.length === 0) return []
    const countUses = await createUseCounter(services, rows, person)
    return rows.map((row) => ({
      ...toCommonFields(row, person),
      label: row.label,
      type: row.type,
      kind: row.kind,
      category: row.category,
      fields: row.fields,
      steps: row.steps,
      target: row.target,
      templateCount: countUses(row),
      updatedAt: toIsoTime(row.updated_at),
    }))
  },
  async beforeUpdate(services, person, updated, previous) {
    await validateTemplate(services, person, updated, previous)
    return []
  },
  listUses: ({ db }, _person, { id }) => [
    {
      rows: db
        .selectFrom('engagement_templates as process')
        .select('process.id')
        .where('process.kind', '=', 'process')
        // The quotes match the whole id only; quotes inside a text are escaped.
        .where(sql<string>`cast(process.steps as text)`, 'like', `%"${id}"%`),
      message: 'This template is used by a process. Remove it from the steps of that process first.',
    },
    {
      rows: db.selectFrom('keeper_type_templates').select('template_id').where('template_id', '=', id),
      message: 'This template is used by a keeper type. Unlink it from the keeper type first.',
    },
    {
      rows: db
        .selectFrom('keeper_templates')
        .innerJoin('keepers', 'keepers.id', 'keeper_templates.keeper_id')
        .select('keepers.id')
        .where('keeper_templates.template_id', '=', id)
        .where('keepers.deleted_at', 'is', null),
      message: 'This template is used by a keeper. Unlink it from the keeper first.',
    },
    {
      // Runs of deleted keepers count, as their answers would be lost with the template.
      rows: db
        .selectFrom('template_runs')
        .select('template_runs.id')
        .where('template_runs.template_id', '=', id)
        .where('template_runs.finished_at', 'is', null)
        .where('template_runs.deleted_at', 'is', null),
      message:
        'This template is used by an unfinished run. Finish or discard that run first. Runs in deleted keepers count too.',
    },
  ],
}

/** @throws Problem 404 */
export const requireTemplateFor = (services: Services, person: Viewer, idOrSlug: string): Promise<TemplateRow> =>
  requireEntry(services, person, templateKind, idOrSlug)

/** @throws Problem 400 */
export async function createTemplate(
  services: Services,
  person: Person,
  input: z.output<typeof engagementTemplates.create.body & {}>,
): Promise<EngagementTemplate> {
  const {
    label,
    kind,
    type = 'other',
    description = '',
    category = '',
    fields = [],
    steps = [],
    target = 'reflection',
  } = input
  const columns = { label, kind, type, description, category, fields, steps, target, system: false }
  await validateTemplate(services, person, columns)
  const slug = toSlugBase(label)
  // A type as slug would address the list of that type.
  return createEntry(services, person, templateKind, {
    slug: isTemplateType(slug) ? `${slug}-template` : slug,
    columns,
  })
}

/** Content types count the processes that use them, processes the person's keepers with a run. */
async function createUseCounter({ db }: Services, rows: readonly TemplateRow[], person: Viewer) {
  const [processes, runs] = await Promise.all([
    db
      .selectFrom('engagement_templates')
      .select('steps')
      .where('kind', '=', 'process')
      .where((where) => where.or([where('system', '=', true), where('owner_id', '=', person.id)]))
      .execute(),
    db
      .selectFrom('template_runs')
      .innerJoin('keepers', 'keepers.id', 'template_runs.keeper_id')
      .select(['template_runs.template_id', (select) => select.fn.count<number>('keepers.id').distinct().as('count')])
      .where('template_runs.owner_id', '=', person.id)
      .where('template_runs.deleted_at', 'is', null)
      .where('keepers.deleted_at', 'is', null)
      .where(
        'template_runs.template_id',
        'in',
        rows.map(({ id }) => id),
      )
      .groupBy('template_runs.template_id')
      .execute(),
  ])
  return (row: TemplateRow) =>
    row.kind === 'content-type'
      ? processes.filter(({ steps }) => steps.some(({ contentTypeId }) => contentTypeId === row.id)).length
      : (runs.find(({ template_id }) => template_id === row.id)?.count ?? 0)
}

type TemplateShape = Pick<TemplateRow, 'kind' | 'fields' | 'steps' | 'target'>

/** @throws Problem 400 that names the field or step, as `fields.2.key` */
async function validateTemplate(
  services: Services,
  person: Person,
  shape: TemplateShape,
  previous?: TemplateRow,
): Promise<void> {
  if (shape.kind === 'content-type') return validateFields(shape)
  if (shape.fields.length > 0) throw badField('fields', 'A process has steps. Put fields in a content type.')
  if (shape.steps.length === 0) throw badField('steps', 'Add at least one step.')
  const forms = await loadForms(selectVisibleEntries(services, person, 'engagement_templates'), [shape])
  for (const [index, step] of shape.steps.entries()) {
    const form = step.contentTypeId === null ? undefined : forms.get(step.contentTypeId)
    const isUnchanged = previous?.steps.some(({ contentTypeId }) => contentTypeId === step.contentTypeId)
    if (step.contentTypeId !== null && !form && !isUnchanged)
      throw badField(`steps.${index}.contentTypeId`, 'This content type no longer exists. Choose another one.')
    if (form?.fields.some(({ type }) => type === 'media') && shape.target !== 'moment')
      throw badField('target', 'Only moments can hold pictures and recordings. Choose “A moment”.')
    const { agentSlug } = step
    if (agentSlug === null || previous?.steps.some((previousStep) => previousStep.agentSlug === agentSlug)) continue
    const agent = await findAgentFor(services, person, agentSlug)
    if (!agent || !canRun(agent, person))
      throw badField(`steps.${index}.agentSlug`, `You can’t run an agent called "${agentSlug}".`)
  }
}

/** The content types in the steps of processes, by id. */
async function loadForms(
  templates: SelectQueryBuilder<Schema, 'engagement_templates', TemplateRow>,
  processes: readonly Pick<TemplateRow, 'steps'>[],
) {
  const ids = new Set(processes.flatMap(({ steps }) => steps.flatMap(({ contentTypeId }) => contentTypeId ?? [])))
  if (ids.size === 0) return new Map<string, TemplateRow>()
  const rows = await templates
    .where('kind', '=', 'content-type')
    .where('id', 'in', [...ids])
    .execute()
  return new Map(rows.map((row) => [row.id, row]))
}

function validateFields({ fields, steps, target }: TemplateShape): void {
  if (steps.length > 0) throw badField('steps', 'A content type has fields. Put steps in a process.')
  if (fields.length === 0) throw badField('fields', 'Add at least one field.')
  const keys = new Set<string>()
  for (const [index, field] of fields.entries()) {
    if (keys.has(field.key)) throw badField(`fields.${index}.key`, `Another field has the key "${field.key}".`)
    keys.add(field.key)
    const options = new Set(field.options ?? [])
    if (field.type === 'choice' && options.size < 2)
      throw badField(`fields.${index}.options`, 'Add at least two choices.')
    if (field.type === 'choice' && options.size < (field.options?.length ?? 0))
      throw badField(`fields.${index}.options`, 'List each choice only once.')
    if (field.type === 'media' && target !== 'moment')
      throw badField('target', 'Only moments can hold pictures and recordings. Choose “A moment”.')
  }
}

interface TemplateLink {
  id: string
  templateId: string
}

export async function listTemplatesOfKeeper(
  services: Services,
  person: Person,
  id: string,
): Promise<(EngagementTemplate & { ofType: boolean })[]> {
  const { db } = services
  const keeper = await requireKeeperFor(services, person, id)
  const [typeTemplates, linkedTemplates] = await Promise.all([
    keeper.keeper_type_id === null ? [] : selectTemplatesOfType(services, keeper.keeper_type_id).execute(),
    db
      .selectFrom('engagement_templates')
      .innerJoin('keeper_templates', 'keeper_templates.template_id', 'engagement_templates.id')
      .selectAll('engagement_templates')
      .where('keeper_templates.keeper_id', '=', keeper.id)
      .orderBy('keeper_templates.linked_at')
      .orderBy('engagement_templates.id')
      .execute(),
  ])
  const typeTemplateIds = new Set(typeTemplates.map((row) => row.id))
  const rows: TemplateRow[] = [...typeTemplates, ...linkedTemplates.filter((row) => !typeTemplateIds.has(row.id))]
  const views = await templateKind.toViews(services, rows, person)
  return views.map((view) => ({ ...view, ofType: typeTemplateIds.has(view.id) }))
}

/** Idempotent. @throws Problem 404 */
export async function linkToKeeper(
  services: Services,
  person: Person,
  { id, templateId }: TemplateLink,
): Promise<void> {
  const keeper = await requireKeeperFor(services, person, id)
  const template = await requireTemplateFor(services, person, templateId)
  await services.db
    .insertInto('keeper_templates')
    .values({ keeper_id: keeper.id, template_id: template.id, linked_at: services.now().getTime() })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
    .catch(replaceError(ForeignKeyViolation, () => createEntryNotFound(templateKind)))
  publishKeeperChanged(services, keeper.owner_id, keeper.id, 'keeper')
}

export async function unlinkFromKeeper(
  services: Services,
  person: Person,
  { id, templateId }: TemplateLink,
): Promise<void> {
  const keeper = await requireKeeperFor(services, person, id)
  await services.db
    .deleteFrom('keeper_templates')
    .where('keeper_id', '=', keeper.id)
    .where('template_id', '=', templateId)
    .execute()
  publishKeeperChanged(services, keeper.owner_id, keeper.id, 'keeper')
}

export interface ResolvedStep {
  title: string
  prompt: string
  agentSlug: string | null
  waitHours: number
  fields: TemplateField[]
}

export async function resolveSteps(
  { db }: Services,
  templates: readonly TemplateRow[],
): Promise<Map<string, ResolvedStep[]>> {
  const forms = await loadForms(db.selectFrom('engagement_templates').selectAll(), templates)
  return new Map(
    templates.map((template) => [
      template.id,
      template.kind === 'content-type'
        ? [
            {
              title: template.label,
              prompt: template.description,
              agentSlug: null,
              waitHours: 0,
              fields: filterFields(template.fields, template.target),
            },
          ]
        : template.steps.map((step) => ({
            title: step.title,
            prompt: step.prompt,
            agentSlug: step.agentSlug,
            waitHours: step.waitHours ?? 0,
            fields: filterFields(
              forms.get(step.contentTypeId ?? '')?.fields ?? [createTextField(step.title)],
              template.target,
            ),
          })),
    ]),
  )
}

const createTextField = (title: string): TemplateField => ({
  key: singleAnswerKey,
  label: title,
  type: 'longtext',
  required: true,
})

/** Only moments hold files; a form can get a file field after a process started to use it. */
const filterFields = (fields: TemplateField[], target: TemplateTarget) =>
  target === 'moment' ? fields : fields.filter(({ type }) => type !== 'media')
