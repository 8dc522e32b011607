import { useQueryClient } from '@tanstack/react-query'
import { Plus } from 'lucide-react'
import { useState } from 'react'
import { type KeeperType, keeperTypes } from '#contract/keepers/keeper-types.ts'
import { call } from '#web/api/api.ts'
import { DeleteEntryDialog } from '#web/catalog/delete-entry-dialog.tsx'
import { EntityFormDialog } from '#web/offline/entity-form.tsx'
import { sendNow, useEntityForm } from '#web/offline/use-entity-form.tsx'
import { keeperTypesKey } from '#web/queries/keeper-types-query.ts'
import { Button } from '#web/ui/controls/button.tsx'
import { keepersKey } from '../keeper-queries.ts'
import { emptyTypeValues, TypeFields, toTypeValues } from './type-form.tsx'

export function NewTypeButton({ onCreated }: { onCreated: (type: KeeperType) => void }) {
  const [open, setOpen] = useState(false)
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
      {open && <TypeDialog type={null} onClose={() => setOpen(false)} onCreated={onCreated} />}
    </>
  )
}

interface TypeDialogProps {
  /** `null` for a new type. */
  type: KeeperType | null
  onClose: () => void
  onCreated?: (type: KeeperType) => void
}

export function TypeDialog({ type, onClose, onCreated }: TypeDialogProps) {
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
