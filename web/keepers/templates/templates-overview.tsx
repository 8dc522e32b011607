import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Plus } from 'lucide-react'
import { useState } from 'react'
import { useSearchParams } from 'react-router'
import { type EngagementTemplate, engagementTemplates } from '#contract/keepers/engagement-templates.ts'
import { call } from '#web/api/api.ts'
import { CatalogCards } from '#web/catalog/catalog-cards.tsx'
import { useCatalog } from '#web/catalog/use-catalog.tsx'
import { Button } from '#web/ui/controls/button.tsx'
import { Tabs } from '#web/ui/controls/tabs.tsx'
import { useLimitedList } from '#web/ui/hooks/use-limited-list.tsx'
import { Banner } from '#web/ui/panels/banner.tsx'
import { EmptyPanel } from '#web/ui/panels/empty-panel.tsx'
import { StartDialog } from './start-dialog.tsx'
import { TemplateBuilder } from './template-builder.tsx'
import { TemplateCard } from './template-card.tsx'
import { invalidateTemplates, templatesQuery } from './template-queries.ts'
import { type CustomTemplateKind, toTemplateBody, toTemplateValues } from './template-values.ts'

const isCustomKind = (value: string | null): value is CustomTemplateKind =>
  value === 'content-type' || value === 'process'

/** `?kind=` is the tab; `&make=` or `&edit=` opens the builder. */
export function TemplatesOverview() {
  const queryClient = useQueryClient()
  const query = useQuery(templatesQuery)
  const { data: templates } = query
  const [params, setParams] = useSearchParams()
  const [templateToStart, setTemplateToStart] = useState<EngagementTemplate>()
  const requestedKind = params.get('kind')
  const tab: CustomTemplateKind = isCustomKind(requestedKind) ? requestedKind : 'content-type'
  const requestedType = params.get('make')
  const editing = templates?.find(({ id, mine }) => mine && id === params.get('edit'))
  const countTemplates = (kind: CustomTemplateKind) => templates?.filter((template) => template.kind === kind).length
  const templatesOfKind = templates?.filter(({ kind }) => kind === tab) ?? []
  const { visible: visibleTemplates, more } = useLimitedList(templatesOfKind)

  function updateAddress(changes: { kind?: CustomTemplateKind; make?: CustomTemplateKind; edit?: string }) {
    setParams((previous) => {
      const next = new URLSearchParams(previous)
      for (const name of ['make', 'edit']) next.delete(name)
      for (const [name, value] of Object.entries(changes)) next.set(name, value)
      return next
    })
  }

  const catalog = useCatalog<EngagementTemplate>({
    noun: 'template',
    entries: templates,
    getName: ({ label }) => label,
    createCopy: (template, label) => {
      const kind = isCustomKind(template.kind) ? template.kind : tab
      const body = { ...toTemplateBody(toTemplateValues(template), kind), kind, label }
      return call(engagementTemplates.create, { body })
    },
    remove: ({ id }) => call(engagementTemplates.remove, { params: { x: id } }),
    reload: () => invalidateTemplates(queryClient),
    deleteWarning: 'Entries written with the template stay. A template in use can’t be deleted.',
  })

  if (isCustomKind(requestedType) || editing) {
    const kind =
      editing && isCustomKind(editing.kind) ? editing.kind : isCustomKind(requestedType) ? requestedType : tab
    return (
      <TemplateBuilder
        key={editing?.id ?? kind}
        template={editing ?? null}
        kind={kind}
        onClose={() => updateAddress({ kind })}
        onSaved={(saved) => {
          catalog.showNotice(editing ? `Saved ${saved.label}.` : `Created ${saved.label}.`)
          updateAddress({ kind })
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
      {catalog.notices}
      <Tabs
        label="Engagement Templates"
        value={tab}
        onValueChange={(kind) => updateAddress({ kind })}
        tabs={[
          { id: 'content-type', label: 'Content Types', ...toCountProp(countTemplates('content-type')) },
          { id: 'process', label: 'Engagement Process', ...toCountProp(countTemplates('process')) },
        ]}
      >
        <div className="mb-4 flex justify-end">
          <Button
            variant="primary"
            onClick={() => updateAddress({ kind: tab, make: tab })}
            icon={<Plus aria-hidden size={15} />}
            className="phone:w-full"
          >
            {tab === 'process' ? 'Create process' : 'Create content type'}
          </Button>
        </div>
        {templates && visibleTemplates.length === 0 && (
          <EmptyPanel drawing="letter" title="None yet">
            Create one to start it in any of your keepers.
          </EmptyPanel>
        )}
        <CatalogCards
          label={tab === 'process' ? 'Processes' : 'Content types'}
          query={query}
          loadErrorText="Failed to load engagement templates"
        >
          {visibleTemplates.map((template) => (
            <li key={template.id} className="flex min-w-0">
              <TemplateCard
                template={template}
                onStart={() => setTemplateToStart(template)}
                onEdit={() => updateAddress({ kind: tab, edit: template.id })}
                onDuplicate={() => void catalog.duplicate(template)}
                onDelete={() => catalog.confirmDelete(template)}
              />
            </li>
          ))}
        </CatalogCards>
        {more}
      </Tabs>
      {templateToStart && <StartDialog template={templateToStart} onClose={() => setTemplateToStart(undefined)} />}
      {catalog.dialog}
    </>
  )
}

const toCountProp = (count: number | undefined) => (count === undefined ? {} : { count })
