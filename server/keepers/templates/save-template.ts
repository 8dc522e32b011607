import type { Updateable } from 'kysely'
import type * as z from 'zod/mini'
import type { EngagementTemplate, engagementTemplates } from '#contract/keepers/engagement-templates.ts'
import type { Person } from '#server/accounts/person.ts'
import { findAgentFor, mayRun } from '#server/agents/agent-access.ts'
import { json } from '#server/db/database.ts'
import type { Schema } from '#server/db/schema.ts'
import { badField, Problem } from '#server/http/problem.ts'
import { insertUnderSlug, slugBase } from '#server/insert-under-slug.ts'
import type { Services } from '#server/services.ts'
import { type TemplateRow, templateView } from './template-view.ts'
import { findTemplates, isTemplateType, requireOwnTemplateFor } from './visible-templates.ts'

type NewTemplate = z.output<typeof engagementTemplates.create.body & {}>
type TemplateChanges = z.output<typeof engagementTemplates.update.body & {}>
type Shape = Pick<TemplateRow, 'kind' | 'fields' | 'steps' | 'target'>

const tries = 4

/** Derives the slug from the label, with a suffix when it is in use. @throws Problem 400 */
export async function createTemplate(
  services: Services,
  person: Person,
  given: NewTemplate,
): Promise<EngagementTemplate> {
  const shape: Shape = {
    kind: given.kind,
    fields: given.fields ?? [],
    steps: given.steps ?? [],
    target: given.target ?? 'reflection',
  }
  await refuseWhatCannotBeAsked(services, person, shape)
  const base = slugBase(given.label) || 'template'
  // A type as slug would address the list of that type.
  const wanted = isTemplateType(base) ? `${base}-template` : base
  const row = await insertUnderSlug(services, wanted, (names): Promise<TemplateRow> => {
    const now = services.now().getTime()
    return services.db
      .insertInto('engagement_templates')
      .values({
        ...names,
        owner_id: person.id,
        kind: shape.kind,
        label: given.label,
        type: given.type ?? 'other',
        description: given.description ?? '',
        category: given.category ?? '',
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
  return templateView(services, row, person)
}

/** Keeps the slug, which is part of addresses. @throws Problem 404, 403, 400; `stale` with `{yours, current}` */
export async function updateTemplate(
  services: Services,
  person: Person,
  id: string,
  given: TemplateChanges,
  ifMatch: number | null,
): Promise<EngagementTemplate> {
  for (let attempt = 1; ; attempt++) {
    const row = await requireOwnTemplateFor(services, person, id)
    const { fields, steps, ...words } = given
    const after: TemplateRow = { ...row, ...present(words), ...(fields && { fields }), ...(steps && { steps }) }
    if (ifMatch !== null && ifMatch !== row.rev) {
      const yours = await templateView(services, { ...after, rev: ifMatch }, person)
      throw new Problem('stale', { data: { yours, current: await templateView(services, row, person) } })
    }
    await refuseWhatCannotBeAsked(services, person, after, row)
    const changes: Updateable<Schema['engagement_templates']> = {
      ...present(words),
      ...(fields && { fields: json(fields) }),
      ...(steps && { steps: json(steps) }),
    }
    if (Object.keys(changes).length === 0) return templateView(services, row, person)
    const saved = await services.db
      .updateTable('engagement_templates')
      .set({ ...changes, updated_at: services.now().getTime(), rev: row.rev + 1 })
      .where('id', '=', row.id)
      .where('rev', '=', row.rev)
      .returningAll()
      .executeTakeFirst()
    if (saved) return templateView(services, saved, person)
    // Lost a race: retry, or report a conflict to a caller with a revision.
    if (attempt === tries) throw new Problem('conflict')
  }
}

const present = <T extends object>(given: T) =>
  Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined)) as {
    [K in keyof T]?: Exclude<T[K], undefined>
  }

/** @throws Problem 400 that names the field or step, as `fields.2.key` */
async function refuseWhatCannotBeAsked(
  services: Services,
  person: Person,
  shape: Shape,
  before?: TemplateRow,
): Promise<void> {
  if (shape.kind === 'content-type') return refuseFields(shape)
  if (shape.fields.length > 0) throw badField('fields', 'A process has steps. Put fields in a content type.')
  if (shape.steps.length === 0) throw badField('steps', 'Add at least one step.')
  const asked = shape.steps.flatMap(({ contentTypeId }) => contentTypeId ?? [])
  const known = await findTemplates(services, person, 'content-type', asked)
  for (const [at, step] of shape.steps.entries()) {
    const form = step.contentTypeId === null ? undefined : known.get(step.contentTypeId)
    const wasThere = before?.steps.some(({ contentTypeId }) => contentTypeId === step.contentTypeId)
    if (step.contentTypeId !== null && !form && !wasThere)
      throw badField(`steps.${at}.contentTypeId`, 'This content type no longer exists. Choose another one.')
    if (form?.fields.some(({ type }) => type === 'media') && shape.target !== 'moment')
      throw badField('target', 'Only moments can hold pictures and sound. Make it a moment.')
    const { agentSlug } = step
    if (agentSlug === null || before?.steps.some((earlier) => earlier.agentSlug === agentSlug)) continue
    const agent = await findAgentFor(services, person, agentSlug)
    if (!agent || !mayRun(agent, person))
      throw badField(`steps.${at}.agentSlug`, `You can't run an agent called "${agentSlug}".`)
  }
}

function refuseFields({ fields, steps, target }: Shape): void {
  if (steps.length > 0) throw badField('steps', 'A content type has fields. Put steps in a process.')
  if (fields.length === 0) throw badField('fields', 'Add at least one field.')
  const keys = new Set<string>()
  for (const [at, field] of fields.entries()) {
    if (keys.has(field.key)) throw badField(`fields.${at}.key`, `Another field has the key "${field.key}".`)
    keys.add(field.key)
    const options = new Set(field.options ?? [])
    if (field.type === 'choice' && options.size < 2) throw badField(`fields.${at}.options`, 'Add at least two choices.')
    if (field.type === 'choice' && options.size < (field.options?.length ?? 0))
      throw badField(`fields.${at}.options`, 'List each choice only once.')
    if (field.type === 'media' && target !== 'moment')
      throw badField('target', 'Only moments can hold pictures and sound. Make it a moment.')
  }
}
