import { useQueryClient } from '@tanstack/react-query'
import { Pencil, Plus, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { Link, useSearchParams } from 'react-router'
import type { Keeper } from '#contract/keepers/keepers.ts'
import { EntityForm } from '#web/offline/entity-form.tsx'
import { useEntityForm } from '#web/offline/use-entity-form.tsx'
import { keeperTypesKey, keeperTypesQuery } from '#web/queries/keeper-types-query.ts'
import { Button } from '#web/ui/controls/button.tsx'
import { IconButton } from '#web/ui/controls/icon-button.tsx'
import { LinkButton } from '#web/ui/controls/link-button.tsx'
import { Switch } from '#web/ui/controls/switch.tsx'
import { Tabs } from '#web/ui/controls/tabs.tsx'
import { Badge } from '#web/ui/panels/badge.tsx'
import { Banner } from '#web/ui/panels/banner.tsx'
import { Card } from '#web/ui/panels/card.tsx'
import { EmptyPanel } from '#web/ui/panels/empty-panel.tsx'
import { PageHeader } from '#web/ui/panels/page-header.tsx'
import { type Column, Table } from '#web/ui/panels/table.tsx'
import { TableSkeleton } from '#web/ui/panels/table-skeleton.tsx'
import { Time } from '#web/ui/text/time.tsx'
import { getMetadataPath } from '../keeper-addresses.ts'
import { keepersKey, useKeepers } from '../keeper-queries.ts'
import { KeepersStatus, NoKeepers, PatternBadge } from '../shelf/keeper-card.tsx'
import { getTypeName } from '../shelf/keeper-list-rules.ts'
import { useDeleteKeeper } from '../shelf/use-delete-keeper.tsx'
import {
  createKeeper,
  getFailureTitle,
  IncompleteNote,
  isComplete,
  KeeperDetails,
  KeeperEditForm,
  KeeperFields,
  type KeeperTheme,
  type KeeperValues,
  SavedBanner,
  toKeeperValues,
  useKeeperEdit,
} from './keeper-fields.tsx'

const tabs = ['registry', 'keeper'] as const
type TabId = (typeof tabs)[number]

/** `?tab=keeper` opens a new keeper, `&keeperId=` an existing one. */
export function ManageKeepersPage() {
  const [params, setParams] = useSearchParams()
  const [notice, setNotice] = useState<{ text: string; at: number }>()
  const keepersQuery = useKeepers()
  const keeperId = params.get('keeperId')
  const tab = tabs.find((id) => id === params.get('tab')) ?? 'registry'
  const removal = useDeleteKeeper((keeper) => {
    if (keeper.id === keeperId) openTab('registry')
  })

  function openTab(id: TabId, openedKeeperId: string | null = null) {
    setParams(() => {
      const next = new URLSearchParams()
      if (id === 'keeper') next.set('tab', id)
      if (openedKeeperId) next.set('keeperId', openedKeeperId)
      return next
    })
  }

  return (
    <>
      <PageHeader
        title="Manage Keepers"
        actions={
          <>
            <LinkButton to="/keeper/bin" variant="plain" icon={<Trash2 aria-hidden size={15} />}>
              Recently deleted
            </LinkButton>
            <Button
              variant="primary"
              aria-keyshortcuts="N"
              onClick={() => openTab('keeper')}
              icon={<Plus aria-hidden size={15} />}
            >
              New Keeper
            </Button>
          </>
        }
      />
      <Tabs
        label="Manage Keepers"
        tabs={[
          { id: 'registry', label: 'Registry', ...(keepersQuery.data && { count: keepersQuery.data.length }) },
          { id: 'keeper', label: 'Keeper' },
        ]}
        value={tab}
        onValueChange={(id) => openTab(id, keeperId)}
      >
        {tab === 'registry' ? (
          <>
            {notice && (
              <Banner key={notice.at} tone="success" className="mb-5" onDismiss={() => setNotice(undefined)}>
                {notice.text}
              </Banner>
            )}
            <KeeperRegistry
              keepersQuery={keepersQuery}
              onEdit={(keeper) => openTab('keeper', keeper.id)}
              onDelete={removal.confirmDelete}
            />
          </>
        ) : (
          <KeeperTab
            keepersQuery={keepersQuery}
            keeperId={keeperId}
            onDelete={removal.confirmDelete}
            onCreated={(keeper) => {
              setNotice({ text: `Created ${keeper.title}.`, at: Date.now() })
              openTab('registry')
            }}
            onBack={() => openTab('registry')}
          />
        )}
      </Tabs>
      {removal.dialog}
    </>
  )
}

const blankKeeper: KeeperValues = {
  title: '',
  purpose: '',
  keeperTypeId: 'system-journal',
  memoryPattern: 'sole',
  theme: 'keeper-classic',
  isPublic: false,
}

/** Creates a keeper in one form; `/keeper/new` is the step-by-step wizard. */
function NewKeeperForm({ onCreated, onCancel }: { onCreated: (keeper: Keeper) => void; onCancel: () => void }) {
  const queryClient = useQueryClient()
  const form = useEntityForm<Keeper, KeeperValues>({
    draftKey: 'keeper/new/form',
    subject: 'This keeper',
    entity: null,
    toValues: toKeeperValues,
    blank: blankKeeper,
    async send(_, { id, values }) {
      const types = await queryClient.ensureQueryData(keeperTypesQuery)
      const keeperType = types.find((type) => type.id === values.keeperTypeId)?.slug ?? 'custom'
      const answer = await createKeeper({ ...values, theme: values.theme as KeeperTheme, id, keeperType })
      return { state: 'sent', answer }
    },
    onSaved(result) {
      void queryClient.invalidateQueries({ queryKey: keepersKey })
      void queryClient.invalidateQueries({ queryKey: keeperTypesKey })
      if (result?.state === 'sent') onCreated(result.answer)
    },
  })
  const canSave = isComplete(form.values)
  return (
    <Card>
      <EntityForm
        form={form}
        aria-label="New keeper"
        className="flex flex-col gap-5"
        saveLabel="Save"
        failureTitle={getFailureTitle(form.failure, 'Failed to create keeper')}
        disabled={!canSave}
        onCancel={onCancel}
        note={!canSave && <IncompleteNote />}
      >
        <KeeperFields form={form} isTypeRequired />
      </EntityForm>
    </Card>
  )
}

interface KeeperTabProps {
  keepersQuery: ReturnType<typeof useKeepers>
  /** `null` for a new keeper. */
  keeperId: string | null
  onDelete: (keeper: Keeper) => void
  onCreated: (keeper: Keeper) => void
  onBack: () => void
}

function KeeperTab({ keepersQuery, keeperId, onDelete, onCreated, onBack }: KeeperTabProps) {
  if (keeperId === null) return <NewKeeperForm onCreated={onCreated} onCancel={onBack} />
  const keeper = keepersQuery.data?.find(({ id }) => id === keeperId)
  if (keeper) return <ExistingKeeper key={keeper.id} keeper={keeper} onDelete={onDelete} />
  if (!keepersQuery.data || keepersQuery.error) return <KeepersStatus query={keepersQuery} />
  return (
    <EmptyPanel
      drawing="drawer"
      title="Keeper not found"
      action={<Button onClick={onBack}>Back to the registry</Button>}
    >
      The requested keeper could not be found or you don't have permission to view it.
    </EmptyPanel>
  )
}

function ExistingKeeper({ keeper, onDelete }: { keeper: Keeper; onDelete: (keeper: Keeper) => void }) {
  const edit = useKeeperEdit(keeper)
  return (
    <>
      <div className="mb-4 flex flex-wrap items-center justify-between gap-3">
        <h2 dir="auto">{keeper.title}</h2>
        <div className="flex flex-wrap items-center gap-4">
          <Switch label="Editing" checked={edit.isEditing} onCheckedChange={edit.setEditing} />
          <Button variant="danger-text" onClick={() => onDelete(keeper)} icon={<Trash2 aria-hidden size={14} />}>
            Delete Keeper
          </Button>
        </div>
      </div>
      <SavedBanner edit={edit} />
      <Card>{edit.isEditing ? <KeeperEditForm edit={edit} /> : <KeeperDetails keeper={keeper} />}</Card>
      {!edit.isEditing && edit.form.isDirty && (
        <p className="mt-3 text-small text-muted-foreground">
          Your changes aren’t saved yet. This browser keeps them until you turn editing back on.
        </p>
      )}
    </>
  )
}

interface KeeperRegistryProps {
  keepersQuery: ReturnType<typeof useKeepers>
  onEdit: (keeper: Keeper) => void
  onDelete: (keeper: Keeper) => void
}

const columns: Column<Keeper>[] = [
  {
    id: 'title',
    header: 'Keeper',
    rowHeader: true,
    cell: (keeper) => (
      <span className="block min-w-40">
        <Link
          dir="auto"
          to={getMetadataPath(keeper.id)}
          className="font-serif text-h3 font-medium wrap-anywhere hover:underline"
        >
          {keeper.title}
        </Link>
        <span dir="auto" className="line-clamp-1 text-small font-book text-muted-foreground wrap-anywhere">
          {keeper.purpose}
        </span>
      </span>
    ),
  },
  { id: 'type', header: 'Type', cell: (keeper) => <Badge>{getTypeName(keeper)}</Badge>, wideOnly: true },
  {
    id: 'pattern',
    header: 'Memory pattern',
    cell: (keeper) => <PatternBadge keeper={keeper} />,
    wideOnly: true,
  },
  {
    id: 'journeys',
    header: 'Journeys',
    numeric: true,
    cell: (keeper) => keeper._count.Journey.toLocaleString('en-US'),
    wideOnly: true,
  },
  {
    id: 'entries',
    header: 'Entries',
    numeric: true,
    cell: (keeper) => keeper.entryCount?.toLocaleString('en-US'),
    wideOnly: true,
  },
  { id: 'updated', header: 'Last updated', cell: (keeper) => <Time value={keeper.updatedAt} />, wideOnly: true },
]

function KeeperRegistry({ keepersQuery, onEdit, onDelete }: KeeperRegistryProps) {
  const { data: keepers } = keepersQuery
  return (
    <>
      <KeepersStatus
        query={keepersQuery}
        skeleton={
          <Card padded={false}>
            <TableSkeleton />
          </Card>
        }
      />
      {keepers?.length === 0 && <NoKeepers />}
      {keepers && keepers.length > 0 && (
        <Card padded={false} className="overflow-clip">
          <Table
            opensRows
            label="Keepers"
            columns={columns}
            rows={keepers}
            rowKey={({ id }) => id}
            rowActions={(keeper) => (
              <>
                <IconButton tabIndex={-1} label={`Edit ${keeper.title}`} size="small" onClick={() => onEdit(keeper)}>
                  <Pencil aria-hidden size={15} />
                </IconButton>
                <IconButton
                  tabIndex={-1}
                  label={`Delete ${keeper.title}`}
                  size="small"
                  onClick={() => onDelete(keeper)}
                >
                  <Trash2 aria-hidden size={15} />
                </IconButton>
              </>
            )}
          />
        </Card>
      )}
    </>
  )
}
