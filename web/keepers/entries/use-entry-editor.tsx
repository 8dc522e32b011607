import { type ReactNode, useEffect, useState } from 'react'
import { ApiError } from '#web/api.ts'
import { ConflictDialog, type ConflictField, getConflict, saveOrResolveAgain } from '#web/offline/conflict-dialog.tsx'
import { createClientId } from '#web/offline/create-client-id.ts'
import { applyChoices, findOverlaps } from '#web/offline/overlaps.ts'
import type { SendResult } from '#web/offline/send-or-queue.ts'
import { useDraft } from '#web/offline/use-draft.ts'
import type { BaseEntry, EntryKind } from './entry-kind.ts'
import { toFieldErrors } from './field-errors.ts'
import type { EntryList } from './use-entry-list.ts'

type EntryBody = Record<string, unknown>

interface EntryEditorOptions<Entry extends BaseEntry, Values> {
  kind: EntryKind<Entry>
  entryList: EntryList<Entry>
  keeperId: string
  /** `null` for a new entry. */
  entry: Entry | null
  initialValues: Values
  toValues(entry: Entry): Values
  /** The request body: changes from `previous`, or all fields of a new entry (`null`). */
  toBody(values: Values, previous: Values | null): EntryBody
  /** Validation errors by field. */
  validate(values: Values): Record<string, string>
  /** Text fields of both versions, to compare in a conflict. */
  compare(local: Entry, current: Entry): ConflictField[]
  onSaved(): void
}

interface EntryDraft<Values> {
  id: string
  rev: number | null
  before: Values
  values: Values
}

interface EntryConflict<Entry> {
  yours: Entry
  current: Entry
  body: EntryBody
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
  error: { title: string; serverMessage: string | undefined } | undefined
  fieldErrors: Record<string, string>
  dialog: ReactNode
}

export function useEntryEditor<Entry extends BaseEntry, Values extends object>(
  options: EntryEditorOptions<Entry, Values>,
): EntryEditor<Values> {
  const { kind, entryList, entry, initialValues } = options
  const [newId] = useState(createClientId)
  const draftKey = entry ? entry.id : `new/${options.keeperId}`
  const initialDraft: EntryDraft<Values> = {
    id: entry?.id ?? newId,
    rev: entry?.rev ?? null,
    before: initialValues,
    values: initialValues,
  }
  const draft = useDraft<EntryDraft<Values>>(
    `${entryList.demo ? 'sample-' : ''}${kind.entity}/${draftKey}`,
    initialDraft,
  )
  const [isSaving, setSaving] = useState(false)
  const [failure, setFailure] = useState<unknown>()
  const [hasTriedToSave, setHasTriedToSave] = useState(false)
  const [conflict, setConflict] = useState<EntryConflict<Entry>>()
  const draftValue = draft.value
  const validationErrors = options.validate(draftValue.values)
  // A restored draft may already have been created on the server under its id.
  const alreadySavedEntry =
    draft.restored && draftValue.rev === null
      ? entryList.entries?.find(({ id }) => id === draftValue.id && !entryList.queuedIds.has(id))
      : undefined
  useEffect(() => {
    if (!alreadySavedEntry) return
    const previous = options.toValues(alreadySavedEntry)
    if (Object.keys(options.toBody(draftValue.values, previous)).length === 0) draft.clear()
    else draft.set({ ...draftValue, rev: alreadySavedEntry.rev, before: previous })
  })
  // A restored new draft may have been sent without an answer, so further edits get a new id and become another entry.
  const changedEntryId = draft.restored && draftValue.rev === null ? newId : draftValue.id

  async function finish(sendResult: SendResult<Entry> | null) {
    setConflict(undefined)
    setHasTriedToSave(false)
    await draft.release()
    if (sendResult?.state === 'sent') void entryList.put(sendResult.answer)
    options.onSaved()
  }

  function getConflictFields({ yours: local, current, body }: EntryConflict<Entry>): ConflictField[] {
    const comparedFields = options.compare(local, current)
    const textFields = comparedFields.filter((field) => field.name in body && field.yours !== field.current)
    const remoteBody = options.toBody(options.toValues(current), draftValue.before)
    const choiceFields = findOverlaps(body, remoteBody).filter(({ name }) =>
      comparedFields.every((field) => field.name !== name),
    )
    return [...textFields, ...choiceFields]
  }

  const send = async (body: EntryBody, rev: number | null) =>
    finish(await entryList.save({ id: draftValue.id, body, rev }))

  /** @throws ApiError when the server refuses */
  async function sendOrResolve(body: EntryBody, rev: number | null): Promise<void> {
    try {
      await send(body, rev)
    } catch (reason) {
      const conflictingVersions = getConflict<Entry>(reason)
      if (!conflictingVersions) throw reason
      const newConflict = { ...conflictingVersions, body }
      // No field conflicts, so the change is reapplied to the newer version.
      if (getConflictFields(newConflict).length === 0 && conflictingVersions.current.rev !== rev)
        return sendOrResolve(body, conflictingVersions.current.rev)
      setConflict(newConflict)
    }
  }

  async function save() {
    setHasTriedToSave(true)
    setFailure(undefined)
    if (isSaving || Object.keys(validationErrors).length > 0) return
    const body = options.toBody(draftValue.values, draftValue.rev === null ? null : draftValue.before)
    if (draftValue.rev !== null && Object.keys(body).length === 0) return finish(null)
    setSaving(true)
    await sendOrResolve(body, draftValue.rev).catch(setFailure)
    setSaving(false)
  }

  const apiError = failure instanceof ApiError ? failure : undefined
  return {
    values: draftValue.values,
    set: (values) => draft.set({ ...draftValue, id: changedEntryId, values: { ...draftValue.values, ...values } }),
    restored: draft.restored,
    ready: draft.ready,
    isSaving,
    save,
    cancel: draft.clear,
    error: failure
      ? {
          title: kind.errorTitles[draftValue.rev === null ? 'create' : 'update'],
          serverMessage: apiError?.serverMessage,
        }
      : undefined,
    fieldErrors: { ...toFieldErrors(apiError?.fields), ...(hasTriedToSave ? validationErrors : {}) },
    dialog: conflict && (
      <ConflictDialog
        open
        subject={`This ${kind.label.toLowerCase()}`}
        fields={getConflictFields(conflict)}
        conflictKey={`${kind.entity}/${draftValue.id}`}
        onResolve={(values) => {
          const fields = getConflictFields(conflict)
          const chosenBody = applyChoices(conflict.body, fields, values)
          const texts = fields.filter(({ choiceOnly }) => !choiceOnly).map(({ name }) => [name, values[name]])
          return saveOrResolveAgain<Entry>(send(chosenBody, conflict.current.rev), (current) =>
            setConflict({ ...conflict, current, body: { ...conflict.body, ...Object.fromEntries(texts) } }),
          )
        }}
        onOpenChange={(isOpen) => !isOpen && setConflict(undefined)}
      />
    ),
  }
}
