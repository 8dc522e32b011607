import { useEffect, useState } from 'react'
import type { RunDetail } from '#contract/agents/runs.ts'
import { ApiError } from '#web/api.ts'
import { Card } from '#web/ui/card.tsx'
import { classNames } from '#web/ui/class-names.ts'
import { ErrorPanel } from '#web/ui/error-panel.tsx'
import { Skeleton, SkeletonGroup } from '#web/ui/skeleton.tsx'
import { useRunDetail } from '../agent-queries.ts'
import { LiveRun } from './live-run.tsx'
import { RunFacts } from './run-facts.tsx'
import { whatFailed } from './run-words.ts'
import { SpanDetail } from './span-detail.tsx'
import { SpanWaterfall } from './span-waterfall.tsx'

/** One run: its facts, its steps on one axis, and the chosen step. While it goes on, its answer as it comes. */
export function RunPanel({ runId }: { runId: string }) {
  const { data: run, error, isPending, isFetching, refetch } = useRunDetail(runId)
  if (isPending) return <PanelSkeleton />
  if (!run) {
    return (
      <ErrorPanel
        title={`Error loading logs: ${error.message}`}
        onRetry={() => refetch()}
        retrying={isFetching}
        requestId={error instanceof ApiError ? error.requestId : undefined}
      />
    )
  }
  return (
    <Card padded={false} className="overflow-hidden">
      <RunFacts run={run} />
      {run.status === 'running' && <LiveRun runId={runId} />}
      {run.status !== 'running' && run.status !== 'success' && (
        <p
          className={classNames(
            'border-b border-border px-[18px] py-2.5 text-ui wrap-break-word',
            run.status === 'stopped' ? 'bg-secondary' : 'bg-destructive-soft',
          )}
        >
          {whatFailed(run.status, run.error)}
        </p>
      )}
      <Steps run={run} />
    </Card>
  )
}

function Steps({ run }: { run: RunDetail }) {
  const [chosen, setChosen] = useState<string>()
  const span = run.spans.find((each) => each.id === chosen) ?? run.spans[0]
  const endMs = useEndMs(run)
  if (!span) {
    return (
      <p className="px-[18px] py-4 text-ui text-muted-foreground">
        {run.status === 'running' ? 'No step is over yet.' : 'This run has no steps.'}
      </p>
    )
  }
  return (
    <>
      <SpanWaterfall spans={run.spans} endMs={endMs} chosen={span.id} onChoose={setChosen} />
      <SpanDetail key={span.id} span={span} run={run} />
    </>
  )
}

/** While a run goes on, its axis grows with it. */
function useEndMs({ status, created_at, execution_time_ms }: RunDetail): number {
  const [now, setNow] = useState(Date.now)
  const running = status === 'running'
  useEffect(() => {
    if (!running) return
    const timer = setInterval(() => setNow(Date.now()), 500)
    return () => clearInterval(timer)
  }, [running])
  return running ? Math.max(now - Date.parse(created_at), 0) : (execution_time_ms ?? 0)
}

function PanelSkeleton() {
  return (
    <SkeletonGroup label="Loading the run" className="flex flex-col gap-4 rounded-lg border border-border bg-card p-5">
      <div className="flex gap-4">
        <Skeleton className="size-9 rounded-full" />
        <Skeleton className="h-9 w-1/3" />
      </div>
      <Skeleton className="h-28" />
      <Skeleton className="h-40" />
    </SkeletonGroup>
  )
}
