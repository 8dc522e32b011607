import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import type { Agent } from '#contract/agents/agents.ts'
import { type KeeperType, keeperTypes } from '#contract/keepers/keeper-types.ts'
import { ApiError, call } from '#web/api/api.ts'
import { keeperTypesKey, keeperTypesQuery } from '#web/queries/keeper-types-query.ts'
import { QueryState } from '#web/queries/query-error.tsx'
import { Button } from '#web/ui/controls/button.tsx'
import { Dialog } from '#web/ui/overlays/dialog.tsx'
import { Badge } from '#web/ui/panels/badge.tsx'
import { ErrorText } from '#web/ui/panels/error-text.tsx'
import { SkeletonRows } from '#web/ui/panels/skeleton.tsx'

interface AssignKeeperTypesDialogProps {
  agent: Agent
  assignedTypes: KeeperType[]
  onClose: () => void
}

export function AssignKeeperTypesDialog({ agent, assignedTypes, onClose }: AssignKeeperTypesDialogProps) {
  const queryClient = useQueryClient()
  const query = useQuery(keeperTypesQuery)
  const { data: types } = query
  const unassigned = types?.filter((type) => !assignedTypes.some(({ id }) => id === type.id))
  const assign = useMutation({
    async mutationFn(type: KeeperType) {
      await call(keeperTypes.assign, { params: { agentId: agent.id, keeperTypeId: type.id } })
      const { queryKey } = keeperTypesOfAgentQuery(agent.id)
      queryClient.setQueryData(queryKey, (previous) => [...(previous ?? []).filter(({ id }) => id !== type.id), type])
      await queryClient.invalidateQueries({ queryKey })
    },
  })

  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      title="Assign keeper types"
      description="Changes take effect right away."
      footer={
        <Button variant="primary" onClick={onClose}>
          Done
        </Button>
      }
    >
      <ErrorText className="mb-3">
        {assign.error && getErrorText(assign.error, 'Failed to assign keeper type')}
      </ErrorText>
      <QueryState
        query={query}
        skeleton={<SkeletonRows label="Loading keeper types" count={3} rowClassName="h-12" />}
        title={(reason) => getErrorText(reason, 'Failed to load keeper types')}
      />
      {unassigned?.length === 0 && <p>All available keeper types have been assigned to this agent.</p>}
      {unassigned && unassigned.length > 0 && (
        <ul aria-label="Unassigned keeper types" className="flex flex-col">
          {unassigned.map((type) => (
            <li key={type.id} className="flex items-center gap-3 border-b border-hairline py-2.5 last:border-b-0">
              <div className="min-w-0 flex-1">
                <p className="flex flex-wrap items-center gap-x-2 gap-y-1">
                  <span dir="auto" className="font-semibold wrap-anywhere">
                    {type.name}
                  </span>
                  <Badge tone="outlined">{type.memoryPattern}</Badge>
                  {type.system && <Badge tone="outlined">System</Badge>}
                </p>
                {type.description && <p className="text-small text-muted-foreground">{type.description}</p>}
              </div>
              <Button
                size="small"
                busy={assign.isPending && assign.variables.id === type.id}
                aria-label={`Assign ${type.name}`}
                onClick={() => !assign.isPending && assign.mutate(type)}
              >
                Assign
              </Button>
            </li>
          ))}
        </ul>
      )}
    </Dialog>
  )
}

export const keeperTypesOfAgentQuery = (agentId: string) =>
  queryOptions({
    queryKey: [...keeperTypesKey, 'agent', agentId],
    queryFn: ({ signal }) => call(keeperTypes.ofAgent, { params: { agentId }, signal }),
  })

export function getErrorText(reason: unknown, fallbackText: string): string {
  return reason instanceof ApiError ? reason.message : fallbackText
}
