import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Plus } from 'lucide-react'
import { useState } from 'react'
import { useSearchParams } from 'react-router'
import { type EngagementTemplate, engagementTemplates } from '#contract/keepers/engagement-templates.ts'
import { ApiError, call } from '#web/api.ts'
import { Banner } from '#web/ui/banner.tsx'
import { Button } from '#web/ui/button.tsx'
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx'
import { EmptyPanel } from '#web/ui/empty-panel.tsx'
import { ErrorPanel } from '#web/ui/error-panel.tsx'
import { Skeleton, SkeletonGroup } from '#web/ui/skeleton.tsx'
import { Tabs } from '#web/ui/tabs.tsx'
import { StartDialog } from './start-dialog.tsx'
import { TemplateBuilder } from './template-builder.tsx'
import { TemplateCard } from './template-card.tsx'
import { lookAgainAtTemplates, templatesQuery } from './template-queries.ts'
import { bodyOfTemplate, type MadeKind, valuesOfTemplate } from './template-values.ts'

const isKind = (word: string | null): word is MadeKind => word === 'content-type' || word === 'process'

/** Every content type and process one may use. `?kind=` is the tab, `&make=` or `&edit=` opens the builder. */
export function TemplatesOverview() {
  const queries = useQueryClient()
  const { data: templates, error, isPending, refetch, isRefetching } = useQuery(templatesQuery)
  const [params, setParams] = useSearchParams()
  const [told, setTold] = useState<{ text: string; at: number }>()
  const [failure, setFailure] = useState<string>()
  const [starting, setStarting] = useState<EngagementTemplate>()
  const [deleting, setDeleting] = useState<EngagementTemplate>()
  const [deleteError, setDeleteError] = useState<string>()
  const asked = params.get('kind')
  const tab: MadeKind = isKind(asked) ? asked : 'content-type'
  const making = params.get('make')
  const editing = templates?.find(({ id, mine }) => mine && id === params.get('edit'))
  const countOf = (kind: MadeKind) => templates?.filter((template) => template.kind === kind).length
  const shown = templates?.filter(({ kind }) => kind === tab) ?? []
  const tell = (text: string) => setTold({ text, at: Date.now() })

  function go(change: { kind?: MadeKind; make?: MadeKind; edit?: string }) {
    setParams((before) => {
      const next = new URLSearchParams(before)
      for (const name of ['make', 'edit']) next.delete(name)
      for (const [name, value] of Object.entries(change)) next.set(name, value)
      return next
    })
  }

  async function duplicate(template: EngagementTemplate) {
    if (!isKind(template.kind)) return
    setFailure(undefined)
    try {
      const label = `Copy of ${template.label}`.slice(0, 80)
      const body = { ...bodyOfTemplate(valuesOfTemplate(template), template.kind), kind: template.kind, label }
      const made = await call(engagementTemplates.create, { body })
      await lookAgainAtTemplates(queries)
      tell(`Made ${made.label}. It is yours to change.`)
    } catch (reason) {
      setFailure((reason instanceof ApiError && reason.told) || `Failed to duplicate ${template.label}`)
    }
  }

  async function remove() {
    if (!deleting) return
    setDeleteError(undefined)
    try {
      await call(engagementTemplates.remove, { params: { x: deleting.id } })
    } catch (reason) {
      setDeleteError((reason instanceof ApiError && reason.told) || `Failed to delete ${deleting.label}`)
      throw reason
    }
    tell(`Deleted ${deleting.label}.`)
    await lookAgainAtTemplates(queries)
  }

  if (isKind(making) || editing) {
    const kind = editing && isKind(editing.kind) ? editing.kind : isKind(making) ? making : tab
    return (
      <TemplateBuilder
        key={editing?.id ?? kind}
        template={editing ?? null}
        kind={kind}
        onClose={() => go({ kind })}
        onSaved={(saved) => {
          tell(editing ? `Saved ${saved.label}.` : `Created ${saved.label}.`)
          go({ kind })
        }}
      />
    )
  }

  return (
    <>
      <Banner tone="info" className="mb-4">
        A template asks, you answer, and the answers become an ordinary reflection, moment or logbook entry. A content
        type is one form; a process is several steps, with time between them if you like.
      </Banner>
      {told && (
        <Banner key={told.at} tone="success" className="mb-4" onDismiss={() => setTold(undefined)}>
          {told.text}
        </Banner>
      )}
      {failure && (
        <Banner tone="error" className="mb-4" onDismiss={() => setFailure(undefined)}>
          {failure}
        </Banner>
      )}
      <Tabs
        label="Engagement Templates"
        value={tab}
        onValueChange={(kind) => go({ kind })}
        tabs={[
          { id: 'content-type', label: 'Content Types', ...counted(countOf('content-type')) },
          { id: 'process', label: 'Engagement Process', ...counted(countOf('process')) },
        ]}
      >
        <div className="mb-4 flex justify-end">
          <Button
            variant="primary"
            onClick={() => go({ kind: tab, make: tab })}
            icon={<Plus aria-hidden size={15} />}
            className="phone:w-full"
          >
            {tab === 'process' ? 'Create process' : 'Create content type'}
          </Button>
        </div>
        {error && (
          <ErrorPanel
            reason={error}
            title={(error instanceof ApiError && error.told) || 'Failed to load engagement templates'}
            onRetry={() => refetch()}
            retrying={isRefetching}
          >
            Nothing you wrote is affected.
          </ErrorPanel>
        )}
        {isPending && (
          <SkeletonGroup className="grid grid-cols-[repeat(auto-fill,minmax(min(300px,100%),1fr))] gap-4">
            {[1, 2, 3].map((card) => (
              <Skeleton key={card} className="h-44" />
            ))}
          </SkeletonGroup>
        )}
        {templates && shown.length === 0 && (
          <EmptyPanel drawing="letter" title="None yet">
            Create one, and it can be started in each of your keepers.
          </EmptyPanel>
        )}
        <ul
          aria-label={tab === 'process' ? 'Processes' : 'Content types'}
          className="grid grid-cols-[repeat(auto-fill,minmax(min(300px,100%),1fr))] gap-4"
        >
          {shown.map((template) => (
            <li key={template.id} className="flex min-w-0">
              <TemplateCard
                template={template}
                onStart={() => setStarting(template)}
                onEdit={() => go({ kind: tab, edit: template.id })}
                onDuplicate={() => void duplicate(template)}
                onDelete={() => {
                  setDeleteError(undefined)
                  setDeleting(template)
                }}
              />
            </li>
          ))}
        </ul>
      </Tabs>
      {starting && <StartDialog template={starting} onClose={() => setStarting(undefined)} />}
      <ConfirmDialog
        open={deleting !== undefined}
        onOpenChange={(open) => !open && setDeleting(undefined)}
        title={`Delete ${deleting?.label ?? ''}?`}
        confirmLabel="Delete template"
        busyLabel="Deleting..."
        onConfirm={remove}
        error={deleteError}
      >
        This cannot be undone. What was written with it stays. A template that is in use cannot be deleted.
      </ConfirmDialog>
    </>
  )
}

const counted = (count: number | undefined) => (count === undefined ? {} : { count })
