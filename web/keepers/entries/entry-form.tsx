import type { ReactNode } from 'react'
import { DraftRestoredNote } from '#web/offline/draft-restored-note.tsx'
import { Button } from '#web/ui/button.tsx'
import { Card } from '#web/ui/card.tsx'
import { focusFirstInvalid } from '#web/ui/focus-first-invalid.ts'
import { onSubmitKey } from '#web/ui/on-send-key.ts'
import { ReadOnlyWhile } from '#web/ui/read-only-while.tsx'
import { WriteError } from './entry-parts.tsx'
import type { EntryEditor } from './use-entry-editor.tsx'

interface EntryFormProps {
  editor: Omit<EntryEditor<unknown>, 'values' | 'set'>
  label: string
  saveLabel: string
  onClose: () => void
  children: ReactNode
}

export function EntryForm({ editor, label, saveLabel, onClose, children }: EntryFormProps) {
  return (
    <Card kind="paper" className="mb-5">
      <form
        noValidate
        aria-label={label}
        className="flex flex-col gap-4"
        onKeyDown={onSubmitKey}
        onSubmit={(event) => {
          event.preventDefault()
          void editor.save()
          focusFirstInvalid(event.currentTarget)
        }}
      >
        {editor.restored && <DraftRestoredNote />}
        <ReadOnlyWhile while={editor.isSaving}>{children}</ReadOnlyWhile>
        {editor.error && <WriteError {...editor.error} onRetry={editor.save} />}
        <div className="flex flex-wrap justify-end gap-2">
          <Button
            variant="plain"
            onClick={() => {
              editor.cancel()
              onClose()
            }}
          >
            Cancel
          </Button>
          <Button type="submit" variant="primary" busy={editor.isSaving} busyLabel="Saving...">
            {saveLabel}
          </Button>
        </div>
      </form>
      {editor.dialog}
    </Card>
  )
}
