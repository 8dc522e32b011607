import { useQueryClient } from '@tanstack/react-query'
import { Trash2 } from 'lucide-react'
import type { Keeper } from '#contract/keepers/keepers.ts'
import { EntityForm } from '#web/offline/entity-form.tsx'
import { useEntityForm } from '#web/offline/use-entity-form.tsx'
import { keeperTypesKey, keeperTypesQuery } from '#web/queries/keeper-types-query.ts'
import { Button } from '#web/ui/controls/button.tsx'
import { Switch } from '#web/ui/controls/switch.tsx'
import { Card } from '#web/ui/panels/card.tsx'
import { EmptyPanel } from '#web/ui/panels/empty-panel.tsx'
import { Skeleton, SkeletonGroup } from '#web/ui/panels/skeleton.tsx'
import { createKeeper } from '../create-keeper.ts'
import type { useKeepers } from '../keeper-queries.ts'
import { keepersKey } from '../keeper-queries.ts'
import { KeepersLoadError } from '../shelf/keeper-list-states.tsx'
import { KeeperDetails } from './keeper-details.tsx'
import { IncompleteNote, KeeperEditForm, SavedBanner, useKeeperEdit } from './keeper-edit-form.tsx'
import { KeeperFields } from './keeper-fields.tsx'
import { isComplete, type KeeperValues, toKeeperValues } from './keeper-values.ts'

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
      const answer = await createKeeper({ ...values, theme: values.theme as 'keeper-classic', id, keeperType })
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
        failureTitle="Failed to create keeper"
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

export function KeeperTab({ keepersQuery, keeperId, onDelete, onCreated, onBack }: KeeperTabProps) {
  if (keeperId === null) return <NewKeeperForm onCreated={onCreated} onCancel={onBack} />
  const keeper = keepersQuery.data?.find(({ id }) => id === keeperId)
  if (keeper) return <ExistingKeeper key={keeper.id} keeper={keeper} onDelete={onDelete} />
  if (keepersQuery.isPending)
    return (
      <SkeletonGroup>
        <Skeleton className="h-64" />
      </SkeletonGroup>
    )
  if (keepersQuery.error)
    return (
      <KeepersLoadError
        error={keepersQuery.error}
        onRetry={() => keepersQuery.refetch()}
        retrying={keepersQuery.isRefetching}
      />
    )
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
        <h2>{keeper.title}</h2>
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
          Your changes aren’t saved. They’re stored in this browser until you turn editing back on.
        </p>
      )}
    </>
  )
}
