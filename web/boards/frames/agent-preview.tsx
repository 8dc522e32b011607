import { Play, Square, UserRoundCog } from 'lucide-react'
import { useEffect, useState } from 'react'
import { Link } from 'react-router'
import type { Agent } from '#contract/agents/agents.ts'
import type { RunDetail, RunSpan } from '#contract/agents/runs.ts'
import { readContent } from '#contract/boards/frame-content.ts'
import { createMockAnswer } from '#contract/samples/sample-agents.ts'
import { getWorkspacePath } from '#web/agents/agent-addresses.ts'
import { useRunDetail } from '#web/agents/agent-queries.ts'
import { AgentSeal } from '#web/agents/agent-seal.tsx'
import { getAnswerText } from '#web/agents/runs/log-texts.ts'
import { RunAnswer } from '#web/agents/runs/run-answer.tsx'
import { useRun } from '#web/agents/runs/run-store.ts'
import { formatDuration, formatRunCost } from '#web/agents/runs/run-texts.ts'
import { createRunView, type RunView } from '#web/agents/runs/run-view.ts'
import { SpanWaterfall } from '#web/agents/runs/span-waterfall.tsx'
import { isOwnRun, useRefetchFinishedRun } from '#web/agents/runs/use-live-run.ts'
import { Button } from '#web/ui/controls/button.tsx'
import { IconButton } from '#web/ui/controls/icon-button.tsx'
import { Seal } from '#web/ui/drawings/seal.tsx'
import { sendOnKey } from '#web/ui/fields/field-keys.ts'
import { SkeletonRows } from '#web/ui/panels/skeleton.tsx'
import type { FrameBodyProps } from './frame-bodies.ts'
import { FrameStats } from './frame-parts.tsx'
import { FrameProblem, isUnavailable } from './frame-query.tsx'
import { WithAgent } from './with-agent.tsx'

const sampleSteps = [
  { name: 'Read two memory cards', from: 0, width: 18, time: '120 ms' },
  { name: 'Ask the model', from: 18, width: 74, time: '1.42 s' },
]

function SampleRun({ name }: { name: string }) {
  return (
    <div className="flex flex-col gap-2.5 px-3.5 py-3">
      <div className="flex items-center gap-2.5">
        <Seal name={name} kind="Standard" size={28} className="shrink-0" />
        <p dir="auto" className="truncate font-serif text-[1rem] leading-5 font-medium">
          {name}
        </p>
      </div>
      <p className="font-serif text-[1rem] leading-[1.4375rem]">
        Two things are open: the letter to Ida, and the lamp.
      </p>
      <ol className="border-t border-hairline pt-2">
        {sampleSteps.map((step) => (
          <li key={step.name} className="grid grid-cols-[minmax(0,1fr)_64px_60px] items-center gap-2 py-1 text-small">
            <span className="truncate">{step.name}</span>
            <span aria-hidden className="relative h-2 rounded-xs bg-muted">
              <span
                className="absolute inset-y-0 rounded-xs bg-chart1"
                style={{ left: `${step.from}%`, width: `${step.width}%` }}
              />
            </span>
            <span className="text-end text-muted-foreground tabular-nums">{step.time}</span>
          </li>
        ))}
      </ol>
      <p className="text-small text-muted-foreground">This is a sample. Nothing is run.</p>
    </div>
  )
}

export function AgentPreview(props: FrameBodyProps) {
  const { frame, context, changeContent } = props
  const content = readContent('agent_preview', frame.data.content)
  if (context.mode === 'sample') return <SampleRun name={frame.data.name} />
  return (
    <WithAgent
      {...props}
      chosenId={content.agentId}
      question="Which agent should run here?"
      backLabel="Keep this agent"
      onChoose={(agentId) => changeContent({ agentId, runId: null })}
    >
      {(agent, chooseAnother) => (
        <AgentRunner
          key={agent.id}
          agent={agent}
          content={content}
          canChange={context.mode === 'edit'}
          onChange={(changes, gesture) => changeContent(changes, gesture && `${gesture}/${frame.id}`)}
          onChooseAnother={chooseAnother}
        />
      )}
    </WithAgent>
  )
}

interface AgentRunnerProps {
  agent: Agent
  content: { input: string; runId: string | null }
  canChange: boolean
  onChange: (changes: Record<string, unknown>, gesture?: string) => void
  onChooseAnother: (() => void) | undefined
}

function AgentRunner({ agent, content, canChange, onChange, onChooseAnother }: AgentRunnerProps) {
  const { view, start, stop } = useRun()
  const [typedInput, setTypedInput] = useState<string>()
  const input = (canChange ? content.input : typedInput) ?? content.input
  const isRunning = view?.status === 'running'
  // A run that failed to start has no ID; the previous run must not be shown instead.
  const visibleRunId = (view ? view.runId : content.runId) ?? undefined
  const startedRunId = view?.runId
  useRefetchFinishedRun(view)
  // Once per run, so that a later undo isn't reverted.
  // biome-ignore lint/correctness/useExhaustiveDependencies: see above
  useEffect(() => {
    if (canChange && startedRunId && startedRunId !== content.runId) onChange({ runId: startedRunId })
  }, [startedRunId])

  const disabledReason = getDisabledReason(agent)
  const trimmedInput = input.trim()
  const canRun = !disabledReason && trimmedInput !== '' && !isRunning
  const run = () => {
    if (canRun) void start({ agentId: agent.id, input: trimmedInput }, () => createMockAnswer(agent, trimmedInput))
  }

  return (
    <div className="flex min-h-full flex-col px-3.5 py-3">
      <div className="flex items-center gap-2.5">
        <AgentSeal agent={agent} size={28} className="shrink-0" />
        <div className="min-w-0 grow">
          <Link
            dir="auto"
            to={getWorkspacePath(agent.slug)}
            className="block truncate rounded-xs font-serif text-[1rem] leading-5 font-medium hover:underline"
          >
            {agent.name}
          </Link>
          <p dir="auto" className="truncate text-small text-muted-foreground">
            {agent.purpose}
          </p>
        </div>
        {onChooseAnother && (
          <IconButton label="Choose another agent" size="small" onClick={onChooseAnother}>
            <UserRoundCog aria-hidden size={14} />
          </IconButton>
        )}
      </div>
      <div className="mt-2.5 flex items-end gap-1.5">
        <textarea
          dir="auto"
          aria-label={`Input for ${agent.name}`}
          placeholder="What should it work on?"
          rows={1}
          maxLength={4000}
          value={input}
          onChange={({ currentTarget: { value } }) =>
            canChange ? onChange({ input: value }, 'input') : setTypedInput(value)
          }
          onKeyDown={sendOnKey(run)}
          className="field-sizing-content max-h-28 min-h-9 min-w-0 grow resize-none rounded-md border border-input bg-card px-2.5 py-1.5 text-body outline-none focus-visible:border-ring focus-visible:shadow-halo phone:text-lead"
        />
        {isRunning ? (
          <Button busy={view.stopping} onClick={stop} icon={<Square aria-hidden size={12} />}>
            Stop
          </Button>
        ) : (
          <Button variant="primary" disabled={!canRun} onClick={run} icon={<Play aria-hidden size={13} />}>
            Run
          </Button>
        )}
      </div>
      {disabledReason && <p className="mt-1 text-small text-muted-foreground">{disabledReason}</p>}
      {visibleRunId && (
        <RunOutcomeView
          key={visibleRunId}
          runId={visibleRunId}
          view={view}
          agent={agent}
          onFollow={() => void start({ runId: visibleRunId })}
          onTryAgain={view && canRun ? run : undefined}
        />
      )}
      {!visibleRunId && view && <RunAnswer view={view} agentSlug={agent.slug} onTryAgain={run} className="mt-3" />}
      {!visibleRunId && !view && (
        <p className="mt-3 text-small text-muted-foreground">The answer and its steps appear here.</p>
      )}
    </div>
  )
}

function getDisabledReason({ status, may }: Agent): string | undefined {
  if (status !== 'ready') return 'This agent isn’t ready yet.'
  return may.run ? undefined : 'You don’t have permission to run this agent.'
}

interface RunOutcomeViewProps {
  runId: string
  view: RunView | undefined
  agent: Agent
  onFollow: () => void
  onTryAgain: (() => void) | undefined
}

function RunOutcomeView({ runId, view, agent, onFollow, onTryAgain }: RunOutcomeViewProps) {
  const { data: run, error, isFetching, refetch } = useRunDetail(runId)
  const isFollowed = view?.runId === runId
  const isRunning = run?.status === 'running' && isOwnRun(run)
  // The run was started in another tab, or before this frame was unmounted.
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs once per run
  useEffect(() => {
    if (isRunning && !view) onFollow()
  }, [isRunning])

  if (!isFollowed && isUnavailable(error)) {
    return (
      <p className="mt-3 text-small text-muted-foreground">The last run was deleted, or it belongs to someone else.</p>
    )
  }
  if (!isFollowed && !run) {
    return error ? (
      <FrameProblem reason={error} onRetry={refetch} retrying={isFetching} />
    ) : (
      <SkeletonRows label="Loading the run" rowClassName="h-10" className="mt-3" />
    )
  }
  const visibleView = isFollowed && view ? view : run && toFrameRunView(run)
  if (!visibleView) return null
  return (
    <>
      <RunAnswer view={visibleView} agentSlug={agent.slug} onTryAgain={onTryAgain} className="mt-3" />
      <RunTrace view={visibleView} run={run?.id === runId && run.status !== 'running' ? run : undefined} />
    </>
  )
}

interface RunTraceProps {
  view: RunView
  /** Set once finished; includes the usage of each step. */
  run: RunDetail | undefined
}

/** The steps of a run, with details of the chosen one. */
function RunTrace({ view, run }: RunTraceProps) {
  const spans = run?.spans ?? view.spans
  const usage = run?.usage ?? view.usage
  const durationMs = run?.execution_time_ms ?? view.ms
  const [chosenId, setChosenId] = useState<string>()
  const [firstSpan] = spans
  if (!firstSpan) return null
  const chosenSpan = spans.find(({ id }) => id === chosenId)
  const endMs = durationMs ?? Math.max(0, ...spans.map((span) => span.ended_ms ?? span.started_ms))
  const tokens = usage && usage.input_tokens + usage.output_tokens
  return (
    <section aria-label="Trace" className="mt-3 border-t border-hairline pt-2.5">
      <FrameStats
        className="mb-1.5"
        stats={[
          ['time', formatDuration(durationMs)],
          [usage?.estimated ? 'tokens (approx.)' : 'tokens', tokens ?? '–'],
          ['cost', formatRunCost(usage?.cost_usd)],
        ]}
      />
      <SpanWaterfall
        compact
        spans={spans}
        tools={view.tools}
        endMs={endMs}
        chosenId={chosenId ?? firstSpan.id}
        onChoose={setChosenId}
      />
      {chosenSpan && <SpanUsage span={chosenSpan} />}
    </section>
  )
}

function SpanUsage({ span: { kind, model, usage, failure } }: { span: RunSpan }) {
  const details = [
    kind,
    model,
    usage &&
      `in ${usage.input_tokens.toLocaleString('en-US')}, out ${usage.output_tokens.toLocaleString('en-US')} tokens`,
    usage && `cost ${formatRunCost(usage.cost_usd)}`,
  ].filter(Boolean)
  return (
    <p className="pt-1 text-small text-muted-foreground tabular-nums">
      {details.join(' · ')}
      {failure && <span className="block text-destructive">{failure}</span>}
    </p>
  )
}

/** Converts a stored run to the view of a streamed one. */
function toFrameRunView(run: RunDetail): RunView {
  const { status, mock_mode, model, usage, tools, sources, spans, execution_time_ms, error } = run
  return {
    ...createRunView(run.id),
    status,
    text: getAnswerText(run) ?? '',
    mock: mock_mode,
    model,
    usage,
    tools,
    sources,
    spans,
    ms: execution_time_ms ?? undefined,
    reason: error ?? undefined,
  }
}
