import './studio.css'
import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense, useState } from 'react'
import { useAuth } from '#web/accounts/auth-provider.tsx'
import { useViewportClass } from '#web/ui/hooks/use-viewport-class.ts'
import { Drawer } from '#web/ui/overlays/drawer.tsx'
import { MessageDialog } from '#web/ui/overlays/message-dialog.tsx'
import { Skeleton } from '#web/ui/panels/skeleton.tsx'
import { boardListQuery } from '../board-queries.ts'
import type { OpenedBoard } from './board-row.tsx'
import { BoardsPanel, type StudioDialog } from './boards-panel.tsx'
import { NoBoard } from './no-board.tsx'
import { useStudioAddress } from './studio-address.ts'
import { StudioBoundary } from './studio-boundary.tsx'
import { getBoardErrorText } from './studio-texts.ts'
import { useBoardActions } from './use-board-actions.ts'
import { WaitingForAuthentication } from './waiting-for-authentication.tsx'

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
