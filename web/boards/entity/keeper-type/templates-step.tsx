import { useQuery } from '@tanstack/react-query'
import { ArrowDown, ArrowUp, Unlink } from 'lucide-react'
import { type ReactNode, useLayoutEffect, useRef } from 'react'
import type { EngagementTemplate } from '#contract/keepers/engagement-templates.ts'
import { templatesQuery } from '#web/keepers/templates/template-queries.ts'
import { LinkableTemplates } from '#web/keepers/types/type-templates.tsx'
import { IconButton } from '#web/ui/controls/icon-button.tsx'
import { moveItem } from '#web/ui/fields/use-reorder.ts'
import { Badge } from '#web/ui/panels/badge.tsx'
import type { StepProps } from './type-wizard.tsx'

interface TemplatesStepProps extends StepProps {
  /** As saved on the server; the draft can differ. */
  linkedTemplates: readonly EngagementTemplate[]
  isSample: boolean
}

export function TemplatesStep({ isSample, ...stepProps }: TemplatesStepProps) {
  return isSample ? (
    <LinkedTemplates {...stepProps} allTemplates={stepProps.linkedTemplates} />
  ) : (
    <TemplateChooser {...stepProps} />
  )
}

function TemplateChooser({ linkedTemplates, ...step }: Omit<TemplatesStepProps, 'isSample'>) {
  const { draft, onDraftChange, readOnly } = step
  const { data = [] } = useQuery({ ...templatesQuery, enabled: !readOnly })
  return (
    <>
      <LinkedTemplates {...step} allTemplates={[...linkedTemplates, ...data]} />
      {!readOnly && (
        <section aria-labelledby="free-templates" className="mt-6">
          <h3 id="free-templates" className="mb-1 font-sans text-ui font-semibold tracking-normal">
            Link Template
          </h3>
          <LinkableTemplates
            linkedIds={draft.templateIds}
            onLink={({ id }) => onDraftChange({ ...draft, templateIds: [...draft.templateIds, id] })}
          />
        </section>
      )}
    </>
  )
}

function LinkedTemplates({
  draft,
  onDraftChange,
  readOnly,
  allTemplates,
}: StepProps & { allTemplates: readonly EngagementTemplate[] }) {
  const list = useRef<HTMLOListElement>(null)
  const focusTarget = useRef<string>(undefined)
  // Moving a row removes the focus from its button.
  useLayoutEffect(() => {
    const templateId = focusTarget.current
    if (!templateId) return
    focusTarget.current = undefined
    const buttons = list.current?.querySelectorAll<HTMLButtonElement>(`[data-template="${templateId}"] button:enabled`)
    if (![...(buttons ?? [])].some((button) => button === document.activeElement)) buttons?.[0]?.focus()
  })
  const { templateIds } = draft
  const setTemplateIds = (ids: string[]) => onDraftChange({ ...draft, templateIds: ids })
  function moveTemplate(id: string, step: -1 | 1) {
    focusTarget.current = id
    const from = templateIds.indexOf(id)
    setTemplateIds(moveItem(templateIds, from, from + step))
  }
  if (templateIds.length === 0) return <p className="text-ui text-muted-foreground">No engagement templates linked.</p>
  return (
    <ol ref={list} aria-label="Linked templates">
      {templateIds.map((id, index) => {
        const template = allTemplates.find((candidate) => candidate.id === id)
        return (
          template && (
            <LinkedTemplateRow key={id} template={template}>
              {!readOnly && (
                <>
                  <IconButton
                    label={`Move ${template.label} up`}
                    size="small"
                    disabled={index === 0}
                    onClick={() => moveTemplate(id, -1)}
                  >
                    <ArrowUp aria-hidden size={15} />
                  </IconButton>
                  <IconButton
                    label={`Move ${template.label} down`}
                    size="small"
                    disabled={index === templateIds.length - 1}
                    onClick={() => moveTemplate(id, 1)}
                  >
                    <ArrowDown aria-hidden size={15} />
                  </IconButton>
                  <IconButton
                    label={`Unlink ${template.label}`}
                    size="small"
                    onClick={() => setTemplateIds(templateIds.filter((otherId) => otherId !== id))}
                  >
                    <Unlink aria-hidden size={15} />
                  </IconButton>
                </>
              )}
            </LinkedTemplateRow>
          )
        )
      })}
    </ol>
  )
}

function LinkedTemplateRow({ template, children }: { template: EngagementTemplate; children: ReactNode }) {
  const { id, label, description, type, system } = template
  return (
    <li
      data-template={id}
      className="flex flex-wrap items-center gap-x-3 gap-y-1.5 border-b border-hairline py-2.5 last:border-b-0"
    >
      <span className="min-w-0 flex-1 basis-40">
        <span dir="auto" className="block font-medium wrap-break-word">
          {label}
        </span>
        {description && <span className="block text-small text-muted-foreground wrap-break-word">{description}</span>}
      </span>
      <Badge tone="outlined">{type}</Badge>
      <Badge tone={system ? 'neutral' : 'info'}>{system ? 'System' : 'Custom'}</Badge>
      <span className="flex items-center gap-0.5">{children}</span>
    </li>
  )
}
