import { type FormEvent, useState } from 'react'
import { boards } from '#contract/boards/boards.ts'
import { call } from '#web/api.ts'
import { DraftRestoredNote } from '#web/offline/draft-restored-note.tsx'
import { useDraft } from '#web/offline/use-draft.ts'
import { Banner } from '#web/ui/banner.tsx'
import { FormDialog } from '#web/ui/form-dialog.tsx'
import { ReadOnlyWhile } from '#web/ui/read-only-while.tsx'
import { showToast } from '#web/ui/show-toast.tsx'
import { TextArea } from '#web/ui/text-area.tsx'
import { TextField } from '#web/ui/text-field.tsx'
import { useInvalidateBoards } from '../board-queries.ts'
import { getBoardErrorText } from './studio-texts.ts'

interface SaveTemplateDialogProps {
  board: { id: string; name: string }
  onClose: () => void
}

export default function SaveTemplateDialog({ board, onClose }: SaveTemplateDialogProps) {
  const refetchBoards = useInvalidateBoards()
  const draft = useDraft(`board-template/${board.id}`, { name: board.name, description: '' })
  const { name, description } = draft.value
  const [missing, setMissing] = useState(false)
  const [problem, setProblem] = useState<string>()
  const [busy, setBusy] = useState(false)

  async function saveTemplate(event: FormEvent) {
    event.preventDefault()
    if (busy) return
    setMissing(name.trim() === '')
    if (name.trim() === '') return
    setBusy(true)
    setProblem(undefined)
    try {
      await call(boards.saveTemplate, { body: { boardId: board.id, name: name.trim(), description } })
      await draft.release()
      await refetchBoards()
      onClose()
      void showToast(`“${name.trim()}” saved as a template`, { dropsRibbon: true })
    } catch (reason) {
      setProblem(getBoardErrorText(reason))
      setBusy(false)
    }
  }

  return (
    <FormDialog
      onClose={onClose}
      onCancel={() => {
        draft.clear()
        onClose()
      }}
      title="Save as template"
      description="Frames, layout and colors are included. Pictures, chats and linked items aren’t."
      form={{ onSubmit: saveTemplate, className: 'flex flex-col gap-4' }}
      submitLabel="Save Template"
      busyLabel="Saving..."
      busy={busy}
      locksWhileBusy
    >
      {problem && <Banner tone="error">{problem}</Banner>}
      {draft.restored && <DraftRestoredNote />}
      <ReadOnlyWhile while={busy}>
        <TextField
          label="Name"
          required
          maxLength={120}
          autoComplete="off"
          value={name}
          error={missing && name.trim() === '' ? 'Enter a name.' : undefined}
          onChange={({ currentTarget }) => draft.set({ name: currentTarget.value, description })}
        />
        <TextArea
          label="Description"
          maxLength={2000}
          value={description}
          onChange={({ currentTarget }) => draft.set({ name, description: currentTarget.value })}
        />
      </ReadOnlyWhile>
    </FormDialog>
  )
}
