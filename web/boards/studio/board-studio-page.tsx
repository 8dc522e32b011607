import './studio.css'
import { type UseQueryResult, useQuery } from '@tanstack/react-query'
import { ChevronDown, CircleHelp, FileUp, LayoutTemplate, Plus, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { useLocation } from 'react-router'
import { createTextFilter } from '#contract/search/search-query.ts'
import { useAuth } from '#web/accounts/auth-provider.tsx'
import { AnchorButton, Button, RetryButton } from '#web/ui/controls/button.tsx'
import { IconButton } from '#web/ui/controls/icon-button.tsx'
import { Spot } from '#web/ui/drawings/spot.tsx'
import { SearchField } from '#web/ui/fields/search-field.tsx'
import { useLimitedList } from '#web/ui/hooks/use-limited-list.tsx'
import { useViewportClass } from '#web/ui/hooks/use-viewport-class.ts'
import { MessageDialog } from '#web/ui/overlays/confirm-dialog.tsx'
import { Drawer } from '#web/ui/overlays/drawer.tsx'
import { Menu, MenuItem, MenuSeparator } from '#web/ui/overlays/menu.tsx'
import { Banner } from '#web/ui/panels/banner.tsx'
import { EmptyPanel } from '#web/ui/panels/empty-panel.tsx'
import { ErrorBoundary } from '#web/ui/panels/error-boundary.tsx'
import { lazyComponent } from '#web/ui/panels/lazy-component.tsx'
import { Skeleton, SkeletonRows } from '#web/ui/panels/skeleton.tsx'
import { type BoardList, boardListQuery } from '../board-queries.ts'
import { BoardRow, type OpenEditor } from './board-row.tsx'
import { ClosedBar, QueryPlaceholder, RightPanel } from './studio-frame.tsx'
import { type BoardActions, useBoardActions } from './use-board-actions.ts'
import { useStudioAddress } from './view-tabs.tsx'

const FrameLibrary = lazyComponent(async () => (await import('../canvas/frame-library.tsx')).default)

interface NoBoardProps {
  actions: BoardActions
  isOffline: boolean
  onShowBoards: (() => void) | undefined
}

function NoBoard({ actions, isOffline, onShowBoards }: NoBoardProps) {
  const isPhone = useViewportClass() === 'phone'
  return (
    <>
      <div className="flex min-h-0 min-w-0 flex-1 flex-col">
        <ClosedBar
          name={<p className="truncate text-body text-muted-foreground">No board</p>}
          onShowBoards={onShowBoards}
        />
        <div className="grid min-h-0 flex-1 place-items-center overflow-y-auto p-6">
          <EmptyPanel
            drawing="frames"
            title="No Board Selected"
            className="w-full max-w-md border-none"
            action={
              <Button
                variant="primary"
                busy={actions.busy === 'create'}
                disabled={isOffline}
                icon={<Plus aria-hidden size={15} />}
                onClick={() => void actions.create()}
              >
                Create New Board
              </Button>
            }
          >
            A board is made of frames: pictures, chats, steps, agents. Choose one of your boards, or create a new one.
          </EmptyPanel>
        </div>
      </div>
      {!isPhone && (
        <RightPanel label="Frames">
          <FrameLibrary className="h-full" />
        </RightPanel>
      )}
    </>
  )
}

/** Contains a crash to the studio; a reload restores the draft. */
function StudioFailure() {
  return (
    <div role="alert" className="flex flex-col items-center gap-3 px-6 py-16 text-center">
      <Spot name="lamp" width={128} />
      <h1 className="text-h2">Board Studio recovered from an error</h1>
      <p className="max-w-[32em] text-ui text-muted-foreground">
        Saved work isn’t affected, and unsaved changes are stored in this browser.
      </p>
      <AnchorButton href={location.pathname + location.search} variant="primary">
        Reload Board Studio
      </AnchorButton>
    </div>
  )
}

// Lazy, so that the list of boards renders before the editor and frames load.
const boardSkeleton = <Skeleton className="m-6 h-64 flex-1 rounded-lg" />
const OpenBoard = lazyComponent(async () => (await import('./open-board.tsx')).OpenBoard, boardSkeleton)
const RunBoard = lazyComponent(async () => (await import('../entity/run/run-board.tsx')).RunBoard, boardSkeleton)
const HelpDialog = lazyComponent(async () => (await import('./help-dialog.tsx')).default)
const TemplatesDialog = lazyComponent(async () => (await import('./templates-dialog.tsx')).default)
const ImportBoardDialog = lazyComponent(async () => (await import('./import-board-dialog.tsx')).default)
const TrashDialog = lazyComponent(async () => (await import('./trash-dialog.tsx')).default)

export function BoardStudioPage() {
  const { user } = useAuth()
  const { boardId, runId } = useStudioAddress()
  if (!user) return <WaitingForAuthentication />
  return (
    <ErrorBoundary
      resetKey={boardId ?? runId ?? ''}
      onError={(reason, info) => console.error('Board Studio failed', reason, info.componentStack)}
      renderFallback={() => <StudioFailure />}
    >
      <BoardStudio />
    </ErrorBoundary>
  )
}

function BoardStudio() {
  const { boardId: requestedId, runId, openBoard } = useStudioAddress()
  const listQuery = useQuery(boardListQuery)
  const actions = useBoardActions(openBoard)
  const boardId = requestedId === actions.deletingId ? null : requestedId
  const [openEditor, setOpenEditor] = useState<OpenEditor | null>(null)
  const [dialog, setDialog] = useState<StudioDialog>()
  const [isListOpen, setListOpen] = useState(false)
  const isWide = useViewportClass() === 'wide'
  const isOffline = listQuery.data?.source === 'samples'
  const close = () => setDialog(undefined)
  const onShowBoards = isWide ? undefined : () => setListOpen(true)

  const panel = (
    <BoardsPanel
      query={listQuery}
      openId={boardId}
      openEditor={openEditor}
      actions={actions}
      onOpenDialog={(next) => {
        setListOpen(false)
        setDialog(next)
      }}
      onChosen={() => setListOpen(false)}
    />
  )

  return (
    <div data-fills-window className="flex min-h-0 flex-1">
      <h1 className="sr-only">Board Studio</h1>
      {isWide ? (
        <section aria-label="Boards" className="w-52 shrink-0 border-e border-border bg-background" data-chrome>
          {panel}
        </section>
      ) : (
        <Drawer open={isListOpen} onOpenChange={setListOpen} side="left" title="Boards" titleHidden>
          {panel}
        </Drawer>
      )}
      {boardId && (
        <OpenBoard
          key={boardId}
          id={boardId}
          listEntry={listQuery.data?.boards.find(({ id }) => id === boardId)}
          actions={actions}
          onShowBoards={onShowBoards}
          onEditorReady={setOpenEditor}
        />
      )}
      {!boardId && runId && <RunBoard key={runId} runId={runId} />}
      {!boardId && !runId && <NoBoard actions={actions} isOffline={isOffline} onShowBoards={onShowBoards} />}
      {dialog === 'help' && <HelpDialog onClose={close} />}
      {dialog === 'templates' && <TemplatesDialog onChoose={actions.create} onClose={close} />}
      {dialog === 'import' && <ImportBoardDialog onImported={actions.showBoard} onClose={close} />}
      {dialog === 'trash' && <TrashDialog onRestore={actions.restore} onClose={close} />}
      {actions.failure && (
        <MessageDialog open onOpenChange={actions.clearFailure} message={actions.failure.message}>
          {actions.failure.detail}
        </MessageDialog>
      )}
    </div>
  )
}

function WaitingForAuthentication() {
  const { pathname, search } = useLocation()
  return (
    <div role="status" className="flex flex-col items-center gap-3 py-16 text-center">
      <h1 className="text-h2">Board Studio - Loading...</h1>
      <p className="font-serif text-read text-muted-foreground italic">Waiting for authentication...</p>
      <AnchorButton href={`/login?next=${encodeURIComponent(pathname + search)}`}>Sign in again</AnchorButton>
    </div>
  )
}

type StudioDialog = 'help' | 'templates' | 'import' | 'trash'

interface BoardsPanelProps {
  query: UseQueryResult<BoardList>
  openId: string | null
  openEditor: OpenEditor | null
  actions: BoardActions
  onOpenDialog: (dialog: StudioDialog) => void
  onChosen?: () => void
}

const minBoardsForSearch = 10

function BoardsPanel({ query, openId, openEditor, actions, onOpenDialog, onChosen }: BoardsPanelProps) {
  const { data: list, isFetching, refetch } = query
  const [search, setSearch] = useState('')
  const isOffline = list?.source === 'samples'
  const isMatch = createTextFilter(search)
  const matches = list?.boards.filter(({ name }) => isMatch(name)) ?? []
  const { visible, showMoreButton } = useLimitedList(matches, {
    initialVisible: 100,
    size: 'small',
    variant: 'plain',
    className: 'mx-3 mt-1',
  })
  return (
    <div className="flex h-full min-h-0 flex-col text-ui">
      <div className="flex items-center ps-4 pe-3 pt-3 pb-2">
        <h2 className="font-sans text-ui font-semibold tracking-normal">Boards</h2>
        <IconButton label="How to Use Board Studio" className="ms-auto" onClick={() => onOpenDialog('help')}>
          <CircleHelp aria-hidden size={16} />
        </IconButton>
      </div>
      <div className="flex gap-1 px-3 pb-2.5">
        <Button
          size="small"
          className="min-w-0 flex-1"
          aria-keyshortcuts="N"
          busy={actions.busy === 'create'}
          disabled={isOffline}
          icon={<Plus aria-hidden size={14} />}
          onClick={() => void actions.create()}
        >
          New Board
        </Button>
        <Menu
          trigger={
            <IconButton label="More ways to create a board" outlined size="small">
              <ChevronDown aria-hidden size={14} />
            </IconButton>
          }
        >
          <MenuItem
            icon={<LayoutTemplate aria-hidden size={15} />}
            disabled={isOffline}
            onSelect={() => onOpenDialog('templates')}
          >
            From a template
          </MenuItem>
          <MenuItem
            icon={<FileUp aria-hidden size={15} />}
            disabled={isOffline}
            onSelect={() => onOpenDialog('import')}
          >
            Import a board
          </MenuItem>
          <MenuSeparator />
          <MenuItem icon={<Trash2 aria-hidden size={15} />} disabled={isOffline} onSelect={() => onOpenDialog('trash')}>
            Recently deleted
          </MenuItem>
        </Menu>
      </div>
      {list && list.boards.length > minBoardsForSearch && (
        <SearchField label="Search boards..." value={search} onValueChange={setSearch} className="px-3 pb-2" />
      )}
      <div className="min-h-0 flex-1 overflow-y-auto pb-3">
        {isOffline && (
          <Banner
            tone="warning"
            className="mx-3 mb-2"
            action={<RetryButton busy={isFetching} onClick={() => refetch()} />}
          >
            Offline, showing samples.
          </Banner>
        )}
        <QueryPlaceholder
          query={query}
          title="Failed to load boards"
          className="mx-3 [&>svg]:hidden"
          skeleton={
            <SkeletonRows
              label="Loading boards"
              count={3}
              rowClassName="h-8"
              className="flex flex-col gap-3 px-4 py-2"
            />
          }
        />
        {list?.boards.length === 0 && (
          <p className="px-4 py-2 text-small text-muted-foreground">Your boards will be listed here.</p>
        )}
        {list && list.boards.length > 0 && matches.length === 0 && (
          <p role="status" className="px-4 py-2 text-small text-muted-foreground">
            No boards match.
          </p>
        )}
        <ul aria-label="Your boards">
          {visible.map((board) => (
            <BoardRow
              key={board.id}
              board={board}
              openEditor={board.id === openId ? openEditor : null}
              isOpen={board.id === openId}
              actions={actions}
              onChosen={onChosen}
            />
          ))}
        </ul>
        {showMoreButton}
      </div>
    </div>
  )
}
