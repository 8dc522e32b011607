import { useQuery, useQueryClient } from '@tanstack/react-query'
import { ArrowLeft } from 'lucide-react'
import { useState } from 'react'
import {
  type EngagementTemplate,
  engagementTemplates,
  type TemplateAnswers,
  templateTargets,
  templateTypes,
} from '#contract/keepers/engagement-templates.ts'
import { EntityForm } from '#web/offline/entity-form.tsx'
import { sendNow, useEntityForm } from '#web/offline/use-entity-form.tsx'
import { Button } from '#web/ui/controls/button.tsx'
import { NumberField } from '#web/ui/fields/number-field.tsx'
import { SelectField } from '#web/ui/fields/select-field.tsx'
import { TextArea } from '#web/ui/fields/text-area.tsx'
import { TextField } from '#web/ui/fields/text-field.tsx'
import { Card } from '#web/ui/panels/card.tsx'
import { Skeleton } from '#web/ui/panels/skeleton.tsx'
import { hoursPerYear } from '#web/ui/text/days.ts'
import { pluralize } from '#web/ui/text/pluralize.ts'
import { AnswerField } from './answer-field.tsx'
import { FieldList } from './field-list.tsx'
import { RowList } from './row-list.tsx'
import { invalidateTemplates, templatesQuery } from './template-queries.ts'
import {
  type CustomTemplateKind,
  createBlankTemplate,
  createStep,
  type DraftStep,
  listMissingFields,
  type TemplateValues,
  targetNames,
  templateTypeNames,
  toTemplateBody,
  toTemplateFields,
  toTemplateValues,
} from './template-values.ts'

interface TemplateBuilderProps {
  /** `null` for a new template. */
  template: EngagementTemplate | null
  kind: CustomTemplateKind
  onClose: () => void
  onSaved: (template: EngagementTemplate) => void
}

export function TemplateBuilder({ template, kind, onClose, onSaved }: TemplateBuilderProps) {
  const queryClient = useQueryClient()
  const { data: allTemplates } = useQuery(templatesQuery)
  const forms = allTemplates?.filter((candidate) => candidate.kind === 'content-type') ?? []
  const noun = kind === 'process' ? 'process' : 'content type'
  const [blank] = useState(() => createBlankTemplate(kind))
  const form = useEntityForm<EngagementTemplate, TemplateValues>({
    draftKey: `template/${template?.id ?? `new/${kind}`}`,
    subject: `This ${noun}`,
    entity: template,
    toValues: toTemplateValues,
    blank,
    send(_, { values, rev, key: idempotencyKey }) {
      const body = toTemplateBody(values, kind)
      return template
        ? sendNow(engagementTemplates.update, { params: { x: template.id }, body, ifMatch: rev ?? template.rev })
        : sendNow(engagementTemplates.create, { body: { kind, ...body }, idempotencyKey })
    },
    async onSaved(result) {
      await invalidateTemplates(queryClient)
      if (result?.state === 'sent') onSaved(result.answer)
      else onClose()
    },
  })
  const { values, set, field, errors } = form
  const missingFields = listMissingFields(values, kind)

  if (!form.ready) return <Skeleton className="h-96" />
  return (
    <div>
      <Button variant="plain" onClick={onClose} icon={<ArrowLeft aria-hidden size={15} />} className="mb-3">
        Back to templates
      </Button>
      <h2 className="mb-4">{template ? `Edit ${template.label}` : `New ${noun}`}</h2>
      <div className="grid grid-cols-[minmax(0,1fr)_minmax(0,400px)] items-start gap-8 max-[1100px]:grid-cols-1">
        <EntityForm
          form={form}
          aria-label={template ? `Edit ${noun}` : `New ${noun}`}
          failureTitle={`Failed to save the ${noun}. Your text is safe in this browser.`}
          buttonsClassName="border-t border-border pt-4"
          disabled={missingFields.length > 0}
          saveLabel={template ? 'Save' : `Create ${noun}`}
          onCancel={onClose}
          note={
            <p role="status" className="text-small text-muted-foreground">
              {missingFields.length > 0 && `Still missing: ${missingFields.join(', ')}.`}
            </p>
          }
        >
          <TextField label="Name" required maxLength={80} {...field('label')} />
          <TextArea label="Description" maxLength={1000} {...field('description')} />
          <div className="grid grid-cols-3 gap-3 phone:grid-cols-1">
            <TextField label="Category" maxLength={80} {...field('category')} />
            <SelectField
              label="Type"
              {...field('type')}
              options={templateTypes.map((type) => ({ value: type, label: templateTypeNames[type] }))}
            />
            <SelectField
              label="Answers become"
              {...field('target')}
              options={templateTargets.map((target) => ({ value: target, label: targetNames[target] }))}
            />
          </div>
          <h3 className="mt-2">{kind === 'process' ? 'Steps' : 'Fields'}</h3>
          <p className="-mt-3 text-small text-muted-foreground">
            To reorder, drag a row or press Alt and an arrow key in it.
          </p>
          {kind === 'process' ? (
            <StepList steps={values.steps} forms={forms} errors={errors} onChange={(steps) => set({ steps })} />
          ) : (
            <FieldList fields={values.fields} errors={errors} onChange={(fields) => set({ fields })} />
          )}
        </EntityForm>
        <TemplatePreview kind={kind} values={values} forms={forms} />
      </div>
    </div>
  )
}

interface TemplatePreviewProps {
  kind: CustomTemplateKind
  values: TemplateValues
  forms: readonly EngagementTemplate[]
}

/** A preview of the template being edited; typed answers are never saved. */
function TemplatePreview({ kind, values, forms }: TemplatePreviewProps) {
  return (
    <section
      aria-labelledby="template-preview"
      className="sticky top-[calc(var(--header-height)+16px)] min-w-0 phone:static"
    >
      <h2 id="template-preview" className="mb-2 text-h3">
        Preview
      </h2>
      <Card kind="paper" className="flex flex-col gap-5">
        <div>
          <p className="font-serif text-[1.25rem] leading-7 font-medium wrap-break-word">
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
                <p className="font-serif text-[1.0625rem] leading-6 wrap-break-word">
                  {step.title || `Step ${index + 1}`}
                </p>
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

interface StepListProps {
  steps: DraftStep[]
  onChange: (steps: DraftStep[]) => void
  forms: readonly EngagementTemplate[]
  /** Errors by path, such as `steps.2.agentSlug`. */
  errors: Record<string, string>
}

function StepList({ steps, onChange, forms, errors }: StepListProps) {
  return (
    <RowList
      label="Steps"
      rows={steps}
      maxRows={30}
      addLabel="Add step"
      createRow={createStep}
      getName={({ title }, index) => title.trim() || `Step ${index + 1}`}
      onChange={onChange}
    >
      {(step, index, update) => (
        <>
          <TextField
            label="Title"
            required
            maxLength={80}
            value={step.title}
            error={errors[`steps.${index}.title`]}
            onChange={(event) => update({ title: event.currentTarget.value })}
          />
          <TextArea
            label="Prompt"
            maxLength={2000}
            value={step.prompt}
            error={errors[`steps.${index}.prompt`]}
            onChange={(event) => update({ prompt: event.currentTarget.value })}
          />
          <div className="grid grid-cols-2 gap-3 phone:grid-cols-1">
            <SelectField
              label="Form"
              value={step.contentTypeId ?? ''}
              error={errors[`steps.${index}.contentTypeId`]}
              options={[
                { value: '', label: 'One long answer' },
                ...(step.contentTypeId !== null && !forms.some(({ id }) => id === step.contentTypeId)
                  ? [{ value: step.contentTypeId, label: 'Current form' }]
                  : []),
                ...forms.map(({ id, label }) => ({ value: id, label })),
              ]}
              onChange={(event) => update({ contentTypeId: event.currentTarget.value || null })}
            />
            <TextField
              label="Agent to ask"
              mono
              maxLength={63}
              placeholder="slug"
              help="An agent you can run. The step links to its chat."
              value={step.agentSlug ?? ''}
              error={errors[`steps.${index}.agentSlug`]}
              onChange={(event) => update({ agentSlug: event.currentTarget.value.trim() || null })}
            />
          </div>
          {index < steps.length - 1 && (
            <NumberField
              label="Wait before the next step"
              unit={step.waitHours === 1 ? 'hour' : 'hours'}
              min={0}
              max={hoursPerYear}
              value={step.waitHours ?? ''}
              error={errors[`steps.${index}.waitHours`]}
              onNumberChange={(waitHours) => update({ waitHours })}
            />
          )}
        </>
      )}
    </RowList>
  )
}
