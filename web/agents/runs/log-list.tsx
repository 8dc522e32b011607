import { Check, ChevronDown, ChevronLeft, ChevronRight, Ellipsis, type LucideIcon, X } from 'lucide-react'
import { useId, useState } from 'react'
import { Link } from 'react-router'
import { inputPreviewLength } from '#contract/agents/agent-constants.ts'
import type { AgentLog, RunStatus } from '#contract/agents/runs.ts'
import { IconButton, type IconButtonProps } from '#web/ui/controls/icon-button.tsx'
import { classNames } from '#web/ui/hooks/class-names.ts'
import { Card } from '#web/ui/panels/card.tsx'
import { CodeBlock } from '#web/ui/text/code-block.tsx'
import { pluralize } from '#web/ui/text/pluralize.ts'
import { formatFullTime, getRunUserName, parseOutput, truncateInput } from './log-texts.ts'
import { hiddenText } from './run-texts.ts'
import { ShortTime } from './short-time.tsx'

export interface LogListProps {
  logs: AgentLog[]
  total: number
  page: number
  pages: number
  onPageChange: (page: number) => void
  chosenId: string | undefined
  getRunPath: (runId: string) => string
  getComparePath: (runId: string) => string
}

export function LogList({
  logs,
  total,
  page,
  pages,
  onPageChange,
  chosenId,
  getRunPath,
  getComparePath,
}: LogListProps) {
  return (
    <Card padded={false} className="overflow-hidden">
      <div className="flex min-h-11 items-center gap-2 border-b border-border py-1.5 ps-3.5 pe-2 text-small text-muted-foreground">
        <span className="tabular-nums">{pluralize(total, 'run')}</span>
        {pages > 1 && (
          <nav aria-label="Pages" className="ms-auto flex items-center gap-2">
            <span aria-live="polite" className="tabular-nums">
              Page {page} of {pages}
            </span>
            <PageButton
              label="Previous"
              Icon={ChevronLeft}
              disabled={page <= 1}
              onClick={() => onPageChange(page - 1)}
            />
            <PageButton
              label="Next"
              Icon={ChevronRight}
              disabled={page >= pages}
              onClick={() => onPageChange(page + 1)}
            />
          </nav>
        )}
      </div>
      <ul aria-label="Runs">
        {logs.map((log) => (
          <LogRow
            key={log.id}
            log={log}
            chosen={log.id === chosenId}
            to={getRunPath(log.id)}
            compareTo={chosenId && log.id !== chosenId ? getComparePath(log.id) : undefined}
          />
        ))}
      </ul>
    </Card>
  )
}

function PageButton({
  Icon,
  ...props
}: Pick<IconButtonProps, 'label' | 'disabled' | 'onClick'> & { Icon: LucideIcon }) {
  return (
    <IconButton {...props} size="small" outlined className="disabled:border-dashed disabled:bg-muted">
      <Icon aria-hidden size={14} />
    </IconButton>
  )
}

interface LogRowProps {
  log: AgentLog
  chosen: boolean
  to: string
  /** Link to compare with the chosen run; undefined for that run. */
  compareTo?: string | undefined
}

function LogRow({ log, chosen, to, compareTo }: LogRowProps) {
  const [expanded, setExpanded] = useState(false)
  const panelId = useId()
  const hasFailed = log.status === 'error' || log.status === 'interrupted'
  const quietClass = chosen ? 'text-foreground' : 'text-muted-foreground'
  return (
    <li
      data-item
      data-status={log.status}
      className={classNames(
        'relative border-b border-hairline px-3.5 pt-[9px] pb-2 last:border-b-0',
        hasFailed ? 'bg-[color-mix(in_srgb,var(--k-destructive-soft)_55%,var(--k-card))]' : 'hover:bg-fill-hover',
        // A phone never shows the chosen run next to the list.
        chosen && 'desk:bg-ribbon-soft! desk:inset-shadow-[3px_0_0_var(--k-ribbon)]',
      )}
    >
      <div className="flex items-center gap-2 text-ui">
        <LogStatusMark status={log.status} />
        <Link
          to={to}
          aria-current={chosen || undefined}
          className="min-w-0 flex-1 truncate font-semibold outline-hidden after:absolute after:inset-0 focus-visible:after:outline-2 focus-visible:after:-outline-offset-2 focus-visible:after:outline-ring"
        >
          {log.agent?.name ?? 'Unknown Agent'}
        </Link>
        <ShortTime value={log.created_at} className={`shrink-0 text-small tabular-nums ${quietClass}`} />
      </div>
      <p className="mt-[3px] mb-[5px] line-clamp-2 text-small wrap-break-word">
        {truncateInput(log.input, inputPreviewLength) || <span className={quietClass}>{hiddenText}</span>}
      </p>
      <div className={`flex flex-wrap items-center gap-2 text-small tabular-nums ${quietClass}`}>
        <span className="min-w-0 flex-1 truncate font-mono text-[0.71875rem]">{log.model}</span>
        <span className="shrink-0">
          {log.execution_time_ms === null ? 'running' : `${log.execution_time_ms.toLocaleString('en-US')} ms`}
        </span>
        {compareTo && (
          <Link
            to={compareTo}
            aria-label={`Compare with ${log.agent?.name ?? 'Unknown Agent'}, ${formatFullTime(log.created_at)}`}
            className="relative -my-1 flex min-h-6 shrink-0 items-center rounded-xs px-1.5 font-label text-foreground hover:bg-fill phone:hidden"
          >
            Compare
          </Link>
        )}
        <button
          type="button"
          aria-expanded={expanded}
          aria-controls={panelId}
          onClick={() => setExpanded(!expanded)}
          className="tap-area relative -my-1 -me-1.5 flex min-h-6 shrink-0 items-center gap-0.5 rounded-xs px-1.5 font-label text-foreground hover:bg-fill"
        >
          {expanded ? 'Collapse' : 'Expand'}
          <ChevronDown aria-hidden size={12} className={expanded ? 'rotate-180' : undefined} />
        </button>
      </div>
      <div id={panelId} hidden={!expanded}>
        {expanded && <LogDetails log={log} />}
      </div>
    </li>
  )
}

const failedMark = { Icon: X, classes: 'bg-destructive-soft text-destructive' }
const neutralMark = { Icon: Ellipsis, classes: 'bg-secondary text-muted-foreground' }
const statusMarks: Record<RunStatus, { Icon: LucideIcon; classes: string }> = {
  running: neutralMark,
  success: { Icon: Check, classes: 'bg-success-soft text-success' },
  error: failedMark,
  interrupted: failedMark,
  stopped: neutralMark,
}

function LogStatusMark({ status }: { status: AgentLog['status'] }) {
  const { Icon, classes } = statusMarks[status] ?? neutralMark
  return (
    <span title={status} className={`grid size-4 shrink-0 place-items-center rounded-full ${classes}`}>
      <Icon aria-hidden size={12} strokeWidth={2.6} />
      <span className="sr-only">{status}</span>
    </span>
  )
}

function LogDetails({ log }: { log: AgentLog }) {
  return (
    <dl className="relative mt-2 flex animate-fade flex-col gap-2 border-t border-hairline pt-2 text-small">
      <div>
        <dt className="text-muted-foreground">Input</dt>
        <dd className="max-h-60 overflow-y-auto wrap-break-word whitespace-pre-wrap">{log.input || hiddenText}</dd>
      </div>
      {log.output !== null && (
        <div>
          <dt className="mb-1 text-muted-foreground">Output</dt>
          <dd>
            <CodeBlock label="Output" value={parseOutput(log.output)} />
          </dd>
        </div>
      )}
      {log.error && (
        <div>
          <dt className="text-muted-foreground">Error</dt>
          <dd className="wrap-break-word text-destructive">{log.error}</dd>
        </div>
      )}
      <div>
        <dt className="text-muted-foreground">User</dt>
        <dd dir="auto" className="wrap-break-word">
          {getRunUserName(log.user)}
        </dd>
      </div>
    </dl>
  )
}
