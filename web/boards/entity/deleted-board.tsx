import { useQueryClient } from '@tanstack/react-query'
import type { BoardEntity } from '#contract/boards/frame-types.ts'
import { Button } from '#web/ui/controls/button.tsx'
import { EmptyPanel } from '#web/ui/panels/empty-panel.tsx'
import { entityBoardQuery } from './entity-board-query.ts'

/** Shown when the entity's board was deleted while its page was open; a new one is created only on request. */
export function DeletedBoard({ entityType, entityId }: { entityType: BoardEntity; entityId: string }) {
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
