import { useQueryClient } from '@tanstack/react-query'
import { startTransition, useState } from 'react'
import { flushSync } from 'react-dom'
import { boardFiles } from '#contract/boards/board-files.ts'
import { type Board, boards } from '#contract/boards/boards.ts'
import { truncate } from '#contract/truncate.ts'
import { call } from '#web/api.ts'
import { newClientId } from '#web/offline/new-client-id.ts'
import { showToast } from '#web/ui/show-toast.tsx'
import { takeBoard, useBoardsChanged } from '../board-queries.ts'
import { newBoard, reasonOf } from './studio-words.ts'

export interface Told {
  message: string
  why: string
}

/** A failed action is described in `failure` until `clearFailure` is called. */
export function useBoardDeeds(open: (boardId: string | null) => void) {
  const queries = useQueryClient()
  const changed = useBoardsChanged()
  const [failure, setFailure] = useState<Told>()
  const [busy, setBusy] = useState<'create' | 'duplicate'>()
  const [deletingId, setDeletingId] = useState<string>()

  async function trying<Result>(message: string, deed: () => Promise<Result>): Promise<Result | undefined> {
    try {
      return await deed()
    } catch (reason) {
      setFailure({ message, why: reasonOf(reason) })
      return undefined
    } finally {
      setBusy(undefined)
    }
  }

  function showBoard(board: Board) {
    takeBoard(queries, board)
    open(board.id)
  }

  async function create(template?: { id: string; name: string; description: string }): Promise<void> {
    if (busy) return
    setBusy('create')
    const words = template
      ? { name: template.name, description: template.description, templateId: template.id, domainId: newBoard.domainId }
      : newBoard
    const made = await trying('Failed to create board', () =>
      call(boards.create, { body: { id: newClientId(), ...words } }),
    )
    if (made) showBoard(made)
  }

  /** Copies pictures; chats and runs stay with the original. */
  async function duplicate({ id, name }: { id: string; name: string }): Promise<void> {
    if (busy) return
    setBusy('duplicate')
    const body = { id: newClientId(), name: `${truncate(name, 115)} copy` }
    const made = await trying('Failed to duplicate board', () => call(boardFiles.duplicate, { params: { id }, body }))
    if (made) showBoard(made)
  }

  async function rename({ id, rev }: { id: string; rev: number }, name: string): Promise<void> {
    const saved = await trying('Failed to rename board', () =>
      call(boards.save, { params: { id }, body: { name }, ifMatch: rev }),
    )
    if (saved) takeBoard(queries, saved)
    else await changed()
  }

  async function remove({ id, name }: { id: string; name: string }, isOpen: boolean): Promise<void> {
    // Leave first: an open board is refetched as soon as the server announces its deletion.
    if (isOpen) flushSync(() => setDeletingId(id))
    const isGone = await trying('Failed to delete board', async () => {
      await call(boards.remove, { params: { id } })
      return true
    })
    startTransition(() => {
      if (isOpen && isGone) open(null)
      setDeletingId(undefined)
    })
    if (!isGone) return
    await changed()
    void showToast(`“${name}” deleted`, { onUndo: () => void restore(id) })
  }

  async function restore(id: string): Promise<void> {
    const board = await trying('Failed to restore board', () => call(boards.restore, { params: { id } }))
    if (!board) return
    showBoard(board)
    await changed()
  }

  return {
    busy,
    /** The id of the open board that is being deleted; it is already hidden. */
    deletingId,
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
export type BoardDeeds = ReturnType<typeof useBoardDeeds>
