import { useState } from 'react'
import { ApiError } from '#web/api.ts'
import { conflictOf } from './conflict-dialog.tsx'
import { newClientId } from './new-client-id.ts'
import { useDraft } from './use-draft.ts'

interface KeptFormOptions<Entity extends { rev: number }, Values extends object> {
  draftKey: string
  entity: Entity | null
  valuesOf: (entity: Entity) => Values
  blank: Values
  isWhole: (values: Values) => boolean
  /** `rev` is the edited version's. The same `idempotencyKey` is sent for the same values, even after a reload. */
  send: (values: Values, rev: number, idempotencyKey: string) => Promise<Entity>
  onSaved: (saved: Entity) => void | Promise<void>
}

export interface KeptForm<Values> {
  values: Values
  set: (change: Partial<Values>) => void
  isWhole: boolean
  errors: Record<string, string>
  failure: unknown
  newer: { takeTheirs: () => void; keepMine: () => void } | undefined
  isSaving: boolean
  save: () => void
  discard: () => void
  /** False until this browser's store has been read. */
  ready: boolean
}

/** A form for one entity; input is drafted in this browser until the server has it. */
export function useKeptForm<Entity extends { rev: number }, Values extends object>({
  draftKey,
  entity,
  valuesOf,
  blank,
  isWhole,
  send,
  onSaved,
}: KeptFormOptions<Entity, Values>): KeptForm<Values> {
  const [initial] = useState(() => ({
    rev: entity?.rev ?? 0,
    values: entity ? valuesOf(entity) : blank,
    key: newClientId(),
  }))
  const draft = useDraft(draftKey, initial)
  const { rev, values, key } = draft.value
  const [isSaving, setSaving] = useState(false)
  const [failure, setFailure] = useState<unknown>()
  const [newer, setNewer] = useState<Entity>()

  async function save(onRev = rev) {
    if (!isWhole(values) || isSaving) return
    setSaving(true)
    setFailure(undefined)
    try {
      const saved = await send(values, onRev, key)
      draft.clear()
      await onSaved(saved)
    } catch (reason) {
      const both = conflictOf<Entity>(reason)
      if (both) setNewer(both.current)
      else setFailure(reason)
    } finally {
      setSaving(false)
    }
  }

  return {
    values,
    set: (change) => draft.set({ rev, values: { ...values, ...change }, key: newClientId() }),
    isWhole: isWhole(values),
    errors: (failure instanceof ApiError && failure.fields) || {},
    failure,
    newer: newer && {
      takeTheirs: () => {
        draft.set({ rev: newer.rev, values: valuesOf(newer), key })
        setNewer(undefined)
      },
      keepMine: () => {
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
