import { type ReactNode, useState, useSyncExternalStore } from 'react'
import { Button } from '#web/ui/controls/button.tsx'
import { CopyButton } from '#web/ui/controls/copy-button.tsx'
import { ConfirmDialog } from '#web/ui/overlays/confirm-dialog.tsx'
import { Dialog } from '#web/ui/overlays/dialog.tsx'
import { Badge } from '#web/ui/panels/badge.tsx'
import { Banner } from '#web/ui/panels/banner.tsx'
import { pluralize } from '#web/ui/text/pluralize.ts'
import { Time } from '#web/ui/text/time.tsx'
import { ConflictDialog, getConflictFields } from './conflict-dialog.tsx'
import { getWriteText, getWriteTitle, type PendingWrite } from './pending-write.ts'
import { getFileUploads, onFileUploadsChange } from './unsent-work.ts'
import { discardDraft } from './use-draft.ts'
import { useUnsentWork } from './use-pending-writes.ts'
import { getCurrentQueue } from './write-queue.ts'

interface DiscardConfirmation {
  question: string
  run: () => Promise<void>
}

export function PendingDialog({ onClose }: { onClose: () => void }) {
  const { writes, drafts, refresh } = useUnsentWork()
  const [conflict, setConflict] = useState<PendingWrite>()
  const [confirmation, setConfirmation] = useState<DiscardConfirmation>()
  const [busy, setBusy] = useState(false)

  // Keeps the comparison current when another tab changes the write.
  const currentConflict = conflict && writes.find(({ id, state }) => id === conflict.id && state === 'stale')
  if (currentConflict && currentConflict !== conflict) setConflict(currentConflict)

  async function sendNow() {
    setBusy(true)
    await getCurrentQueue()?.flush()
    setBusy(false)
  }

  return (
    <>
      <Dialog
        // Hidden while the conflict dialog is open.
        open={conflict === undefined}
        onOpenChange={(open) => !open && onClose()}
        size="large"
        title="Waiting to be sent"
        description="Your changes are stored in this browser, encrypted. They’re sent once, in this order, with the time you made them."
        footer={
          <>
            <Button onClick={onClose}>Close</Button>
            {writes.some(({ state }) => state === 'waiting') && (
              <Button variant="primary" busy={busy} busyLabel="Sending..." onClick={sendNow}>
                Send now
              </Button>
            )}
          </>
        }
      >
        {writes.length === 0 && <p className="text-ui">Everything has been sent.</p>}
        <ul className="flex flex-col gap-2.5">
          {writes.map((write) => (
            <WriteItem
              key={write.id}
              write={write}
              onCompare={() => setConflict(write)}
              onDiscard={() =>
                setConfirmation({
                  question: `Discard this ${write.what.toLowerCase()}?`,
                  run: async () => getCurrentQueue()?.discard(write),
                })
              }
            />
          ))}
        </ul>
        {drafts.older.length > 0 && (
          <section className="mt-5" aria-labelledby="older-drafts">
            <h3 id="older-drafts" className="mb-2 font-sans tracking-normal text-ui font-label">
              Drafts from another tab
            </h3>
            <ul className="flex flex-col gap-2.5">
              {drafts.older.map((draft) => (
                <UnsentItem
                  key={draft.stamp}
                  heading={<Time value={draft.at} timeStyle="date-time" />}
                  text={getWriteText(draft.value)}
                  onDiscard={() =>
                    setConfirmation({
                      question: 'Discard this draft?',
                      run: async () => {
                        const store = getCurrentQueue()?.store
                        if (store) await discardDraft(store, draft)
                        await refresh()
                      },
                    })
                  }
                />
              ))}
            </ul>
          </section>
        )}
      </Dialog>
      {conflict && (
        <ConflictDialog
          subject={`This ${conflict.what.toLowerCase()}`}
          fields={getConflictFields(conflict.body ?? {}, conflict.current ?? {})}
          conflictKey={`write/${conflict.id}`}
          onClose={() => setConflict(undefined)}
          onKeepLocal={(texts) =>
            getCurrentQueue()?.requeueResolved(conflict, {
              body: { ...conflict.body, ...texts },
              ifMatch: conflict.current?.rev as number,
            })
          }
          onKeepRemote={() => getCurrentQueue()?.discard(conflict)}
        />
      )}
      {confirmation && (
        <ConfirmDialog
          open
          onOpenChange={(open) => !open && setConfirmation(undefined)}
          title={confirmation.question}
          confirmLabel="Discard"
          onConfirm={confirmation.run}
        >
          There’s no other copy. This can’t be undone.
        </ConfirmDialog>
      )}
    </>
  )
}

interface WriteItemProps {
  write: PendingWrite
  onCompare: () => void
  onDiscard: () => void
}

function WriteItem({ write, onCompare, onDiscard }: WriteItemProps) {
  return (
    <UnsentItem
      text={getWriteText(write.body)}
      heading={
        <>
          <span dir="auto" className="font-label text-foreground">
            {getWriteTitle(write)}
          </span>
          <Time value={write.at} timeStyle="date-time" />
          {write.state === 'stale' && <Badge tone="warning">Changed elsewhere</Badge>}
          {write.state === 'refused' && <Badge tone="warning">Rejected</Badge>}
        </>
      }
      actions={
        <>
          {write.state === 'stale' && (
            <Button size="small" variant="primary" onClick={onCompare}>
              Compare and decide
            </Button>
          )}
          {write.state === 'refused' && (
            <Button size="small" onClick={() => getCurrentQueue()?.retry(write.id)}>
              Try again
            </Button>
          )}
        </>
      }
      onDiscard={onDiscard}
    >
      {write.refusal && (
        <p className="mt-1.5 text-ui">
          {write.refusal.status > 0 && 'The server says: '}
          {write.refusal.words}
          {write.refusal.requestId && !write.refusal.words.includes(write.refusal.requestId) && (
            <span className="text-small text-muted-foreground"> Request {write.refusal.requestId}</span>
          )}
        </p>
      )}
    </UnsentItem>
  )
}

interface UnsentItemProps {
  heading: ReactNode
  text: string
  /** Below the text. */
  children?: ReactNode
  /** Before Copy and Discard. */
  actions?: ReactNode
  onDiscard: () => void
}

function UnsentItem({ heading, text, children, actions, onDiscard }: UnsentItemProps) {
  return (
    <li className="rounded-lg border border-border bg-card p-3.5">
      <div className="flex flex-wrap items-center gap-2 text-small text-muted-foreground">{heading}</div>
      {text && (
        <p dir="auto" className="mt-1 line-clamp-3 font-serif whitespace-pre-wrap wrap-break-word">
          {text}
        </p>
      )}
      {children}
      <div className="mt-2 flex flex-wrap gap-1">
        {actions}
        {text && (
          <CopyButton text={text} variant="plain">
            Copy
          </CopyButton>
        )}
        <Button size="small" variant="plain" onClick={onDiscard}>
          Discard
        </Button>
      </div>
    </li>
  )
}

const maxListedTexts = 20

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
        {texts.slice(0, maxListedTexts).map(({ id, title, text }) => (
          <li key={id} className="rounded-md border border-border px-3 py-2">
            <p dir="auto" className="text-small text-muted-foreground">
              {title}
            </p>
            <p dir="auto" className="line-clamp-2 font-serif wrap-break-word">
              {text}
            </p>
          </li>
        ))}
      </ul>
      {texts.length > maxListedTexts && <p className="mt-2 text-small">And {texts.length - maxListedTexts} more.</p>}
    </Dialog>
  )
}
