import { useQuery } from '@tanstack/react-query'
import { MessageSquare, ScrollText } from 'lucide-react'
import { useParams, useSearchParams } from 'react-router'
import { demoAgent, isSampleAgent } from '#contract/samples/sample-agents.ts'
import { getChatPath, getEditPath, logsPath, registryPath } from '#web/agents/agent-addresses.ts'
import { agentsKey } from '#web/agents/agent-queries.ts'
import { AgentSeal } from '#web/agents/agent-seal.tsx'
import { ClassBadge, StatusBadge } from '#web/agents/registry/agent-card.tsx'
import { AgentWorkspace, findWorkspaceAgent } from '#web/agents/studio/agent-workspace.tsx'
import { ApiError, isNotFound } from '#web/api/api.ts'
import { useCrumb } from '#web/page/crumb.ts'
import { AnchorButton, RetryButton } from '#web/ui/controls/button.tsx'
import { LinkButton } from '#web/ui/controls/link-button.tsx'
import { Badge } from '#web/ui/panels/badge.tsx'
import { lazyComponent } from '#web/ui/panels/lazy-component.tsx'
import { PageHeader } from '#web/ui/panels/page-header.tsx'
import { Skeleton, SkeletonGroup } from '#web/ui/panels/skeleton.tsx'
import { BoardSkeleton } from '../board-states.tsx'

const AgentFrames = lazyComponent(async () => (await import('./agent-frames.tsx')).AgentFrames, <BoardSkeleton />)

export function AgentWorkspacePage() {
  const params = useParams()
  const [query] = useSearchParams()
  const agentId = params.agentId || query.get('agentId') || demoAgent.id
  const {
    data: agent,
    error,
    isPending,
    isFetching,
    refetch,
  } = useQuery({
    queryKey: [...agentsKey, 'workspace', agentId],
    queryFn: ({ signal }) => findWorkspaceAgent(agentId, signal),
  })

  useCrumb(agent?.name)

  if (isPending) return <WorkspaceSkeleton />
  if (!agent) {
    return (
      <NoWorkspace
        title={toAgentFailureText(error)}
        onRetry={isNotFound(error) ? undefined : refetch}
        retrying={isFetching}
      />
    )
  }
  const isSample = isSampleAgent(agent)
  return (
    <>
      <PageHeader
        leading={<AgentSeal agent={agent} size={48} />}
        title={agent.name}
        badges={
          <span className="flex gap-1.5">
            <ClassBadge agentClass={agent.agent_class} />
            <StatusBadge status={agent.status} />
            {isSample && <Badge tone="warning">sample</Badge>}
          </span>
        }
        subtitle={agent.purpose}
        actions={
          <>
            {agent.agent_class === 'Lead' && (
              <AnchorButton
                href={getChatPath(agent.slug)}
                target="_blank"
                rel="noopener"
                icon={<MessageSquare aria-hidden size={14} />}
              >
                Open chat
              </AnchorButton>
            )}
            {!isSample && (
              <LinkButton to={`${logsPath}?agentId=${agent.id}`} icon={<ScrollText aria-hidden size={14} />}>
                View Logs
              </LinkButton>
            )}
            {agent.may.edit && (
              <LinkButton to={getEditPath(agent.id)} variant="primary">
                Edit
              </LinkButton>
            )}
          </>
        }
      />
      <AgentWorkspace key={agent.id} agent={agent} />
      <AgentFrames key={agent.id} agent={agent} />
    </>
  )
}

function toAgentFailureText(error: unknown): string {
  if (isNotFound(error)) return 'Agent not found'
  const reason = error instanceof ApiError ? error.statusText || error.message : (error as Error).message
  return `Failed to load agent: ${reason}`
}

interface NoWorkspaceProps {
  title: string
  onRetry: (() => void) | undefined
  retrying: boolean
}

function NoWorkspace({ title, onRetry, retrying }: NoWorkspaceProps) {
  return (
    <>
      <PageHeader
        title={title}
        subtitle={onRetry ? undefined : 'This agent was deleted or isn’t shared with you.'}
        actions={
          <>
            {onRetry && <RetryButton size="medium" busy={retrying} onClick={onRetry} />}
            <LinkButton to={registryPath} variant="primary">
              Back to Manage Agents
            </LinkButton>
          </>
        }
      />
      <div className="grid grid-cols-[minmax(0,1fr)_340px] gap-4 max-[1100px]:grid-cols-1">
        {['Run', 'Figures', 'Runs'].map((frame) => (
          <section
            key={frame}
            aria-label={`${frame}, empty`}
            data-frame="placeholder"
            className="min-h-44 rounded-lg border-[1.5px] border-dashed border-border px-4 py-3 text-small text-muted-foreground first:min-h-60"
          >
            {frame}
          </section>
        ))}
      </div>
    </>
  )
}

function WorkspaceSkeleton() {
  return (
    <SkeletonGroup label="Loading the agent">
      <div className="mb-6 flex items-center gap-4">
        <Skeleton className="size-12 rounded-full" />
        <Skeleton className="h-9 w-64" />
      </div>
      <div className="grid grid-cols-[minmax(0,1fr)_340px] gap-4 max-[1100px]:grid-cols-1">
        <Skeleton className="h-60 rounded-lg" />
        <Skeleton className="h-60 rounded-lg" />
      </div>
    </SkeletonGroup>
  )
}
