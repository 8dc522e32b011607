import { useEffect, useEffectEvent, useRef, useState } from 'react'
import type { Reflection } from '#contract/keepers/reflections.ts'
import { ApiError } from '#web/api.ts'
import { conflictOf } from '#web/offline/conflict-dialog.tsx'
import { useDraft } from '#web/offline/use-draft.ts'
import type { Writing } from './journal-backend.ts'
import { useJournal } from './journal-context.ts'
import { logged, refusalOf, useJournalChanged } from './journal-queries.ts'

/** `rev`: what these words are based on. */
interface Edit extends Writing {
  rev: number
  /** Whether agents might read it then. */
  wasAiVisible: boolean
}

export type SaveState =
  | { kind: 'untouched' | 'waiting' | 'saving' | 'kept' | 'empty' | 'locked' | 'gone' }
  | { kind: 'saved'; at: Date }
  | { kind: 'failed'; because: string | undefined }
  | { kind: 'conflict'; yours: Edit; current: Reflection }

const pauseMs = 2_000

const editOf = ({ topic, content, aiVisible, rev }: Reflection): Edit => ({
  ...{ topic: topic ?? '', content, aiVisible, rev, wasAiVisible: aiVisible },
})
/** Whether agents may read it only where that was changed here: somebody may have hidden it meanwhile. */
const changesOf = ({ topic, content, aiVisible, wasAiVisible }: Edit): Partial<Writing> => ({
  ...{ topic: topic.trim(), content },
  ...(aiVisible !== wasAiVisible && { aiVisible }),
})
/** As it would be on a newer version. */
const onto = (current: Reflection, edit: Edit): Edit => ({ ...editOf(current), ...changesOf(edit) })
const same = (one: Writing, other: Writing) =>
  one.content === other.content && one.topic.trim() === other.topic.trim() && one.aiVisible === other.aiVisible

/** What is changed of a reflection is kept here at once, and saved after a pause, when one leaves, and when one says so. */
export function useAutosave(reflection: Reflection) {
  const { backend } = useJournal()
  const changed = useJournalChanged()
  const draft = useDraft<Edit>(`reflection/${reflection.id}`, editOf(reflection), { follows: false })
  const [saved, setSaved] = useState(() => editOf(reflection))
  const [edited, setEdited] = useState<Edit>()
  const [state, setState] = useState<SaveState>({ kind: 'untouched' })
  const underWay = useRef<Promise<void>>(undefined)
  const [opened, setOpened] = useState(false)
  // What this browser kept when the page opened; what another tab drafts later stays that tab's.
  if (draft.ready && !opened) {
    setOpened(true)
    if (draft.restored) setEdited(draft.value)
  }
  const present = edited ?? saved
  const latest = useRef(present)
  latest.current = present
  const dirty = opened && !same(present, saved)

  // Saved elsewhere, and nothing of one's own stands against it.
  if (!dirty && state.kind !== 'saving' && reflection.rev > saved.rev) {
    setSaved(editOf(reflection))
    setEdited(undefined)
  }

  function change(writing: Writing) {
    const next = { ...writing, rev: present.rev, wasAiVisible: present.wasAiVisible }
    setEdited(next)
    draft.set(next)
    setState({ kind: 'waiting' })
  }

  async function send(edit: Edit) {
    setState({ kind: 'saving' })
    try {
      const sent = await logged('Failed to update reflection', backend.update(reflection.id, changesOf(edit), edit.rev))
      // What is kept waits in line; its revision is told when it was sent.
      const now = sent.state === 'kept' ? { ...edit, wasAiVisible: edit.aiVisible } : editOf(sent.answer)
      setSaved(now)
      const meanwhile = latest.current
      if (same(meanwhile, edit)) {
        draft.clear()
        setEdited(now)
        setState(sent.state === 'kept' ? { kind: 'kept' } : { kind: 'saved', at: new Date() })
      } else {
        const next = { ...meanwhile, rev: now.rev, wasAiVisible: now.wasAiVisible }
        // Whoever leaves before this is drawn sends it, on the new revision.
        latest.current = next
        setEdited(next)
        draft.set(next)
        setState({ kind: 'waiting' })
      }
      await changed()
    } catch (error) {
      const current = conflictOf<Reflection>(error)?.current
      const yours = current && onto(current, edit)
      if (yours && same(editOf(current), yours)) {
        draft.clear()
        setSaved(editOf(current))
        setEdited(editOf(current))
        setState({ kind: 'saved', at: new Date() })
      } else if (yours) setState({ kind: 'conflict', yours, current })
      else if (error instanceof ApiError && error.status === 409) setState({ kind: 'locked' })
      else if (error instanceof ApiError && error.status === 404) setState({ kind: 'gone' })
      else setState({ kind: 'failed', because: refusalOf(error) })
    }
  }

  /** One after the other: the second one builds on what the first one made. */
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
    const settled = state.kind === 'conflict' || state.kind === 'locked' || state.kind === 'gone'
    if (dirty && !settled) void save()
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
    change,
    save,
    /** A text in the place of both versions, saved on the newer one. */
    async resolve(writing: Writing, current: Reflection) {
      const edit = { ...editOf(current), ...writing }
      setSaved(editOf(current))
      setEdited(edit)
      draft.set(edit)
      latest.current = edit
      await send(edit)
    },
    /** What was typed is thrown away. */
    discard() {
      draft.clear()
      setEdited(editOf(reflection))
      setSaved(editOf(reflection))
      setState({ kind: 'untouched' })
    },
  }
}
