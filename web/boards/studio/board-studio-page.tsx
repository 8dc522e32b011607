import './studio.css'
import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense, useState } from 'react'
import { useAuth } from '#web/accounts/auth-provider.tsx'
import { Drawer } from '#web/ui/drawer.tsx'
import { MessageDialog } from '#web/ui/message-dialog.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'
import { useWidth } from '#web/ui/use-width.ts'
import { boardListQuery } from '../board-queries.ts'
import type { OpenedBoard } from './board-row.tsx'
import { BoardsPanel, type StudioDialog } from './boards-panel.tsx'
import { NoBoard } from './no-board.tsx'
import { useStudioAddress } from './studio-address.ts'
import { StudioBoundary } from './studio-boundary.tsx'
import { reasonOf } from './studio-words.ts'
import { useBoardDeeds } from './use-board-deeds.ts'
import { WaitingForAuthentication } from './waiting-for-authentication.tsx'

// Lazy, so that the list of boards renders before the editor and frames load.
const OpenBoard = lazy(() => import('./open-board.tsx').then((module) => ({ default: module.OpenBoard })))
const RunBoard = lazy(() => import('../run-board/run-board.tsx').then((module) => ({ default: module.RunBoard })))
const HelpDialog = lazy(() => import('./help-dialog.tsx'))
const TemplatesDialog = lazy(() => import('./templates-dialog.tsx'))
const ImportBoardDialog = lazy(() => import('./import-board-dialog.tsx'))
const BinDialog = lazy(() => import('./bin-dialog.tsx'))

export function BoardStudioPage() {
  const { user } = useAuth()
  const { boardId, runId } = useStudioAddress()
  if (!user) return <WaitingForAuthentication />
  return (
    <StudioBoundary place={boardId ?? runId ?? ''}>
      <BoardStudio />
    </StudioBoundary>
  )
}

function BoardStudio() {
  const { boardId: addressed, runId, open } = useStudioAddress()
  const list = useQuery(boardListQuery)
  const deeds = useBoardDeeds(open)
  const boardId = addressed === deeds.deletingId ? null : addressed
  const [opened, setOpened] = useState<OpenedBoard | null>(null)
  const [dialog, setDialog] = useState<StudioDialog>()
  const [boardsOpen, setBoardsOpen] = useState(false)
  const isWide = useWidth() === 'wide'
  const isOffline = list.data?.from === 'samples'
  const close = () => setDialog(undefined)
  const onBoards = isWide ? undefined : () => setBoardsOpen(true)

  const panel = (
    <BoardsPanel
      list={list.data}
      again={{ ask: () => void list.refetch(), asking: list.isFetching }}
      failed={
        list.error && !list.data
          ? {
              reason: list.error,
              message: reasonOf(list.error),
            }
          : undefined
      }
      openId={boardId}
      opened={opened}
      deeds={deeds}
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
            listed={list.data?.boards.find(({ id }) => id === boardId)}
            deeds={deeds}
            onBoards={onBoards}
            onOpened={setOpened}
          />
        </Suspense>
      ) : runId ? (
        <Suspense fallback={<Skeleton className="m-6 h-64 flex-1 rounded-lg" />}>
          <RunBoard key={runId} runId={runId} />
        </Suspense>
      ) : (
        <NoBoard deeds={deeds} isOffline={isOffline} onBoards={onBoards} />
      )}
      <Suspense fallback={null}>
        {dialog === 'help' && <HelpDialog onClose={close} />}
        {dialog === 'templates' && <TemplatesDialog onChoose={deeds.create} onClose={close} />}
        {dialog === 'import' && <ImportBoardDialog onImported={deeds.showBoard} onClose={close} />}
        {dialog === 'bin' && <BinDialog onRestore={deeds.restore} onClose={close} />}
      </Suspense>
      {deeds.failure && (
        <MessageDialog open onOpenChange={deeds.clearFailure} message={deeds.failure.message}>
          {deeds.failure.why}
        </MessageDialog>
      )}
    </div>
  )
}
