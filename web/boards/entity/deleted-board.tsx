import { useQueryClient } from '@tanstack/react-query'
import type { BoardEntity } from '#contract/boards/frame-types.ts'
import { Button } from '#web/ui/button.tsx'
import { EmptyPanel } from '#web/ui/empty-panel.tsx'
import { entityBoardQuery } from './entity-board-query.ts'

/** In place of a board of an entity that was deleted while its page was open; a new one is made only when it is asked for. */
export function DeletedBoard({ entityType, entityId }: { entityType: BoardEntity; entityId: string }) {
  const queries = useQueryClient()
  const { queryKey } = entityBoardQuery(entityType, entityId)
  return (
    <EmptyPanel
      drawing="frames"
      title="This board was deleted"
      action={<Button onClick={() => queries.resetQueries({ queryKey })}>Begin a new one</Button>}
    >
      Restore it in Board Studio, and it is here again, with what you changed and did not save. Beside a new one it
      cannot be restored.
    </EmptyPanel>
  )
}
