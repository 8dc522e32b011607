import { type FormEvent, useId, useState } from 'react'
import { Button } from '#web/ui/button.tsx'
import { Dialog } from '#web/ui/dialog.tsx'
import { onSendKey } from '#web/ui/on-send-key.ts'
import { TextArea } from '#web/ui/text-area.tsx'
import { TextField } from '#web/ui/text-field.tsx'
import { tagsOf } from './document-words.ts'
import type { DocumentInfo, LibraryDocument } from './documents.ts'

interface EditDialogProps {
  document: LibraryDocument
  /** Answers what went wrong, if something did. */
  onSave: (info: DocumentInfo) => Promise<string | undefined>
  onClose: () => void
}

export function EditDialog({ document, onSave, onClose }: EditDialogProps) {
  const form = useId()
  const [name, setName] = useState(document.name)
  const [description, setDescription] = useState(document.description)
  const [tags, setTags] = useState(document.tags.join(', '))
  const [nameError, setNameError] = useState<string>()
  const [error, setError] = useState<string>()
  const [busy, setBusy] = useState(false)

  async function save(event?: FormEvent) {
    event?.preventDefault()
    if (busy) return
    if (name.trim() === '') return setNameError('Give it a name.')
    setBusy(true)
    const failure = await onSave({ name: name.trim(), description: description.trim(), tags: tagsOf(tags) })
    setBusy(false)
    if (failure) setError(failure)
    else onClose()
  }

  return (
    <Dialog
      open
      onOpenChange={(open) => !open && !busy && onClose()}
      title="Edit document"
      footer={
        <>
          <Button onClick={onClose} disabled={busy}>
            Cancel
          </Button>
          <Button variant="primary" type="submit" form={form} busy={busy}>
            Save
          </Button>
        </>
      }
    >
      <form
        id={form}
        noValidate
        onSubmit={save}
        onKeyDown={onSendKey(() => void save())}
        className="flex flex-col gap-4"
      >
        <TextField
          label="Name"
          required
          maxLength={250}
          value={name}
          error={nameError}
          onChange={(event) => {
            setName(event.currentTarget.value)
            setNameError(undefined)
          }}
        />
        <TextArea
          label="Description"
          maxLength={2000}
          value={description}
          onChange={(event) => setDescription(event.currentTarget.value)}
        />
        <TextField
          label="Tags"
          help="Separate them with commas."
          maxLength={1000}
          value={tags}
          onChange={(event) => setTags(event.currentTarget.value)}
        />
        {error && (
          <p role="alert" className="text-ui font-medium text-destructive">
            {error}
          </p>
        )}
      </form>
    </Dialog>
  )
}
