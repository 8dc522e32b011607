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

/** What can be done with whole boards. What failed is in `told`, until `forget`. */
export function useBoardDeeds(open: (boardId: string | null) => void) {
  const queries = useQueryClient()
  const changed = useBoardsChanged()
  const [told, setTold] = useState<Told>()
  const [busy, setBusy] = useState<'create' | 'duplicate'>()
  const [leaving, setLeaving] = useState<string>()

  async function trying<Result>(message: string, deed: () => Promise<Result>): Promise<Result | undefined> {
    try {
      return await deed()
    } catch (reason) {
      setTold({ message, why: reasonOf(reason) })
      return undefined
    } finally {
      setBusy(undefined)
    }
  }

  function arrived(board: Board) {
    takeBoard(queries, board)
    open(board.id)
  }

  /** At once, with the name and description of seed 002 §9; or as its template has it. */
  async function create(template?: { id: string; name: string; description: string }): Promise<void> {
    if (busy) return
    setBusy('create')
    const words = template
      ? { name: template.name, description: template.description, templateId: template.id, domainId: newBoard.domainId }
      : newBoard
    const made = await trying('Failed to create board', () =>
      call(boards.create, { body: { id: newClientId(), ...words } }),
    )
    if (made) arrived(made)
  }

  /** A copy with its pictures. Chats and runs stay with the original. */
  async function duplicate({ id, name }: { id: string; name: string }): Promise<void> {
    if (busy) return
    setBusy('duplicate')
    const body = { id: newClientId(), name: `${truncate(name, 115)} copy` }
    const made = await trying('Failed to duplicate board', () => call(boardFiles.duplicate, { params: { id }, body }))
    if (made) arrived(made)
  }

  async function rename({ id, rev }: { id: string; rev: number }, name: string): Promise<void> {
    const saved = await trying('Failed to rename board', () =>
      call(boards.save, { params: { id }, body: { name }, ifMatch: rev }),
    )
    if (saved) takeBoard(queries, saved)
    else await changed()
  }

  async function remove({ id, name }: { id: string; name: string }, isOpen: boolean): Promise<void> {
    // Left first: whoever still has it open asks for it as soon as the server says that it is gone.
    if (isOpen) flushSync(() => setLeaving(id))
    const isGone = await trying('Failed to delete board', async () => {
      await call(boards.remove, { params: { id } })
      return true
    })
    startTransition(() => {
      if (isOpen && isGone) open(null)
      setLeaving(undefined)
    })
    if (!isGone) return
    await changed()
    void showToast(`“${name}” deleted`, { onUndo: () => void restore(id) })
  }

  async function restore(id: string): Promise<void> {
    const board = await trying('Failed to restore board', () => call(boards.restore, { params: { id } }))
    if (!board) return
    arrived(board)
    await changed()
  }

  return {
    busy,
    /** The open board that is being deleted: it is shown no more. */
    leaving,
    told,
    forget: () => setTold(undefined),
    arrived,
    create,
    duplicate,
    rename,
    remove,
    restore,
  }
}
export type BoardDeeds = ReturnType<typeof useBoardDeeds>
