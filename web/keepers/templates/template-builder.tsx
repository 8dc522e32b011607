import { useQuery, useQueryClient } from '@tanstack/react-query'
import { ArrowLeft } from 'lucide-react'
import {
  type EngagementTemplate,
  engagementTemplates,
  templateTargets,
  templateTypes,
} from '#contract/keepers/engagement-templates.ts'
import { call } from '#web/api.ts'
import { DraftForm } from '#web/offline/draft-form.tsx'
import { useDraftForm } from '#web/offline/use-draft-form.ts'
import { Button } from '#web/ui/button.tsx'
import { SelectField } from '#web/ui/select-field.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'
import { TextArea } from '#web/ui/text-area.tsx'
import { TextField } from '#web/ui/text-field.tsx'
import { FieldList } from './field-list.tsx'
import { StepList } from './step-list.tsx'
import { TemplatePreview } from './template-preview.tsx'
import { invalidateTemplates, templatesQuery } from './template-queries.ts'
import {
  type CustomTemplateKind,
  createBlankTemplate,
  listMissingFields,
  type TemplateValues,
  targetNames,
  templateTypeNames,
  toTemplateBody,
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
  const form = useDraftForm<EngagementTemplate, TemplateValues>({
    draftKey: `template/${template?.id ?? `new/${kind}`}`,
    entity: template,
    toValues: toTemplateValues,
    blank: createBlankTemplate(kind),
    isComplete: (values) => listMissingFields(values, kind).length === 0,
    send(values, rev, idempotencyKey) {
      const body = toTemplateBody(values, kind)
      return template
        ? call(engagementTemplates.update, { params: { x: template.id }, body, ifMatch: rev })
        : call(engagementTemplates.create, { body: { kind, ...body }, idempotencyKey })
    },
    async onSaved(saved) {
      await invalidateTemplates(queryClient)
      onSaved(saved)
    },
  })
  const { values, set, errors } = form
  const missingFields = listMissingFields(values, kind)

  if (!form.ready) return <Skeleton className="h-96" />
  return (
    <div>
      <Button variant="plain" onClick={onClose} icon={<ArrowLeft aria-hidden size={15} />} className="mb-3">
        Back to templates
      </Button>
      <h2 className="mb-4">{template ? `Edit ${template.label}` : `New ${noun}`}</h2>
      <div className="grid grid-cols-[minmax(0,1fr)_minmax(0,400px)] items-start gap-8 max-[1100px]:grid-cols-1">
        <DraftForm
          form={form}
          label={template ? `Edit ${noun}` : `New ${noun}`}
          noun={noun}
          saveLabel={template ? 'Save' : `Create ${noun}`}
          onCancel={onClose}
          note={
            <p role="status" className="text-small text-muted-foreground">
              {missingFields.length > 0 && `Still missing: ${missingFields.join(', ')}.`}
            </p>
          }
        >
          <TextField
            label="Name"
            required
            maxLength={80}
            value={values.label}
            error={errors.label}
            onChange={(event) => set({ label: event.currentTarget.value })}
          />
          <TextArea
            label="Description"
            maxLength={1000}
            value={values.description}
            error={errors.description}
            onChange={(event) => set({ description: event.currentTarget.value })}
          />
          <div className="grid grid-cols-3 gap-3 phone:grid-cols-1">
            <TextField
              label="Category"
              maxLength={80}
              value={values.category}
              error={errors.category}
              onChange={(event) => set({ category: event.currentTarget.value })}
            />
            <SelectField
              label="Type"
              value={values.type}
              options={templateTypes.map((type) => ({ value: type, label: templateTypeNames[type] }))}
              onChange={(event) => set({ type: event.currentTarget.value as TemplateValues['type'] })}
            />
            <SelectField
              label="Answers become"
              value={values.target}
              error={errors.target}
              options={templateTargets.map((target) => ({ value: target, label: targetNames[target] }))}
              onChange={(event) => set({ target: event.currentTarget.value as TemplateValues['target'] })}
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
        </DraftForm>
        <TemplatePreview kind={kind} values={values} forms={forms} />
      </div>
    </div>
  )
}
