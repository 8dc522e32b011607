import './studio.css'
import { useQuery } from '@tanstack/react-query'
import { Plus } from 'lucide-react'
import { Component, type ErrorInfo, lazy, type ReactNode, Suspense, useState } from 'react'
import { useLocation } from 'react-router'
import { useAuth } from '#web/accounts/auth-provider.tsx'
import { AnchorButton } from '#web/ui/controls/anchor-button.tsx'
import { Button } from '#web/ui/controls/button.tsx'
import { Spot } from '#web/ui/drawings/spot.tsx'
import { useViewportClass } from '#web/ui/hooks/use-viewport-class.ts'
import { Drawer } from '#web/ui/overlays/drawer.tsx'
import { MessageDialog } from '#web/ui/overlays/message-dialog.tsx'
import { EmptyPanel } from '#web/ui/panels/empty-panel.tsx'
import { Skeleton } from '#web/ui/panels/skeleton.tsx'
import { boardListQuery } from '../board-queries.ts'
import { BarFrame } from './bar-frame.tsx'
import type { OpenedBoard } from './board-row.tsx'
import { BoardsPanel, type StudioDialog } from './boards-panel.tsx'
import { RightPanel } from './right-panel.tsx'
import { useStudioAddress } from './studio-address.ts'
import { getBoardErrorText } from './studio-texts.ts'
import { type BoardActions, useBoardActions } from './use-board-actions.ts'

const FrameLibrary = lazy(() =>
  import('../canvas/frame-library.tsx').then((module) => ({ default: module.FrameLibrary })),
)

interface NoBoardProps {
  actions: BoardActions
  isOffline: boolean
  onBoards: (() => void) | undefined
}

function NoBoard({ actions, isOffline, onBoards }: NoBoardProps) {
  const isPhone = useViewportClass() === 'phone'
  return (
    <>
      <div className="flex min-h-0 min-w-0 flex-1 flex-col">
        <BarFrame
          name={<p className="truncate text-body text-muted-foreground">No board</p>}
          trailing={
            <>
              {onBoards && (
                <Button size="small" className="h-8" onClick={onBoards}>
                  Boards
                </Button>
              )}
              <Button variant="primary" size="small" className="h-8" disabled>
                Save
              </Button>
            </>
          }
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
          <Suspense fallback={null}>
            <FrameLibrary className="h-full" />
          </Suspense>
        </RightPanel>
      )}
    </>
  )
}

interface StudioBoundaryProps {
  /** Identifies the open board; changing it clears the error. */
  boardKey: string
  children: ReactNode
}
interface StudioBoundaryState {
  reason: Error | null
  boardKey: string
}

/** Contains a crash to the studio; a reload restores the draft. */
class StudioBoundary extends Component<StudioBoundaryProps, StudioBoundaryState> {
  override state: StudioBoundaryState = { reason: null, boardKey: this.props.boardKey }

  static getDerivedStateFromError(reason: Error): Partial<StudioBoundaryState> {
    return { reason }
  }
  static getDerivedStateFromProps(
    { boardKey }: StudioBoundaryProps,
    state: StudioBoundaryState,
  ): Partial<StudioBoundaryState> | null {
    return boardKey === state.boardKey ? null : { reason: null, boardKey }
  }

  override componentDidCatch(reason: Error, info: ErrorInfo): void {
    console.error('Board Studio failed', reason, info.componentStack)
  }

  override render() {
    if (!this.state.reason) return this.props.children
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
}

// Lazy, so that the list of boards renders before the editor and frames load.
const OpenBoard = lazy(() => import('./open-board.tsx').then((module) => ({ default: module.OpenBoard })))
const RunBoard = lazy(() => import('../entity/run/run-board.tsx').then((module) => ({ default: module.RunBoard })))
const HelpDialog = lazy(() => import('./help-dialog.tsx'))
const TemplatesDialog = lazy(() => import('./templates-dialog.tsx'))
const ImportBoardDialog = lazy(() => import('./import-board-dialog.tsx'))
const TrashDialog = lazy(() => import('./trash-dialog.tsx'))

export function BoardStudioPage() {
  const { user } = useAuth()
  const { boardId, runId } = useStudioAddress()
  if (!user) return <WaitingForAuthentication />
  return (
    <StudioBoundary boardKey={boardId ?? runId ?? ''}>
      <BoardStudio />
    </StudioBoundary>
  )
}

function BoardStudio() {
  const { boardId: requestedId, runId, openBoard } = useStudioAddress()
  const list = useQuery(boardListQuery)
  const actions = useBoardActions(openBoard)
  const boardId = requestedId === actions.deletingId ? null : requestedId
  const [opened, setOpened] = useState<OpenedBoard | null>(null)
  const [dialog, setDialog] = useState<StudioDialog>()
  const [boardsOpen, setBoardsOpen] = useState(false)
  const isWide = useViewportClass() === 'wide'
  const isOffline = list.data?.source === 'samples'
  const close = () => setDialog(undefined)
  const onBoards = isWide ? undefined : () => setBoardsOpen(true)

  const panel = (
    <BoardsPanel
      list={list.data}
      retry={{ refetch: () => void list.refetch(), isRefetching: list.isFetching }}
      failure={
        list.error && !list.data
          ? {
              reason: list.error,
              message: getBoardErrorText(list.error),
            }
          : undefined
      }
      openId={boardId}
      opened={opened}
      actions={actions}
      onOpen={(next) => {
        setBoardsOpen(false)
        setDialog(next)
      }}
      onChosen={() => setBoardsOpen(false)}
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
        <Drawer open={boardsOpen} onOpenChange={setBoardsOpen} side="left" title="Boards" titleHidden>
          {panel}
        </Drawer>
      )}
      {boardId ? (
        <Suspense fallback={<Skeleton className="m-6 h-64 flex-1 rounded-lg" />}>
          <OpenBoard
            key={boardId}
            id={boardId}
            listEntry={list.data?.boards.find(({ id }) => id === boardId)}
            actions={actions}
            onBoards={onBoards}
            onOpened={setOpened}
          />
        </Suspense>
      ) : runId ? (
        <Suspense fallback={<Skeleton className="m-6 h-64 flex-1 rounded-lg" />}>
          <RunBoard key={runId} runId={runId} />
        </Suspense>
      ) : (
        <NoBoard actions={actions} isOffline={isOffline} onBoards={onBoards} />
      )}
      <Suspense fallback={null}>
        {dialog === 'help' && <HelpDialog onClose={close} />}
        {dialog === 'templates' && <TemplatesDialog onChoose={actions.create} onClose={close} />}
        {dialog === 'import' && <ImportBoardDialog onImported={actions.showBoard} onClose={close} />}
        {dialog === 'trash' && <TrashDialog onRestore={actions.restore} onClose={close} />}
      </Suspense>
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
