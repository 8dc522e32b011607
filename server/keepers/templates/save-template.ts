import type { Updateable } from 'kysely'
import type * as z from 'zod/mini'
import type { EngagementTemplate, engagementTemplates } from '#contract/keepers/engagement-templates.ts'
import type { Person } from '#server/accounts/person.ts'
import { canRun, findAgentFor } from '#server/agents/agent-access.ts'
import { json } from '#server/db/database.ts'
import type { Schema } from '#server/db/schema.ts'
import { badField, Problem } from '#server/http/problem.ts'
import { insertWithSlug, toSlugBase } from '#server/insert-with-slug.ts'
import type { Services } from '#server/services.ts'
import { type TemplateRow, toTemplateView } from './template-view.ts'
import { findTemplates, isTemplateType, requireOwnTemplate } from './visible-templates.ts'

type NewTemplate = z.output<typeof engagementTemplates.create.body & {}>
type TemplateChanges = z.output<typeof engagementTemplates.update.body & {}>
type TemplateShape = Pick<TemplateRow, 'kind' | 'fields' | 'steps' | 'target'>

const maxSaveAttempts = 4

/** Derives the slug from the label, with a suffix when it is in use. @throws Problem 400 */
export async function createTemplate(
  services: Services,
  person: Person,
  input: NewTemplate,
): Promise<EngagementTemplate> {
  const shape: TemplateShape = {
    kind: input.kind,
    fields: input.fields ?? [],
    steps: input.steps ?? [],
    target: input.target ?? 'reflection',
  }
  await validateTemplate(services, person, shape)
  const slugBase = toSlugBase(input.label) || 'template'
  // A type as slug would address the list of that type.
  const requestedSlug = isTemplateType(slugBase) ? `${slugBase}-template` : slugBase
  const row = await insertWithSlug(services, requestedSlug, (names): Promise<TemplateRow> => {
    const now = services.now().getTime()
    return services.db
      .insertInto('engagement_templates')
      .values({
        ...names,
        owner_id: person.id,
        kind: shape.kind,
        label: input.label,
        type: input.type ?? 'other',
        description: input.description ?? '',
        category: input.category ?? '',
        system: false,
        fields: json(shape.fields),
        steps: json(shape.steps),
        target: shape.target,
        created_at: now,
        updated_at: now,
      })
      .returningAll()
      .executeTakeFirstOrThrow()
  })
  return toTemplateView(services, row, person)
}

/** Keeps the slug, which is part of addresses. @throws Problem 404, 403, 400; `stale` with `{yours, current}` */
export async function updateTemplate(
  services: Services,
  person: Person,
  id: string,
  input: TemplateChanges,
  ifMatch: number | null,
): Promise<EngagementTemplate> {
  for (let attempt = 1; ; attempt++) {
    const row = await requireOwnTemplate(services, person, id)
    const { fields, steps, ...textFields } = input
    const updated: TemplateRow = {
      ...row,
      ...omitUndefined(textFields),
      ...(fields && { fields }),
      ...(steps && { steps }),
    }
    if (ifMatch !== null && ifMatch !== row.rev) {
      const clientVersion = await toTemplateView(services, { ...updated, rev: ifMatch }, person)
      throw new Problem('stale', {
        data: { yours: clientVersion, current: await toTemplateView(services, row, person) },
      })
    }
    await validateTemplate(services, person, updated, row)
    const changes: Updateable<Schema['engagement_templates']> = {
      ...omitUndefined(textFields),
      ...(fields && { fields: json(fields) }),
      ...(steps && { steps: json(steps) }),
    }
    if (Object.keys(changes).length === 0) return toTemplateView(services, row, person)
    const saved = await services.db
      .updateTable('engagement_templates')
      .set({ ...changes, updated_at: services.now().getTime(), rev: row.rev + 1 })
      .where('id', '=', row.id)
      .where('rev', '=', row.rev)
      .returningAll()
      .executeTakeFirst()
    if (saved) return toTemplateView(services, saved, person)
    if (attempt === maxSaveAttempts) throw new Problem('conflict')
  }
}

const omitUndefined = <T extends object>(source: T) =>
  Object.fromEntries(Object.entries(source).filter(([, value]) => value !== undefined)) as {
    [K in keyof T]?: Exclude<T[K], undefined>
  }

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
  const formIds = shape.steps.flatMap(({ contentTypeId }) => contentTypeId ?? [])
  const forms = await findTemplates(services, person, 'content-type', formIds)
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
