import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { type BoardInList, boards } from '#contract/boards/boards.ts'
import { toBoardEntity } from '#contract/boards/frame-types.ts'
import { call, isNotFound } from '#web/api/api.ts'
import { createClientId } from '#web/offline/create-client-id.ts'
import { QueryError } from '#web/queries/query-error.tsx'
import { Button } from '#web/ui/controls/button.tsx'
import { useViewportClass } from '#web/ui/hooks/use-viewport-class.ts'
import { Drawer } from '#web/ui/overlays/drawer.tsx'
import { Banner } from '#web/ui/panels/banner.tsx'
import { EmptyPanel } from '#web/ui/panels/empty-panel.tsx'
import { lazyComponent } from '#web/ui/panels/lazy-component.tsx'
import { Skeleton, SkeletonGroup } from '#web/ui/panels/skeleton.tsx'
import { pluralize } from '#web/ui/text/pluralize.ts'
import { boardQuery, cacheBoard, isSampleBoard } from '../board-queries.ts'
import { changeConfig, toBoardBody, withoutPictures } from '../document/board-document.ts'
import type { BoardEditor } from '../document/board-editor.ts'
import {
  BoardEditorProvider,
  useBoard,
  useBoardEditor,
  useFrameContext,
  useSaveBoard,
} from '../document/use-board-editor.tsx'
import { BoardSessionProvider, useBoardSessionState } from '../together/use-board-session.tsx'
import { BoardMenu } from './board-menu.tsx'
import type { OpenEditor } from './board-row.tsx'
import { SettingsPanel } from './settings-panel.tsx'
import { SaveButton, StudioBars } from './studio-bars.tsx'
import { ClosedBar, RightPanel } from './studio-frame.tsx'
import { newBoard, toCopyName, untitledBoard } from './studio-texts.ts'
import { TopBar } from './top-bar.tsx'
import type { BoardActions } from './use-board-actions.ts'
import { getTabId, type StudioTab, tabPanelId, useStudioAddress } from './view-tabs.tsx'

interface OpenBoardProps {
  id: string
  /** The board's entry in the list, shown while the board loads or if it fails to. */
  listEntry: BoardInList | undefined
  actions: BoardActions
  /** Set if the list of boards isn't visible. */
  onShowBoards: (() => void) | undefined
  onEditorReady: (openEditor: OpenEditor | null) => void
}

export function OpenBoard({ id, listEntry, actions, onShowBoards, onEditorReady }: OpenBoardProps) {
  const query = useQuery(boardQuery(id))
  const { data: board, error } = query
  if (board) {
    const workspace = (
      <ClosedBoardGuard isNotFound={isNotFound(error)} actions={actions}>
        <BoardWorkspace actions={actions} onShowBoards={onShowBoards} onEditorReady={onEditorReady} />
      </ClosedBoardGuard>
    )
    return (
      <BoardEditorProvider key={board.id} board={board}>
        {isSampleBoard(board.id) ? workspace : <BoardSessionProvider>{workspace}</BoardSessionProvider>}
      </BoardEditorProvider>
    )
  }
  return (
    <div className="flex min-h-0 min-w-0 flex-1 flex-col">
      <ClosedBar
        name={
          <h2 className="truncate font-sans text-body font-semibold tracking-normal">{listEntry?.name ?? 'Board'}</h2>
        }
        onShowBoards={onShowBoards}
      />
      <div className="min-h-0 flex-1 overflow-y-auto p-6">
        {error ? (
          <QueryError query={query} title="Error Loading Board" retryLabel="Try Again">
            {isNotFound(error)
              ? 'This board was deleted or isn’t shared with you.'
              : `Failed to load board: ${error.message}`}
            {listEntry &&
              !isNotFound(error) &&
              ` Nothing is lost: the board has ${pluralize(listEntry.frameCount, 'frame')}.`}
          </QueryError>
        ) : (
          <SkeletonGroup label="Loading the board" className="grid grid-cols-2 gap-6 phone:grid-cols-1">
            <Skeleton className="h-48 rounded-lg" />
            <Skeleton className="h-64 rounded-lg" />
            <Skeleton className="h-44 rounded-lg" />
          </SkeletonGroup>
        )}
      </div>
    </div>
  )
}

interface ClosedBoardProps {
  /** The server answered 404: deleted, or no longer shared. */
  isNotFound: boolean
  actions: BoardActions
  children: ReactNode
}

/** Hides a board that was unshared or deleted while open; unsaved changes can be saved as a new board. */
export function ClosedBoardGuard({ isNotFound, actions, children }: ClosedBoardProps) {
  const { isClosed } = useBoardSessionState()
  const board = useBoard((state) => state.board)
  const document = useBoard((state) => state.document)
  const isDirty = useBoard((state) => state.isDirty)
  // The same id on a retry, so that no second board is created.
  const id = useRef(createClientId())
  const saveAsNew = useMutation({
    mutationFn: async () => {
      const createdBoard = await call(boards.create, { body: { id: id.current, ...newBoard } })
      const { config, frames } = toBoardBody(withoutPictures(document), board)
      const body = { config: { ...config, name: toCopyName(config.name) }, frames }
      return call(boards.save, { params: { id: createdBoard.id }, body, ifMatch: createdBoard.rev })
    },
    onSuccess: actions.showBoard,
  })
  if (!isNotFound && !isClosed) return children
  const hasPictures = document.frames.some(({ data }) => data.content.mediaId)
  return (
    <div className="min-h-0 flex-1 overflow-y-auto p-6">
      {saveAsNew.error && (
        <Banner tone="error" className="mb-4">
          Failed to create board: {saveAsNew.error.message}
        </Banner>
      )}
      <EmptyPanel
        title="This board is no longer shared with you"
        action={
          isDirty && (
            <Button variant="primary" busy={saveAsNew.isPending} onClick={() => saveAsNew.mutate()}>
              Save as my own board
            </Button>
          )
        }
      >
        {isDirty
          ? `The board was unshared or deleted. Your unsaved changes are still in this browser.${hasPictures ? ' Pictures aren’t included.' : ''}`
          : 'The board was unshared or deleted. Its owner still has what you saved.'}
      </EmptyPanel>
    </div>
  )
}

const tabSkeleton = <Skeleton className="m-6 h-48 rounded-lg" />
const BoardCanvas = lazyComponent(async () => (await import('../canvas/board-canvas.tsx')).BoardCanvas, tabSkeleton)
const LayoutTab = lazyComponent(async () => (await import('../layouts/layout-tab.tsx')).LayoutTab, tabSkeleton)
const BoardPreview = lazyComponent(async () => (await import('../layouts/board-preview.tsx')).BoardPreview, tabSkeleton)
const AssistTab = lazyComponent(async () => (await import('../assist/assist-tab.tsx')).AssistTab, tabSkeleton)

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
  const { config, frames } = useBoard(({ document }) => document)
  const frameContext = useFrameContext(editor.canEdit ? 'edit' : 'view')
  return (
    <BoardPreview config={config} frames={frames} frameContext={frameContext} changeContent={editor.changeContent} />
  )
}

const FrameLibrary = lazyComponent(
  async () => (await import('../canvas/frame-library.tsx')).default,
  <Skeleton className="h-48" />,
)
const ExportMenu = lazyComponent(async () => (await import('../export/export-menu.tsx')).default)

interface BoardWorkspaceProps {
  actions: BoardActions
  onShowBoards: (() => void) | undefined
  onEditorReady: (openEditor: OpenEditor | null) => void
}

function BoardWorkspace({ actions, onShowBoards, onEditorReady }: BoardWorkspaceProps) {
  const editor = useBoardEditor()
  const { tab, showTab } = useStudioAddress()
  const viewportClass = useViewportClass()
  const [isSettingsOpen, setSettingsOpen] = useState(false)
  const [openSheet, setOpenSheet] = useState<'library' | 'settings'>()
  const isPhone = viewportClass === 'phone'
  const entity = useBoard(({ board }) => toBoardEntity(board.entityType))

  const boardSaving = useSaveBoard({ canEdit: editor.canEdit, beforeSave: nameUntitledBoard })
  const { save } = boardSaving

  useEffect(() => {
    onEditorReady({ editor, save })
    return () => onEditorReady(null)
  }, [editor, save, onEditorReady])
  useSyncSavedBoard()

  const hasLibrary = tab === 'edit' && editor.canEdit
  const defaultPanel = hasLibrary ? 'library' : undefined
  const panel = isSettingsOpen ? 'settings' : defaultPanel
  return (
    <>
      <div className="flex min-h-0 min-w-0 flex-1 flex-col">
        <TopBar
          viewportClass={viewportClass}
          isUnnamed={actions.unnamedId === editor.id}
          onNamed={actions.endNaming}
          tab={tab}
          onTab={showTab}
          isSettingsOpen={isPhone ? openSheet === 'settings' : isSettingsOpen}
          onSettings={() => (isPhone ? setOpenSheet('settings') : setSettingsOpen(!isSettingsOpen))}
          onShowBoards={onShowBoards}
          onLibrary={isPhone && hasLibrary ? () => setOpenSheet('library') : undefined}
          actions={
            <>
              <ExportMenu small={isPhone} />
              <BoardMenu actions={actions} save={save} />
              <SaveButton save={save} canEdit={editor.canEdit} isPhone={isPhone} size="small" className="h-8" />
            </>
          }
        />
        <StudioBars {...boardSaving} />
        <div
          role="tabpanel"
          id={tabPanelId}
          aria-labelledby={getTabId(tab)}
          className="relative min-h-0 min-w-0 flex-1 overflow-hidden"
        >
          <TabContent tab={tab} />
        </div>
      </div>
      {!isPhone && panel && (
        <RightPanel label={panel === 'library' ? 'Frames' : 'Settings'}>
          {panel === 'library' ? <FrameLibrary entity={entity} hasBoard className="h-full" /> : <SettingsPanel />}
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
          {openSheet === 'library' ? (
            <FrameLibrary entity={entity} hasBoard onFrameUsed={() => setOpenSheet(undefined)} />
          ) : (
            <SettingsPanel />
          )}
        </Drawer>
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
