import { useRef, useState } from 'react'
import type { Keeper } from '#contract/keepers/keepers.ts'
import { type Moment, moments } from '#contract/keepers/moments.ts'
import { ConflictDialog, conflictOf } from '#web/offline/conflict-dialog.tsx'
import { sendOrKeep } from '#web/offline/send-or-keep.ts'
import { useDraft } from '#web/offline/use-draft.ts'
import { Button } from '#web/ui/button.tsx'
import { useUploads } from '../media/use-uploads.ts'
import { MomentFields } from './moment-fields.tsx'
import { useMomentsChanged } from './moment-queries.ts'
import { changedBody, hasContent, type MomentWriting, writingOf } from './moment-writing.ts'

interface MomentEditorProps {
  keeper: Keeper
  moment: Moment
  onClose: () => void
}

interface EditDraft {
  /** What it was when the editing began: what the changes and their revision are told against. */
  before: Moment
  writing: MomentWriting
}

/** A moment changed where it stands. */
export function MomentEditor({ keeper, moment, onClose }: MomentEditorProps) {
  const [initial] = useState<EditDraft>(() => ({ before: moment, writing: writingOf(moment) }))
  const draft = useDraft(`moment/${moment.id}`, initial)
  const { before, writing } = draft.value
  const latest = useRef(draft.value)
  latest.current = draft.value
  const [saving, setSaving] = useState(false)
  const [error, setError] = useState('')
  const [conflict, setConflict] = useState<{ yours: Moment; current: Moment }>()
  const changed = useMomentsChanged(keeper.id)
  const change = (make: (value: MomentWriting) => MomentWriting) => {
    latest.current = { ...latest.current, writing: make(latest.current.writing) }
    draft.set(latest.current)
  }
  const uploads = useUploads(keeper.id, ['image', 'video', 'audio'], (picked) =>
    change((value) => ({ ...value, media: [...value.media, picked] })),
  )
  const ready = hasContent(writing) && !uploads.busy && draft.ready

  async function save(base = before, merged: Partial<Pick<MomentWriting, 'title' | 'body'>> = {}) {
    if (!ready || saving) return
    setSaving(true)
    setError('')
    const body = { ...changedBody(before, writing), ...merged }
    try {
      if (Object.keys(body).length > 0) {
        const input = { params: { id: moment.id }, body, ifMatch: base.rev }
        const sent = await sendOrKeep(moments.update, input, { what: 'Moment', keeperId: keeper.id })
        if (sent.state === 'sent') await changed()
      }
      setConflict(undefined)
      draft.clear()
      onClose()
    } catch (reason) {
      const both = conflictOf<Moment>(reason)
      if (both) setConflict(both)
      else setError(reason instanceof Error ? reason.message : String(reason))
    } finally {
      setSaving(false)
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
      onKeyDown={(event) => {
        if (event.nativeEvent.isComposing) return
        if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) {
          event.preventDefault()
          void save()
        }
      }}
      className="rounded-[3px_12px_12px_3px] border border-border bg-paper shadow-e2 focus-within:border-input"
    >
      <MomentFields
        keeper={keeper}
        value={writing}
        onValueChange={change}
        uploads={uploads}
        textRef={focusAtEnd}
        readOnly={saving || !draft.ready}
      >
        {draft.restored && <span className="text-small text-muted-foreground">Your unsaved changes</span>}
        <Button
          onClick={() => {
            draft.clear()
            onClose()
          }}
        >
          Cancel
        </Button>
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
            { name: 'title', label: 'Title', yours: writing.title, current: conflict.current.title ?? '' },
            { name: 'body', label: 'Text', yours: writing.body, current: conflict.current.body },
          ]}
          onResolve={({ title = writing.title, body = writing.body }) => save(conflict.current, { title, body })}
          onOpenChange={(open) => !open && setConflict(undefined)}
        />
      )}
    </form>
  )
}

/** Once, when it is put there. */
function focusAtEnd(text: HTMLTextAreaElement | null): void {
  text?.focus({ preventScroll: true })
  text?.setSelectionRange(text.value.length, text.value.length)
}
