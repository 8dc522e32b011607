import { type FormEvent, useState } from 'react'
import { journeys, type Path } from '#contract/keepers/journeys.ts'
import { ConflictDialog, getConflict, saveOrResolveAgain } from '#web/offline/conflict-dialog.tsx'
import { createClientId, getDraftId } from '#web/offline/create-client-id.ts'
import { useDraft } from '#web/offline/use-draft.ts'
import { focusFirstField } from '#web/ui/focus-first-field.ts'
import { FormDialog } from '#web/ui/form-dialog.tsx'
import { ReadOnlyWhile } from '#web/ui/read-only-while.tsx'
import type { KeeperWrite } from '../use-keeper-write.ts'
import { TitleField } from './title-field.tsx'

interface PathDialogProps {
  journeyId: string
  /** Absent for a new path. */
  path?: Path
  write: KeeperWrite
  onClose: () => void
}

export function PathDialog({ journeyId, path, write, onClose }: PathDialogProps) {
  // The draft stores the title it started from: `path` changes when a newer version is loaded.
  const [initialDraft] = useState(() => ({
    id: '',
    title: path?.title ?? '',
    before: path?.title ?? '',
    rev: path?.rev,
  }))
  const draft = useDraft(path ? `path-title/${path.id}` : `path-title/new/${journeyId}`, initialDraft)
  const [current, setCurrent] = useState<Path>()
  const [busy, setBusy] = useState(false)
  const [error, setError] = useState<string>()

  async function save(title: string, ifMatch: number | undefined) {
    if (path) await write(journeys.updatePath, { params: { id: path.id }, body: { title }, ifMatch }, 'Path')
    else {
      const id = draft.value.id || createClientId()
      await write(journeys.createPath, { params: { id: journeyId }, body: { id, title, state: 'open' } }, 'Path')
    }
    draft.clear()
    onClose()
  }
  // A concurrent change of waypoints or state doesn't block renaming.
  async function rename(title: string, rev: number | undefined) {
    try {
      await save(title, rev)
    } catch (reason) {
      const currentPath = getConflict<Path>(reason)?.current
      if (!currentPath) throw reason
      if (currentPath.title !== draft.value.before && currentPath.title !== title) return setCurrent(currentPath)
      await save(title, currentPath.rev)
    }
  }
  async function submit(event: FormEvent) {
    event.preventDefault()
    const title = draft.value.title.trim()
    if (title === '') return setError('Enter a title.')
    setBusy(true)
    try {
      await rename(title, draft.value.rev)
    } catch (reason) {
      setError(reason instanceof Error ? reason.message : String(reason))
    } finally {
      setBusy(false)
    }
  }

  if (current)
    return (
      <ConflictDialog
        open
        subject="This path"
        fields={[{ name: 'title', label: 'Title', yours: draft.value.title.trim(), current: current.title }]}
        conflictKey={`path/${path?.id}`}
        onResolve={({ title = '' }) => saveOrResolveAgain<Path>(save(title.trim(), current.rev), setCurrent)}
        onOpenChange={(open) => !open && setCurrent(undefined)}
      />
    )
  return (
    <FormDialog
      size="small"
      onClose={onClose}
      onOpenAutoFocus={focusFirstField}
      title={path ? 'Rename path' : 'Add a path'}
      description={path ? undefined : 'A way this journey could go. A new path starts open: take it, or decide not to.'}
      form={{ onSubmit: submit }}
      submitLabel={path ? 'Save path' : 'Add path'}
      busyLabel="Saving..."
      busy={busy}
    >
      <ReadOnlyWhile while={busy}>
        <TitleField
          value={draft.value.title}
          error={error}
          onChange={(title) => {
            setError(undefined)
            draft.set({ ...draft.value, title, id: path?.id ?? getDraftId(draft) })
          }}
        />
      </ReadOnlyWhile>
    </FormDialog>
  )
}
