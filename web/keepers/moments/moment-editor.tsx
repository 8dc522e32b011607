import { useRef, useState } from 'react'
import type { Keeper } from '#contract/keepers/keepers.ts'
import { type Moment, moments } from '#contract/keepers/moments.ts'
import { ConflictDialog, type ConflictField, conflictOf, lookAtBothAgain } from '#web/offline/conflict-dialog.tsx'
import { sendOrKeep } from '#web/offline/send-or-keep.ts'
import { useDraft } from '#web/offline/use-draft.ts'
import { Button } from '#web/ui/button.tsx'
import { onSendKey } from '#web/ui/on-send-key.ts'
import { useUploads } from '../media/use-uploads.ts'
import { MomentFields } from './moment-fields.tsx'
import { useMomentsChanged } from './moment-queries.ts'
import { changedOnto, choicesIn, hasContent, type MomentWriting, withoutTheirs, writingOf } from './moment-writing.ts'

interface MomentEditorProps {
  keeper: Keeper
  moment: Moment
  onClose: () => void
}

interface EditDraft {
  /** The moment when editing started; changes are computed against it. */
  before: Moment
  writing: MomentWriting
}

export function MomentEditor({ keeper, moment, onClose }: MomentEditorProps) {
  const [initial] = useState<EditDraft>(() => ({ before: moment, writing: writingOf(moment) }))
  const place = `moment/${moment.id}`
  const draft = useDraft(place, initial)
  const { before, writing } = draft.value
  const latest = useRef(draft.value)
  latest.current = draft.value
  const [saving, setSaving] = useState(false)
  const [error, setError] = useState('')
  const [conflict, setConflict] = useState<{ current: Moment; choices: ConflictField[] }>()
  const changed = useMomentsChanged(keeper.id)
  const change = (make: (value: MomentWriting) => MomentWriting) => {
    latest.current = { ...latest.current, writing: make(latest.current.writing) }
    draft.set(latest.current)
  }
  const uploads = useUploads({
    keeperId: keeper.id,
    place,
    kinds: ['image', 'video', 'audio'],
    ready: draft.ready,
    onPicked: (picked) => change((value) => ({ ...value, media: [...value.media, picked] })),
  })
  function end() {
    uploads.stopAll()
    draft.clear()
    onClose()
  }
  const ready = hasContent(writing) && !uploads.busy && draft.ready

  async function send(base: Moment, choices: ConflictField[] = [], decided: Record<string, string> = {}) {
    const texts = Object.fromEntries(Object.entries(decided).filter(([name]) => name === 'title' || name === 'body'))
    const body = { ...withoutTheirs(changedOnto(before, writing, base), choices, decided), ...texts }
    if (Object.keys(body).length > 0) {
      const input = { params: { id: moment.id }, body, ifMatch: base.rev }
      const sent = await sendOrKeep(moments.update, input, { what: 'Moment', keeperId: keeper.id })
      if (sent.state === 'sent') await changed()
    }
    end()
  }
  async function save() {
    if (!ready || saving) return
    setSaving(true)
    setError('')
    try {
      await send(before)
    } catch (reason) {
      await meet(reason).catch((again: unknown) => setError(again instanceof Error ? again.message : String(again)))
      setSaving(false)
    }
  }
  // Changes to different fields merge without a dialog.
  async function meet(reason: unknown) {
    const both = conflictOf<Moment>(reason)
    if (!both) throw reason
    const { current } = both
    const choices = choicesIn(before, writing, current)
    const texts =
      bothWrote(before.body, writing.body, current.body) ||
      bothWrote(before.title ?? '', writing.title, current.title ?? '')
    if (texts || choices.length > 0) return setConflict({ current, choices })
    await send(current)
  }
  async function resolve(current: Moment, choices: ConflictField[], values: Record<string, string>) {
    try {
      await send(current, choices, values)
    } catch (reason) {
      const both = conflictOf<Moment>(reason)
      if (!both) throw reason
      setConflict({ current: both.current, choices: choicesIn(before, writing, both.current) })
      throw new Error(lookAtBothAgain)
    }
  }

  return (
    <form
      data-chrome
      aria-label="Edit moment"
      onSubmit={(event) => {
        event.preventDefault()
        void save()
      }}
      onKeyDown={onSendKey(() => void save())}
      className="rounded-[3px_12px_12px_3px] border border-border bg-paper shadow-e2 focus-within:border-input"
    >
      <MomentFields
        keeper={keeper}
        value={writing}
        onValueChange={change}
        uploads={uploads}
        textRef={focusAtEnd}
        readOnly={saving || !draft.ready}
        saving={saving}
        status={draft.restored && 'Your unsaved changes'}
      >
        <Button onClick={end}>Cancel</Button>
        <Button type="submit" variant="primary" disabled={!ready} busy={saving} busyLabel="Saving...">
          Save
        </Button>
      </MomentFields>
      {error && (
        <p role="alert" className="px-6 pb-4 text-ui font-medium text-destructive">
          {error}
        </p>
      )}
      {conflict && (
        <ConflictDialog
          open
          what="This moment"
          fields={[
            conflictField('title', 'Title', before.title ?? '', writing.title, conflict.current.title ?? ''),
            conflictField('body', 'Text', before.body, writing.body, conflict.current.body),
            ...conflict.choices,
          ]}
          about={`moment/${moment.id}`}
          onResolve={(values) => resolve(conflict.current, conflict.choices, values)}
          onOpenChange={(open) => !open && setConflict(undefined)}
        />
      )}
    </form>
  )
}

const bothWrote = (before: string, mine: string, theirs: string) =>
  mine !== before && theirs !== before && mine !== theirs

/** Fields not changed here take the remote value. */
const conflictField = (name: string, label: string, before: string, mine: string, theirs: string) => ({
  name,
  label,
  yours: mine === before ? theirs : mine,
  current: theirs,
})

function focusAtEnd(text: HTMLTextAreaElement | null): void {
  text?.focus({ preventScroll: true })
  text?.setSelectionRange(text.value.length, text.value.length)
}
