import { type FormEvent, useState } from 'react'
import type { Path, Waypoint } from '#contract/keepers/journeys.ts'
import { ConflictDialog, getConflict, saveOrResolveAgain } from '#web/offline/conflict-dialog.tsx'
import { createClientId, getDraftId } from '#web/offline/create-client-id.ts'
import { useDraft } from '#web/offline/use-draft.ts'
import { focusFirstField } from '#web/ui/focus-first-field.ts'
import { FormDialog } from '#web/ui/form-dialog.tsx'
import { ReadOnlyWhile } from '#web/ui/read-only-while.tsx'
import { TextArea } from '#web/ui/text-area.tsx'
import { TextField } from '#web/ui/text-field.tsx'
import type { KeeperWrite } from '../use-keeper-write.ts'
import { TitleField } from './title-field.tsx'
import { saveWaypoints } from './use-path-writes.ts'
import { updateWaypoint, type WaypointText } from './waypoint-list.ts'

/** `id` is chosen before the first save, so that a retry can't add the waypoint twice. */
type WaypointDraft = WaypointText & { id: string; base: WaypointText }

type WaypointTitleAndNote = Pick<WaypointText, 'title' | 'note'>
const hasSameText = (a: WaypointTitleAndNote, b: WaypointTitleAndNote) => a.title === b.title && a.note === b.note

interface WaypointDialogProps {
  path: Path
  /** Absent for a new waypoint. */
  waypoint?: Waypoint
  write: KeeperWrite
  onClose: () => void
}

export function WaypointDialog({ path, waypoint, write, onClose }: WaypointDialogProps) {
  const initialText = { title: waypoint?.title ?? '', note: waypoint?.note ?? '', dueOn: waypoint?.dueOn ?? null }
  // The draft stores the text it started from: `waypoint` changes when a newer version is loaded.
  const [initialDraft] = useState<WaypointDraft>(() => ({
    ...initialText,
    id: waypoint?.id ?? createClientId(),
    base: initialText,
  }))
  const draft = useDraft<WaypointDraft>(waypoint ? `waypoint/${waypoint.id}` : `waypoint/new/${path.id}`, initialDraft)
  const [busy, setBusy] = useState(false)
  const [error, setError] = useState<string>()
  const [conflictingPath, setConflictingPath] = useState<Path>()
  const { title, note, dueOn, base } = draft.value
  const id = waypoint?.id ?? (draft.value.id || initialDraft.id)
  const changeDraft = (text: Partial<WaypointText>) =>
    draft.set({ ...draft.value, ...text, id: waypoint?.id ?? getDraftId(draft) })

  async function save(text: WaypointText, basePath: Path, overlaps?: (currentPath: Path) => boolean) {
    await saveWaypoints(write, basePath, updateWaypoint(id, text), overlaps)
    draft.clear()
    onClose()
  }
  // The check is true when a newer version has a text that is neither the base text nor the new one.
  const createOverlapCheck = (baseText: WaypointTitleAndNote, text: WaypointTitleAndNote) => (currentPath: Path) => {
    const newerWaypoint = currentPath.waypoints.find((candidate) => candidate.id === id)
    return newerWaypoint !== undefined && !hasSameText(newerWaypoint, baseText) && !hasSameText(newerWaypoint, text)
  }
  async function submit(event: FormEvent) {
    event.preventDefault()
    const text = { title: title.trim(), note, dueOn: dueOn || null }
    if (text.title === '') return setError('Enter a title.')
    const overlaps = createOverlapCheck(base, text)
    if (overlaps(path)) return setConflictingPath(path)
    setBusy(true)
    try {
      await save(text, path, overlaps)
    } catch (reason) {
      const conflict = getConflict<Path>(reason)
      if (conflict) setConflictingPath(conflict.current)
      else setError(reason instanceof Error ? reason.message : String(reason))
    } finally {
      setBusy(false)
    }
  }

  const conflictingWaypoint = conflictingPath?.waypoints.find((candidate) => candidate.id === id)
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
              changeDraft({ title })
            }}
          />
          <TextArea
            label="Note"
            serif
            maxLength={5000}
            value={note}
            onChange={(event) => changeDraft({ note: event.currentTarget.value })}
          />
          <TextField
            label="Due"
            type="date"
            className="max-w-48"
            value={dueOn ?? ''}
            onChange={(event) => changeDraft({ dueOn: event.currentTarget.value || null })}
          />
        </ReadOnlyWhile>
      </FormDialog>
      <ConflictDialog
        open={conflictingWaypoint !== undefined}
        subject="This waypoint"
        fields={[
          { name: 'title', label: 'Title', yours: title, current: conflictingWaypoint?.title ?? '' },
          { name: 'note', label: 'Note', yours: note, current: conflictingWaypoint?.note ?? '' },
        ]}
        conflictKey={`waypoint/${id}`}
        onResolve={(values) => {
          if (!conflictingPath || !conflictingWaypoint) return
          const text = { title: values.title || title, note: values.note ?? note, dueOn: dueOn || null }
          return saveOrResolveAgain<Path>(
            save(text, conflictingPath, createOverlapCheck(conflictingWaypoint, text)),
            setConflictingPath,
          )
        }}
        onOpenChange={(open) => !open && setConflictingPath(undefined)}
      />
    </>
  )
}
