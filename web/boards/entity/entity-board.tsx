import { queryOptions, type UseQueryResult, useQueryClient } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useSearchParams } from 'react-router'
import { type Board, boards } from '#contract/boards/boards.ts'
import type { BoardEntity } from '#contract/boards/frame-types.ts'
import { demoIds } from '#contract/samples/demo-ids.ts'
import { call, isNotFound } from '#web/api/api.ts'
import { changeParams } from '#web/page/use-address-params.ts'
import { Button } from '#web/ui/controls/button.tsx'
import { EmptyPanel } from '#web/ui/panels/empty-panel.tsx'
import { boardsKey } from '../board-queries.ts'
import { BoardEditorProvider, useBoard, useFrameContext } from '../document/use-board-editor.tsx'
import { BoardPreview } from '../layouts/board-preview.tsx'
import { BoardSessionProvider } from '../together/use-board-session.tsx'
import { BoardPending } from './board-states.tsx'

/** Created on first open but not on refetch, so that a deleted board stays deleted ({@link isDeleted}). */
export const entityBoardQuery = (entityType: BoardEntity, entityId: string) =>
  queryOptions({
    queryKey: [...boardsKey, 'of', entityType, entityId],
    async queryFn({ signal, client, queryKey }): Promise<Board> {
      if (entityId === demoIds[entityType])
        return (await import('#contract/samples/sample-boards.ts')).getSampleBoard(entityType)
      const cachedBoard = client.getQueryData<Board>(queryKey)
      if (cachedBoard) return call(boards.show, { params: { id: cachedBoard.id }, signal })
      return call(boards.ofEntity, { body: { entityType, entityId }, signal })
    },
  })

const isDeleted = ({ data, error }: { data: Board | undefined; error: unknown }): boolean =>
  data !== undefined && isNotFound(error)

/** Shown when the entity's board was deleted while its page was open; a new one is created only on request. */
function DeletedBoard({ entityType, entityId }: { entityType: BoardEntity; entityId: string }) {
  const queryClient = useQueryClient()
  const { queryKey } = entityBoardQuery(entityType, entityId)
  return (
    <EmptyPanel
      drawing="frames"
      title="This board was deleted"
      action={<Button onClick={() => queryClient.resetQueries({ queryKey })}>Start a new board</Button>}
    >
      Restore the board in Board Studio to get it back with your unsaved changes. Once you start a new board, the old
      one can’t be restored.
    </EmptyPanel>
  )
}

/** Read-only view of the open board, including unsaved changes. */
export function ReadOnlyBoard({ isSample = false }: { isSample?: boolean }) {
  const { config, frames } = useBoard(({ document }) => document)
  const frameContext = useFrameContext(isSample ? 'sample' : 'view')
  return (
    <div className="overflow-hidden rounded-lg border border-border">
      <BoardPreview config={config} frames={frames} frameContext={frameContext} changeContent={noop} />
    </div>
  )
}

const noop = () => {}

interface EntityBoardProps {
  query: UseQueryResult<Board>
  entityType: BoardEntity
  entityId: string
  /** Samples have no session. */
  isSample?: boolean
  children: ReactNode
}

/** Provides the editor of an entity's board. */
export function EntityBoard({ query, entityType, entityId, isSample = false, children }: EntityBoardProps) {
  const board = query.data
  if (!board) return <BoardPending queries={[query]} />
  if (isDeleted(query)) return <DeletedBoard entityType={entityType} entityId={entityId} />
  return (
    <BoardEditorProvider key={board.id} board={board}>
      {isSample ? children : <BoardSessionProvider>{children}</BoardSessionProvider>}
    </BoardEditorProvider>
  )
}

/** `?mode=` chooses the second mode. */
export function useBoardMode<Mode extends string>(modes: readonly [{ value: Mode }, { value: Mode }]) {
  const [params, setParams] = useSearchParams()
  const [first, second] = modes.map(({ value }) => value) as [Mode, Mode]
  const setMode = (next: Mode) => setParams((current) => changeParams(current, { mode: next === second ? next : null }))
  return { mode: params.get('mode') === second ? second : first, setMode }
}
