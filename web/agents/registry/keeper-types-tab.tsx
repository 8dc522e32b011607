import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Plus, X } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import type { Agent } from '#contract/agents/agents.ts'
import { type KeeperType, keeperTypes } from '#contract/keepers/keeper-types.ts'
import { isSampleAgent } from '#contract/samples/sample-agents.ts'
import { call } from '#web/api/api.ts'
import { QueryState } from '#web/queries/query-error.tsx'
import { Button } from '#web/ui/controls/button.tsx'
import { IconButton } from '#web/ui/controls/icon-button.tsx'
import { LinkButton } from '#web/ui/controls/link-button.tsx'
import { Badge, type BadgeTone } from '#web/ui/panels/badge.tsx'
import { Banner } from '#web/ui/panels/banner.tsx'
import { Card } from '#web/ui/panels/card.tsx'
import { EmptyPanel } from '#web/ui/panels/empty-panel.tsx'
import { SkeletonRows } from '#web/ui/panels/skeleton.tsx'
import { pluralize } from '#web/ui/text/pluralize.ts'
import { registryPath } from '../agent-addresses.ts'
import type { useAgentList } from '../agent-queries.ts'
import type { AgentLoadState } from '../form/agent-tab.tsx'
import { AgentListFailure, cardGridClasses } from './agent-list-states.tsx'
import { AssignKeeperTypesDialog, getErrorText, keeperTypesOfAgentQuery } from './assign-keeper-types-dialog.tsx'

const patternTones: Record<string, BadgeTone> = { sole: 'ribbon', crmtimeline: 'info' }

interface KeeperTypeCardProps {
  type: KeeperType
  action?: ReactNode
}

function KeeperTypeCard({ type, action }: KeeperTypeCardProps) {
  const { engagement_templates: templates, Keeper: keepers } = type._count
  return (
    <Card className="flex h-full flex-col gap-2">
      <div className="flex items-start gap-2">
        <h3 dir="auto" className="min-w-0 flex-1 font-serif text-h3 wrap-break-word">
          {type.name}
        </h3>
        {action}
      </div>
      <div className="flex flex-wrap gap-1.5">
        <Badge tone={patternTones[type.memoryPattern.toLowerCase()] ?? 'neutral'}>{type.memoryPattern}</Badge>
        {type.system && <Badge tone="outlined">System</Badge>}
      </div>
      {type.description && <p className="text-ui text-muted-foreground wrap-break-word">{type.description}</p>}
      <p className="mt-auto pt-1 text-small text-muted-foreground tabular-nums">
        {pluralize(templates, 'template')}, {pluralize(keepers, 'active keeper', 'active keepers')}
      </p>
    </Card>
  )
}

const noneAssignedText = 'No keeper types assigned yet. Click "Assign New" to get started.'

interface KeeperTypesTabProps {
  agent: Agent | undefined
  state: AgentLoadState
  list: ReturnType<typeof useAgentList>
}

export function KeeperTypesTab({ agent, state, list }: KeeperTypesTabProps) {
  if (state === 'loading') return <TypesSkeleton />
  if (state === 'failed') return <AgentListFailure list={list} />
  if (!agent) {
    return (
      <EmptyPanel
        drawing="seal"
        title="No Agent Selected"
        action={<LinkButton to={registryPath}>Choose an agent</LinkButton>}
      >
        Keeper types are assigned to one agent at a time.
      </EmptyPanel>
    )
  }
  if (isSampleAgent(agent)) {
    return (
      <EmptyPanel drawing="drawer" title={noneAssignedText}>
        <bdi>{agent.name}</bdi> is a sample, shown while the server can’t be reached. You can’t assign types to it.
      </EmptyPanel>
    )
  }
  return <AssignedTypes key={agent.id} agent={agent} />
}

function AssignedTypes({ agent }: { agent: Agent }) {
  const queryClient = useQueryClient()
  const options = keeperTypesOfAgentQuery(agent.id)
  const query = useQuery(options)
  const { data: assignedTypes } = query
  const [isAssigning, setAssigning] = useState(false)
  const unassign = useMutation({
    mutationFn: ({ id }: KeeperType) => call(keeperTypes.unassign, { params: { agentId: agent.id, keeperTypeId: id } }),
    onSuccess: (_, type) =>
      queryClient.setQueryData(options.queryKey, (previous) => previous?.filter(({ id }) => id !== type.id)),
  })

  if (!assignedTypes)
    return (
      <QueryState
        query={query}
        skeleton={<TypesSkeleton />}
        title={(reason) => (
          <span className="text-destructive">{getErrorText(reason, 'Failed to load agent assignments')}</span>
        )}
      >
        Assignments aren’t affected.
      </QueryState>
    )
  const assignButton = agent.may.edit && (
    <Button
      variant="primary"
      onClick={() => setAssigning(true)}
      aria-keyshortcuts="N"
      icon={<Plus aria-hidden size={15} />}
    >
      Assign New
    </Button>
  )
  return (
    <>
      <div className="mb-4 flex flex-wrap items-center gap-x-3 gap-y-2">
        <h2 className="flex flex-1 basis-60 items-center gap-2.5">
          Keeper types of <bdi>{agent.name}</bdi>
          <Badge aria-label={`${assignedTypes.length} assigned`}>{assignedTypes.length}</Badge>
        </h2>
        {assignedTypes.length > 0 && assignButton}
      </div>
      {unassign.error && (
        <Banner tone="error" className="mb-4" onDismiss={unassign.reset}>
          <span className="text-destructive">{getErrorText(unassign.error, 'Failed to unassign keeper type')}</span>
        </Banner>
      )}
      {assignedTypes.length === 0 ? (
        <EmptyPanel drawing="drawer" title={noneAssignedText} action={assignButton}>
          {agent.may.edit
            ? `Keeper types decide which keepers ${agent.name} can read for the person who runs it.`
            : 'Anyone who can edit this agent can assign keeper types.'}
        </EmptyPanel>
      ) : (
        <ul className={cardGridClasses} aria-label={`Keeper types of ${agent.name}`}>
          {assignedTypes.map((type) => (
            <li key={type.id} className="min-w-0">
              <KeeperTypeCard
                type={type}
                action={
                  agent.may.edit && (
                    <IconButton
                      label={`Unassign ${type.name}`}
                      size="small"
                      disabled={unassign.isPending && unassign.variables.id === type.id}
                      onClick={() => unassign.mutate(type)}
                      className="-me-1.5 -mt-1"
                    >
                      <X aria-hidden size={15} />
                    </IconButton>
                  )
                }
              />
            </li>
          ))}
        </ul>
      )}
      {isAssigning && (
        <AssignKeeperTypesDialog agent={agent} assignedTypes={assignedTypes} onClose={() => setAssigning(false)} />
      )}
    </>
  )
}

const TypesSkeleton = () => (
  <SkeletonRows label="Loading keeper types" count={3} rowClassName="h-32 rounded-lg" className={cardGridClasses} />
)
