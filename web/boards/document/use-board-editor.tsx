import {
  createContext,
  type ReactNode,
  use,
  useCallback,
  useEffect,
  useEffectEvent,
  useMemo,
  useState,
  useSyncExternalStore,
} from 'react'
import type { Board, Frame } from '#contract/boards/boards.ts'
import { getShortcutKey } from '#web/ui/fields/field-keys.ts'
import { isSampleBoard } from '../board-queries.ts'
import type { FrameContext } from '../frames/frame-bodies.ts'
import { BoardEditor, type BoardState } from './board-editor.ts'

const BoardEditorContext = createContext<BoardEditor | null>(null)

/** Provides an editor for a board. Needs `key={board.id}`; newer versions of the same board are merged. */
export function BoardEditorProvider({ board, children }: { board: Board; children: ReactNode }) {
  // Created from the first version; later ones are adopted.
  // biome-ignore lint/correctness/useExhaustiveDependencies: see above
  const editor = useMemo(() => new BoardEditor(board), [board.id])
  useEffect(() => {
    void editor.open()
    addEventListener('pagehide', editor.saveOnUnload)
    return () => {
      removeEventListener('pagehide', editor.saveOnUnload)
      void editor.close()
    }
  }, [editor])
  useEffect(() => editor.adopt(board), [editor, board])
  return <BoardEditorContext value={editor}>{children}</BoardEditorContext>
}

/** The editor, or null for a board that is only displayed. */
export const useOptionalBoardEditor = (): BoardEditor | null => use(BoardEditorContext)

/** @throws outside a BoardEditorProvider */
export function useBoardEditor(): BoardEditor {
  const editor = use(BoardEditorContext)
  if (!editor) throw new Error('useBoardEditor must be used within a BoardEditorProvider')
  return editor
}

/** Rerenders only when the selected part changes. `select` must return a stable value for the same state. */
export function useBoard<Part>(select: (state: BoardState) => Part): Part {
  const { subscribe, getSnapshot } = useBoardEditor()
  const getPart = () => select(getSnapshot())
  return useSyncExternalStore(subscribe, getPart, getPart)
}

export function useFrame(id: string): Frame | undefined {
  return useBoard(({ document }) => document.frames.find((frame) => frame.id === id))
}

/** The open board as context of its frames. Those of a sample board make no requests or changes, whatever the mode. */
export function useFrameContext(mode: FrameContext['mode']): FrameContext {
  const { id: boardId, entityType, entityId } = useBoard(({ board }) => board)
  return useMemo(
    () => ({ boardId, entityType, entityId, mode: isSampleBoard(boardId) ? 'sample' : mode }),
    [boardId, entityType, entityId, mode],
  )
}

interface SaveBoardOptions {
  canEdit: boolean
  /** Whether to handle Ctrl+S and Cmd+S. */
  handlesSaveKey?: boolean
  /** Runs before saving; must be stable. */
  beforeSave?: (editor: BoardEditor) => void
}

export function useSaveBoard({ canEdit, handlesSaveKey = true, beforeSave }: SaveBoardOptions) {
  const editor = useBoardEditor()
  const [isReviewing, setReviewing] = useState(false)

  const save = useCallback(async (): Promise<boolean> => {
    if (!canEdit) return false
    beforeSave?.(editor)
    editor.endGesture()
    try {
      const isSaved = await editor.save()
      if (editor.getSnapshot().conflict) setReviewing(true)
      return isSaved
    } catch {
      // The bar shows the editor's `problem`.
      return false
    }
  }, [editor, canEdit, beforeSave])

  const onKeyDown = useEffectEvent((event: KeyboardEvent) => {
    const isCommand = (event.ctrlKey || event.metaKey) && !event.altKey && !event.shiftKey
    if (!handlesSaveKey || !isCommand || getShortcutKey(event) !== 's') return
    event.preventDefault()
    if (!event.repeat && !document.querySelector('[role="alertdialog"]')) void save()
  })
  useEffect(() => {
    const listener = (event: KeyboardEvent) => onKeyDown(event)
    addEventListener('keydown', listener)
    return () => removeEventListener('keydown', listener)
  }, [])

  return { save, isReviewing, setReviewing }
}
