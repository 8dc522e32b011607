import { singleAnswerKey, type TemplateField, type TemplateTarget } from '#contract/keepers/engagement-templates.ts'
import type { Services } from '#server/services.ts'
import type { TemplateRow } from './template-catalog.ts'

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
  const formIds = templates.flatMap(({ steps }) => steps.flatMap(({ contentTypeId }) => contentTypeId ?? []))
  const forms =
    formIds.length === 0
      ? []
      : await db
          .selectFrom('engagement_templates')
          .select(['id', 'fields'])
          .where('kind', '=', 'content-type')
          .where('id', 'in', [...new Set(formIds)])
          .execute()
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
              forms.find(({ id }) => id === step.contentTypeId)?.fields ?? [createTextField(step.title)],
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
