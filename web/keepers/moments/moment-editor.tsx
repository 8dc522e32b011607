import { useRef, useState } from 'react'
import type { Keeper } from '#contract/keepers/keepers.ts'
import { mediaKinds } from '#contract/keepers/media.ts'
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
  const [initialDraft] = useState<EditDraft>(() => ({ before: moment, writing: toMomentWriting(moment) }))
  const draftKey = `moment/${moment.id}`
  const draft = useDraft(draftKey, initialDraft)
  const { before: original, writing } = draft.value
  const latestDraft = useRef(draft.value)
  latestDraft.current = draft.value
  const [saving, setSaving] = useState(false)
  const [error, setError] = useState('')
  const [conflict, setConflict] = useState<{ current: Moment; choices: ConflictField[] }>()
  const invalidateMoments = useInvalidateMoments(keeper.id)
  const changeWriting = (update: (value: MomentWriting) => MomentWriting) => {
    latestDraft.current = { ...latestDraft.current, writing: update(latestDraft.current.writing) }
    draft.set(latestDraft.current)
  }
  const uploads = useUploads({
    keeperId: keeper.id,
    draftKey,
    kinds: mediaKinds,
    ready: draft.ready,
    onPicked: (picked) => changeWriting((value) => ({ ...value, media: [...value.media, picked] })),
  })
  function closeEditor() {
    uploads.stopAll()
    draft.clear()
    onClose()
  }
  const canSave = hasContent(writing) && !uploads.busy && draft.ready

  async function send(baseMoment: Moment, choices: ConflictField[] = [], resolvedValues: Record<string, string> = {}) {
    const textChanges = Object.fromEntries(
      Object.entries(resolvedValues).filter(([name]) => name === 'title' || name === 'body'),
    )
    const body = {
      ...omitRemoteChoices(rebaseChanges(original, writing, baseMoment), choices, resolvedValues),
      ...textChanges,
    }
    if (Object.keys(body).length > 0) {
      const input = { params: { id: moment.id }, body, ifMatch: baseMoment.rev }
      const sendResult = await sendOrQueue(moments.update, input, { what: 'Moment', keeperId: keeper.id })
      if (sendResult.state === 'sent') await invalidateMoments()
    }
    closeEditor()
  }
  async function save() {
    if (!canSave || saving) return
    setSaving(true)
    setError('')
    try {
      await send(original)
    } catch (reason) {
      await handleConflict(reason).catch((retryError: unknown) =>
        setError(retryError instanceof Error ? retryError.message : String(retryError)),
      )
      setSaving(false)
    }
  }
  // Changes to different fields merge without a dialog.
  async function handleConflict(reason: unknown) {
    const conflictingVersions = getConflict<Moment>(reason)
    if (!conflictingVersions) throw reason
    const { current } = conflictingVersions
    const choices = getConflictChoices(original, writing, current)
    const hasTextConflict =
      isTextConflict(original.body, writing.body, current.body) ||
      isTextConflict(original.title ?? '', writing.title, current.title ?? '')
    if (hasTextConflict || choices.length > 0) return setConflict({ current, choices })
    await send(current)
  }
  async function resolve(current: Moment, choices: ConflictField[], values: Record<string, string>) {
    try {
      await send(current, choices, values)
    } catch (reason) {
      const conflictingVersions = getConflict<Moment>(reason)
      if (!conflictingVersions) throw reason
      setConflict({
        current: conflictingVersions.current,
        choices: getConflictChoices(original, writing, conflictingVersions.current),
      })
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
        onValueChange={changeWriting}
        uploads={uploads}
        textRef={focusAtEnd}
        readOnly={saving || !draft.ready}
        saving={saving}
        status={draft.restored && 'Your unsaved changes'}
      >
        <Button onClick={closeEditor}>Cancel</Button>
        <Button type="submit" variant="primary" disabled={!canSave} busy={saving} busyLabel="Saving...">
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
