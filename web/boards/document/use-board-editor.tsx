import { createContext, type ReactNode, use, useEffect, useMemo, useSyncExternalStore } from 'react'
import type { Board, Frame } from '#contract/boards/boards.ts'
import { BoardEditor, type BoardState } from './board-editor.ts'

const OpenBoard = createContext<BoardEditor | null>(null)

/** Opens a board for everything below it. Give it `key={board.id}`; a newer version of the same board is merged in. */
export function BoardEditorProvider({ board, children }: { board: Board; children: ReactNode }) {
  // Of the first version that came: later ones are adopted.
  // biome-ignore lint/correctness/useExhaustiveDependencies: see above
  const editor = useMemo(() => new BoardEditor(board), [board.id])
  useEffect(() => {
    void editor.open()
    addEventListener('pagehide', editor.leave)
    return () => {
      removeEventListener('pagehide', editor.leave)
      void editor.close()
    }
  }, [editor])
  useEffect(() => editor.adopt(board), [editor, board])
  return <OpenBoard value={editor}>{children}</OpenBoard>
}

/** The open board, or `null` where a board is only shown. */
export const useOpenBoard = (): BoardEditor | null => use(OpenBoard)

/** The open board. @throws outside of a BoardEditorProvider */
export function useBoardEditor(): BoardEditor {
  const editor = use(OpenBoard)
  if (!editor) throw new Error('There is no open board here.')
  return editor
}

/** Part of the open board; rendered anew only when that part is another one. `select` must answer the same object for the same state. */
export function useBoard<Part>(select: (state: BoardState) => Part): Part {
  const { listen, seen } = useBoardEditor()
  const part = () => select(seen())
  return useSyncExternalStore(listen, part, part)
}

export function useFrame(id: string): Frame | undefined {
  return useBoard(({ document }) => document.frames.find((frame) => frame.id === id))
}
