import { Link } from 'react-router'
import type { AgentClass, AgentStatus } from '#contract/agents/agent-constants.ts'
import type { Agent } from '#contract/agents/agents.ts'
import type { RetiringModel } from '#contract/agents/models.ts'
import { Button } from '#web/ui/controls/button.tsx'
import { Badge, type BadgeTone } from '#web/ui/panels/badge.tsx'
import { getEditPath } from '../agent-addresses.ts'
import { AgentSeal } from '../agent-seal.tsx'
import { RetirementBadge } from '../form/retiring-models.tsx'
import { AgentMenu } from './agent-menu.tsx'
import { RunButton, RunInput } from './run-input.tsx'
import type { RunInputState } from './use-test-runs.ts'

export interface AgentCardProps {
  agent: Agent
  retiringModel?: RetiringModel | undefined
  personId?: string | undefined
  running: boolean
  runInput: RunInputState
  onEdit?: (agent: Agent) => void
  onDelete?: (agent: Agent) => void
}

/** The whole card opens the agent. Keyboard focus lands on the name, where R and E work. */
export function AgentCard({ agent, retiringModel, personId, running, runInput, onEdit, onDelete }: AgentCardProps) {
  const isOpen = runInput.openAgentId === agent.id

  return (
    <article
      data-item
      className="relative flex min-w-0 flex-col gap-[11px] rounded-lg border border-border bg-card px-4 pt-4 pb-3 shadow-e1 transition-colors duration-120 hover:border-input/60 has-[a:focus-visible]:outline-2 has-[a:focus-visible]:outline-offset-2 has-[a:focus-visible]:outline-ring"
    >
      <div className="flex items-start gap-3">
        <AgentSeal agent={agent} size={42} className="shrink-0" />
        <div className="min-w-0 flex-1">
          <h2 className="truncate text-h3">
            <Link
              dir="auto"
              to={getEditPath(agent.id)}
              className="outline-hidden after:absolute after:inset-0 after:rounded-lg"
            >
              {agent.name}
            </Link>
          </h2>
          <div className="mt-[3px] flex flex-wrap gap-1.5">
            <ClassBadge agentClass={agent.agent_class} />
            <StatusBadge status={agent.status} />
            {retiringModel && <RetirementBadge model={retiringModel} />}
            <OwnerMark agent={agent} personId={personId} />
          </div>
        </div>
      </div>
      <p dir="auto" className="line-clamp-2 min-h-[2lh] text-ui wrap-break-word phone:min-h-0">
        {agent.purpose}
      </p>
      <AgentCardDetails agent={agent} />
      {agent.agent_class === 'Coordinator' && <BundleList slugs={agent.config.bundle ?? []} />}
      <div className="relative -mx-4 mt-auto border-t border-border px-4 pt-2.5 pe-3">
        {isOpen ? (
          <RunInput agent={agent} onRun={runInput.onRun} onClose={() => runInput.onOpen(undefined)} />
        ) : (
          <div className="flex min-h-8 items-center gap-2">
            <RunButton agent={agent} running={running} runInput={runInput} />
            {onEdit && (
              <Button
                size="small"
                disabled={!agent.may.edit}
                title={agent.may.edit ? undefined : 'You can’t change this agent'}
                onClick={() => onEdit(agent)}
                aria-keyshortcuts="E"
              >
                Edit
              </Button>
            )}
            <span className="ms-auto flex items-center gap-1">
              {onDelete && agent.may.remove && (
                <Button size="small" variant="danger-text" onClick={() => onDelete(agent)}>
                  Delete
                </Button>
              )}
              <AgentMenu agent={agent} onDelete={agent.may.remove ? undefined : onDelete} />
            </span>
          </div>
        )}
      </div>
    </article>
  )
}

function OwnerMark({ agent: { owner_id, visibility }, personId }: { agent: Agent; personId: string | undefined }) {
  if (!personId || owner_id === null || visibility === 'private') return null
  const sharedLabel = owner_id === personId ? 'Shared' : 'Shared with you'
  return (
    <span className="self-center text-small text-muted-foreground">
      {visibility === 'public' ? 'Public' : sharedLabel}
    </span>
  )
}

function AgentCardDetails({ agent }: { agent: Agent }) {
  return (
    <dl className="grid grid-cols-[1.25fr_.8fr_.6fr] gap-x-3 gap-y-2 text-[0.78125rem] leading-[1.0625rem]">
      <AgentDetail label="Scope" value={agent.context_scope || 'General'} />
      <AgentDetail label="Memory" value={agent.memory_enabled ? 'on' : 'off'} />
      <AgentDetail label="Tools" value={String(agent.tools.length)} />
      <div className="col-span-full flex min-w-0 gap-2">
        <dt className="shrink-0 text-[0.71875rem] text-muted-foreground">Model</dt>
        <dd className="truncate font-medium" title={`${agent.model_provider} ${agent.model}`}>
          {agent.model_provider} <span className="font-mono font-normal">{agent.model}</span>
        </dd>
      </div>
    </dl>
  )
}

function AgentDetail({ label, value }: { label: string; value: string }) {
  return (
    <div className="min-w-0">
      <dt className="text-[0.71875rem] text-muted-foreground">{label}</dt>
      <dd className="truncate font-medium tabular-nums">{value}</dd>
    </div>
  )
}

export function BundleList({ slugs }: { slugs: string[] }) {
  return (
    <div className="flex flex-wrap items-center gap-[5px] text-small">
      <span className="text-muted-foreground">Bundle</span>
      {slugs.map((slug) => (
        <Badge key={slug} tone="outlined" mono className="max-w-full truncate text-foreground">
          {slug}
        </Badge>
      ))}
    </div>
  )
}

const agentStatusTones: Record<AgentStatus, BadgeTone> = {
  ready: 'success',
  'in-progress': 'info',
  error: 'destructive',
}

export function ClassBadge({ agentClass }: { agentClass: AgentClass }) {
  return <Badge>{agentClass}</Badge>
}

export function StatusBadge({ status }: { status: AgentStatus }) {
  return (
    <Badge tone={agentStatusTones[status] ?? 'neutral'} dot>
      {status}
    </Badge>
  )
}
