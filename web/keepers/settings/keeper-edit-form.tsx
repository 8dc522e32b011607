import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { type Keeper, keepers } from '#contract/keepers/keepers.ts'
import { EntityForm } from '#web/offline/entity-form.tsx'
import { sendOrQueue } from '#web/offline/send-or-queue.ts'
import { type EntityForm as Form, useEntityForm } from '#web/offline/use-entity-form.tsx'
import { Banner } from '#web/ui/panels/banner.tsx'
import { keeperKey, keepersKey } from '../keeper-queries.ts'
import { getKeeperChanges, isComplete, KeeperFields, type KeeperValues, toKeeperValues } from './keeper-fields.tsx'

export interface KeeperEdit {
  isEditing: boolean
  /** Closing the form keeps the draft. */
  setEditing: (isEditing: boolean) => void
  form: Form<KeeperValues>
  /** The result of the last save. */
  saveResult: 'sent' | 'queued' | undefined
}

export function useKeeperEdit(keeper: Keeper): KeeperEdit {
  const queryClient = useQueryClient()
  const [isFormOpen, setFormOpen] = useState<boolean>()
  const [saveResult, setSaveResult] = useState<'sent' | 'queued'>()
  const form = useEntityForm({
    draftKey: `keeper/${keeper.id}/settings`,
    subject: 'This keeper',
    entity: keeper,
    toValues: toKeeperValues,
    blank: toKeeperValues(keeper),
    toBody: (values, previous) => getKeeperChanges(previous, values),
    send: (body, { rev }) =>
      sendOrQueue(
        keepers.update,
        { params: { id: keeper.id }, body, ifMatch: rev ?? keeper.rev },
        { what: 'Keeper', keeperId: keeper.id },
      ),
    async onSaved(result) {
      setFormOpen(false)
      setSaveResult(result?.state)
      if (result?.state === 'sent') queryClient.setQueryData(keeperKey(keeper.id), result.answer)
      await Promise.all(
        [keepersKey, ['keeper'], ['keeper-types']].map((queryKey) => queryClient.invalidateQueries({ queryKey })),
      )
    },
  })
  return {
    isEditing: isFormOpen ?? form.restored,
    setEditing(next) {
      setFormOpen(next)
      setSaveResult(undefined)
    },
    form,
    saveResult,
  }
}

export function KeeperEditForm({ edit: { form, setEditing } }: { edit: KeeperEdit }) {
  const canSave = isComplete(form.values)
  return (
    <EntityForm
      form={form}
      aria-label="Edit keeper"
      className="flex flex-col gap-5"
      saveLabel="Save"
      failureTitle="Failed to update keeper"
      disabled={!canSave}
      onCancel={() => setEditing(false)}
      note={!canSave && <IncompleteNote />}
    >
      <KeeperFields form={form} />
    </EntityForm>
  )
}

export function IncompleteNote() {
  return <p className="text-small text-muted-foreground">Enter a title and a purpose to save.</p>
}

export function SavedBanner({ edit: { saveResult } }: { edit: KeeperEdit }) {
  if (!saveResult) return null
  return (
    <Banner tone={saveResult === 'sent' ? 'success' : 'info'} className="mb-5">
      {saveResult === 'sent'
        ? 'Keeper saved.'
        : 'The server can’t be reached. Your change is saved in this browser and waiting to be sent.'}
    </Banner>
  )
}
