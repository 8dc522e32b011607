import { useRef, useState } from 'react'
import type { Keeper } from '#contract/keepers/keepers.ts'
import { type Moment, moments } from '#contract/keepers/moments.ts'
import { ConflictDialog, type ConflictField, compareAgainText, getConflict } from '#web/offline/conflict-dialog.tsx'
import { sendOrQueue } from '#web/offline/send-or-queue.ts'
import { useDraft } from '#web/offline/use-draft.ts'
import { Button } from '#web/ui/button.tsx'
import { onSendKey } from '#web/ui/on-send-key.ts'
import { useUploads } from '../media/use-uploads.ts'
import { MomentFields } from './moment-fields.tsx'
import { useInvalidateMoments } from './moment-queries.ts'
import {
  getConflictChoices,
  hasContent,
  type MomentWriting,
  omitRemoteChoices,
  rebaseChanges,
  toMomentWriting,
} from './moment-writing.ts'

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
  const [initial] = useState<EditDraft>(() => ({ before: moment, writing: toMomentWriting(moment) }))
  const draftKey = `moment/${moment.id}`
  const draft = useDraft(draftKey, initial)
  const { before: original, writing } = draft.value
  const latest = useRef(draft.value)
  latest.current = draft.value
  const [saving, setSaving] = useState(false)
  const [error, setError] = useState('')
  const [conflict, setConflict] = useState<{ current: Moment; choices: ConflictField[] }>()
  const changed = useInvalidateMoments(keeper.id)
  const change = (update: (value: MomentWriting) => MomentWriting) => {
    latest.current = { ...latest.current, writing: update(latest.current.writing) }
    draft.set(latest.current)
  }
  const uploads = useUploads({
    keeperId: keeper.id,
    draftKey,
    kinds: ['image', 'video', 'audio'],
    ready: draft.ready,
    onPicked: (picked) => change((value) => ({ ...value, media: [...value.media, picked] })),
  })
  function closeEditor() {
    uploads.stopAll()
    draft.clear()
    onClose()
  }
  const ready = hasContent(writing) && !uploads.busy && draft.ready

  async function send(base: Moment, choices: ConflictField[] = [], decided: Record<string, string> = {}) {
    const texts = Object.fromEntries(Object.entries(decided).filter(([name]) => name === 'title' || name === 'body'))
    const body = { ...omitRemoteChoices(rebaseChanges(original, writing, base), choices, decided), ...texts }
    if (Object.keys(body).length > 0) {
      const input = { params: { id: moment.id }, body, ifMatch: base.rev }
      const sent = await sendOrQueue(moments.update, input, { what: 'Moment', keeperId: keeper.id })
      if (sent.state === 'sent') await changed()
    }
    closeEditor()
  }
  async function save() {
    if (!ready || saving) return
    setSaving(true)
    setError('')
    try {
      await send(original)
    } catch (reason) {
      await handleConflict(reason).catch((again: unknown) =>
        setError(again instanceof Error ? again.message : String(again)),
      )
      setSaving(false)
    }
  }
  // Changes to different fields merge without a dialog.
  async function handleConflict(reason: unknown) {
    const both = getConflict<Moment>(reason)
    if (!both) throw reason
    const { current } = both
    const choices = getConflictChoices(original, writing, current)
    const texts =
      isTextConflict(original.body, writing.body, current.body) ||
      isTextConflict(original.title ?? '', writing.title, current.title ?? '')
    if (texts || choices.length > 0) return setConflict({ current, choices })
    await send(current)
  }
  async function resolve(current: Moment, choices: ConflictField[], values: Record<string, string>) {
    try {
      await send(current, choices, values)
    } catch (reason) {
      const both = getConflict<Moment>(reason)
      if (!both) throw reason
      setConflict({ current: both.current, choices: getConflictChoices(original, writing, both.current) })
      throw new Error(compareAgainText)
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
        <Button onClick={closeEditor}>Cancel</Button>
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
          subject="This moment"
          fields={[
            toConflictField('title', 'Title', original.title ?? '', writing.title, conflict.current.title ?? ''),
            toConflictField('body', 'Text', original.body, writing.body, conflict.current.body),
            ...conflict.choices,
          ]}
          conflictKey={`moment/${moment.id}`}
          onResolve={(values) => resolve(conflict.current, conflict.choices, values)}
          onOpenChange={(open) => !open && setConflict(undefined)}
        />
      )}
    </form>
  )
}

const isTextConflict = (original: string, local: string, remote: string) =>
  local !== original && remote !== original && local !== remote

/** Fields not changed here take the remote value. */
const toConflictField = (name: string, label: string, original: string, local: string, remote: string) => ({
  name,
  label,
  yours: local === original ? remote : local,
  current: remote,
})

function focusAtEnd(text: HTMLTextAreaElement | null): void {
  text?.focus({ preventScroll: true })
  text?.setSelectionRange(text.value.length, text.value.length)
}
