import { useMemo } from 'react'
import { useBoard } from '../document/use-board-editor.tsx'
import { BoardPreview } from '../layouts/board-preview.tsx'

/** Read-only view of the open board, including unsaved changes. */
export function ReadOnlyBoard({ sample = false }: { sample?: boolean }) {
  const { id: boardId, entityType, entityId } = useBoard(({ board }) => board)
  const { config, frames } = useBoard(({ document }) => document)
  const frameContext = useMemo(
    () => ({ boardId, entityType, entityId, mode: sample ? ('sample' as const) : ('view' as const) }),
    [boardId, entityType, entityId, sample],
  )
  return (
    <div className="overflow-hidden rounded-lg border border-border">
      <BoardPreview config={config} frames={frames} frameContext={frameContext} changeContent={noop} />
    </div>
  )
}

const noop = () => {}
