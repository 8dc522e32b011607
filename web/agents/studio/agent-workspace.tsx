import { useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useEffect } from 'react'
import { Link } from 'react-router'
import type { Agent } from '#contract/agents/agents.ts'
import { boards } from '#contract/boards/boards.ts'
import { demoAgent, findSampleAgent, isSampleAgent } from '#contract/samples/sample-agents.ts'
import { call, NetworkError } from '#web/api/api.ts'
import { quietLinkClasses } from '#web/ui/controls/quiet-link.ts'
import { classNames } from '#web/ui/hooks/class-names.ts'
import { Card } from '#web/ui/panels/card.tsx'
import { DetailList } from '#web/ui/panels/detail-list.tsx'
import { logsPath } from '../agent-addresses.ts'
import { agentsKey, logsKey, useLogs } from '../agent-queries.ts'
import { BundleList } from '../registry/agent-card.tsx'
import { getReasonText } from '../runs/reason-text.ts'
import { RecentRuns } from '../runs/recent-runs.tsx'
import { RunBox } from '../runs/run-box.tsx'
import { useRun } from '../runs/run-store.ts'
import { AgentStats } from '../usage/agent-stats.tsx'

const headingClasses = 'font-sans text-ui leading-5 font-semibold tracking-normal'
const cardPadding = 'px-4 py-3.5'

export function AgentWorkspace({ agent }: { agent: Agent }) {
  const queryClient = useQueryClient()
  const run = useRun()
  const isFinished = run.view !== undefined && run.view.status !== 'running'
  useEffect(() => {
    if (!isFinished) return
    void queryClient.invalidateQueries({ queryKey: logsKey })
    void queryClient.invalidateQueries({ queryKey: [...agentsKey, 'stats'] })
  }, [isFinished, queryClient])

  return (
    <div className="grid grid-cols-[minmax(0,1fr)_340px] items-start gap-4 max-[1100px]:grid-cols-1">
      <div className="peer flex min-w-0 flex-col gap-4">
        <Card padded={false} className={cardPadding}>
          <h2 className={headingClasses}>Run</h2>
          <RunBox agent={agent} run={run} />
        </Card>
        {!isSampleAgent(agent) && <AgentRuns agent={agent} />}
      </div>
      {/* In one column this part follows the runs and would jump up when their placeholder goes, so it waits. */}
      <div className="flex min-w-0 flex-col gap-4 max-[1100px]:peer-has-data-pending:hidden">
        {!isSampleAgent(agent) && <AgentStats agentId={agent.id} />}
        <AgentConfiguration agent={agent} />
      </div>
    </div>
  )
}

function AgentRuns({ agent }: { agent: Agent }) {
  const { data, error } = useLogs({ page: 1, agentId: agent.id, pageSize: 10 })
  const emptyText = data ? 'No runs yet.' : 'Loading...'
  return (
    <Card padded={false} className="overflow-hidden">
      <div className="flex flex-wrap items-center justify-between gap-x-3 px-4 pt-3.5 pb-1">
        <h2 className={headingClasses}>Runs</h2>
        {data && data.total > data.logs.length && (
          <Link to={`${logsPath}?agentId=${agent.id}`} className={quietLinkClasses}>
            All {data.total.toLocaleString('en-US')}
          </Link>
        )}
      </div>
      {data && data.logs.length > 0 ? (
        <RecentRuns logs={data.logs} label={`Runs of ${agent.name}`} />
      ) : (
        <p
          data-pending={(!data && !error) || undefined}
          className={classNames(
            'px-4 pt-1 pb-3.5 text-small text-muted-foreground',
            // Keeps the frames that the page shows below out of sight until the runs are there.
            !data && !error && 'max-[1100px]:min-h-dvh',
          )}
        >
          {error ? `Error loading logs: ${getReasonText(error, 'Failed to fetch agent logs')}` : emptyText}
        </p>
      )}
    </Card>
  )
}

function AgentConfiguration({ agent }: { agent: Agent }) {
  const details: [string, ReactNode][] = [
    ['Slug', <InlineCode key="slug">{agent.slug}</InlineCode>],
    ['Scope', agent.context_scope?.replaceAll('_', ' ') || 'General'],
    ['Memory', agent.memory_enabled ? 'on' : 'off'],
    ['Visibility', agent.visibility],
    ['Model', <InlineCode key="model">{`${agent.model_provider} ${agent.model}`}</InlineCode>],
    ['Temperature', String(agent.model_settings.temperature ?? 'model default')],
    ['Max tokens', agent.model_settings.max_tokens?.toLocaleString('en-US') ?? 'model default'],
    ['Tools', agent.tools.length > 0 ? <InlineCode key="tools">{agent.tools.join(', ')}</InlineCode> : 'none'],
  ]
  return (
    <Card padded={false} className={cardPadding}>
      <h2 className={headingClasses}>How it runs</h2>
      <DetailList className="mt-2 gap-x-4 gap-y-1.5" details={details} />
      {agent.agent_class === 'Coordinator' && (
        <div className="mt-3">
          <BundleList slugs={agent.config.bundle ?? []} />
        </div>
      )}
    </Card>
  )
}

function InlineCode({ children }: { children: string }) {
  return <code className="font-mono text-code">{children}</code>
}

/** The demo agent isn’t fetched; while the server is unreachable, a sample with this ID or slug is used. */
export async function findWorkspaceAgent(agentId: string, signal: AbortSignal): Promise<Agent> {
  if (agentId === demoAgent.id) return demoAgent
  try {
    return (await call(boards.agentWorkspace, { params: { agentId }, signal })).agent
  } catch (reason) {
    const sample = reason instanceof NetworkError ? findSampleAgent(agentId) : undefined
    if (sample) return sample
    throw reason
  }
}
