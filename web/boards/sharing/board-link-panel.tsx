import { useState } from 'react'
import { type BoardLink, boardSharing } from '#contract/boards/board-sharing.ts'
import { formatFullTime } from '#web/agents/runs/log-times.ts'
import { call } from '#web/api/api.ts'
import { Button } from '#web/ui/controls/button.tsx'
import { CopyButton } from '#web/ui/controls/copy-button.tsx'
import { TextField } from '#web/ui/fields/text-field.tsx'
import { ConfirmDialog } from '#web/ui/overlays/confirm-dialog.tsx'

interface BoardLinkPanelProps {
  boardId: string
  link: BoardLink | null
  attempt: (action: () => Promise<unknown>) => Promise<boolean>
}

export function BoardLinkPanel({ boardId, link, attempt }: BoardLinkPanelProps) {
  const [busy, setBusy] = useState(false)
  const [isRevoking, setIsRevoking] = useState(false)
  async function runBusy(action: () => Promise<unknown>) {
    setBusy(true)
    await attempt(action)
    setBusy(false)
  }
  const params = { id: boardId }
  return (
    <section aria-label="View-only link" className="flex flex-col gap-3 border-t border-border pt-5">
      <div>
        <h3 className="font-sans text-ui leading-5 font-semibold tracking-normal">View-only link</h3>
        <p className="mt-0.5 text-small text-muted-foreground">
          Anyone with the link can see the saved board without an account: pictures, text, steps and code. Chats, runs,
          and the content of keepers, agents and domains stay hidden.
        </p>
      </div>
      {link ? (
        <>
          <div className="flex items-end gap-2">
            <TextField label="Link" value={link.link} readOnly className="min-w-0 grow" />
            <CopyButton text={link.link} size="medium">
              Copy
            </CopyButton>
          </div>
          <div className="flex flex-wrap items-center gap-x-3 gap-y-2">
            <Button disabled={busy} onClick={() => setIsRevoking(true)}>
              Revoke
            </Button>
            <span className="text-small text-muted-foreground tabular-nums">
              Created {formatFullTime(link.madeAt)}
              {link.openedAt ? `, last opened ${formatFullTime(link.openedAt)}.` : ', not opened yet.'}
            </span>
          </div>
        </>
      ) : (
        <Button
          className="self-start"
          busy={busy}
          onClick={() => void runBusy(() => call(boardSharing.makeLink, { params }))}
        >
          Create link
        </Button>
      )}
      <ConfirmDialog
        open={isRevoking}
        onOpenChange={setIsRevoking}
        title="Revoke this link?"
        confirmLabel="Revoke"
        onConfirm={() => runBusy(() => call(boardSharing.removeLink, { params }))}
      >
        The link stops working right away for everyone who has it. You can create another one.
      </ConfirmDialog>
    </section>
  )
}
