import { type FormEvent, useState } from 'react'
import type { Path, Waypoint } from '#contract/keepers/journeys.ts'
import { ConflictDialog, conflictOf, orAskAgain } from '#web/offline/conflict-dialog.tsx'
import { idInTheMaking, newClientId } from '#web/offline/new-client-id.ts'
import { useDraft } from '#web/offline/use-draft.ts'
import { focusFirstField } from '#web/ui/focus-first-field.ts'
import { FormDialog } from '#web/ui/form-dialog.tsx'
import { ReadOnlyWhile } from '#web/ui/read-only-while.tsx'
import { TextArea } from '#web/ui/text-area.tsx'
import { TextField } from '#web/ui/text-field.tsx'
import type { KeeperWrite } from '../use-keeper-write.ts'
import { TitleField } from './title-field.tsx'
import { saveWaypoints } from './use-path-writes.ts'
import { type WaypointWords, withWords } from './waypoint-list.ts'

/** `id` is assigned when typing starts, so that a retry can't add the waypoint twice. */
type Writing = WaypointWords & { id: string; base: WaypointWords }

type Said = Pick<WaypointWords, 'title' | 'note'>
const saysTheSame = (one: Said, other: Said) => one.title === other.title && one.note === other.note

interface WaypointDialogProps {
  path: Path
  /** Absent for a new waypoint. */
  waypoint?: Waypoint
  write: KeeperWrite
  onClose: () => void
}

export function WaypointDialog({ path, waypoint, write, onClose }: WaypointDialogProps) {
  const opened = { title: waypoint?.title ?? '', note: waypoint?.note ?? '', dueOn: waypoint?.dueOn ?? null }
  // Stores the base text with the draft, because the page keeps showing newer versions.
  const [first] = useState<Writing>(() => ({ ...opened, id: waypoint?.id ?? newClientId(), base: opened }))
  const draft = useDraft<Writing>(waypoint ? `waypoint/${waypoint.id}` : `waypoint/new/${path.id}`, first)
  const [busy, setBusy] = useState(false)
  const [error, setError] = useState<string>()
  const [current, setCurrent] = useState<Path>()
  const { title, note, dueOn, base } = draft.value
  const id = waypoint?.id ?? (draft.value.id || first.id)
  const change = (words: Partial<WaypointWords>) =>
    draft.set({ ...draft.value, ...words, id: waypoint?.id ?? idInTheMaking(draft) })

  async function save(words: WaypointWords, on: Path, overlaps?: (present: Path) => boolean) {
    await saveWaypoints(write, on, withWords(id, words), overlaps)
    draft.clear()
    onClose()
  }
  // True when the saved text differs from both the base text and the new text.
  const differsFrom = (known: Said, words: Said) => (present: Path) => {
    const newer = present.waypoints.find((each) => each.id === id)
    return newer !== undefined && !saysTheSame(newer, known) && !saysTheSame(newer, words)
  }
  async function submit(event: FormEvent) {
    event.preventDefault()
    const words = { title: title.trim(), note, dueOn: dueOn || null }
    if (words.title === '') return setError('Enter a title.')
    const overlaps = differsFrom(base, words)
    if (overlaps(path)) return setCurrent(path)
    setBusy(true)
    try {
      await save(words, path, overlaps)
    } catch (reason) {
      const conflict = conflictOf<Path>(reason)
      if (conflict) setCurrent(conflict.current)
      else setError(reason instanceof Error ? reason.message : String(reason))
    } finally {
      setBusy(false)
    }
  }

  const there = current?.waypoints.find((each) => each.id === id)
  return (
    <>
      <FormDialog
        onClose={onClose}
        onOpenAutoFocus={focusFirstField}
        title={waypoint ? 'Edit waypoint' : `Add a waypoint to ${path.title}`}
        form={{ onSubmit: submit, className: 'flex flex-col gap-4' }}
        submitLabel={waypoint ? 'Save waypoint' : 'Add waypoint'}
        busyLabel="Saving..."
        busy={busy}
      >
        <ReadOnlyWhile while={busy}>
          <TitleField
            value={title}
            error={error}
            onChange={(title) => {
              setError(undefined)
              change({ title })
            }}
          />
          <TextArea
            label="Note"
            serif
            maxLength={5000}
            value={note}
            onChange={(event) => change({ note: event.currentTarget.value })}
          />
          <TextField
            label="Due"
            type="date"
            className="max-w-48"
            value={dueOn ?? ''}
            onChange={(event) => change({ dueOn: event.currentTarget.value || null })}
          />
        </ReadOnlyWhile>
      </FormDialog>
      <ConflictDialog
        open={there !== undefined}
        what="This waypoint"
        fields={[
          { name: 'title', label: 'Title', yours: title, current: there?.title ?? '' },
          { name: 'note', label: 'Note', yours: note, current: there?.note ?? '' },
        ]}
        about={`waypoint/${id}`}
        onResolve={(values) => {
          if (!current || !there) return
          const words = { title: values.title || title, note: values.note ?? note, dueOn: dueOn || null }
          return orAskAgain<Path>(save(words, current, differsFrom(there, words)), setCurrent)
        }}
        onOpenChange={(open) => !open && setCurrent(undefined)}
      />
    </>
  )
}
