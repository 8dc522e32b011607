import { Link } from 'react-router'
import { inputPreviewLength } from '#contract/agents/agent-constants.ts'
import type { AgentLog } from '#contract/agents/runs.ts'
import { classNames } from '#web/ui/hooks/class-names.ts'
import { getRunPath } from '../agent-addresses.ts'
import { AgentSeal } from '../agent-seal.tsx'
import { truncateInput } from './log-texts.ts'
import { RunStatusBadge } from './run-status-badge.tsx'
import { formatDuration } from './run-texts.ts'
import { ShortTime } from './short-time.tsx'

export interface RecentRunsProps {
  logs: AgentLog[]
  label: string
  showsAgentName?: boolean
}

export function RecentRuns({ logs, label, showsAgentName = false }: RecentRunsProps) {
  return (
    <ul aria-label={label}>
      {logs.map((log) => (
        <li
          data-item
          key={log.id}
          className={classNames(
            'relative flex gap-3 border-b border-hairline py-2.5 last:border-b-0 hover:bg-fill-hover',
            showsAgentName ? 'px-5 phone:px-4' : 'px-4',
          )}
        >
          {showsAgentName && (
            <AgentSeal
              agent={{ name: log.agent?.name ?? '?', agent_class: log.agent?.agent_class ?? 'Standard' }}
              size={26}
              className="mt-0.5 shrink-0"
            />
          )}
          <div className="min-w-0 flex-1">
            <div className="flex items-baseline gap-2">
              <Link
                to={getRunPath(log.id)}
                className="min-w-0 flex-1 truncate text-ui outline-hidden after:absolute after:inset-0 focus-visible:after:outline-2 focus-visible:after:-outline-offset-2 focus-visible:after:outline-ring"
              >
                {showsAgentName ? (
                  <span className="font-semibold">{log.agent?.name ?? 'Unknown Agent'}</span>
                ) : (
                  truncateInput(log.input, inputPreviewLength) || 'A run'
                )}
              </Link>
              <ShortTime value={log.created_at} className="shrink-0 text-small text-muted-foreground tabular-nums" />
            </div>
            {showsAgentName && (
              <p className="mt-0.5 line-clamp-2 text-small wrap-break-word">
                {truncateInput(log.input, inputPreviewLength)}
              </p>
            )}
            <div className="mt-1 flex items-center gap-2.5 text-small text-muted-foreground tabular-nums">
              <RunStatusBadge status={log.status} />
              <span className="whitespace-nowrap">{formatDuration(log.execution_time_ms)}</span>
              <span className="truncate font-mono text-[0.71875rem]">{log.model}</span>
            </div>
          </div>
        </li>
      ))}
    </ul>
  )
}
