import { useQueryClient } from '@tanstack/react-query'
import { lazy, Suspense, useCallback, useEffect, useMemo, useState } from 'react'
import { boardEntities } from '#contract/boards/frame-types.ts'
import { useViewportClass } from '#web/ui/hooks/use-viewport-class.ts'
import { Drawer } from '#web/ui/overlays/drawer.tsx'
import { Skeleton } from '#web/ui/panels/skeleton.tsx'
import { boardQuery, cacheBoard, isSampleBoard } from '../board-queries.ts'
import { changeConfig, changeContent } from '../document/board-document.ts'
import type { BoardEditor } from '../document/board-editor.ts'
import { useBoard, useBoardEditor } from '../document/use-board-editor.tsx'
import { useSaveBoard } from '../document/use-save-board.ts'
import type { FrameContext } from '../frames/frame-bodies.ts'
import { ParticipantAvatars } from '../together/participant-avatars.tsx'
import { BoardMenu } from './board-menu.tsx'
import type { OpenedBoard } from './board-row.tsx'
import { RightPanel } from './right-panel.tsx'
import { SettingsPanel } from './settings-panel.tsx'
import { type StudioTab, useStudioAddress } from './studio-address.ts'
import { StudioBars } from './studio-bars.tsx'
import { untitledBoard } from './studio-texts.ts'
import { TopBar } from './top-bar.tsx'
import type { BoardActions } from './use-board-actions.ts'
import { getTabId, tabPanelId } from './view-tabs.tsx'

const BoardCanvas = lazy(() => import('../canvas/board-canvas.tsx').then((module) => ({ default: module.BoardCanvas })))
const LayoutTab = lazy(() => import('../layouts/layout-tab.tsx').then((module) => ({ default: module.LayoutTab })))
const BoardPreview = lazy(() =>
  import('../layouts/board-preview.tsx').then((module) => ({ default: module.BoardPreview })),
)
const AssistTab = lazy(() => import('../assist/assist-tab.tsx').then((module) => ({ default: module.AssistTab })))

function TabContent({ tab }: { tab: StudioTab }) {
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

const FrameLibrary = lazy(() =>
  import('../canvas/frame-library.tsx').then((module) => ({ default: module.FrameLibrary })),
)
const ExportMenu = lazy(() =>
  import('../export/export-menu.tsx').then((module) => ({ default: module.BoardExportMenu })),
)
const BoardConflictDialog = lazy(() => import('./board-conflict-dialog.tsx'))

interface StudioDeskProps {
  actions: BoardActions
  onBoards: (() => void) | undefined
  onOpened: (opened: OpenedBoard | null) => void
}

export function StudioDesk({ actions, onBoards, onOpened }: StudioDeskProps) {
  const editor = useBoardEditor()
  const { tab, showTab } = useStudioAddress()
  const viewportClass = useViewportClass()
  const [settingsOpen, setSettingsOpen] = useState(false)
  const [openSheet, setOpenSheet] = useState<'library' | 'settings'>()
  const conflict = useBoard((state) => state.conflict)
  const isPhone = viewportClass === 'phone'
  const entityType = useBoard(({ board }) => board.entityType)
  const entity = boardEntities.find((boardEntity) => boardEntity === entityType) ?? null

  const { save, reviewing, setReviewing } = useSaveBoard({ canEdit: editor.canEdit, beforeSave: nameUntitledBoard })

  useEffect(() => {
    onOpened({ editor, save })
    return () => onOpened(null)
  }, [editor, save, onOpened])
  useSyncSavedBoard()

  const hasLibrary = tab === 'edit' && editor.canEdit
  const panel = settingsOpen ? 'settings' : hasLibrary ? 'library' : undefined
  return (
    <>
      <div className="flex min-h-0 min-w-0 flex-1 flex-col">
        <TopBar
          viewportClass={viewportClass}
          tab={tab}
          onTab={showTab}
          settingsOpen={isPhone ? openSheet === 'settings' : settingsOpen}
          onSettings={() => (isPhone ? setOpenSheet('settings') : setSettingsOpen(!settingsOpen))}
          onBoards={onBoards}
          onLibrary={isPhone && hasLibrary ? () => setOpenSheet('library') : undefined}
          onSave={() => void save()}
          people={<ParticipantAvatars />}
          menus={
            <>
              <Suspense fallback={null}>
                <ExportMenu small={isPhone} />
              </Suspense>
              <BoardMenu actions={actions} save={save} />
            </>
          }
        />
        <StudioBars onSave={() => void save()} onReview={() => setReviewing(true)} />
        <div
          role="tabpanel"
          id={tabPanelId}
          aria-labelledby={getTabId(tab)}
          className="relative min-h-0 min-w-0 flex-1 overflow-hidden"
        >
          <Suspense fallback={<Skeleton className="m-6 h-48 rounded-lg" />}>
            <TabContent tab={tab} />
          </Suspense>
        </div>
      </div>
      {!isPhone && panel && (
        <RightPanel label={panel === 'library' ? 'Frames' : 'Settings'}>
          <Suspense fallback={null}>
            {panel === 'library' ? <FrameLibrary entity={entity} hasBoard className="h-full" /> : <SettingsPanel />}
          </Suspense>
        </RightPanel>
      )}
      {isPhone && openSheet && (
        <Drawer
          open
          side="bottom"
          title={openSheet === 'library' ? 'Frame Library' : 'Settings'}
          titleHidden={openSheet === 'library'}
          onOpenChange={() => setOpenSheet(undefined)}
        >
          <Suspense fallback={<Skeleton className="h-48" />}>
            {openSheet === 'library' ? (
              <FrameLibrary entity={entity} hasBoard onFrameUsed={() => setOpenSheet(undefined)} />
            ) : (
              <SettingsPanel />
            )}
          </Suspense>
        </Drawer>
      )}
      {reviewing && conflict && (
        <Suspense fallback={null}>
          <BoardConflictDialog conflict={conflict} onClose={() => setReviewing(false)} onResolved={save} />
        </Suspense>
      )}
    </>
  )
}

function useSyncSavedBoard() {
  const queryClient = useQueryClient()
  const board = useBoard((state) => state.board)
  useEffect(() => {
    const cachedBoard = queryClient.getQueryData(boardQuery(board.id).queryKey)
    if (!isSampleBoard(board.id) && cachedBoard && cachedBoard.rev < board.rev) cacheBoard(queryClient, board)
  }, [queryClient, board])
}

function nameUntitledBoard(editor: BoardEditor): void {
  if (editor.getSnapshot().document.config.name.trim() === '')
    editor.edit('Rename the board', changeConfig({ name: untitledBoard }))
}
