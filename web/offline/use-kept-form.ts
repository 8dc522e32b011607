import { useState } from 'react'
import { ApiError } from '#web/api.ts'
import { conflictOf } from './conflict-dialog.tsx'
import { newClientId } from './new-client-id.ts'
import { useDraft } from './use-draft.ts'

interface KeptFormOptions<Entity extends { rev: number }, Values extends object> {
  /** Names what is typed in this browser: 'agent-class/new'. */
  draftKey: string
  /** What is changed; `null` for something new. */
  entity: Entity | null
  valuesOf: (entity: Entity) => Values
  blank: Values
  isWhole: (values: Values) => boolean
  /**
   * `rev` is that of the version it was typed over; it counts only where something is changed. `idempotencyKey` is for a
   * create: sent twice, also over a reload, the same values make one thing.
   */
  send: (values: Values, rev: number, idempotencyKey: string) => Promise<Entity>
  onSaved: (saved: Entity) => void | Promise<void>
}

export interface KeptForm<Values> {
  values: Values
  set: (change: Partial<Values>) => void
  /** Nothing is missing that a save needs. */
  isWhole: boolean
  /** What the server said of a field, by its name. */
  errors: Record<string, string>
  /** Why the last save failed; `undefined` where none did. */
  failure: unknown
  /** There, when somebody saved a newer version meanwhile: one of the two is chosen. */
  newer: { takeTheirs: () => void; keepMine: () => void } | undefined
  isSaving: boolean
  save: () => void
  /** Throws away what was typed. */
  discard: () => void
  /** False for the instant in which this browser is asked. */
  ready: boolean
}

/** A form over one thing as a whole: what is typed stays in this browser until the server has it. */
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
