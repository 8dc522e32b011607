import { useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import type { Keeper } from '#contract/keepers/keepers.ts'
import { ApiError } from '#web/api.ts'
import { keeperTypesKey, keeperTypesQuery } from '#web/keeper-types-query.ts'
import { createClientId } from '#web/offline/create-client-id.ts'
import { useDraft } from '#web/offline/use-draft.ts'
import { Banner } from '#web/ui/banner.tsx'
import { Button } from '#web/ui/button.tsx'
import { Card } from '#web/ui/card.tsx'
import { onSubmitKey } from '#web/ui/on-send-key.ts'
import { ReadOnlyWhile } from '#web/ui/read-only-while.tsx'
import { createKeeper } from '../create-keeper.ts'
import { keepersKey } from '../keeper-queries.ts'
import { getKeeperFailureText } from './keeper-failure-text.ts'
import { KeeperFields } from './keeper-fields.tsx'
import { isComplete, type KeeperValues } from './keeper-values.ts'

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
  const [id] = useState(createClientId)
  const draft = useDraft('keeper/new/form', { id, values: blankKeeper })
  const [isSaving, setSaving] = useState(false)
  const [failure, setFailure] = useState<unknown>()
  const { values } = draft.value
  const canSave = isComplete(values) && !isSaving

  async function create(event: FormEvent) {
    event.preventDefault()
    if (!canSave) return
    setSaving(true)
    setFailure(undefined)
    try {
      const types = await queryClient.ensureQueryData(keeperTypesQuery)
      const keeperType = types.find((type) => type.id === values.keeperTypeId)?.slug ?? 'custom'
      const body = { ...values, theme: values.theme as 'keeper-classic', id: draft.value.id, keeperType }
      const keeper = await createKeeper(body)
      draft.clear()
      void queryClient.invalidateQueries({ queryKey: keepersKey })
      void queryClient.invalidateQueries({ queryKey: keeperTypesKey })
      onCreated(keeper)
    } catch (reason) {
      setFailure(reason)
      setSaving(false)
    }
  }

  return (
    <Card>
      <form aria-label="New keeper" onKeyDown={onSubmitKey} onSubmit={create} className="flex flex-col gap-5">
        {failure !== undefined && (
          <Banner tone="error">{getKeeperFailureText(failure, 'Failed to create keeper')}</Banner>
        )}
        <ReadOnlyWhile while={isSaving}>
          <KeeperFields
            values={values}
            isTypeRequired
            onChange={(next) => draft.set({ ...draft.value, values: next })}
            errors={failure instanceof ApiError ? failure.fields : undefined}
          />
        </ReadOnlyWhile>
        <div className="flex flex-wrap items-center gap-2">
          <Button type="submit" variant="primary" disabled={!canSave} busy={isSaving} busyLabel="Saving...">
            Save
          </Button>
          <Button
            onClick={() => {
              draft.clear()
              onCancel()
            }}
          >
            Cancel
          </Button>
          {!canSave && !isSaving && (
            <p className="text-small text-muted-foreground">Enter a title and a purpose to save.</p>
          )}
        </div>
      </form>
    </Card>
  )
}
