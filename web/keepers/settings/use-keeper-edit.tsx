import { useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { type Keeper, keepers } from '#contract/keepers/keepers.ts'
import { ApiError, type CallInput, call } from '#web/api.ts'
import { ConflictDialog, getConflict, saveOrResolveAgain } from '#web/offline/conflict-dialog.tsx'
import { sendOrQueue } from '#web/offline/send-or-queue.ts'
import { useDraft } from '#web/offline/use-draft.ts'
import { keeperKey, keepersKey } from '../keeper-queries.ts'
import { getKeeperFailureText } from './keeper-failure-text.ts'
import { getKeeperChanges, getKeeperConflicts, isComplete, type KeeperValues, toKeeperValues } from './keeper-values.ts'

type Changes = NonNullable<CallInput<typeof keepers.update>['body']>

interface KeeperEditDraft {
  rev: number
  before: KeeperValues
  values: KeeperValues
}

export interface KeeperEdit {
  isEditing: boolean
  /** Closing the form keeps the draft; `cancel` discards it. */
  setEditing: (isEditing: boolean) => void
  cancel: () => void
  values: KeeperValues
  setValues: (values: KeeperValues) => void
  isDirty: boolean
  canSave: boolean
  isSaving: boolean
  save: () => Promise<void>
  error: string | undefined
  fieldErrors: Record<string, string> | undefined
  /** The result of the last save. */
  saved: 'sent' | 'kept' | undefined
  dialog: ReactNode
}

export function useKeeperEdit(keeper: Keeper): KeeperEdit {
  const queryClient = useQueryClient()
  const draft = useDraft<KeeperEditDraft | null>(`keeper/${keeper.id}/settings`, null)
  const [opened, setOpened] = useState<boolean>()
  const [isSaving, setSaving] = useState(false)
  const [failure, setFailure] = useState<unknown>()
  const [saved, setSaved] = useState<'sent' | 'kept'>()
  const [conflict, setConflict] = useState<{ yours: Keeper; current: Keeper; changes: Changes }>()
  const fresh: KeeperEditDraft = { rev: keeper.rev, before: toKeeperValues(keeper), values: toKeeperValues(keeper) }
  const edit = draft.value ?? fresh
  const changes = getKeeperChanges(edit.before, edit.values)
  const isDirty = Object.keys(changes).length > 0

  async function finish(state: 'sent' | 'kept', answer?: Keeper) {
    draft.clear()
    setOpened(false)
    setConflict(undefined)
    setSaved(state)
    if (answer) queryClient.setQueryData(keeperKey(keeper.id), answer)
    await Promise.all([
      queryClient.invalidateQueries({ queryKey: keepersKey }),
      queryClient.invalidateQueries({ queryKey: ['keeper'] }),
      queryClient.invalidateQueries({ queryKey: ['keeper-types'] }),
    ])
  }

  async function save() {
    if (!isDirty) {
      draft.clear()
      setOpened(false)
      return
    }
    setSaving(true)
    setFailure(undefined)
    try {
      const input = { params: { id: keeper.id }, body: changes, ifMatch: edit.rev }
      const sent = await sendOrQueue(keepers.update, input, { what: 'Keeper', keeperId: keeper.id })
      await finish(sent.state, sent.state === 'sent' ? sent.answer : undefined)
    } catch (reason) {
      await handleConflict(reason)
    } finally {
      setSaving(false)
    }
  }

  async function handleConflict(reason: unknown): Promise<void> {
    const both = getConflict<Keeper>(reason)
    if (!both) setFailure(reason)
    // No field conflicts, so the change is reapplied to the newer version.
    else if (getKeeperConflicts(edit.before, both, changes).length === 0)
      await sendOnto(both.current, changes).catch(handleConflict)
    else setConflict({ ...both, changes })
  }

  async function sendOnto(current: Keeper, body: Changes) {
    const answer = await call(keepers.update, { params: { id: keeper.id }, body, ifMatch: current.rev })
    await finish('sent', answer)
  }

  return {
    isEditing: opened ?? draft.restored,
    setEditing(next) {
      setOpened(next)
      setSaved(undefined)
    },
    cancel() {
      draft.clear()
      setOpened(false)
      setFailure(undefined)
    },
    values: edit.values,
    setValues: (values) => draft.set({ ...edit, values }),
    isDirty,
    canSave: isComplete(edit.values) && !isSaving,
    isSaving,
    save,
    error: failure ? getKeeperFailureText(failure, 'Failed to update keeper') : undefined,
    fieldErrors: failure instanceof ApiError ? failure.fields : undefined,
    saved,
    dialog: conflict && (
      <ConflictDialog
        open
        subject="This keeper"
        fields={getKeeperConflicts(edit.before, conflict, conflict.changes)}
        conflictKey={`keeper/${keeper.id}`}
        onResolve={(values) => {
          const chosen = { ...conflict.changes, ...values }
          return saveOrResolveAgain<Keeper>(sendOnto(conflict.current, chosen), (current) =>
            setConflict({ ...conflict, current, changes: chosen }),
          )
        }}
        onOpenChange={(open) => !open && setConflict(undefined)}
      />
    ),
  }
}
