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

type KeeperChanges = NonNullable<CallInput<typeof keepers.update>['body']>

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
  saveResult: 'sent' | 'queued' | undefined
  dialog: ReactNode
}

export function useKeeperEdit(keeper: Keeper): KeeperEdit {
  const queryClient = useQueryClient()
  const draft = useDraft<KeeperEditDraft | null>(`keeper/${keeper.id}/settings`, null)
  const [isFormOpen, setFormOpen] = useState<boolean>()
  const [isSaving, setSaving] = useState(false)
  const [failure, setFailure] = useState<unknown>()
  const [saveResult, setSaveResult] = useState<'sent' | 'queued'>()
  const [conflict, setConflict] = useState<{ yours: Keeper; current: Keeper; changes: KeeperChanges }>()
  const initialEdit: KeeperEditDraft = {
    rev: keeper.rev,
    before: toKeeperValues(keeper),
    values: toKeeperValues(keeper),
  }
  const edit = draft.value ?? initialEdit
  const changes = getKeeperChanges(edit.before, edit.values)
  const isDirty = Object.keys(changes).length > 0

  async function finish(state: 'sent' | 'queued', answer?: Keeper) {
    draft.clear()
    setFormOpen(false)
    setConflict(undefined)
    setSaveResult(state)
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
      setFormOpen(false)
      return
    }
    setSaving(true)
    setFailure(undefined)
    try {
      const input = { params: { id: keeper.id }, body: changes, ifMatch: edit.rev }
      const sendResult = await sendOrQueue(keepers.update, input, { what: 'Keeper', keeperId: keeper.id })
      await finish(sendResult.state, sendResult.state === 'sent' ? sendResult.answer : undefined)
    } catch (reason) {
      await handleConflict(reason)
    } finally {
      setSaving(false)
    }
  }

  async function handleConflict(reason: unknown): Promise<void> {
    const conflictingVersions = getConflict<Keeper>(reason)
    if (!conflictingVersions) setFailure(reason)
    // No field conflicts, so the change is reapplied to the newer version.
    else if (getKeeperConflicts(edit.before, conflictingVersions, changes).length === 0)
      await saveOnto(conflictingVersions.current, changes).catch(handleConflict)
    else setConflict({ ...conflictingVersions, changes })
  }

  async function saveOnto(current: Keeper, body: KeeperChanges) {
    const answer = await call(keepers.update, { params: { id: keeper.id }, body, ifMatch: current.rev })
    await finish('sent', answer)
  }

  return {
    isEditing: isFormOpen ?? draft.restored,
    setEditing(next) {
      setFormOpen(next)
      setSaveResult(undefined)
    },
    cancel() {
      draft.clear()
      setFormOpen(false)
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
    saveResult,
    dialog: conflict && (
      <ConflictDialog
        open
        subject="This keeper"
        fields={getKeeperConflicts(edit.before, conflict, conflict.changes)}
        conflictKey={`keeper/${keeper.id}`}
        onResolve={(values) => {
          const mergedChanges = { ...conflict.changes, ...values }
          return saveOrResolveAgain<Keeper>(saveOnto(conflict.current, mergedChanges), (current) =>
            setConflict({ ...conflict, current, changes: mergedChanges }),
          )
        }}
        onOpenChange={(open) => !open && setConflict(undefined)}
      />
    ),
  }
}
