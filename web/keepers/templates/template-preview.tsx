import { useState } from 'react'
import type { EngagementTemplate, TemplateAnswers } from '#contract/keepers/engagement-templates.ts'
import { Card } from '#web/ui/panels/card.tsx'
import { pluralize } from '#web/ui/text/pluralize.ts'
import { AnswerField } from './answer-field.tsx'
import { type CustomTemplateKind, type TemplateValues, targetNames, toTemplateFields } from './template-values.ts'

interface TemplatePreviewProps {
  kind: CustomTemplateKind
  values: TemplateValues
  forms: readonly EngagementTemplate[]
}

/** A preview of the template being edited; typed answers are never saved. */
export function TemplatePreview({ kind, values, forms }: TemplatePreviewProps) {
  return (
    <section aria-labelledby="template-preview" className="sticky top-4 min-w-0 phone:static">
      <h2 id="template-preview" className="mb-2 text-h3">
        Preview
      </h2>
      <Card kind="paper" className="flex flex-col gap-5">
        <div>
          <p className="font-serif text-[20px] leading-7 font-medium wrap-break-word">
            {values.label || 'No name yet'}
          </p>
          {values.description && (
            <p className="text-ui text-muted-foreground whitespace-pre-line wrap-break-word">{values.description}</p>
          )}
        </div>
        {kind === 'content-type' ? (
          <PreviewQuestions fields={toTemplateFields(values.fields)} />
        ) : (
          <ol className="flex flex-col gap-4">
            {values.steps.map((step, index) => (
              <li key={step.row} className="border-s-2 border-border ps-3">
                <p className="font-serif text-[17px] leading-6 wrap-break-word">{step.title || `Step ${index + 1}`}</p>
                {step.prompt && <p className="text-ui text-muted-foreground wrap-break-word">{step.prompt}</p>}
                <p className="mt-1 text-small text-muted-foreground">
                  {forms.find(({ id }) => id === step.contentTypeId)?.label ?? 'One long answer'}
                  {step.agentSlug && ` · can ask ${step.agentSlug}`}
                  {!!step.waitHours &&
                    index < values.steps.length - 1 &&
                    ` · then wait ${pluralize(step.waitHours, 'hour')}`}
                </p>
              </li>
            ))}
          </ol>
        )}
        <p className="border-t border-hairline pt-3 text-small text-muted-foreground">
          Answers become: {targetNames[values.target].toLowerCase()}. Nothing typed in this preview is saved.
        </p>
      </Card>
    </section>
  )
}

function PreviewQuestions({ fields }: { fields: ReturnType<typeof toTemplateFields> }) {
  const [answers, setAnswers] = useState<TemplateAnswers>({})
  return fields.map((field) => (
    <AnswerField
      key={`${field.key} ${field.type}`}
      field={field}
      value={answers[field.key]}
      onChange={(value) =>
        setAnswers(({ [field.key]: _, ...otherAnswers }) =>
          value === undefined ? otherAnswers : { ...otherAnswers, [field.key]: value },
        )
      }
    />
  ))
}
