import { useEffect, useState } from 'react'
import { ApiError, Unreachable } from '#web/api.ts'
import { type ConflictField, conflictOf, orAskAgain } from '#web/offline/conflict-dialog.tsx'
import { useDraft } from '#web/offline/use-draft.ts'

type Values = Record<string, string | number>

export interface InPlaceFormOptions<Entity extends { rev: number }, Fields extends Values> {
  /** Key of the local draft. */
  draftKey: string
  entity: Entity
  valuesOf: (entity: Entity) => Fields
  labels: Record<keyof Fields & string, string>
  send: (changes: Partial<Fields>, rev: number) => Promise<Entity>
  onSaved: (saved: Entity) => unknown
}

interface Writing<Fields> {
  rev: number
  before: Fields
  values: Fields
}

export function changesOf<Fields extends Values>(before: Fields, values: Fields): Partial<Fields> {
  return Object.fromEntries(Object.entries(values).filter(([name, value]) => value !== before[name])) as Partial<Fields>
}

/** Fields that both sides changed to different values. */
export function clashes<Fields extends Values>(
  before: Fields,
  changes: Partial<Fields>,
  current: Fields,
  labels: Record<string, string>,
): ConflictField[] {
  return Object.entries(changes)
    .filter(([name, value]) => current[name] !== before[name] && current[name] !== value)
    .map(([name, value]) => ({
      name,
      label: labels[name] ?? name,
      yours: String(value),
      current: String(current[name]),
      ...(typeof value === 'number' && { choiceOnly: true }),
    }))
}

/** A form that edits an entity in place and keeps a local draft until it is saved. */
export function useInPlaceForm<Entity extends { rev: number }, Fields extends Values>({
  draftKey,
  entity,
  valuesOf,
  labels,
  send,
  onSaved,
}: InPlaceFormOptions<Entity, Fields>) {
  const now = valuesOf(entity)
  const draft = useDraft<Writing<Fields>>(draftKey, { rev: entity.rev, before: now, values: now })
  const [busy, setBusy] = useState(false)
  const [failure, setFailure] = useState<{ text: string; fields: Record<string, string> }>()
  const [saved, setSaved] = useState(false)
  const [clash, setClash] = useState<{ current: Entity; changes: Partial<Fields> }>()
  const { before, values, rev } = draft.value
  const changes = changesOf(before, values)
  const dirty = Object.keys(changes).length > 0
  useEffect(() => {
    if (!saved) return
    const timer = setTimeout(() => setSaved(false), 3000)
    return () => clearTimeout(timer)
  }, [saved])

  async function sendOn(wanted: Partial<Fields>, on: number): Promise<void> {
    try {
      const answer = await send(wanted, on)
      await draft.letGo()
      setClash(undefined)
      setSaved(true)
      await onSaved(answer)
    } catch (reason) {
      const current = conflictOf<Entity>(reason)?.current
      // The other change touched different fields, so this one can be saved on top.
      if (current && clashes(before, wanted, valuesOf(current), labels).length === 0) return sendOn(wanted, current.rev)
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
    change(given: Partial<Fields>) {
      setFailure(undefined)
      const next = { ...values, ...given }
      if (Object.keys(changesOf(before, next)).length === 0) draft.clear()
      else draft.set({ rev, before, values: next })
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
        await sendOn(changes, rev)
      } catch (reason) {
        const both = conflictOf<Entity>(reason)
        if (both) setClash({ current: both.current, changes })
        else setFailure(told(reason))
      } finally {
        setBusy(false)
      }
    },
    conflict: clash && {
      fields: clashes(before, clash.changes, valuesOf(clash.current), labels),
      about: draftKey,
      close: () => setClash(undefined),
      /** Saves the chosen values on top of the server's version. */
      async resolve(chosen: Record<string, string>) {
        const typed = Object.fromEntries(
          Object.entries(chosen).map(([name, text]) => [name, typeof before[name] === 'number' ? Number(text) : text]),
        ) as Partial<Fields>
        const decided = { ...clash.changes, ...typed }
        draft.set({ rev, before, values: { ...values, ...typed } })
        await orAskAgain<Entity>(sendOn(decided, clash.current.rev), (current) =>
          setClash({ current, changes: decided }),
        )
      },
    },
  }
}

function told(reason: unknown): { text: string; fields: Record<string, string> } {
  if (reason instanceof Unreachable) {
    return { text: 'Failed to update frame: the server can’t be reached. Your changes are still here.', fields: {} }
  }
  const text = reason instanceof Error ? reason.message : String(reason)
  return { text: `Failed to update frame: ${text}`, fields: (reason instanceof ApiError && reason.fields) || {} }
}
