import { Link } from 'react-router'
import { inputPreviewLength } from '#contract/agents/agent-words.ts'
import type { AgentLog } from '#contract/agents/runs.ts'
import { runAddress } from '../agent-addresses.ts'
import { AgentSeal } from '../agent-seal.tsx'
import { shortTime, wholeTime } from './log-times.ts'
import { previewOf } from './log-words.ts'
import { RunStatusBadge } from './run-status-badge.tsx'
import { spokenMs } from './run-words.ts'

export interface RecentRunsProps {
  logs: AgentLog[]
  label: string
  named?: boolean
}

export function RecentRuns({ logs, label, named = false }: RecentRunsProps) {
  return (
    <ul aria-label={label}>
      {logs.map((log) => (
        <li
          data-item
          key={log.id}
          className="relative flex gap-3 border-b border-hairline px-4 py-2.5 last:border-b-0 hover:bg-fill-hover"
        >
          {named && (
            <AgentSeal
              agent={{ name: log.agent?.name ?? '?', agent_class: log.agent?.agent_class ?? 'Standard' }}
              size={26}
              className="mt-0.5 shrink-0"
            />
          )}
          <div className="min-w-0 flex-1">
            <div className="flex items-baseline gap-2">
              <Link
                to={runAddress(log.id)}
                className="min-w-0 flex-1 truncate text-ui outline-hidden after:absolute after:inset-0 focus-visible:after:outline-2 focus-visible:after:-outline-offset-2 focus-visible:after:outline-ring"
              >
                {named ? (
                  <span className="font-semibold">{log.agent?.name ?? 'Unknown Agent'}</span>
                ) : (
                  previewOf(log.input, inputPreviewLength) || 'A run'
                )}
              </Link>
              <time
                dateTime={log.created_at}
                title={wholeTime(log.created_at)}
                className="shrink-0 text-small text-muted-foreground tabular-nums"
              >
                {shortTime(log.created_at)}
              </time>
            </div>
            {named && (
              <p className="mt-0.5 line-clamp-2 text-small wrap-break-word">
                {previewOf(log.input, inputPreviewLength)}
              </p>
            )}
            <div className="mt-1 flex items-center gap-2.5 text-small text-muted-foreground tabular-nums">
              <RunStatusBadge status={log.status} />
              <span className="whitespace-nowrap">{spokenMs(log.execution_time_ms)}</span>
              <span className="truncate font-mono text-[11.5px]">{log.model}</span>
            </div>
          </div>
        </li>
      ))}
    </ul>
  )
}
