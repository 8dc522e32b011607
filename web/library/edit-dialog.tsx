import { type FormEvent, useState } from 'react'
import { DraftRestoredNote } from '#web/offline/draft-restored-note.tsx'
import { useDraft } from '#web/offline/use-draft.ts'
import { FormDialog } from '#web/ui/form-dialog.tsx'
import { ReadOnlyWhile } from '#web/ui/read-only-while.tsx'
import { TextArea } from '#web/ui/text-area.tsx'
import { TextField } from '#web/ui/text-field.tsx'
import { parseTags } from './document-labels.ts'
import type { DocumentInfo, LibraryDocument } from './documents.ts'

interface EditDialogProps {
  document: LibraryDocument
  /** Resolves to an error text, or undefined. */
  onSave: (info: DocumentInfo) => Promise<string | undefined>
  onClose: () => void
}

export function EditDialog({ document, onSave, onClose }: EditDialogProps) {
  const draft = useDraft(`document/${document.id}`, {
    name: document.name,
    description: document.description,
    tags: document.tags.join(', '),
  })
  const { name, description, tags } = draft.value
  const change = (changes: Partial<typeof draft.value>) => draft.set({ ...draft.value, ...changes })
  const [nameError, setNameError] = useState<string>()
  const [error, setError] = useState<string>()
  const [busy, setBusy] = useState(false)

  async function save(event?: FormEvent) {
    event?.preventDefault()
    if (busy) return
    if (name.trim() === '') return setNameError('Enter a name.')
    setBusy(true)
    const failure = await onSave({ name: name.trim(), description: description.trim(), tags: parseTags(tags) })
    setBusy(false)
    if (failure) setError(failure)
    else discard()
  }
  function discard() {
    draft.clear()
    onClose()
  }

  return (
    <FormDialog
      onClose={onClose}
      onCancel={discard}
      title="Edit document"
      form={{ onSubmit: save, className: 'flex flex-col gap-4' }}
      submitLabel="Save"
      busy={busy}
      locksWhileBusy
    >
      {draft.restored && <DraftRestoredNote />}
      <ReadOnlyWhile while={busy}>
        <TextField
          label="Name"
          required
          maxLength={250}
          value={name}
          error={nameError}
          onChange={(event) => {
            change({ name: event.currentTarget.value })
            setNameError(undefined)
          }}
        />
        <TextArea
          label="Description"
          maxLength={2000}
          value={description}
          onChange={(event) => change({ description: event.currentTarget.value })}
        />
        <TextField
          label="Tags"
          help="Separate them with commas."
          maxLength={1000}
          value={tags}
          onChange={(event) => change({ tags: event.currentTarget.value })}
        />
      </ReadOnlyWhile>
      {error && (
        <p role="alert" className="text-ui font-medium text-destructive">
          {error}
        </p>
      )}
    </FormDialog>
  )
}
