import { useQuery, useQueryClient } from '@tanstack/react-query'
import { LayoutPanelLeft, Pencil, Plus, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { type KeeperType, keeperTypes } from '#contract/keepers/keeper-types.ts'
import { call } from '#web/api/api.ts'
import { DeleteEntryDialog } from '#web/catalog/use-catalog.tsx'
import { EntityFormDialog } from '#web/offline/entity-form.tsx'
import { sendNow, useEntityForm } from '#web/offline/use-entity-form.tsx'
import { useAddressParams } from '#web/page/use-address-params.ts'
import { keeperTypesKey, keeperTypesQuery } from '#web/queries/keeper-types-query.ts'
import { QueryStatus } from '#web/queries/query-status.tsx'
import { Button } from '#web/ui/controls/button.tsx'
import { LinkButton } from '#web/ui/controls/link-button.tsx'
import { Tabs } from '#web/ui/controls/tabs.tsx'
import { Badge } from '#web/ui/panels/badge.tsx'
import { Card } from '#web/ui/panels/card.tsx'
import { Detail } from '#web/ui/panels/detail-list.tsx'
import { EmptyPanel } from '#web/ui/panels/empty-panel.tsx'
import { PageHeader } from '#web/ui/panels/page-header.tsx'
import { pluralize } from '#web/ui/text/pluralize.ts'
import { Time } from '#web/ui/text/time.tsx'
import { getPatternLabel } from '../keeper-labels.ts'
import { keepersKey } from '../keeper-queries.ts'
import { emptyTypeValues, getReadOnlyReason, TypeFields, toTypeValues } from './type-form.tsx'
import { TypeTemplates } from './type-templates.tsx'

/** The sample story of an empty keeper. */
const mockSole = {
  keeper: 'Mock keeper',
  type: 'narrative',
  author: 'Sample',
  timestamp: '2026-01-05T08:00:00.000Z',
  content:
    'This is where the story of this keeper begins. As reflections are kept, a draft grows from them, and nothing becomes part of the story until you approve it.',
}

function TypePattern({ memoryPattern }: { memoryPattern: string }) {
  const normalizedPattern = memoryPattern.toLowerCase()
  if (normalizedPattern === 'sole') return <SolePreview />
  if (normalizedPattern === 'crmtimeline')
    return (
      <Card>
        <h3>{getPatternLabel(memoryPattern)}</h3>
        <p className="mt-2 max-w-[60ch] text-ui">
          Keeps everything by date on one timeline, newest first, with no standing story.
        </p>
      </Card>
    )
  return (
    <Card>
      <h3>{getPatternLabel(memoryPattern)}</h3>
      <p className="mt-2 text-ui">Custom memory pattern implementation.</p>
    </Card>
  )
}

function SolePreview() {
  return (
    <Card kind="paper">
      <div className="mb-3 flex flex-wrap items-center gap-2">
        <h3 className="min-w-0 flex-1">Current SOLE architecture</h3>
        <Badge tone="outlined">Read-only preview</Badge>
      </div>
      <p className="max-w-[38rem] font-serif text-read">{mockSole.content}</p>
      <dl className="mt-4 grid grid-cols-[repeat(auto-fill,minmax(min(7.5rem,100%),1fr))] gap-4 border-t border-hairline pt-3 text-small">
        <Detail label="Keeper">{mockSole.keeper}</Detail>
        <Detail label="Type">{mockSole.type}</Detail>
        <Detail label="Author">{mockSole.author}</Detail>
        <Detail label="Timestamp">
          <Time value={mockSole.timestamp} />
        </Detail>
      </dl>
    </Card>
  )
}

const tabs = [
  { id: 'metadata', label: 'Metadata' },
  { id: 'engagement-templates', label: 'Engagement Templates' },
  { id: 'memory-pattern', label: 'Memory Pattern' },
] as const
type TabId = (typeof tabs)[number]['id']

/** `?type=` names the type (the first by default), `&tab=` its tab. */
export function KeeperTypesPage() {
  const query = useQuery(keeperTypesQuery)
  const types = query.data
  const [params, changeParams] = useAddressParams()
  const [statusText, setStatusText] = useState('')
  const requestedType = params.get('type')
  const chosenType = types?.find(({ id, slug }) => id === requestedType || slug === requestedType) ?? types?.[0]
  const tab: TabId = tabs.find(({ id }) => id === params.get('tab'))?.id ?? 'metadata'

  const updateAddress = (change: { type?: string; tab?: TabId }) => changeParams(change)

  return (
    <>
      <PageHeader
        title="Keeper Types"
        subtitle="A keeper type defines how its keepers remember and what you can write in them."
        actions={
          <NewTypeButton
            onCreated={(type) => {
              setStatusText(`Created ${type.name}.`)
              updateAddress({ type: type.id, tab: 'metadata' })
            }}
          />
        }
      />
      <p role="status" className="sr-only">
        {statusText}
      </p>
      <QueryStatus
        reportsRefetch
        className="mb-5"
        query={query}
        title="Failed to load keeper types"
        details={query.error?.message}
        skeletonClassName="h-72"
      />
      {types?.length === 0 && <EmptyPanel title="No keeper types">A new server comes with six.</EmptyPanel>}
      {types && chosenType && (
        <div className="grid grid-cols-[240px_minmax(0,1fr)] items-start gap-7 phone:grid-cols-1">
          <nav aria-label="Keeper types">
            <ul className="flex flex-col gap-0.5">
              {types.map((type) => (
                <li key={type.id}>
                  <KeeperTypeRow
                    type={type}
                    isChosen={type.id === chosenType.id}
                    onChoose={() => updateAddress({ type: type.id })}
                  />
                </li>
              ))}
            </ul>
          </nav>
          <section aria-labelledby="chosen-type" className="min-w-0">
            <h2 dir="auto" id="chosen-type" className="mb-3 wrap-break-word">
              {chosenType.name}
            </h2>
            <Tabs label="Keeper type" tabs={tabs} value={tab} onValueChange={(id) => updateAddress({ tab: id })}>
              {tab === 'metadata' && (
                <TypeMetadata
                  key={chosenType.id}
                  type={chosenType}
                  onDeleted={() => {
                    setStatusText(`Deleted ${chosenType.name}.`)
                    changeParams({ type: null, tab: null })
                  }}
                />
              )}
              {tab === 'engagement-templates' && <TypeTemplates key={chosenType.id} type={chosenType} />}
              {tab === 'memory-pattern' && <TypePattern memoryPattern={chosenType.memoryPattern} />}
            </Tabs>
          </section>
        </div>
      )}
    </>
  )
}

function KeeperTypeRow({ type, isChosen, onChoose }: { type: KeeperType; isChosen: boolean; onChoose: () => void }) {
  return (
    <button
      type="button"
      data-item
      aria-current={isChosen || undefined}
      onClick={onChoose}
      className="relative flex w-full flex-col items-start gap-1 rounded-md px-3 py-2 text-start text-ui transition-colors duration-120 hover:bg-fill-hover aria-[current]:bg-fill aria-[current]:font-semibold aria-[current]:before:absolute aria-[current]:before:inset-y-2 aria-[current]:before:start-0 aria-[current]:before:w-[3px] aria-[current]:before:rounded-full aria-[current]:before:bg-ribbon"
    >
      <span dir="auto" className="max-w-full wrap-break-word">
        {type.name}
      </span>
      <span className="flex max-w-full flex-wrap gap-1">
        <Badge tone="outlined" className="max-w-full overflow-hidden">
          {getPatternLabel(type.memoryPattern)}
        </Badge>
        {type.system && <Badge>System</Badge>}
      </span>
    </button>
  )
}

/** Only the creator of a type can edit it. */
function TypeMetadata({ type, onDeleted }: { type: KeeperType; onDeleted: () => void }) {
  const [openDialog, setOpenDialog] = useState<'edit' | 'delete'>()
  return (
    <Card>
      <dl className="grid grid-cols-2 gap-x-8 gap-y-5 phone:grid-cols-1">
        <Detail label="Name">{type.name}</Detail>
        <Detail label="ID">
          <code className="font-mono text-code">{type.id}</code>
        </Detail>
        <Detail label="Memory pattern">{getPatternLabel(type.memoryPattern)}</Detail>
        <Detail label="Kind">{type.system ? 'System Reserved' : 'User Created'}</Detail>
        <Detail label="Created at">
          <Time value={type.createdAt} />
        </Detail>
        <Detail label="Keepers using this type">{pluralize(type._count.Keeper, 'keeper')} of yours</Detail>
        {type.description && (
          <Detail label="Description" className="col-span-2 phone:col-span-1">
            {type.description}
          </Detail>
        )}
      </dl>
      <div className="mt-6 border-t border-hairline pt-4">
        {type.mine && !type.system ? (
          <div className="flex flex-wrap gap-2">
            <Button onClick={() => setOpenDialog('edit')} aria-keyshortcuts="E" icon={<Pencil aria-hidden size={14} />}>
              Edit Type
            </Button>
            <LinkButton to={getTypeBoardPath(type.id)} icon={<LayoutPanelLeft aria-hidden size={14} />}>
              Open as board
            </LinkButton>
            <Button
              variant="danger-text"
              onClick={() => setOpenDialog('delete')}
              icon={<Trash2 aria-hidden size={14} />}
            >
              Delete Type
            </Button>
          </div>
        ) : (
          <>
            <p className="text-ui text-muted-foreground">{getReadOnlyReason(type)}</p>
            <LinkButton
              to={getTypeBoardPath(type.id)}
              icon={<LayoutPanelLeft aria-hidden size={14} />}
              className="mt-3"
            >
              Open as board
            </LinkButton>
          </>
        )}
      </div>
      {openDialog === 'edit' && <TypeDialog type={type} onClose={() => setOpenDialog(undefined)} />}
      {openDialog === 'delete' && (
        <DeleteTypeDialog type={type} onClose={() => setOpenDialog(undefined)} onDeleted={onDeleted} />
      )}
    </Card>
  )
}

const getTypeBoardPath = (id: string) => `/studio/keeper-type-board?keeperTypeId=${encodeURIComponent(id)}`

function NewTypeButton({ onCreated }: { onCreated: (type: KeeperType) => void }) {
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <Button
        variant="primary"
        aria-keyshortcuts="N"
        onClick={() => setOpen(true)}
        icon={<Plus aria-hidden size={15} />}
      >
        New Keeper Type
      </Button>
      {isOpen && <TypeDialog type={null} onClose={() => setOpen(false)} onCreated={onCreated} />}
    </>
  )
}

interface TypeDialogProps {
  /** `null` for a new type. */
  type: KeeperType | null
  onClose: () => void
  onCreated?: (type: KeeperType) => void
}

function TypeDialog({ type, onClose, onCreated }: TypeDialogProps) {
  const refresh = useRefreshTypes()
  const form = useEntityForm({
    draftKey: `keeper-type/${type?.id ?? 'new'}`,
    subject: 'This keeper type',
    entity: type,
    toValues: toTypeValues,
    blank: emptyTypeValues,
    send: (body, { rev, key: idempotencyKey, values }) =>
      type
        ? sendNow(keeperTypes.update, { params: { id: type.id }, body, ifMatch: rev ?? type.rev })
        : sendNow(keeperTypes.create, { body: values, idempotencyKey }),
    async onSaved(result) {
      onClose()
      await refresh()
      if (result?.state === 'sent') onCreated?.(result.answer)
    },
  })
  const { name, memoryPattern } = form.values
  return (
    <EntityFormDialog
      form={form}
      onClose={onClose}
      discardsOnCancel
      title={type ? 'Edit Type' : 'New Keeper Type'}
      saveLabel={type ? 'Save' : 'Create Type'}
      failureTitle={type ? 'Failed to update keeper type' : 'Failed to create keeper type'}
      disabled={name.trim() === '' || memoryPattern.trim() === ''}
    >
      <TypeFields form={form} />
    </EntityFormDialog>
  )
}

interface DeleteTypeProps {
  type: KeeperType
  onClose: () => void
  onDeleted: () => void
}

function DeleteTypeDialog({ type, onClose, onDeleted }: DeleteTypeProps) {
  const refresh = useRefreshTypes()
  async function remove() {
    await call(keeperTypes.remove, { params: { id: type.id } })
    onDeleted()
    await refresh()
  }
  return (
    <DeleteEntryDialog name={type.name} confirmLabel="Delete Type" onDelete={remove} onClose={onClose}>
      This can’t be undone. You can’t delete a type that keepers use. Its engagement templates are kept.
    </DeleteEntryDialog>
  )
}

function useRefreshTypes() {
  const queryClient = useQueryClient()
  return () =>
    Promise.all([
      queryClient.invalidateQueries({ queryKey: keeperTypesKey }),
      queryClient.invalidateQueries({ queryKey: keepersKey }),
      queryClient.invalidateQueries({ queryKey: ['keeper'] }),
    ])
}
