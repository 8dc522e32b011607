import { useState } from 'react'
import { type BoardLink, boardSharing } from '#contract/boards/board-sharing.ts'
import { wholeTime } from '#web/agents/runs/log-times.ts'
import { call } from '#web/api.ts'
import { Button } from '#web/ui/button.tsx'
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx'
import { CopyButton } from '#web/ui/copy-button.tsx'
import { TextField } from '#web/ui/text-field.tsx'

interface Props {
  boardId: string
  link: BoardLink | null
  attempt: (deed: () => Promise<unknown>) => Promise<boolean>
}

/** The link that shows a board to whoever has it, without an account, until it is revoked. */
export function BoardLinkPanel({ boardId, link, attempt }: Props) {
  const [busy, setBusy] = useState(false)
  const [revoking, setRevoking] = useState(false)
  async function during(deed: () => Promise<unknown>) {
    setBusy(true)
    await attempt(deed)
    setBusy(false)
  }
  const params = { id: boardId }
  return (
    <section aria-label="Link for viewing" className="flex flex-col gap-3 border-t border-border pt-5">
      <div>
        <h3 className="font-sans text-ui leading-5 font-semibold tracking-normal">Link for viewing</h3>
        <p className="mt-0.5 text-small text-muted-foreground">
          Whoever has it sees the board as it is saved, without an account: pictures, words, steps and code. Chats,
          runs, and what is in keepers, agents and domains stay hidden.
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
            <Button disabled={busy} onClick={() => setRevoking(true)}>
              Revoke
            </Button>
            <span className="text-small text-muted-foreground tabular-nums">
              Made {wholeTime(link.madeAt)}
              {link.openedAt ? `, opened last ${wholeTime(link.openedAt)}.` : ', not opened yet.'}
            </span>
          </div>
        </>
      ) : (
        <Button
          className="self-start"
          busy={busy}
          onClick={() => void during(() => call(boardSharing.makeLink, { params }))}
        >
          Make a link
        </Button>
      )}
      <ConfirmDialog
        open={revoking}
        onOpenChange={setRevoking}
        title="Revoke this link?"
        confirmLabel="Revoke"
        onConfirm={() => during(() => call(boardSharing.removeLink, { params }))}
      >
        It works no more from the next moment on, for everybody who has it. You can make another one.
      </ConfirmDialog>
    </section>
  )
}
