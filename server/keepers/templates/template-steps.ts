import { soleAnswerKey, type TemplateField, type TemplateTarget } from '#contract/keepers/engagement-templates.ts'
import type { Services } from '#server/services.ts'
import type { TemplateRow } from './template-view.ts'

/** One step of a run as it is asked. */
export interface AskedStep {
  title: string
  prompt: string
  agentSlug: string | null
  waitHours: number
  fields: TemplateField[]
}

/**
 * The steps of each template, by its id: of a content type the one form, of a process each form or single text. A form
 * that is gone is asked as a single text.
 */
export async function stepsOf({ db }: Services, templates: readonly TemplateRow[]): Promise<Map<string, AskedStep[]>> {
  const wanted = templates.flatMap(({ steps }) => steps.flatMap(({ contentTypeId }) => contentTypeId ?? []))
  const forms =
    wanted.length === 0
      ? []
      : await db
          .selectFrom('engagement_templates')
          .select(['id', 'fields'])
          .where('kind', '=', 'content-type')
          .where('id', 'in', [...new Set(wanted)])
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
              fields: askable(template.fields, template.target),
            },
          ]
        : template.steps.map((step) => ({
            title: step.title,
            prompt: step.prompt,
            agentSlug: step.agentSlug,
            waitHours: step.waitHours ?? 0,
            fields: askable(
              forms.find(({ id }) => id === step.contentTypeId)?.fields ?? [singleText(step.title)],
              template.target,
            ),
          })),
    ]),
  )
}

const singleText = (title: string): TemplateField => ({
  key: soleAnswerKey,
  label: title,
  type: 'longtext',
  required: true,
})

/** Only a moment holds files; a form may have got a field for them after a process began to use it. */
const askable = (fields: TemplateField[], target: TemplateTarget) =>
  target === 'moment' ? fields : fields.filter(({ type }) => type !== 'media')
