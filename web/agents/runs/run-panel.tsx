import { Columns2, Network } from 'lucide-react'
import { useState } from 'react'
import type { RunDetail, RunSpan } from '#contract/agents/runs.ts'
import { LinkButton } from '#web/ui/controls/link-button.tsx'
import { classNames } from '#web/ui/hooks/class-names.ts'
import { Card } from '#web/ui/panels/card.tsx'
import { ErrorPanel } from '#web/ui/panels/error-panel.tsx'
import { Skeleton, SkeletonGroup } from '#web/ui/panels/skeleton.tsx'
import { getRunBoardPath } from '../agent-addresses.ts'
import { useRunDetail } from '../agent-queries.ts'
import { getReasonText } from './reason-text.ts'
import { RunAgain } from './run-again.tsx'
import { LiveRun } from './run-answer.tsx'
import { RunDetails } from './run-details.tsx'
import { getFailureText } from './run-texts.ts'
import { SpanDetail } from './span-detail.tsx'
import { SpanWaterfall } from './span-waterfall.tsx'
import { getSpans, isOwnRun, useElapsed, useLiveRun } from './use-live-run.ts'

export interface RunPanelProps {
  runId: string
  comparePath: string
  onRunAgain: (newRunId: string) => void
}

export function RunPanel({ runId, comparePath, onRunAgain }: RunPanelProps) {
  const query = useRunDetail(runId)
  const { data: run, error, isPending, isFetching, refetch } = query
  const { view, stop } = useLiveRun(query)
  if (isPending) return <PanelSkeleton />
  if (!run) {
    return (
      <ErrorPanel
        title={`Error loading logs: ${getReasonText(error, 'Failed to load logs')}`}
        onRetry={() => refetch()}
        retrying={isFetching}
        reason={error}
      />
    )
  }
  const running = run.status === 'running'
  return (
    <Card padded={false} className="overflow-hidden">
      <RunDetails run={run} />
      {!running && (
        <div data-chrome className="flex flex-wrap items-center gap-2 border-b border-border px-[18px] py-2">
          {isOwnRun(run) && <RunAgain run={run} onStarted={onRunAgain} />}
          <LinkButton to={comparePath} size="small" icon={<Columns2 aria-hidden size={13} />}>
            Compare with another run
          </LinkButton>
          {usesSeveralAgents(run) && <OpenAsBoard runId={run.id} />}
        </div>
      )}
      {running && usesSeveralAgents(run) && (
        <div data-chrome className="border-b border-border px-[18px] py-2">
          <OpenAsBoard runId={run.id} />
        </div>
      )}
      {!isOwnRun(run) && (
        <p className="border-b border-border bg-secondary px-[18px] py-2.5 text-ui">{hiddenTextNotice}</p>
      )}
      {running && view && <LiveRun view={view} agentSlug={run.agent?.slug} onStop={stop} />}
      {!running && run.status !== 'success' && (
        <p
          className={classNames(
            'border-b border-border px-[18px] py-2.5 text-ui wrap-break-word',
            run.status === 'stopped' ? 'bg-secondary' : 'bg-destructive-soft',
          )}
        >
          {getFailureText(run.status, run.error)}
        </p>
      )}
      <RunSteps run={run} liveSpans={view?.spans ?? []} />
    </Card>
  )
}

function usesSeveralAgents({ agent, spans }: RunDetail): boolean {
  const isAgent = ({ kind, parent_id }: RunSpan) => parent_id !== null && (kind === 'agent' || kind === 'coordinator')
  return agent?.agent_class === 'Coordinator' || spans.some(isAgent)
}

function OpenAsBoard({ runId }: { runId: string }) {
  return (
    <LinkButton to={getRunBoardPath(runId)} size="small" icon={<Network aria-hidden size={13} />}>
      Open as board
    </LinkButton>
  )
}

/** Prompts and answers are private to the person who ran them. */
const hiddenTextNotice = 'Someone else started this run. You can see its steps and cost, but not its text.'

function RunSteps({ run, liveSpans }: { run: RunDetail; liveSpans: RunSpan[] }) {
  const [chosen, setChosen] = useState<string>()
  const spans = getSpans(run, liveSpans)
  const span = spans.find((candidate) => candidate.id === chosen) ?? spans[0]
  const endMs = useElapsed(run)
  if (!span) {
    return (
      <p className="px-[18px] py-4 text-ui text-muted-foreground">
        {run.status === 'running' ? 'No step has started yet.' : 'This run has no steps.'}
      </p>
    )
  }
  return (
    <>
      <SpanWaterfall spans={spans} tools={run.tools} endMs={endMs} chosen={span.id} onChoose={setChosen} />
      <SpanDetail key={span.id} span={span} run={run} spans={spans} />
    </>
  )
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
