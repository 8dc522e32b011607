import { useState } from 'react'
import { ApiError } from '#web/api.ts'
import { getConflict } from './conflict-dialog.tsx'
import { createClientId } from './create-client-id.ts'
import { useDraft } from './use-draft.ts'

interface DraftFormOptions<Entity extends { rev: number }, Values extends object> {
  draftKey: string
  entity: Entity | null
  toValues: (entity: Entity) => Values
  blank: Values
  isComplete: (values: Values) => boolean
  /** `rev` is the edited version's. The same `idempotencyKey` is sent for the same values, even after a reload. */
  send: (values: Values, rev: number, idempotencyKey: string) => Promise<Entity>
  onSaved: (saved: Entity) => void | Promise<void>
}

export interface DraftFormState<Values> {
  values: Values
  set: (change: Partial<Values>) => void
  isComplete: boolean
  errors: Record<string, string>
  failure: unknown
  newer: { takeRemote: () => void; keepLocal: () => void } | undefined
  isSaving: boolean
  save: () => void
  discard: () => void
  ready: boolean
}

export function useDraftForm<Entity extends { rev: number }, Values extends object>({
  draftKey,
  entity,
  toValues,
  blank,
  isComplete,
  send,
  onSaved,
}: DraftFormOptions<Entity, Values>): DraftFormState<Values> {
  const [initial] = useState(() => ({
    rev: entity?.rev ?? 0,
    values: entity ? toValues(entity) : blank,
    key: createClientId(),
  }))
  const draft = useDraft(draftKey, initial)
  const { rev, values, key } = draft.value
  const [isSaving, setSaving] = useState(false)
  const [failure, setFailure] = useState<unknown>()
  const [newer, setNewer] = useState<Entity>()

  async function save(baseRev = rev) {
    if (!isComplete(values) || isSaving) return
    setSaving(true)
    setFailure(undefined)
    try {
      const saved = await send(values, baseRev, key)
      draft.clear()
      await onSaved(saved)
    } catch (reason) {
      const conflict = getConflict<Entity>(reason)
      if (conflict) setNewer(conflict.current)
      else setFailure(reason)
    } finally {
      setSaving(false)
    }
  }

  return {
    values,
    set: (change) => draft.set({ rev, values: { ...values, ...change }, key: createClientId() }),
    isComplete: isComplete(values),
    errors: (failure instanceof ApiError && failure.fields) || {},
    failure,
    newer: newer && {
      takeRemote: () => {
        draft.set({ rev: newer.rev, values: toValues(newer), key })
        setNewer(undefined)
      },
      keepLocal: () => {
        setNewer(undefined)
        draft.set({ rev: newer.rev, values, key })
        void save(newer.rev)
      },
    },
    isSaving,
    save: () => void save(),
    discard: draft.clear,
    ready: draft.ready,
  }
}
