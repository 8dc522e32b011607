import { ChevronLeft, ChevronRight } from 'lucide-react'
import type { AgentLog } from '#contract/agents/runs.ts'
import { IconButton } from '#web/ui/controls/icon-button.tsx'
import { Card } from '#web/ui/panels/card.tsx'
import { LogRow } from './log-row.tsx'

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
        <span className="tabular-nums">
          {total.toLocaleString('en-US')} {total === 1 ? 'run' : 'runs'}
        </span>
        {pages > 1 && (
          <nav aria-label="Pages" className="ms-auto flex items-center gap-2">
            <span aria-live="polite" className="tabular-nums">
              Page {page} of {pages}
            </span>
            <IconButton
              label="Previous"
              size="small"
              outlined
              disabled={page <= 1}
              onClick={() => onPageChange(page - 1)}
              className="disabled:border-dashed disabled:bg-muted"
            >
              <ChevronLeft aria-hidden size={14} />
            </IconButton>
            <IconButton
              label="Next"
              size="small"
              outlined
              disabled={page >= pages}
              onClick={() => onPageChange(page + 1)}
              className="disabled:border-dashed disabled:bg-muted"
            >
              <ChevronRight aria-hidden size={14} />
            </IconButton>
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
