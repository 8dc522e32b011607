import { type FormEvent, useId, useState } from 'react'
import { journeys, type Path } from '#contract/keepers/journeys.ts'
import { newClientId } from '#web/offline/new-client-id.ts'
import { useDraft } from '#web/offline/use-draft.ts'
import { Button } from '#web/ui/button.tsx'
import { Dialog } from '#web/ui/dialog.tsx'
import { focusFirstField } from '#web/ui/focus-first-field.ts'
import { TextField } from '#web/ui/text-field.tsx'
import type { KeeperWrite } from '../use-keeper-write.ts'

interface PathDialogProps {
  journeyId: string
  /** Absent for a new one. */
  path?: Path
  write: KeeperWrite
  onClose: () => void
}

export function PathDialog({ journeyId, path, write, onClose }: PathDialogProps) {
  const formId = useId()
  const [id] = useState(newClientId)
  const draft = useDraft(path ? `path/${path.id}` : `path/new/${journeyId}`, path?.title ?? '')
  const [busy, setBusy] = useState(false)
  const [error, setError] = useState<string>()

  async function submit(event: FormEvent) {
    event.preventDefault()
    const title = draft.value.trim()
    if (title === '') return setError('Enter a title.')
    setBusy(true)
    try {
      if (path) await write(journeys.updatePath, { params: { id: path.id }, body: { title } }, 'Path')
      else await write(journeys.createPath, { params: { id: journeyId }, body: { id, title, state: 'open' } }, 'Path')
      draft.clear()
      onClose()
    } catch (reason) {
      setError(reason instanceof Error ? reason.message : String(reason))
    } finally {
      setBusy(false)
    }
  }

  return (
    <Dialog
      open
      size="small"
      onOpenChange={(open) => !open && onClose()}
      onOpenAutoFocus={focusFirstField}
      title={path ? 'Rename path' : 'Add a path'}
      description={path ? undefined : 'A way this journey could go. It begins open; take it, or decide not to.'}
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button variant="primary" type="submit" form={formId} busy={busy} busyLabel="Saving...">
            {path ? 'Save path' : 'Add path'}
          </Button>
        </>
      }
    >
      <form id={formId} onSubmit={submit} noValidate>
        <TextField
          label="Title"
          required
          maxLength={120}
          value={draft.value}
          error={error}
          onChange={(event) => {
            setError(undefined)
            draft.set(event.currentTarget.value)
          }}
        />
      </form>
    </Dialog>
  )
}
