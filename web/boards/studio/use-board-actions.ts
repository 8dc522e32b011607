import { useQueryClient } from '@tanstack/react-query'
import { startTransition, useState } from 'react'
import { flushSync } from 'react-dom'
import { boardFiles } from '#contract/boards/board-files.ts'
import { type Board, boards } from '#contract/boards/boards.ts'
import { call } from '#web/api/api.ts'
import { createClientId } from '#web/offline/create-client-id.ts'
import { showToast } from '#web/ui/overlays/show-toast.tsx'
import { getErrorMessage } from '#web/ui/text/error-message.ts'
import { withNames } from '#web/ui/text/with-names.tsx'
import { cacheBoard, useInvalidateBoards } from '../board-queries.ts'
import { newBoard, toCopyName } from './studio-texts.ts'

interface BoardActionFailure {
  message: string
  detail: string
}

/** A failed action is described in `failure` until `clearFailure` is called. */
export function useBoardActions(openBoard: (boardId: string | null) => void) {
  const queryClient = useQueryClient()
  const refetchBoards = useInvalidateBoards()
  const [failure, setFailure] = useState<BoardActionFailure>()
  const [busy, setBusy] = useState<'create' | 'duplicate'>()
  const [deletingId, setDeletingId] = useState<string>()
  const [unnamedId, setUnnamedId] = useState<string>()

  async function attempt<Result>(message: string, action: () => Promise<Result>): Promise<Result | undefined> {
    try {
      return await action()
    } catch (reason) {
      setFailure({ message, detail: getErrorMessage(reason) })
      return undefined
    } finally {
      setBusy(undefined)
    }
  }

  function showBoard(board: Board) {
    cacheBoard(queryClient, board)
    openBoard(board.id)
  }

  async function create(template?: { id: string; name: string; description: string }): Promise<void> {
    if (busy) return
    setBusy('create')
    const fields = template
      ? { name: template.name, description: template.description, templateId: template.id, domainId: newBoard.domainId }
      : newBoard
    const createdBoard = await attempt('Failed to create board', () =>
      call(boards.create, { body: { id: createClientId(), ...fields } }),
    )
    if (!createdBoard) return
    if (!template) setUnnamedId(createdBoard.id)
    showBoard(createdBoard)
  }

  /** Copies pictures; chats and runs stay with the original. */
  async function duplicate({ id, name }: { id: string; name: string }): Promise<void> {
    if (busy) return
    setBusy('duplicate')
    const body = { id: createClientId(), name: toCopyName(name) }
    const createdBoard = await attempt('Failed to duplicate board', () =>
      call(boardFiles.duplicate, { params: { id }, body }),
    )
    if (createdBoard) showBoard(createdBoard)
  }

  async function rename({ id, rev }: { id: string; rev: number }, name: string): Promise<void> {
    const savedBoard = await attempt('Failed to rename board', () =>
      call(boards.save, { params: { id }, body: { name }, ifMatch: rev }),
    )
    if (savedBoard) cacheBoard(queryClient, savedBoard)
    else await refetchBoards()
  }

  async function remove({ id, name }: { id: string; name: string }, { isOpen }: { isOpen: boolean }): Promise<void> {
    // Leave first: an open board is refetched as soon as the server announces its deletion.
    if (isOpen) flushSync(() => setDeletingId(id))
    const isDeleted = await attempt('Failed to delete board', async () => {
      await call(boards.remove, { params: { id } })
      return true
    })
    startTransition(() => {
      if (isOpen && isDeleted) openBoard(null)
      setDeletingId(undefined)
    })
    if (!isDeleted) return
    await refetchBoards()
    void showToast(withNames`“${name}” deleted`, { onUndo: () => void restore(id) })
  }

  async function restore(id: string): Promise<void> {
    const board = await attempt('Failed to restore board', () => call(boards.restore, { params: { id } }))
    if (!board) return
    showBoard(board)
    await refetchBoards()
  }

  return {
    busy,
    /** The id of the open board that is being deleted; it is already hidden. */
    deletingId,
    /** The id of a new board that is being given its first name. */
    unnamedId,
    endNaming: () => setUnnamedId(undefined),
    failure,
    clearFailure: () => setFailure(undefined),
    showBoard,
    create,
    duplicate,
    rename,
    remove,
    restore,
  }
}
export type BoardActions = ReturnType<typeof useBoardActions>
