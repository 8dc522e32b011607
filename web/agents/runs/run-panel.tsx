import { Columns2, Network } from 'lucide-react'
import { useState } from 'react'
import type { RunDetail, RunSpan } from '#contract/agents/runs.ts'
import { QueryState } from '#web/queries/query-error.tsx'
import { LinkButton } from '#web/ui/controls/link-button.tsx'
import { classNames } from '#web/ui/hooks/class-names.ts'
import { Card } from '#web/ui/panels/card.tsx'
import { SkeletonRows } from '#web/ui/panels/skeleton.tsx'
import { getRunBoardPath } from '../agent-addresses.ts'
import { useRunDetail } from '../agent-queries.ts'
import { getReasonText } from './reason-text.ts'
import { RunAgain } from './run-again.tsx'
import { LiveRun } from './run-answer.tsx'
import { RunDetails } from './run-details.tsx'
import { getRunFailureText } from './run-texts.ts'
import { SpanDetail } from './span-detail.tsx'
import { SpanWaterfall } from './span-waterfall.tsx'
import { getSpans, isOwnRun, useElapsedMs, useLiveRun } from './use-live-run.ts'

export interface RunPanelProps {
  runId: string
  comparePath: string
  onRunAgain: (newRunId: string) => void
}

export function RunPanel({ runId, comparePath, onRunAgain }: RunPanelProps) {
  const query = useRunDetail(runId)
  const { data: run } = query
  const { view, stop } = useLiveRun(query)
  if (!run)
    return (
      <QueryState
        query={query}
        skeleton={<PanelSkeleton />}
        title={(reason) => `Error loading logs: ${getReasonText(reason, 'Failed to load logs')}`}
      />
    )
  const running = run.status === 'running'
  return (
    <Card padded={false} className="overflow-hidden">
      <RunDetails run={run} />
      {(!running || usesSeveralAgents(run)) && (
        <div data-chrome className="flex flex-wrap items-center gap-2 border-b border-border px-[18px] py-2">
          {!running && isOwnRun(run) && <RunAgain run={run} onStarted={onRunAgain} />}
          {!running && (
            <LinkButton to={comparePath} size="small" icon={<Columns2 aria-hidden size={13} />}>
              Compare with another run
            </LinkButton>
          )}
          {usesSeveralAgents(run) && (
            <LinkButton to={getRunBoardPath(run.id)} size="small" icon={<Network aria-hidden size={13} />}>
              Open as board
            </LinkButton>
          )}
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
          {getRunFailureText(run.status, run.error)}
        </p>
      )}
      <RunSteps run={run} liveSpans={view?.spans} opensFirstStep />
    </Card>
  )
}

function usesSeveralAgents({ agent, spans }: RunDetail): boolean {
  const isAgent = ({ kind, parent_id }: RunSpan) => parent_id !== null && (kind === 'agent' || kind === 'coordinator')
  return agent?.agent_class === 'Coordinator' || spans.some(isAgent)
}

/** Prompts and answers are private to the person who ran them. */
const hiddenTextNotice = 'Someone else started this run. You can see its steps and cost, but not its text.'

interface RunStepsProps {
  run: RunDetail
  liveSpans: RunSpan[] | undefined
  /** End of the time axis, in ms after the run's start; by default the time the run has taken so far. */
  endMs?: number
  opensFirstStep?: boolean
}

export function RunSteps({ run, liveSpans, endMs, opensFirstStep = false }: RunStepsProps) {
  const [chosenId, setChosenId] = useState<string>()
  const elapsedMs = useElapsedMs(run)
  const spans = getSpans(run, liveSpans)
  const [firstSpan] = spans
  if (!firstSpan)
    return (
      <p className="px-[18px] py-4 text-ui text-muted-foreground">
        {run.status === 'running' ? 'No step has started yet.' : 'This run has no steps.'}
      </p>
    )
  const span = spans.find(({ id }) => id === chosenId) ?? (opensFirstStep ? firstSpan : undefined)
  return (
    <>
      <SpanWaterfall
        spans={spans}
        tools={run.tools}
        endMs={endMs ?? elapsedMs}
        chosenId={span?.id ?? firstSpan.id}
        onChoose={setChosenId}
      />
      {span && <SpanDetail key={span.id} span={span} run={run} spans={spans} />}
    </>
  )
}

function PanelSkeleton() {
  return (
    <SkeletonRows
      label="Loading the run"
      count={3}
      rowClassName="h-28"
      className="flex flex-col gap-4 rounded-lg border border-border bg-card p-5"
    />
  )
}
