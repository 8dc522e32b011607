import { useMutation, useQueryClient } from '@tanstack/react-query'
import { ArrowLeft, LayoutDashboard, ListTree, Pause, Play, Square, StepBack, StepForward } from 'lucide-react'
import { useMemo, useRef } from 'react'
import { useNavigate } from 'react-router'
import type { RunDetail } from '#contract/agents/runs.ts'
import { sumUsage } from '#contract/agents/sum-usage.ts'
import { getRunPath, logsPath } from '#web/agents/agent-addresses.ts'
import { useAgentList, useRunDetail } from '#web/agents/agent-queries.ts'
import { getReasonText } from '#web/agents/runs/reason-text.ts'
import { MockBadge, RunStatusBadge } from '#web/agents/runs/run-status-badge.tsx'
import { formatDuration, formatRunCost, getRunFailureText } from '#web/agents/runs/run-texts.ts'
import { getSpans, isOwnRun, useElapsedMs, useLiveRun } from '#web/agents/runs/use-live-run.ts'
import { isNotFound } from '#web/api/api.ts'
import { createClientId } from '#web/offline/create-client-id.ts'
import { QueryError } from '#web/queries/query-error.tsx'
import { Button } from '#web/ui/controls/button.tsx'
import { IconButton } from '#web/ui/controls/icon-button.tsx'
import { LinkButton } from '#web/ui/controls/link-button.tsx'
import { SegmentedControl } from '#web/ui/controls/segmented-control.tsx'
import { RangeField } from '#web/ui/fields/range-field.tsx'
import { useViewportClass } from '#web/ui/hooks/use-viewport-class.ts'
import { MessageDialog } from '#web/ui/overlays/confirm-dialog.tsx'
import { EmptyPanel } from '#web/ui/panels/empty-panel.tsx'
import { lazyComponent } from '#web/ui/panels/lazy-component.tsx'
import { Skeleton, SkeletonGroup } from '#web/ui/panels/skeleton.tsx'
import { cacheBoard } from '../../board-queries.ts'
import { RunAgentFrame, RunSnapshots } from './run-agent-frame.tsx'
import type { RunAgent, RunAgentSnapshot } from './run-agents.ts'
import { buildRunAgents, getRunAgentSnapshot } from './run-agents.ts'
import { saveRunAsBoard } from './save-run-as-board.ts'
import { type Replay, type ReplaySpeed, replaySpeeds, useReplay } from './use-replay.ts'

const speedOptions = replaySpeeds.map((speed) => ({ value: String(speed), label: `${speed}×` }))

const maxSliderSteps = 200

function ReplayBar({ replay, endMs }: { replay: Replay; endMs: number }) {
  const { ms, isPlaying, speed, setSpeed, goTo, toggle, stepBack, stepForward } = replay
  return (
    <div className="flex flex-wrap items-center gap-x-3 gap-y-1 border-t border-border bg-card px-4 py-2" data-chrome>
      <div className="flex items-center gap-0.5">
        <IconButton label="Previous step" disabled={!stepBack} onClick={stepBack}>
          <StepBack aria-hidden size={15} />
        </IconButton>
        <IconButton label={isPlaying ? 'Pause' : 'Play'} outlined onClick={toggle}>
          {isPlaying ? <Pause aria-hidden size={15} /> : <Play aria-hidden size={15} />}
        </IconButton>
        <IconButton label="Next step" disabled={!stepForward} onClick={stepForward}>
          <StepForward aria-hidden size={15} />
        </IconButton>
      </div>
      <RangeField
        label="Position in the run"
        labelHidden
        className="min-w-[min(10rem,100%)] flex-1"
        value={Math.round(ms)}
        min={0}
        max={Math.max(1, Math.round(endMs))}
        step={Math.max(1, Math.round(endMs / maxSliderSteps))}
        format={formatDuration}
        onNumberChange={goTo}
      />
      <span className="text-small text-muted-foreground tabular-nums">
        {formatDuration(ms)} of {formatDuration(endMs)}
      </span>
      <SegmentedControl
        label="Speed"
        options={speedOptions}
        value={String(speed)}
        onValueChange={(value) => setSpeed(Number(value) as ReplaySpeed)}
      />
    </div>
  )
}

/** Agents as they are now while the run is in progress, and at the replay position once it has finished. */
function useRunBoard(runId: string) {
  const query = useRunDetail(runId)
  const run = query.data
  const { view, stop } = useLiveRun(query)
  const isRunning = run?.status === 'running'
  const elapsedMs = useElapsedMs(run)
  const liveSpans = view?.spans
  const spans = useMemo(() => (run ? getSpans(run, liveSpans) : []), [run, liveSpans])
  const agents = useMemo(() => buildRunAgents(spans), [spans])
  const lastSpanMs = Math.max(0, ...spans.map(({ started_ms, ended_ms }) => ended_ms ?? started_ms))
  const endMs = Math.max(lastSpanMs, elapsedMs)
  const replay = useReplay(agents, endMs)
  const atMs = isRunning ? endMs : replay.ms

  const snapshots = useMemo(() => {
    const getStreamedText = ({ id, callerId }: RunAgent) => {
      if (!isRunning) return undefined
      return callerId === null ? view?.text : view?.spanTexts[id]
    }
    return new Map<string, RunAgentSnapshot>(
      agents.map((agent) => [agent.id, getRunAgentSnapshot(agent, atMs, getStreamedText(agent))]),
    )
  }, [agents, atMs, isRunning, view?.text, view?.spanTexts])

  return { query, run, isRunning, view, stop, agents, snapshots, atMs, endMs, replay }
}

const RunCanvas = lazyComponent(
  async () => (await import('./run-canvas.tsx')).RunCanvas,
  <Skeleton className="m-6 h-80" />,
)
const studioPath = '/studio/board-studio'

export function RunBoard({ runId }: { runId: string }) {
  const { query, run, isRunning, stop, view, agents, snapshots, atMs, endMs, replay } = useRunBoard(runId)
  const isPhone = useViewportClass() === 'phone'
  if (query.isPending) {
    return (
      <SkeletonGroup label="Loading the run" className="flex flex-1 flex-col gap-4 p-6">
        <Skeleton className="h-12" />
        <Skeleton className="h-80" />
      </SkeletonGroup>
    )
  }
  if (!run) return <RunUnavailable query={query} />
  const hasHiddenContent = !isOwnRun(run)
  const isAtEnd = isRunning || replay.ms >= endMs
  return (
    <RunSnapshots value={snapshots}>
      <div className="flex min-h-0 min-w-0 flex-1 flex-col">
        <RunBar
          run={run}
          agents={agents}
          snapshots={snapshots}
          ms={atMs}
          isStopping={view?.stopping ?? false}
          {...(isRunning && !hasHiddenContent && { onStop: stop })}
        />
        {isAtEnd && !isRunning && run.status !== 'success' && (
          <p role="status" className="border-b border-border bg-destructive-soft px-4 py-2 text-ui wrap-anywhere">
            {getRunFailureText(run.status, run.error)}
          </p>
        )}
        {hasHiddenContent && (
          <p className="border-b border-border bg-secondary px-4 py-2 text-ui">
            Someone else started this run. You can see its steps and cost, but not its text.
          </p>
        )}
        <div className="min-h-0 flex-1">
          {agents.length === 0 && (
            <p className="p-6 text-ui text-muted-foreground">
              {isRunning ? 'No agent has started yet.' : 'This run has no steps.'}
            </p>
          )}
          {agents.length > 0 && isPhone && <AgentList agents={agents} hasHiddenContent={hasHiddenContent} />}
          {agents.length > 0 && !isPhone && (
            <RunCanvas agents={agents} snapshots={snapshots} hasHiddenContent={hasHiddenContent} />
          )}
        </div>
        {!isRunning && agents.length > 0 && <ReplayBar replay={replay} endMs={endMs} />}
      </div>
    </RunSnapshots>
  )
}

/** Both in pixels. */
const minAgentHeight = 190
const indentWidth = 14
const maxIndentedDepth = 4
const getIndent = (depth: number) => Math.max(0, Math.min(depth, maxIndentedDepth) - 1) * indentWidth

function AgentList({ agents, hasHiddenContent }: { agents: readonly RunAgent[]; hasHiddenContent: boolean }) {
  return (
    <ol aria-label="Agents of the run" className="flex h-full flex-col gap-3 overflow-y-auto p-3">
      {sortByCaller(agents).map((agent) => (
        <li
          key={agent.id}
          className={agent.depth > 0 ? 'border-s-2 border-border ps-3' : undefined}
          style={{ marginInlineStart: getIndent(agent.depth), minHeight: minAgentHeight }}
        >
          <RunAgentFrame agent={agent} hasHiddenContent={hasHiddenContent} />
        </li>
      ))}
    </ol>
  )
}

function sortByCaller(agents: readonly RunAgent[]): RunAgent[] {
  const flatten = (agent: RunAgent): RunAgent[] => [agent, ...agent.calls.flatMap(flatten)]
  return agents.filter(({ callerId }) => callerId === null).flatMap(flatten)
}

interface RunBarProps {
  run: RunDetail
  agents: readonly RunAgent[]
  snapshots: ReadonlyMap<string, RunAgentSnapshot>
  ms: number
  isStopping: boolean
  onStop?: () => void
}

function RunBar({ run, agents, snapshots, ms, isStopping, onStop }: RunBarProps) {
  const usage = sumUsage([...snapshots.values()].map(({ usage }) => usage))
  return (
    <header
      data-chrome
      className="flex flex-wrap items-center gap-x-4 gap-y-2 border-b border-border bg-card px-4 py-2.5"
    >
      <div className="flex min-w-0 flex-1 basis-52 flex-wrap items-center gap-x-2.5 gap-y-1">
        <h2 className="min-w-0 truncate font-sans text-body font-semibold tracking-normal">
          Run of {run.agent?.name ?? 'an unknown agent'}
        </h2>
        <RunStatusBadge status={run.status} />
        {run.mock_mode && <MockBadge />}
      </div>
      <dl aria-label="Totals for all agents" className="flex flex-wrap gap-x-4 text-small tabular-nums">
        <RunMetric label="agents" value={String(agents.length)} />
        <RunMetric
          label={usage.estimated ? 'tokens (approx.)' : 'tokens'}
          value={(usage.input_tokens + usage.output_tokens).toLocaleString('en-US')}
        />
        <RunMetric label="cost" value={formatRunCost(usage.cost_usd)} />
        <RunMetric label="time" value={formatDuration(ms)} />
      </dl>
      <div className="flex flex-wrap items-center gap-2">
        <LinkButton to={getRunPath(run.id)} size="small" icon={<ListTree aria-hidden size={13} />}>
          Steps
        </LinkButton>
        {onStop ? (
          <Button size="small" busy={isStopping} onClick={onStop} icon={<Square aria-hidden size={12} />}>
            Stop
          </Button>
        ) : (
          isOwnRun(run) && agents.length > 0 && <SaveAsBoardButton run={run} agents={agents} />
        )}
      </div>
    </header>
  )
}

function SaveAsBoardButton({ run, agents }: { run: RunDetail; agents: readonly RunAgent[] }) {
  const queryClient = useQueryClient()
  const navigate = useNavigate()
  const { data } = useAgentList()
  const id = useRef(createClientId())
  const save = useMutation({
    mutationFn: () => saveRunAsBoard(run, agents, data?.source === 'server' ? data.agents : [], id.current),
    onSuccess(board) {
      cacheBoard(queryClient, board)
      void navigate(`${studioPath}?board=${encodeURIComponent(board.id)}`)
    },
  })
  return (
    <>
      <Button
        size="small"
        variant="primary"
        busy={save.isPending || save.isSuccess}
        onClick={() => save.mutate()}
        icon={<LayoutDashboard aria-hidden size={13} />}
      >
        Save as a board
      </Button>
      <MessageDialog
        open={save.isError}
        onOpenChange={(open) => !open && save.reset()}
        message="The run couldn’t be saved as a board."
      >
        {save.error && getReasonText(save.error)}
      </MessageDialog>
    </>
  )
}

function RunMetric({ label, value }: { label: string; value: string }) {
  return (
    <div className="flex items-baseline gap-1.5">
      <dt className="order-last text-muted-foreground">{label}</dt>
      <dd className="font-semibold">{value}</dd>
    </div>
  )
}

function RunUnavailable({ query }: { query: ReturnType<typeof useRunDetail> }) {
  const { error } = query
  return (
    <div className="grid flex-1 place-items-center p-6">
      {isNotFound(error) ? (
        <EmptyPanel
          drawing="path"
          title="Run not found"
          className="w-full max-w-md border-none"
          action={
            <LinkButton to={logsPath} icon={<ArrowLeft aria-hidden size={14} />}>
              All runs
            </LinkButton>
          }
        />
      ) : (
        <QueryError query={query} title={`Error loading the run: ${getReasonText(error, 'Failed to load the run')}`}>
          The run itself isn’t affected.
        </QueryError>
      )}
    </div>
  )
}
