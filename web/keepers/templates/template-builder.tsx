import { useQuery, useQueryClient } from '@tanstack/react-query'
import { ArrowLeft } from 'lucide-react'
import { type FormEvent, useState } from 'react'
import {
  type EngagementTemplate,
  engagementTemplates,
  templateTargets,
  templateTypes,
} from '#contract/keepers/engagement-templates.ts'
import { ApiError, call } from '#web/api.ts'
import { conflictOf } from '#web/offline/conflict-dialog.tsx'
import { StaleBanner } from '#web/offline/stale-banner.tsx'
import { useDraft } from '#web/offline/use-draft.ts'
import { Banner } from '#web/ui/banner.tsx'
import { Button } from '#web/ui/button.tsx'
import { SelectField } from '#web/ui/select-field.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'
import { TextArea } from '#web/ui/text-area.tsx'
import { TextField } from '#web/ui/text-field.tsx'
import { FieldList } from './field-list.tsx'
import { StepList } from './step-list.tsx'
import { TemplatePreview } from './template-preview.tsx'
import { lookAgainAtTemplates, templatesQuery } from './template-queries.ts'
import {
  blankTemplate,
  bodyOfTemplate,
  type MadeKind,
  missingIn,
  type TemplateValues,
  targetNames,
  typeNames,
  valuesOfTemplate,
} from './template-values.ts'

interface TemplateBuilderProps {
  /** What is changed; `null` for a new one. */
  template: EngagementTemplate | null
  kind: MadeKind
  onClose: () => void
  onSaved: (template: EngagementTemplate) => void
}

interface Building {
  rev: number
  values: TemplateValues
}

/** Makes or changes a content type or a process, with what it will look like beside it. */
export function TemplateBuilder({ template, kind, onClose, onSaved }: TemplateBuilderProps) {
  const queries = useQueryClient()
  const { data: all } = useQuery(templatesQuery)
  const forms = all?.filter((candidate) => candidate.kind === 'content-type') ?? []
  const [initial] = useState<Building>(() => ({
    rev: template?.rev ?? 0,
    values: template ? valuesOfTemplate(template) : blankTemplate(kind),
  }))
  const draft = useDraft<Building>(`template/${template?.id ?? `new/${kind}`}`, initial)
  const { values, rev } = draft.value
  const [saving, setSaving] = useState(false)
  const [failure, setFailure] = useState<unknown>()
  const [newer, setNewer] = useState<EngagementTemplate>()
  const errors = (failure instanceof ApiError && failure.fields) || {}
  const missing = missingIn(values, kind)
  const set = (change: Partial<TemplateValues>) => draft.set({ rev, values: { ...values, ...change } })
  const noun = kind === 'process' ? 'process' : 'content type'

  async function save(onRev = rev) {
    if (missing.length > 0 || saving) return
    setSaving(true)
    setFailure(undefined)
    try {
      const body = bodyOfTemplate(values, kind)
      const saved = template
        ? await call(engagementTemplates.update, { params: { x: template.id }, body, ifMatch: onRev })
        : await call(engagementTemplates.create, { body: { kind, ...body } })
      draft.clear()
      await lookAgainAtTemplates(queries)
      onSaved(saved)
    } catch (reason) {
      const both = conflictOf<EngagementTemplate>(reason)
      if (both) setNewer(both.current)
      else setFailure(reason)
    } finally {
      setSaving(false)
    }
  }

  if (!draft.ready) return <Skeleton className="h-96" />
  return (
    <div>
      <Button variant="plain" onClick={onClose} icon={<ArrowLeft aria-hidden size={15} />} className="mb-3">
        Back to the list
      </Button>
      <h2 className="mb-4">{template ? `Edit ${template.label}` : `New ${noun}`}</h2>
      {newer && (
        <StaleBanner
          what={`This ${noun}`}
          onTakeTheirs={() => {
            draft.set({ rev: newer.rev, values: valuesOfTemplate(newer) })
            setNewer(undefined)
          }}
          onKeepMine={() => {
            setNewer(undefined)
            draft.set({ rev: newer.rev, values })
            void save(newer.rev)
          }}
        />
      )}
      <div className="grid grid-cols-[minmax(0,1fr)_minmax(0,400px)] items-start gap-8 max-[1100px]:grid-cols-1">
        <form
          aria-label={template ? `Edit ${noun}` : `New ${noun}`}
          noValidate
          onSubmit={(event: FormEvent) => {
            event.preventDefault()
            void save()
          }}
          className="flex min-w-0 flex-col gap-4"
        >
          {failure !== undefined && (
            <Banner tone="error">
              {(failure instanceof ApiError && failure.told) ||
                `Failed to save the ${noun}. It is kept in this browser.`}
            </Banner>
          )}
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
              options={templateTypes.map((type) => ({ value: type, label: typeNames[type] }))}
              onChange={(event) => set({ type: event.currentTarget.value as TemplateValues['type'] })}
            />
            <SelectField
              label="It becomes"
              value={values.target}
              error={errors.target}
              options={templateTargets.map((target) => ({ value: target, label: targetNames[target] }))}
              onChange={(event) => set({ target: event.currentTarget.value as TemplateValues['target'] })}
            />
          </div>
          <h3 className="mt-2">{kind === 'process' ? 'Steps' : 'Fields'}</h3>
          <p className="-mt-3 text-small text-muted-foreground">Drag a row, or press Alt and an arrow key in it.</p>
          {kind === 'process' ? (
            <StepList steps={values.steps} forms={forms} errors={errors} onChange={(steps) => set({ steps })} />
          ) : (
            <FieldList fields={values.fields} errors={errors} onChange={(fields) => set({ fields })} />
          )}
          <div className="flex flex-wrap items-center gap-2 border-t border-border pt-4">
            <Button type="submit" variant="primary" disabled={missing.length > 0} busy={saving} busyLabel="Saving...">
              {template ? 'Save' : `Create ${noun}`}
            </Button>
            <Button
              onClick={() => {
                draft.clear()
                onClose()
              }}
            >
              Cancel
            </Button>
            <p role="status" className="text-small text-muted-foreground">
              {missing.length > 0 && `Still missing: ${missing.join(', ')}.`}
            </p>
          </div>
        </form>
        <TemplatePreview kind={kind} values={values} forms={forms} />
      </div>
    </div>
  )
}
