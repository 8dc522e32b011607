import { useEffect, useEffectEvent, useRef, useState } from 'react'
import type { Reflection } from '#contract/keepers/reflections.ts'
import { ApiError } from '#web/api.ts'
import { getConflict } from '#web/offline/conflict-dialog.tsx'
import { useDraft } from '#web/offline/use-draft.ts'
import type { ReflectionWriting } from './journal-backend.ts'
import { useJournal } from './journal-context.ts'
import { getRejectionMessage, useInvalidateJournal, withErrorLog } from './journal-queries.ts'
import {
  createEdit,
  getEditChanges,
  getEditKey,
  isSameWriting,
  isUnsaved,
  type ReflectionEdit,
  rebaseEdit,
  rebaseOnOwnSave,
} from './reflection-edit.ts'

export type SaveState =
  | { kind: 'untouched' | 'waiting' | 'saving' | 'queued' | 'empty' | 'locked' | 'gone' }
  | { kind: 'saved'; at: Date }
  | { kind: 'failed'; reason: string | undefined }
  | { kind: 'conflict'; yours: ReflectionEdit; current: Reflection }

const pauseMs = 2_000

/** Stores edits in this browser immediately and saves them after a pause, on leaving, and on request. */
export function useAutosave(reflection: Reflection) {
  const { backend } = useJournal()
  const invalidateJournal = useInvalidateJournal()
  const draft = useDraft<ReflectionEdit>(getEditKey(reflection.id), createEdit(reflection), { followsOtherTabs: false })
  const [serverEdit, setServerEdit] = useState(() => createEdit(reflection))
  const [localEdit, setLocalEdit] = useState<ReflectionEdit>()
  const [state, setState] = useState<SaveState>({ kind: 'untouched' })
  const savePromise = useRef<Promise<void>>(undefined)
  const [hasOpened, setHasOpened] = useState(false)
  // Only the draft found on opening is used; later drafts of other tabs stay theirs.
  if (draft.ready && !hasOpened) {
    setHasOpened(true)
    if (draft.restored && isUnsaved(draft.value, reflection))
      setLocalEdit(rebaseOnOwnSave(reflection, draft.value) ?? draft.value)
  }
  // The draft was saved but its answer was lost; keeping it would conflict with its own save.
  const isSaved = hasOpened && draft.restored && localEdit === undefined
  useEffect(() => {
    if (isSaved) draft.clear()
  })
  const currentEdit = localEdit ?? serverEdit
  const latestRef = useRef(currentEdit)
  latestRef.current = currentEdit
  const isDirty = hasOpened && !isSameWriting(currentEdit, serverEdit)

  // Saved elsewhere, with no local edits in conflict.
  if (!isDirty && state.kind !== 'saving' && reflection.rev > serverEdit.rev) {
    setServerEdit(createEdit(reflection))
    setLocalEdit(undefined)
  }

  const isLocked = state.kind === 'locked' || (reflection.promotedToMemoryCard && isDirty)
  const blockReason: 'locked' | 'gone' | undefined = isLocked ? 'locked' : state.kind === 'gone' ? 'gone' : undefined

  function change(writing: ReflectionWriting) {
    const next = { ...currentEdit, ...writing }
    setLocalEdit(next)
    draft.set(next)
    setState({ kind: 'waiting' })
  }

  // Updates the ref immediately, for a person who leaves before the next render.
  function storeEdit(edit: ReflectionEdit) {
    latestRef.current = edit
    setLocalEdit(edit)
    draft.set(edit)
  }

  // The server saved `edit` as `savedVersion`; edits made during the save are reapplied on top.
  function applySave(edit: ReflectionEdit, savedVersion: ReflectionEdit, nextState: SaveState) {
    setServerEdit(savedVersion)
    const latestEdit = latestRef.current
    if (isSameWriting(latestEdit, edit)) {
      draft.clear()
      setLocalEdit(savedVersion)
      setState(nextState)
    } else {
      const aiVisible = latestEdit.aiVisible === edit.aiVisible ? savedVersion.aiVisible : latestEdit.aiVisible
      storeEdit({ ...savedVersion, topic: latestEdit.topic, content: latestEdit.content, aiVisible })
      setState({ kind: 'waiting' })
    }
  }

  async function send(edit: ReflectionEdit) {
    setState({ kind: 'saving' })
    const { topic, content, aiVisible } = edit
    storeEdit({ ...edit, sent: { topic, content, aiVisible } })
    try {
      const sendResult = await withErrorLog(
        'Failed to update reflection',
        backend.update(reflection.id, getEditChanges(edit), edit.rev),
      )
      // A queued save learns its revision when it is sent.
      if (sendResult.state === 'queued')
        applySave(edit, { ...edit, wasAiVisible: aiVisible, sent: null }, { kind: 'queued' })
      else applySave(edit, createEdit(sendResult.answer), { kind: 'saved', at: new Date() })
      await invalidateJournal()
    } catch (error) {
      const current = getConflict<Reflection>(error)?.current
      const next = current && rebaseOnOwnSave(current, { ...latestRef.current, sent: edit.sent })
      if (current && !isUnsaved(edit, current)) applySave(edit, createEdit(current), { kind: 'saved', at: new Date() })
      else if (current && next) {
        setServerEdit(createEdit(current))
        await send(next)
      } else if (current) setState({ kind: 'conflict', yours: rebaseEdit(current, edit), current })
      else if (error instanceof ApiError && error.status === 409) setState({ kind: 'locked' })
      else if (error instanceof ApiError && error.status === 404) setState({ kind: 'gone' })
      else setState({ kind: 'failed', reason: getRejectionMessage(error) })
    }
  }

  // Saves run one at a time, because each builds on the previous revision.
  async function save() {
    await savePromise.current
    const edit = latestRef.current
    if (edit.content.trim() === '') {
      setState({ kind: 'empty' })
      return
    }
    const currentSave = send(edit)
    savePromise.current = currentSave
    await currentSave
  }

  const saveLatest = useEffectEvent(() => {
    if (isDirty && blockReason === undefined && state.kind !== 'conflict') void save()
  })
  // biome-ignore lint/correctness/useExhaustiveDependencies: each change restarts the save delay
  useEffect(() => {
    if (!isDirty) return
    const timer = setTimeout(() => saveLatest(), pauseMs)
    return () => clearTimeout(timer)
  }, [isDirty, currentEdit.content, currentEdit.topic, currentEdit.aiVisible])
  useEffect(() => {
    const handleVisibilityChange = () => document.visibilityState === 'hidden' && saveLatest()
    document.addEventListener('visibilitychange', handleVisibilityChange)
    return () => document.removeEventListener('visibilitychange', handleVisibilityChange)
  }, [])
  const saveOnLeave = useEffectEvent(() => saveLatest())
  useEffect(() => () => saveOnLeave(), [])

  return {
    writing: currentEdit as ReflectionWriting,
    ready: draft.ready,
    dirty: isDirty,
    state,
    /** Set when the reflection can no longer be saved, with the text to save as a new one. */
    unsavable: blockReason && { kind: blockReason, writing: rebaseEdit(reflection, currentEdit) as ReflectionWriting },
    change,
    save,
    /** Saves the merged text on top of the newer version. */
    async resolve(writing: ReflectionWriting, current: Reflection) {
      const edit = { ...createEdit(current), ...writing }
      setServerEdit(createEdit(current))
      await send(edit)
    },
    discard() {
      draft.clear()
      setLocalEdit(createEdit(reflection))
      setServerEdit(createEdit(reflection))
      setState({ kind: 'untouched' })
    },
  }
}
