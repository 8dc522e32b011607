import { lazy, useCallback, useMemo } from 'react'
import { isSampleBoard } from '../board-queries.ts'
import { changeContent } from '../document/board-document.ts'
import { useBoard, useBoardEditor } from '../document/use-board-editor.tsx'
import type { FrameContext } from '../frames/frame-bodies.ts'
import type { StudioTab } from './studio-address.ts'

const BoardCanvas = lazy(() => import('../canvas/board-canvas.tsx').then((module) => ({ default: module.BoardCanvas })))
const LayoutTab = lazy(() => import('../layouts/layout-tab.tsx').then((module) => ({ default: module.LayoutTab })))
const BoardPreview = lazy(() =>
  import('../layouts/board-preview.tsx').then((module) => ({ default: module.BoardPreview })),
)
const AssistTab = lazy(() => import('../assist/assist-tab.tsx').then((module) => ({ default: module.AssistTab })))

export function TabContent({ tab }: { tab: StudioTab }) {
  if (tab === 'edit') return <BoardCanvas />
  return (
    <div className="h-full overflow-y-auto">
      {tab === 'layout' && <LayoutTab />}
      {tab === 'preview' && <PreviewTab />}
      {tab === 'assist' && <AssistTab />}
    </div>
  )
}

function PreviewTab() {
  const editor = useBoardEditor()
  const { id, entityType, entityId } = useBoard(({ board }) => board)
  const { config, frames } = useBoard(({ document }) => document)
  const { canEdit } = editor
  const frameContext = useMemo<FrameContext>(
    () => ({ boardId: id, entityType, entityId, mode: isSampleBoard(id) ? 'sample' : canEdit ? 'edit' : 'view' }),
    [id, entityType, entityId, canEdit],
  )
  const changeFrameContent = useCallback(
    (frameId: string, changes: Record<string, unknown>, gesture?: string) =>
      editor.edit('Change a frame', changeContent(frameId, changes), gesture),
    [editor],
  )
  return <BoardPreview config={config} frames={frames} frameContext={frameContext} changeContent={changeFrameContent} />
}
