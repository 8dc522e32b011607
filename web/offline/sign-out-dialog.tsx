import { useState, useSyncExternalStore } from 'react'
import { Button } from '#web/ui/controls/button.tsx'
import { Dialog } from '#web/ui/overlays/dialog.tsx'
import { Banner } from '#web/ui/panels/banner.tsx'
import { pluralize } from '#web/ui/text/pluralize.ts'
import { getWriteText, getWriteTitle } from './pending-write.ts'
import { getFileUploads, onFileUploadsChange } from './sign-out.ts'
import { useUnsentWork } from './use-pending-writes.ts'
import { getCurrentQueue } from './write-queue.ts'

interface SignOutDialogProps {
  onLeave: () => void
  onStay: () => void
}

export function SignOutDialog({ onLeave, onStay }: SignOutDialogProps) {
  const { writes, drafts, refresh } = useUnsentWork()
  const files = useSyncExternalStore(onFileUploadsChange, getFileUploads)
  const [busy, setBusy] = useState(false)
  const [hasFailed, setHasFailed] = useState(false)
  const texts = [
    ...files.map(({ name }, index) => ({ id: `file ${index}`, title: 'File', text: name })),
    ...writes.map((write) => ({ id: write.id, title: getWriteTitle(write), text: getWriteText(write.body) })),
    ...[...drafts.newest, ...drafts.older].map((draft) => ({
      id: draft.stamp,
      title: 'Draft',
      text: getWriteText(draft.value),
    })),
  ]

  async function sendNow() {
    setBusy(true)
    await getCurrentQueue()?.flush()
    await refresh()
    setBusy(false)
    const remainingCount = getCurrentQueue()?.getWrites().length ?? 0
    if (remainingCount === 0 && drafts.newest.length === 0 && getFileUploads().length === 0) onLeave()
    else setHasFailed(remainingCount > 0)
  }

  return (
    <Dialog
      open
      onOpenChange={(open) => !open && !busy && onStay()}
      title="Sign out and lose unsent changes?"
      description="These changes are only in this browser. Signing out deletes them for good, so no one else can read them here."
      footer={
        <>
          <Button onClick={onStay} disabled={busy}>
            Cancel
          </Button>
          <Button variant="danger" onClick={onLeave} disabled={busy}>
            Sign out and lose them
          </Button>
          {writes.length > 0 && (
            <Button variant="primary" busy={busy} busyLabel="Sending..." onClick={sendNow}>
              Send now
            </Button>
          )}
        </>
      }
    >
      {hasFailed && (
        <Banner tone="warning" className="mb-3">
          Not everything could be sent. The server can’t be reached, or something needs your attention first.
        </Banner>
      )}
      <p className="mb-2 text-ui font-label">
        {[
          files.length > 0 && `${pluralize(files.length, 'file')} uploading`,
          writes.length > 0 && `${pluralize(writes.length, 'change')} waiting to be sent`,
          drafts.newest.length > 0 && `${pluralize(drafts.newest.length, 'unsaved draft')}`,
        ]
          .filter(Boolean)
          .join(', ')}
      </p>
      <ul className="flex flex-col gap-2">
        {texts.slice(0, 20).map(({ id, title, text }) => (
          <li key={id} className="rounded-md border border-border px-3 py-2">
            <p className="text-small text-muted-foreground">{title}</p>
            <p className="line-clamp-2 font-serif wrap-break-word">{text}</p>
          </li>
        ))}
      </ul>
      {texts.length > 20 && <p className="mt-2 text-small">And {texts.length - 20} more.</p>}
    </Dialog>
  )
}
