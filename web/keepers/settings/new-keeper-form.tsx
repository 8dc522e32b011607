import { useQueryClient } from '@tanstack/react-query'
import type { Keeper } from '#contract/keepers/keepers.ts'
import { EntityForm } from '#web/offline/entity-form.tsx'
import { useEntityForm } from '#web/offline/use-entity-form.tsx'
import { keeperTypesKey, keeperTypesQuery } from '#web/queries/keeper-types-query.ts'
import { Card } from '#web/ui/panels/card.tsx'
import { createKeeper } from '../create-keeper.ts'
import { keepersKey } from '../keeper-queries.ts'
import { IncompleteNote } from './keeper-edit-form.tsx'
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
export function NewKeeperForm({ onCreated, onCancel }: { onCreated: (keeper: Keeper) => void; onCancel: () => void }) {
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
