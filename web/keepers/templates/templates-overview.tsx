import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Copy, Ellipsis, Pencil, Play, Plus, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { type EngagementTemplate, engagementTemplates } from '#contract/keepers/engagement-templates.ts'
import { call } from '#web/api/api.ts'
import { CatalogCard, CatalogCards } from '#web/catalog/catalog-cards.tsx'
import { useCatalog } from '#web/catalog/use-catalog.tsx'
import { useAddressParams } from '#web/page/use-address-params.ts'
import { Button } from '#web/ui/controls/button.tsx'
import { IconButton } from '#web/ui/controls/icon-button.tsx'
import { LinkButton } from '#web/ui/controls/link-button.tsx'
import { Tabs } from '#web/ui/controls/tabs.tsx'
import { SelectField } from '#web/ui/fields/select-field.tsx'
import { useLimitedList } from '#web/ui/hooks/use-limited-list.tsx'
import { Dialog } from '#web/ui/overlays/dialog.tsx'
import { Menu, MenuItem, MenuSeparator } from '#web/ui/overlays/menu.tsx'
import { Badge } from '#web/ui/panels/badge.tsx'
import { Banner } from '#web/ui/panels/banner.tsx'
import { EmptyPanel } from '#web/ui/panels/empty-panel.tsx'
import { Skeleton } from '#web/ui/panels/skeleton.tsx'
import { pluralize } from '#web/ui/text/pluralize.ts'
import { withNames } from '#web/ui/text/with-names.tsx'
import { newKeeperPath } from '../keeper-addresses.ts'
import { useKeepers } from '../keeper-queries.ts'
import { TemplateBuilder } from './template-builder.tsx'
import { invalidateTemplates, templatesQuery, useStartRun } from './template-queries.ts'
import {
  type CustomTemplateKind,
  fieldTypeNames,
  targetNames,
  toTemplateBody,
  toTemplateValues,
} from './template-values.ts'

const isCustomKind = (value: string | null): value is CustomTemplateKind =>
  value === 'content-type' || value === 'process'

/** `?kind=` is the tab; `&make=` or `&edit=` opens the builder. */
export function TemplatesOverview() {
  const queryClient = useQueryClient()
  const query = useQuery(templatesQuery)
  const { data: templates } = query
  const [params, changeParams] = useAddressParams()
  const [templateToStart, setTemplateToStart] = useState<EngagementTemplate>()
  const requestedKind = params.get('kind')
  const tab: CustomTemplateKind = isCustomKind(requestedKind) ? requestedKind : 'content-type'
  const kindToCreate = params.get('make')
  const editedTemplate = templates?.find(({ id, mine }) => mine && id === params.get('edit'))
  const countTemplates = (kind: CustomTemplateKind) => templates?.filter((template) => template.kind === kind).length
  const templatesOfKind = templates?.filter(({ kind }) => kind === tab) ?? []
  const { visible: visibleTemplates, showMoreButton } = useLimitedList(templatesOfKind)

  const updateAddress = (changes: { kind?: CustomTemplateKind; make?: CustomTemplateKind; edit?: string }) =>
    changeParams({ make: null, edit: null, ...changes })

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

  if (isCustomKind(kindToCreate) || editedTemplate) {
    const kind = [editedTemplate?.kind ?? null, kindToCreate].find(isCustomKind) ?? tab
    return (
      <TemplateBuilder
        key={editedTemplate?.id ?? kind}
        template={editedTemplate ?? null}
        kind={kind}
        onClose={() => updateAddress({ kind })}
        onSaved={(savedTemplate) => {
          catalog.showNotice(editedTemplate ? `Saved ${savedTemplate.label}.` : `Created ${savedTemplate.label}.`)
          updateAddress({ kind })
        }}
      />
    )
  }

  return (
    <>
      <Banner tone="info" className="mb-4">
        A template asks, you answer, and the answers become an ordinary reflection, moment or logbook entry. There are
        two kinds: a content type is one form; a process is several steps, with time between them if you like.
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
          <EmptyPanel drawing="letter" title={tab === 'process' ? 'No processes yet' : 'No content types yet'}>
            {tab === 'process' ? 'Create a process' : 'Create a content type'} to start it in any of your keepers.
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
        {showMoreButton}
      </Tabs>
      {templateToStart && <StartDialog template={templateToStart} onClose={() => setTemplateToStart(undefined)} />}
      {catalog.dialog}
    </>
  )
}

const toCountProp = (count: number | undefined) => (count === undefined ? {} : { count })

function StartDialog({ template, onClose }: { template: EngagementTemplate; onClose: () => void }) {
  const { data: keepers, error } = useKeepers()
  const [chosenKeeperId, setChosenKeeperId] = useState<string>()
  const { startRun, busy, failure } = useStartRun()
  const keeperId = chosenKeeperId ?? keepers?.[0]?.id

  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      title={withNames`Start ${template.label}`}
      description="Your answers become an entry in this keeper. You can stop at any question and continue later."
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button
            variant="primary"
            disabled={!keeperId}
            busy={busy}
            busyLabel="Starting..."
            onClick={() => keeperId && startRun({ template, keeperId })}
          >
            Start
          </Button>
        </>
      }
    >
      {failure && (
        <Banner tone="error" className="mb-3">
          {failure}
        </Banner>
      )}
      {error && <Banner tone="error">Failed to load keepers</Banner>}
      {!keepers && !error && <Skeleton className="h-16" />}
      {keepers?.length === 0 && (
        <p className="flex flex-wrap items-center gap-3 text-ui">
          You have no keeper yet.
          <LinkButton to={newKeeperPath}>Create your first keeper</LinkButton>
        </p>
      )}
      {keepers && keepers.length > 0 && (
        <SelectField
          label="Keeper"
          value={keeperId ?? ''}
          options={keepers.map(({ id, title }) => ({ value: id, label: title }))}
          onChange={(event) => setChosenKeeperId(event.currentTarget.value)}
        />
      )}
    </Dialog>
  )
}

interface TemplateCardProps {
  template: EngagementTemplate
  onStart: () => void
  onEdit: () => void
  onDuplicate: () => void
  onDelete: () => void
}

function formatUsage({ kind, templateCount }: EngagementTemplate): string {
  if (kind === 'process')
    return templateCount === 0
      ? 'Not started in any of your keepers yet.'
      : `Started in ${templateCount} of your keepers.`
  return templateCount === 0
    ? 'Not used by any process.'
    : `Used by ${pluralize(templateCount, 'process', 'processes')}.`
}

const maxVisibleParts = 4

function TemplateCard({ template, onStart, onEdit, onDuplicate, onDelete }: TemplateCardProps) {
  const { label, fields, steps, kind, mine } = template
  const parts =
    kind === 'process'
      ? steps.map(({ title }) => title)
      : fields.map((field) => `${field.label} (${fieldTypeNames[field.type].toLowerCase()})`)
  return (
    <CatalogCard name={label} description={template.description} system={template.system}>
      <p className="flex flex-wrap gap-1.5">
        {template.category && <Badge tone="outlined">{template.category}</Badge>}
        <Badge tone="outlined">{template.type}</Badge>
      </p>
      <ul aria-label={kind === 'process' ? 'Steps' : 'Fields'} className="list-disc ps-4 text-small">
        {parts.slice(0, maxVisibleParts).map((part, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: two steps can have the same title
          <li key={index} className="wrap-break-word">
            {part}
          </li>
        ))}
        {parts.length > maxVisibleParts && <li>{parts.length - maxVisibleParts} more</li>}
      </ul>
      <p className="mt-auto pt-1 text-small text-muted-foreground">
        Becomes {targetNames[template.target].toLowerCase()}. {formatUsage(template)}
      </p>
      <div className="flex items-center gap-2">
        <Button size="small" aria-label={`Start ${label}`} onClick={onStart} icon={<Play aria-hidden size={13} />}>
          Start
        </Button>
        {mine && (
          <Button size="small" aria-label={`Edit ${label}`} onClick={onEdit} icon={<Pencil aria-hidden size={13} />}>
            Edit
          </Button>
        )}
        <Menu
          trigger={
            <IconButton size="small" label={`More for ${label}`}>
              <Ellipsis aria-hidden size={16} />
            </IconButton>
          }
        >
          <MenuItem icon={<Copy aria-hidden size={15} />} onSelect={onDuplicate}>
            Duplicate
          </MenuItem>
          {mine && (
            <>
              <MenuSeparator />
              <MenuItem danger icon={<Trash2 aria-hidden size={15} />} onSelect={onDelete}>
                Delete
              </MenuItem>
            </>
          )}
        </Menu>
      </div>
    </CatalogCard>
  )
}
