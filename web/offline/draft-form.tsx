import type { ReactNode } from 'react'
import { ApiError } from '#web/api.ts'
import { Banner } from '#web/ui/banner.tsx'
import { Button } from '#web/ui/button.tsx'
import { onSubmitKey } from '#web/ui/on-send-key.ts'
import { ReadOnlyWhile } from '#web/ui/read-only-while.tsx'
import { StaleBanner } from './stale-banner.tsx'
import type { DraftFormState as Form } from './use-draft-form.ts'

interface DraftFormProps {
  form: Omit<Form<unknown>, 'values' | 'set'>
  label: string
  noun: string
  saveLabel: string
  onCancel: () => void
  note?: ReactNode
  children: ReactNode
}

export function DraftForm({ form, label, noun, saveLabel, onCancel, note, children }: DraftFormProps) {
  return (
    <form
      aria-label={label}
      noValidate
      onKeyDown={onSubmitKey}
      onSubmit={(event) => {
        event.preventDefault()
        form.save()
      }}
      className="flex min-w-0 flex-col gap-4"
    >
      {form.newer && (
        <StaleBanner subject={`This ${noun}`} onTakeRemote={form.newer.takeRemote} onKeepLocal={form.newer.keepLocal} />
      )}
      {form.failure !== undefined && (
        <Banner tone="error">
          {(form.failure instanceof ApiError && form.failure.serverMessage) ||
            `Failed to save the ${noun}. Your text is safe in this browser.`}
        </Banner>
      )}
      <ReadOnlyWhile while={form.isSaving}>{children}</ReadOnlyWhile>
      <div className="flex flex-wrap items-center gap-2 border-t border-border pt-4">
        <Button type="submit" variant="primary" disabled={!form.isComplete} busy={form.isSaving} busyLabel="Saving...">
          {saveLabel}
        </Button>
        <Button
          onClick={() => {
            form.discard()
            onCancel()
          }}
        >
          Cancel
        </Button>
        {note}
      </div>
    </form>
  )
}
