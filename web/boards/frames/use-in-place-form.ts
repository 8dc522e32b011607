import { useEffect, useState } from 'react'
import { ApiError, NetworkError } from '#web/api.ts'
import { type ConflictField, getConflict, saveOrResolveAgain } from '#web/offline/conflict-dialog.tsx'
import { useDraft } from '#web/offline/use-draft.ts'

type FormValues = Record<string, string | number>

export interface InPlaceFormOptions<Entity extends { rev: number }, Fields extends FormValues> {
  draftKey: string
  entity: Entity
  toValues: (entity: Entity) => Fields
  labels: Record<keyof Fields & string, string>
  send: (changes: Partial<Fields>, rev: number) => Promise<Entity>
  onSaved: (saved: Entity) => unknown
}

interface InPlaceDraft<Fields> {
  rev: number
  before: Fields
  values: Fields
}

export function getFormChanges<Fields extends FormValues>(initial: Fields, values: Fields): Partial<Fields> {
  return Object.fromEntries(
    Object.entries(values).filter(([name, value]) => value !== initial[name]),
  ) as Partial<Fields>
}

/** Fields that both sides changed to different values. */
export function findConflicts<Fields extends FormValues>(
  initial: Fields,
  changes: Partial<Fields>,
  current: Fields,
  labels: Record<string, string>,
): ConflictField[] {
  return Object.entries(changes)
    .filter(([name, value]) => current[name] !== initial[name] && current[name] !== value)
    .map(([name, value]) => ({
      name,
      label: labels[name] ?? name,
      yours: String(value),
      current: String(current[name]),
      ...(typeof value === 'number' && { choiceOnly: true }),
    }))
}

export function useInPlaceForm<Entity extends { rev: number }, Fields extends FormValues>({
  draftKey,
  entity,
  toValues,
  labels,
  send,
  onSaved,
}: InPlaceFormOptions<Entity, Fields>) {
  const currentValues = toValues(entity)
  const draft = useDraft<InPlaceDraft<Fields>>(draftKey, {
    rev: entity.rev,
    before: currentValues,
    values: currentValues,
  })
  const [busy, setBusy] = useState(false)
  const [failure, setFailure] = useState<{ text: string; fields: Record<string, string> }>()
  const [saved, setSaved] = useState(false)
  const [pendingConflict, setPendingConflict] = useState<{ current: Entity; changes: Partial<Fields> }>()
  const { before: initial, values, rev } = draft.value
  const changes = getFormChanges(initial, values)
  const dirty = Object.keys(changes).length > 0
  useEffect(() => {
    if (!saved) return
    const timer = setTimeout(() => setSaved(false), 3000)
    return () => clearTimeout(timer)
  }, [saved])

  async function sendOnRevision(sentChanges: Partial<Fields>, baseRev: number): Promise<void> {
    try {
      const answer = await send(sentChanges, baseRev)
      await draft.release()
      setPendingConflict(undefined)
      setSaved(true)
      await onSaved(answer)
    } catch (reason) {
      const current = getConflict<Entity>(reason)?.current
      // The other change touched different fields, so this one can be saved on top.
      if (current && findConflicts(initial, sentChanges, toValues(current), labels).length === 0)
        return sendOnRevision(sentChanges, current.rev)
      throw reason
    }
  }

  return {
    values,
    dirty,
    busy,
    saved: saved && !dirty,
    failure: failure?.text,
    errors: failure?.fields ?? {},
    change(fieldChanges: Partial<Fields>) {
      setFailure(undefined)
      const next = { ...values, ...fieldChanges }
      if (Object.keys(getFormChanges(initial, next)).length === 0) draft.clear()
      else draft.set({ rev, before: initial, values: next })
    },
    discard() {
      setFailure(undefined)
      draft.clear()
    },
    async save() {
      if (busy || !dirty) return
      setBusy(true)
      setFailure(undefined)
      try {
        await sendOnRevision(changes, rev)
      } catch (reason) {
        const conflict = getConflict<Entity>(reason)
        if (conflict) setPendingConflict({ current: conflict.current, changes })
        else setFailure(toFailure(reason))
      } finally {
        setBusy(false)
      }
    },
    conflict: pendingConflict && {
      fields: findConflicts(initial, pendingConflict.changes, toValues(pendingConflict.current), labels),
      about: draftKey,
      close: () => setPendingConflict(undefined),
      async resolve(chosen: Record<string, string>) {
        const resolvedValues = Object.fromEntries(
          Object.entries(chosen).map(([name, text]) => [name, typeof initial[name] === 'number' ? Number(text) : text]),
        ) as Partial<Fields>
        const resolvedChanges = { ...pendingConflict.changes, ...resolvedValues }
        draft.set({ rev, before: initial, values: { ...values, ...resolvedValues } })
        await saveOrResolveAgain<Entity>(sendOnRevision(resolvedChanges, pendingConflict.current.rev), (current) =>
          setPendingConflict({ current, changes: resolvedChanges }),
        )
      },
    },
  }
}

function toFailure(reason: unknown): { text: string; fields: Record<string, string> } {
  if (reason instanceof NetworkError) {
    return { text: 'Failed to update frame: the server can’t be reached. Your changes are still here.', fields: {} }
  }
  const text = reason instanceof Error ? reason.message : String(reason)
  return { text: `Failed to update frame: ${text}`, fields: (reason instanceof ApiError && reason.fields) || {} }
}
