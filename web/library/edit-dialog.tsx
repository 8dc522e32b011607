import { DraftRestoredNote, EntityFormDialog } from '#web/offline/entity-form.tsx'
import { useSubmitForm } from '#web/offline/use-entity-form.tsx'
import { TextArea } from '#web/ui/fields/text-area.tsx'
import { TextField } from '#web/ui/fields/text-field.tsx'
import { parseTags } from './document-labels.ts'
import type { DocumentInfo, LibraryDocument } from './documents.ts'

interface EditDialogProps {
  document: LibraryDocument
  /** Resolves to an error text, or undefined. */
  onSave: (info: DocumentInfo) => Promise<string | undefined>
  onClose: () => void
}

export function EditDialog({ document, onSave, onClose }: EditDialogProps) {
  const form = useSubmitForm({
    draftKey: `document/${document.id}`,
    blank: { name: document.name, description: document.description, tags: document.tags.join(', ') },
    validate: ({ name }) => ({ ...(name.trim() === '' && { name: 'Enter a name.' }) }),
    async submit({ name, description, tags }) {
      const info = { name: name.trim(), description: description.trim(), tags: parseTags(tags) }
      const problem = await onSave(info)
      if (problem) throw new Error(problem)
    },
    onSaved: onClose,
  })
  return (
    <EntityFormDialog
      form={form}
      onClose={onClose}
      discardsOnCancel
      title="Edit document"
      saveLabel="Save"
      failureTitle="The document couldn’t be saved."
      locksWhileBusy
    >
      {form.restored && <DraftRestoredNote />}
      <TextField label="Name" required maxLength={250} {...form.field('name')} />
      <TextArea label="Description" maxLength={2000} {...form.field('description')} />
      <TextField label="Tags" help="Separate them with commas." maxLength={1000} {...form.field('tags')} />
    </EntityFormDialog>
  )
}
