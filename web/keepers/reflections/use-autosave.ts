import { useEffect, useEffectEvent, useRef, useState } from 'react'
import type { Reflection } from '#contract/keepers/reflections.ts'
import { ApiError } from '#web/api.ts'
import { getConflict } from '#web/offline/conflict-dialog.tsx'
import { useDraft } from '#web/offline/use-draft.ts'
import {
  createEdit,
  getEditChanges,
  getEditKey,
  isSameWriting,
  isUnsaved,
  type ReflectionEdit,
  rebaseEdit,
  rebaseOnOwnSave,
} from './edited-reflection.ts'
import type { ReflectionWriting } from './journal-backend.ts'
import { useJournal } from './journal-context.ts'
import { getRefusal, useInvalidateJournal, withErrorLog } from './journal-queries.ts'

export type SaveState =
  | { kind: 'untouched' | 'waiting' | 'saving' | 'kept' | 'empty' | 'locked' | 'gone' }
  | { kind: 'saved'; at: Date }
  | { kind: 'failed'; because: string | undefined }
  | { kind: 'conflict'; yours: ReflectionEdit; current: Reflection }

const pauseMs = 2_000

/** Stores edits in this browser immediately and saves them after a pause, on leaving, and on request. */
export function useAutosave(reflection: Reflection) {
  const { backend } = useJournal()
  const changed = useInvalidateJournal()
  const draft = useDraft<ReflectionEdit>(getEditKey(reflection.id), createEdit(reflection), { followsOtherTabs: false })
  const [saved, setSaved] = useState(() => createEdit(reflection))
  const [edited, setEdited] = useState<ReflectionEdit>()
  const [state, setState] = useState<SaveState>({ kind: 'untouched' })
  const savePromise = useRef<Promise<void>>(undefined)
  const [opened, setOpened] = useState(false)
  // Only the draft found on opening is used; later drafts of other tabs stay theirs.
  if (draft.ready && !opened) {
    setOpened(true)
    if (draft.restored && isUnsaved(draft.value, reflection))
      setEdited(rebaseOnOwnSave(reflection, draft.value) ?? draft.value)
  }
  // The draft was saved but its answer was lost; keeping it would conflict with its own save.
  const isSaved = opened && draft.restored && edited === undefined
  useEffect(() => {
    if (isSaved) draft.clear()
  })
  const currentEdit = edited ?? saved
  const latest = useRef(currentEdit)
  latest.current = currentEdit
  const dirty = opened && !isSameWriting(currentEdit, saved)

  // Saved elsewhere, with no local edits in conflict.
  if (!dirty && state.kind !== 'saving' && reflection.rev > saved.rev) {
    setSaved(createEdit(reflection))
    setEdited(undefined)
  }

  const isLocked = state.kind === 'locked' || (reflection.promotedToMemoryCard && dirty)
  const lost: 'locked' | 'gone' | undefined = isLocked ? 'locked' : state.kind === 'gone' ? 'gone' : undefined

  function change(writing: ReflectionWriting) {
    const next = { ...currentEdit, ...writing }
    setEdited(next)
    draft.set(next)
    setState({ kind: 'waiting' })
  }

  // Updates the ref immediately, for a person who leaves before the next render.
  function storeEdit(edit: ReflectionEdit) {
    latest.current = edit
    setEdited(edit)
    draft.set(edit)
  }

  // The server saved `edit` as `savedVersion`; edits made during the save are reapplied on top.
  function settle(edit: ReflectionEdit, now: ReflectionEdit, nextState: SaveState) {
    setSaved(now)
    const latestEdit = latest.current
    if (isSameWriting(latestEdit, edit)) {
      draft.clear()
      setEdited(now)
      setState(nextState)
    } else {
      const aiVisible = latestEdit.aiVisible === edit.aiVisible ? now.aiVisible : latestEdit.aiVisible
      storeEdit({ ...now, topic: latestEdit.topic, content: latestEdit.content, aiVisible })
      setState({ kind: 'waiting' })
    }
  }

  async function send(edit: ReflectionEdit) {
    setState({ kind: 'saving' })
    const { topic, content, aiVisible } = edit
    storeEdit({ ...edit, sent: { topic, content, aiVisible } })
    try {
      const sent = await withErrorLog(
        'Failed to update reflection',
        backend.update(reflection.id, getEditChanges(edit), edit.rev),
      )
      // A queued save learns its revision when it is sent.
      if (sent.state === 'kept') settle(edit, { ...edit, wasAiVisible: aiVisible, sent: null }, { kind: 'kept' })
      else settle(edit, createEdit(sent.answer), { kind: 'saved', at: new Date() })
      await changed()
    } catch (error) {
      const current = getConflict<Reflection>(error)?.current
      const next = current && rebaseOnOwnSave(current, { ...latest.current, sent: edit.sent })
      if (current && !isUnsaved(edit, current)) settle(edit, createEdit(current), { kind: 'saved', at: new Date() })
      else if (current && next) {
        setSaved(createEdit(current))
        await send(next)
      } else if (current) setState({ kind: 'conflict', yours: rebaseEdit(current, edit), current })
      else if (error instanceof ApiError && error.status === 409) setState({ kind: 'locked' })
      else if (error instanceof ApiError && error.status === 404) setState({ kind: 'gone' })
      else setState({ kind: 'failed', because: getRefusal(error) })
    }
  }

  // Saves run one at a time, because each builds on the previous revision.
  async function save() {
    await savePromise.current
    const edit = latest.current
    if (edit.content.trim() === '') {
      setState({ kind: 'empty' })
      return
    }
    const sending = send(edit)
    savePromise.current = sending
    await sending
  }

  const saveLatest = useEffectEvent(() => {
    if (dirty && lost === undefined && state.kind !== 'conflict') void save()
  })
  // biome-ignore lint/correctness/useExhaustiveDependencies: each change restarts the save delay
  useEffect(() => {
    if (!dirty) return
    const timer = setTimeout(() => saveLatest(), pauseMs)
    return () => clearTimeout(timer)
  }, [dirty, currentEdit.content, currentEdit.topic, currentEdit.aiVisible])
  useEffect(() => {
    const hidden = () => document.visibilityState === 'hidden' && saveLatest()
    document.addEventListener('visibilitychange', hidden)
    return () => document.removeEventListener('visibilitychange', hidden)
  }, [])
  const leave = useEffectEvent(() => saveLatest())
  useEffect(() => () => leave(), [])

  return {
    writing: currentEdit as ReflectionWriting,
    ready: draft.ready,
    dirty,
    state,
    /** Set when the reflection can no longer be saved, with the text to save as a new one. */
    unsavable: lost && { kind: lost, writing: rebaseEdit(reflection, currentEdit) as ReflectionWriting },
    change,
    save,
    /** Saves the merged text on top of the newer version. */
    async resolve(writing: ReflectionWriting, current: Reflection) {
      const edit = { ...createEdit(current), ...writing }
      setSaved(createEdit(current))
      await send(edit)
    },
    discard() {
      draft.clear()
      setEdited(createEdit(reflection))
      setSaved(createEdit(reflection))
      setState({ kind: 'untouched' })
    },
  }
}
