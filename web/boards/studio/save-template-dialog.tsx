import { boards } from '#contract/boards/boards.ts'
import { call } from '#web/api/api.ts'
import { DraftRestoredNote, EntityFormDialog } from '#web/offline/entity-form.tsx'
import { useSubmitForm } from '#web/offline/use-entity-form.tsx'
import { TextArea } from '#web/ui/fields/text-area.tsx'
import { TextField } from '#web/ui/fields/text-field.tsx'
import { showToast } from '#web/ui/overlays/show-toast.tsx'
import { withNames } from '#web/ui/text/with-names.tsx'
import { useInvalidateBoards } from '../board-queries.ts'

interface SaveTemplateDialogProps {
  board: { id: string; name: string }
  onClose: () => void
}

export default function SaveTemplateDialog({ board, onClose }: SaveTemplateDialogProps) {
  const refetchBoards = useInvalidateBoards()
  const form = useSubmitForm({
    draftKey: `board-template/${board.id}`,
    blank: { name: board.name, description: '' },
    validate: ({ name }) => ({ ...(name.trim() === '' && { name: 'Enter a name.' }) }),
    async submit({ name, description }) {
      await call(boards.saveTemplate, { body: { boardId: board.id, name: name.trim(), description } })
      await refetchBoards()
      void showToast(withNames`“${name.trim()}” saved as a template`, { dropsRibbon: true })
    },
    onSaved: onClose,
  })
  return (
    <EntityFormDialog
      form={form}
      onClose={onClose}
      discardsOnCancel
      title="Save as template"
      description="Frames, layout and colors are included. Pictures, chats and linked items aren’t."
      saveLabel="Save Template"
      failureTitle="The template couldn’t be saved."
      locksWhileBusy
    >
      {form.restored && <DraftRestoredNote />}
      <TextField label="Name" required maxLength={120} autoComplete="off" {...form.field('name')} />
      <TextArea label="Description" maxLength={2000} {...form.field('description')} />
    </EntityFormDialog>
  )
}
