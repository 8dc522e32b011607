import { Link } from 'react-router'
import { Badge } from '#web/ui/panels/badge.tsx'
import { getEditPath } from '../agent-addresses.ts'
import { AgentSeal } from '../agent-seal.tsx'
import { formatRelativeDay } from '../runs/log-texts.ts'
import { type AgentCardProps, StatusBadge } from './agent-card.tsx'
import { AgentMenu } from './agent-menu.tsx'
import { RunButton, RunInput } from './run-input.tsx'

export interface AgentRowProps extends Omit<AgentCardProps, 'onEdit' | 'personId'> {
  lastRunAt?: string | undefined
  /** For a list under a heading of the page: no class, model and last run. */
  compact?: boolean
}

/** The whole row opens the agent. */
export function AgentRow({
  agent,
  retiringModel,
  running,
  runInput,
  onDelete,
  lastRunAt,
  compact = false,
}: AgentRowProps) {
  const Heading = compact ? 'h3' : 'h2'
  const isOpen = runInput.openAgentId === agent.id
  return (
    <article
      data-item
      className="relative border-b border-hairline transition-colors duration-120 hover:bg-fill-hover has-[:is(h2,h3)_a:focus-visible]:outline-2 has-[:is(h2,h3)_a:focus-visible]:-outline-offset-2 has-[:is(h2,h3)_a:focus-visible]:outline-ring"
    >
      <div className="flex h-[2.6875rem] items-center gap-3 ps-5 pe-3 phone:ps-4 phone:pe-2 phone:h-14">
        <AgentSeal agent={agent} size={26} className="shrink-0" />
        <div className="flex min-w-0 flex-1 items-center gap-3 phone:flex-col phone:items-stretch phone:gap-0">
          <Heading className="w-44 shrink-0 truncate font-sans text-ui leading-5 font-semibold tracking-normal phone:w-auto">
            <Link dir="auto" to={getEditPath(agent.id)} className="outline-hidden after:absolute after:inset-0">
              {agent.name}
            </Link>
          </Heading>
          <p
            dir="auto"
            className="min-w-0 flex-1 truncate text-ui text-muted-foreground phone:flex-none phone:text-small"
          >
            {agent.purpose}
          </p>
        </div>
        {agent.status !== 'ready' && <StatusBadge status={agent.status} />}
        {!compact && (
          <>
            <span className="w-24 shrink-0 text-small text-muted-foreground phone:hidden">{agent.agent_class}</span>
            <span
              title={`${agent.model_provider} ${agent.model}`}
              className="w-32 shrink-0 truncate font-mono text-small text-muted-foreground max-[1180px]:hidden"
            >
              {retiringModel ? <Badge tone="warning">{agent.model}</Badge> : agent.model}
            </span>
            <span className="w-20 shrink-0 truncate text-end text-small text-muted-foreground tabular-nums max-[1020px]:hidden">
              {lastRunAt && (
                <>
                  <span className="sr-only">Last run </span>
                  {formatRelativeDay(lastRunAt)}
                </>
              )}
            </span>
          </>
        )}
        <div className="relative flex shrink-0 items-center gap-1">
          <RunButton agent={agent} running={running} runInput={runInput} className="phone:min-h-10" />
          <AgentMenu agent={agent} showsEdit onDelete={onDelete} className="phone:min-h-10 phone:min-w-10" />
        </div>
      </div>
      {isOpen && (
        <RunInput
          agent={agent}
          onRun={runInput.onRun}
          onClose={() => runInput.onOpen(undefined)}
          className="relative px-5 pb-2.5 desk:ps-[58px] phone:px-4"
        />
      )}
    </article>
  )
}
