import { useQueryClient } from '@tanstack/react-query'
import { Plus } from 'lucide-react'
import { type FormEvent, useState } from 'react'
import { type KeeperType, keeperTypes } from '#contract/keepers/keeper-types.ts'
import { ApiError, call } from '#web/api.ts'
import { DeleteEntryDialog } from '#web/catalog/delete-entry-dialog.tsx'
import { keeperTypesKey } from '#web/keeper-types-query.ts'
import { ConflictDialog, getConflict, saveOrResolveAgain } from '#web/offline/conflict-dialog.tsx'
import { createClientId } from '#web/offline/create-client-id.ts'
import { useDraft } from '#web/offline/use-draft.ts'
import { Banner } from '#web/ui/banner.tsx'
import { Button } from '#web/ui/button.tsx'
import { FormDialog } from '#web/ui/form-dialog.tsx'
import { ReadOnlyWhile } from '#web/ui/read-only-while.tsx'
import { keepersKey } from '../keeper-queries.ts'
import { TypeFields } from './type-form.tsx'
import { emptyTypeValues, getTypeChanges, getTypeConflicts, type TypeValues, toTypeValues } from './type-values.ts'

export function NewTypeButton({ onCreated }: { onCreated: (type: KeeperType) => void }) {
  const [open, setOpen] = useState(false)
  // The key makes a retry with the same values idempotent.
  const draft = useDraft<TypeValues & { key: string }>('keeper-type/new', { ...emptyTypeValues, key: '' })
  const refresh = useRefreshTypes()
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
      {open && (
        <TypeDialog
          title="New Keeper Type"
          failedText="Failed to create keeper type"
          saveLabel="Create Type"
          values={draft.value}
          onChange={(values) => draft.set({ ...values, key: createClientId() })}
          onCancel={() => {
            draft.clear()
            setOpen(false)
          }}
          onClose={() => setOpen(false)}
          onSave={async (values) => {
            const createdType = await call(keeperTypes.create, {
              body: toTypeValues(values),
              idempotencyKey: draft.value.key,
            })
            draft.clear()
            setOpen(false)
            await refresh()
            onCreated(createdType)
          }}
        />
      )}
    </>
  )
}

export function EditTypeDialog({ type, onClose }: { type: KeeperType; onClose: () => void }) {
  const draft = useDraft<{ rev: number; before: TypeValues; values: TypeValues }>(`keeper-type/${type.id}`, {
    rev: type.rev,
    before: toTypeValues(type),
    values: toTypeValues(type),
  })
  const [conflict, setConflict] = useState<{ yours: KeeperType; current: KeeperType; changes: Partial<TypeValues> }>()
  const refresh = useRefreshTypes()

  async function send(changes: Partial<TypeValues>, rev: number) {
    if (Object.keys(changes).length > 0)
      await call(keeperTypes.update, { params: { id: type.id }, body: changes, ifMatch: rev })
    draft.clear()
    setConflict(undefined)
    onClose()
    await refresh()
  }

  async function save(changes: Partial<TypeValues>, rev: number): Promise<void> {
    try {
      await send(changes, rev)
    } catch (reason) {
      const conflictingVersions = getConflict<KeeperType>(reason)
      if (!conflictingVersions) throw reason
      // No field conflicts, so the change is reapplied to the newer version.
      if (getTypeConflicts(draft.value.before, conflictingVersions, changes).length === 0)
        return save(changes, conflictingVersions.current.rev)
      setConflict({ ...conflictingVersions, changes })
    }
  }

  return (
    <>
      <TypeDialog
        title="Edit Type"
        failedText="Failed to update keeper type"
        saveLabel="Save"
        values={draft.value.values}
        onChange={(values) => draft.set({ ...draft.value, values })}
        onCancel={() => {
          draft.clear()
          onClose()
        }}
        onClose={onClose}
        onSave={(values) => save(getTypeChanges(draft.value.before, values), draft.value.rev)}
      />
      {conflict && (
        <ConflictDialog
          open
          subject="This keeper type"
          fields={getTypeConflicts(draft.value.before, conflict, conflict.changes)}
          conflictKey={`keeper-type/${type.id}`}
          onResolve={(values) => {
            const changes = { ...conflict.changes, ...values }
            return saveOrResolveAgain<KeeperType>(send(changes, conflict.current.rev), (current) =>
              setConflict({ ...conflict, current, changes }),
            )
          }}
          onOpenChange={(open) => !open && setConflict(undefined)}
        />
      )}
    </>
  )
}

interface TypeDialogProps {
  title: string
  failedText: string
  saveLabel: string
  values: TypeValues
  onChange: (values: TypeValues) => void
  /** Discards the draft. */
  onCancel: () => void
  /** Closes and keeps the draft. */
  onClose: () => void
  onSave: (values: TypeValues) => Promise<void>
}

function TypeDialog({ title, failedText, saveLabel, values, onChange, onCancel, onClose, onSave }: TypeDialogProps) {
  const [isSaving, setSaving] = useState(false)
  const [failure, setFailure] = useState<unknown>()
  const canSave = values.name.trim() !== '' && values.memoryPattern.trim() !== '' && !isSaving

  async function submit(event: FormEvent) {
    event.preventDefault()
    if (!canSave) return
    setSaving(true)
    setFailure(undefined)
    try {
      await onSave(values)
    } catch (reason) {
      setFailure(reason)
    } finally {
      setSaving(false)
    }
  }

  return (
    <FormDialog
      onClose={onClose}
      onCancel={onCancel}
      title={title}
      form={{ onSubmit: submit, noValidate: false, className: 'flex flex-col gap-4' }}
      submitLabel={saveLabel}
      busyLabel="Saving..."
      busy={isSaving}
      disabled={!canSave}
    >
      {failure !== undefined && (
        <Banner tone="error">{(failure instanceof ApiError && failure.serverMessage) || failedText}</Banner>
      )}
      <ReadOnlyWhile while={isSaving}>
        <TypeFields
          values={values}
          onChange={onChange}
          errors={failure instanceof ApiError ? failure.fields : undefined}
        />
      </ReadOnlyWhile>
    </FormDialog>
  )
}

interface DeleteTypeProps {
  type: KeeperType
  onClose: () => void
  onDeleted: () => void
}

export function DeleteTypeDialog({ type, onClose, onDeleted }: DeleteTypeProps) {
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
