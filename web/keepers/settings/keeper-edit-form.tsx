import type { FormEvent } from 'react'
import { Banner } from '#web/ui/banner.tsx'
import { Button } from '#web/ui/button.tsx'
import { onSubmitKey } from '#web/ui/on-send-key.ts'
import { ReadOnlyWhile } from '#web/ui/read-only-while.tsx'
import { KeeperFields } from './keeper-fields.tsx'
import type { KeeperEdit } from './use-keeper-edit.tsx'

export function KeeperEditForm({ edit }: { edit: KeeperEdit }) {
  function submit(event: FormEvent) {
    event.preventDefault()
    if (edit.canSave) void edit.save()
  }
  return (
    <form aria-label="Edit keeper" onKeyDown={onSubmitKey} onSubmit={submit} className="flex flex-col gap-5">
      {edit.error && <Banner tone="error">{edit.error}</Banner>}
      <ReadOnlyWhile while={edit.isSaving}>
        <KeeperFields values={edit.values} onChange={edit.setValues} errors={edit.fieldErrors} />
      </ReadOnlyWhile>
      <div className="flex flex-wrap items-center gap-2">
        <Button type="submit" variant="primary" disabled={!edit.canSave} busy={edit.isSaving} busyLabel="Saving...">
          Save
        </Button>
        <Button onClick={edit.cancel}>Cancel</Button>
        {!edit.canSave && !edit.isSaving && (
          <p className="text-small text-muted-foreground">Enter a title and a purpose to save.</p>
        )}
      </div>
    </form>
  )
}

export function SavedBanner({ edit }: { edit: KeeperEdit }) {
  if (edit.saveResult === 'sent')
    return (
      <Banner tone="success" className="mb-5">
        Keeper saved.
      </Banner>
    )
  if (edit.saveResult === 'queued')
    return (
      <Banner tone="info" className="mb-5">
        The server can’t be reached. Your change is saved in this browser and waiting to be sent.
      </Banner>
    )
  return null
}
