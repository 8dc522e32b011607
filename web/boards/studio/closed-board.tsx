import { type ReactNode, useRef, useState } from 'react'
import { boards } from '#contract/boards/boards.ts'
import { truncate } from '#contract/truncate.ts'
import { call } from '#web/api/api.ts'
import { createClientId } from '#web/offline/create-client-id.ts'
import { Button } from '#web/ui/controls/button.tsx'
import { Banner } from '#web/ui/panels/banner.tsx'
import { EmptyPanel } from '#web/ui/panels/empty-panel.tsx'
import { toBoardBody } from '../document/board-body.ts'
import { withoutPictures } from '../document/board-document.ts'
import { useBoard } from '../document/use-board-editor.tsx'
import { useBoardSessionState } from '../together/use-board-session.tsx'
import { getBoardErrorText, newBoard } from './studio-texts.ts'
import type { BoardActions } from './use-board-actions.ts'

interface ClosedBoardProps {
  /** The server answered 404: deleted, or no longer shared. */
  isNotFound: boolean
  actions: BoardActions
  children: ReactNode
}

/** Hides a board that was unshared or deleted while open; unsaved changes can be saved as a new board. */
export function ClosedBoardGuard({ isNotFound, actions, children }: ClosedBoardProps) {
  const { closed } = useBoardSessionState()
  const board = useBoard((state) => state.board)
  const document = useBoard((state) => state.document)
  const dirty = useBoard((state) => state.dirty)
  const [busy, setBusy] = useState(false)
  const [failureText, setFailureText] = useState<string>()
  // The same id on a retry, so that no second board is created.
  const id = useRef(createClientId())
  if (!isNotFound && !closed) return children

  async function saveAsOwn() {
    setBusy(true)
    setFailureText(undefined)
    try {
      const createdBoard = await call(boards.create, { body: { id: id.current, ...newBoard } })
      const { config, frames } = toBoardBody(withoutPictures(document), board)
      const body = { config: { ...config, name: `${truncate(config.name, 115)} copy` }, frames }
      actions.showBoard(await call(boards.save, { params: { id: createdBoard.id }, body, ifMatch: createdBoard.rev }))
    } catch (reason) {
      setFailureText(getBoardErrorText(reason))
      setBusy(false)
    }
  }
  const hasPictures = document.frames.some(({ data }) => data.content.mediaId)
  return (
    <div className="min-h-0 flex-1 overflow-y-auto p-6">
      {failureText && (
        <Banner tone="error" className="mb-4">
          Failed to create board: {failureText}
        </Banner>
      )}
      <EmptyPanel
        title="This board is no longer shared with you"
        action={
          dirty && (
            <Button variant="primary" busy={busy} onClick={() => void saveAsOwn()}>
              Save as my own board
            </Button>
          )
        }
      >
        {dirty
          ? `The board was unshared or deleted. Your unsaved changes are still in this browser.${hasPictures ? ' Pictures aren’t included.' : ''}`
          : 'The board was unshared or deleted. Its owner still has what you saved.'}
      </EmptyPanel>
    </div>
  )
}
