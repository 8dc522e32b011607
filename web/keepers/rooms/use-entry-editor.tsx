import { type ReactNode, useEffect, useState } from 'react'
import { ApiError } from '#web/api.ts'
import { ConflictDialog, type ConflictField, conflictOf, orAskAgain } from '#web/offline/conflict-dialog.tsx'
import { newClientId } from '#web/offline/new-client-id.ts'
import { asChosen, overlaps } from '#web/offline/overlaps.ts'
import type { Sent } from '#web/offline/send-or-keep.ts'
import { useDraft } from '#web/offline/use-draft.ts'
import { byBox } from './by-box.ts'
import type { Room, RoomEntry } from './room.ts'
import type { OpenRoom } from './use-room.ts'

type Words = Record<string, unknown>

interface Editing<Entry extends RoomEntry, Values> {
  room: Room<Entry>
  open: OpenRoom<Entry>
  keeperId: string
  /** `null` for a new entry. */
  entry: Entry | null
  initial: Values
  valuesOf(entry: Entry): Values
  /** The request body: changes from `previous`, or all fields of a new entry (`null`). */
  bodyOf(values: Values, before: Values | null): Words
  /** Validation errors by field. */
  missing(values: Values): Record<string, string>
  /** Text fields of both versions, to compare in a conflict. */
  compare(yours: Entry, current: Entry): ConflictField[]
  onSaved(): void
}

interface Held<Values> {
  id: string
  rev: number | null
  before: Values
  values: Values
}

interface Conflict<Entry> {
  yours: Entry
  current: Entry
  /** The body of the refused save. */
  body: Words
}

export interface EntryEditor<Values> {
  values: Values
  set: (values: Partial<Values>) => void
  /** A draft was restored from this browser. */
  restored: boolean
  ready: boolean
  isSaving: boolean
  save: () => Promise<void>
  cancel: () => void
  error: { title: string; told: string | undefined } | undefined
  fieldErrors: Record<string, string>
  dialog: ReactNode
}

/** Edits one entry: keeps a draft, saves on a revision and resolves conflicts. */
export function useEntryEditor<Entry extends RoomEntry, Values extends object>(
  given: Editing<Entry, Values>,
): EntryEditor<Values> {
  const { room, open, entry, initial } = given
  const [newId] = useState(newClientId)
  const place = entry ? entry.id : `new/${given.keeperId}`
  const fresh: Held<Values> = { id: entry?.id ?? newId, rev: entry?.rev ?? null, before: initial, values: initial }
  const draft = useDraft<Held<Values>>(`${open.demo ? 'sample-' : ''}${room.entity}/${place}`, fresh)
  const [isSaving, setSaving] = useState(false)
  const [failure, setFailure] = useState<unknown>()
  const [tried, setTried] = useState(false)
  const [conflict, setConflict] = useState<Conflict<Entry>>()
  const held = draft.value
  const missing = given.missing(held.values)
  // A restored draft may already have been created on the server under its id.
  const sentBefore =
    draft.restored && held.rev === null
      ? open.entries?.find(({ id }) => id === held.id && !open.waiting.has(id))
      : undefined
  useEffect(() => {
    if (!sentBefore) return
    const before = given.valuesOf(sentBefore)
    if (Object.keys(given.bodyOf(held.values, before)).length === 0) draft.clear()
    else draft.set({ ...held, rev: sentBefore.rev, before })
  })
  // A restored new draft may have been sent without an answer, so further edits get a new id and become another entry.
  const idOfChanged = draft.restored && held.rev === null ? newId : held.id

  async function finish(sent: Sent<Entry> | null) {
    setConflict(undefined)
    setTried(false)
    await draft.letGo()
    if (sent?.state === 'sent') void open.put(sent.answer)
    given.onSaved()
  }

  function fieldsOf({ yours, current, body }: Conflict<Entry>): ConflictField[] {
    const compared = given.compare(yours, current)
    const texts = compared.filter((field) => field.name in body && field.yours !== field.current)
    const theirs = given.bodyOf(given.valuesOf(current), held.before)
    const choices = overlaps(body, theirs).filter(({ name }) => compared.every((field) => field.name !== name))
    return [...texts, ...choices]
  }

  const send = async (body: Words, rev: number | null) => finish(await open.save({ id: held.id, body, rev }))

  /** @throws ApiError when the server refuses */
  async function sendOrAsk(body: Words, rev: number | null): Promise<void> {
    try {
      await send(body, rev)
    } catch (reason) {
      const both = conflictOf<Entry>(reason)
      if (!both) throw reason
      const found = { ...both, body }
      // No field conflicts, so the change is reapplied to the newer version.
      if (fieldsOf(found).length === 0 && both.current.rev !== rev) return sendOrAsk(body, both.current.rev)
      setConflict(found)
    }
  }

  async function save() {
    setTried(true)
    setFailure(undefined)
    if (isSaving || Object.keys(missing).length > 0) return
    const body = given.bodyOf(held.values, held.rev === null ? null : held.before)
    if (held.rev !== null && Object.keys(body).length === 0) return finish(null)
    setSaving(true)
    await sendOrAsk(body, held.rev).catch(setFailure)
    setSaving(false)
  }

  const known = failure instanceof ApiError ? failure : undefined
  return {
    values: held.values,
    set: (values) => draft.set({ ...held, id: idOfChanged, values: { ...held.values, ...values } }),
    restored: draft.restored,
    ready: draft.ready,
    isSaving,
    save,
    cancel: draft.clear,
    error: failure ? { title: room.failures[held.rev === null ? 'create' : 'update'], told: known?.told } : undefined,
    fieldErrors: { ...byBox(known?.fields), ...(tried ? missing : {}) },
    dialog: conflict && (
      <ConflictDialog
        open
        what={`This ${room.what.toLowerCase()}`}
        fields={fieldsOf(conflict)}
        about={`${room.entity}/${held.id}`}
        onResolve={(values) => {
          const fields = fieldsOf(conflict)
          const chosen = asChosen(conflict.body, fields, values)
          const texts = fields.filter(({ choiceOnly }) => !choiceOnly).map(({ name }) => [name, values[name]])
          return orAskAgain<Entry>(send(chosen, conflict.current.rev), (current) =>
            setConflict({ ...conflict, current, body: { ...conflict.body, ...Object.fromEntries(texts) } }),
          )
        }}
        onOpenChange={(isOpen) => !isOpen && setConflict(undefined)}
      />
    ),
  }
}
