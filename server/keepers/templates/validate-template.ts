import type { Person } from '#server/accounts/person.ts'
import { canRun, findAgentFor } from '#server/agents/agent-access.ts'
import { selectVisibleEntries } from '#server/catalog/catalog.ts'
import { badField } from '#server/http/problem.ts'
import type { Services } from '#server/services.ts'
import type { TemplateRow } from './template-catalog.ts'

export type TemplateShape = Pick<TemplateRow, 'kind' | 'fields' | 'steps' | 'target'>

/** @throws Problem 400 that names the field or step, as `fields.2.key` */
export async function validateTemplate(
  services: Services,
  person: Person,
  shape: TemplateShape,
  previous?: TemplateRow,
): Promise<void> {
  if (shape.kind === 'content-type') return validateFields(shape)
  if (shape.fields.length > 0) throw badField('fields', 'A process has steps. Put fields in a content type.')
  if (shape.steps.length === 0) throw badField('steps', 'Add at least one step.')
  const forms = await findForms(services, person, shape)
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

async function findForms(services: Services, person: Person, { steps }: TemplateShape) {
  const ids = new Set(steps.flatMap(({ contentTypeId }) => contentTypeId ?? []))
  if (ids.size === 0) return new Map<string, TemplateRow>()
  const rows = await selectVisibleEntries(services, person, 'engagement_templates')
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
