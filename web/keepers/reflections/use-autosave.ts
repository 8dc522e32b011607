import { useEffect, useEffectEvent, useRef, useState } from 'react'
import type { Reflection } from '#contract/keepers/reflections.ts'
import { ApiError } from '#web/api.ts'
import { conflictOf } from '#web/offline/conflict-dialog.tsx'
import { useDraft } from '#web/offline/use-draft.ts'
import { changesOf, type Edit, editKey, editOf, isUnsaved, onItsOwn, onto, same } from './edited-reflection.ts'
import type { Writing } from './journal-backend.ts'
import { useJournal } from './journal-context.ts'
import { logged, refusalOf, useJournalChanged } from './journal-queries.ts'

export type SaveState =
  | { kind: 'untouched' | 'waiting' | 'saving' | 'kept' | 'empty' | 'locked' | 'gone' }
  | { kind: 'saved'; at: Date }
  | { kind: 'failed'; because: string | undefined }
  | { kind: 'conflict'; yours: Edit; current: Reflection }

const pauseMs = 2_000

/** Stores edits in this browser immediately and saves them after a pause, on leaving, and on request. */
export function useAutosave(reflection: Reflection) {
  const { backend } = useJournal()
  const changed = useJournalChanged()
  const draft = useDraft<Edit>(editKey(reflection.id), editOf(reflection), { follows: false })
  const [saved, setSaved] = useState(() => editOf(reflection))
  const [edited, setEdited] = useState<Edit>()
  const [state, setState] = useState<SaveState>({ kind: 'untouched' })
  const underWay = useRef<Promise<void>>(undefined)
  const [opened, setOpened] = useState(false)
  // Only the draft found on opening is used; later drafts of other tabs stay theirs.
  if (draft.ready && !opened) {
    setOpened(true)
    if (draft.restored && isUnsaved(draft.value, reflection))
      setEdited(onItsOwn(reflection, draft.value) ?? draft.value)
  }
  // The draft was saved but its answer was lost; keeping it would conflict with its own save.
  const isSaved = opened && draft.restored && edited === undefined
  useEffect(() => {
    if (isSaved) draft.clear()
  })
  const present = edited ?? saved
  const latest = useRef(present)
  latest.current = present
  const dirty = opened && !same(present, saved)

  // Saved elsewhere, with no local edits in conflict.
  if (!dirty && state.kind !== 'saving' && reflection.rev > saved.rev) {
    setSaved(editOf(reflection))
    setEdited(undefined)
  }

  const isLocked = state.kind === 'locked' || (reflection.promotedToMemoryCard && dirty)
  const lost: 'locked' | 'gone' | undefined = isLocked ? 'locked' : state.kind === 'gone' ? 'gone' : undefined

  function change(writing: Writing) {
    const next = { ...present, ...writing }
    setEdited(next)
    draft.set(next)
    setState({ kind: 'waiting' })
  }

  // Updates the ref immediately, for a person who leaves before the next render.
  function take(edit: Edit) {
    latest.current = edit
    setEdited(edit)
    draft.set(edit)
  }

  // The server saved `edit` as `now`; edits made during the save are reapplied on top.
  function settle(edit: Edit, now: Edit, is: SaveState) {
    setSaved(now)
    const meanwhile = latest.current
    if (same(meanwhile, edit)) {
      draft.clear()
      setEdited(now)
      setState(is)
    } else {
      const aiVisible = meanwhile.aiVisible === edit.aiVisible ? now.aiVisible : meanwhile.aiVisible
      take({ ...now, topic: meanwhile.topic, content: meanwhile.content, aiVisible })
      setState({ kind: 'waiting' })
    }
  }

  async function send(edit: Edit) {
    setState({ kind: 'saving' })
    const { topic, content, aiVisible } = edit
    take({ ...edit, sent: { topic, content, aiVisible } })
    try {
      const sent = await logged('Failed to update reflection', backend.update(reflection.id, changesOf(edit), edit.rev))
      // A queued save learns its revision when it is sent.
      if (sent.state === 'kept') settle(edit, { ...edit, wasAiVisible: aiVisible, sent: null }, { kind: 'kept' })
      else settle(edit, editOf(sent.answer), { kind: 'saved', at: new Date() })
      await changed()
    } catch (error) {
      const current = conflictOf<Reflection>(error)?.current
      const next = current && onItsOwn(current, { ...latest.current, sent: edit.sent })
      if (current && !isUnsaved(edit, current)) settle(edit, editOf(current), { kind: 'saved', at: new Date() })
      else if (current && next) {
        setSaved(editOf(current))
        await send(next)
      } else if (current) setState({ kind: 'conflict', yours: onto(current, edit), current })
      else if (error instanceof ApiError && error.status === 409) setState({ kind: 'locked' })
      else if (error instanceof ApiError && error.status === 404) setState({ kind: 'gone' })
      else setState({ kind: 'failed', because: refusalOf(error) })
    }
  }

  // Saves run one at a time, because each builds on the previous revision.
  async function save() {
    await underWay.current
    const edit = latest.current
    if (edit.content.trim() === '') {
      setState({ kind: 'empty' })
      return
    }
    const sending = send(edit)
    underWay.current = sending
    await sending
  }

  const saveLatest = useEffectEvent(() => {
    if (dirty && lost === undefined && state.kind !== 'conflict') void save()
  })
  // biome-ignore lint/correctness/useExhaustiveDependencies: each change begins the pause anew
  useEffect(() => {
    if (!dirty) return
    const timer = setTimeout(() => saveLatest(), pauseMs)
    return () => clearTimeout(timer)
  }, [dirty, present.content, present.topic, present.aiVisible])
  useEffect(() => {
    const hidden = () => document.visibilityState === 'hidden' && saveLatest()
    document.addEventListener('visibilitychange', hidden)
    return () => document.removeEventListener('visibilitychange', hidden)
  }, [])
  const leave = useEffectEvent(() => saveLatest())
  useEffect(() => () => leave(), [])

  return {
    writing: present as Writing,
    ready: draft.ready,
    dirty,
    state,
    /** Set when the reflection can no longer be saved, with the text to save as a new one. */
    lost: lost && { kind: lost, writing: onto(reflection, present) as Writing },
    change,
    save,
    /** Saves the merged text on top of the newer version. */
    async resolve(writing: Writing, current: Reflection) {
      const edit = { ...editOf(current), ...writing }
      setSaved(editOf(current))
      await send(edit)
    },
    discard() {
      draft.clear()
      setEdited(editOf(reflection))
      setSaved(editOf(reflection))
      setState({ kind: 'untouched' })
    },
  }
}
