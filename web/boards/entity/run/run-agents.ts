import type { RunSpan, Usage } from '#contract/agents/runs.ts'
import { sumUsage } from '#contract/agents/sum-usage.ts'
import { pluralize } from '#web/ui/text/pluralize.ts'

/** The agent that was run, or one that another agent of the run called. */
export interface RunAgent {
  /** The ID of its span. */
  id: string
  callerId: string | null
  depth: number
  span: RunSpan
  /** Without the steps of the agents it called. */
  steps: RunSpan[]
  calls: RunAgent[]
}

const runAgentStates = ['waiting', 'running', 'done', 'failed'] as const
export type RunAgentState = (typeof runAgentStates)[number]

export interface RunAgentSnapshot {
  state: RunAgentState
  /** For people, e.g. "Calling search". */
  activity: string
  model: string | null
  /** Usage of the agent's own requests so far. */
  usage: Usage
  /** 0 before its start. */
  elapsedMs: number
  output: string
}

const isAgent = ({ kind }: RunSpan) => kind === 'agent' || kind === 'coordinator'

/** Callers come before the agents they call, in order of start. Every step is assigned to exactly one agent. */
export function buildRunAgents(spans: readonly RunSpan[]): RunAgent[] {
  const spansById = new Map(spans.map((span) => [span.id, span]))
  const root = spans.find(isAgent)
  if (!root) return []
  const agents = new Map<string, RunAgent>()
  const findAncestorAgent = (span: RunSpan): RunAgent | undefined => {
    const visitedIds = new Set<string>()
    let parentId = span.parent_id
    while (parentId !== null && !visitedIds.has(parentId)) {
      visitedIds.add(parentId)
      const ancestor = agents.get(parentId)
      if (ancestor) return ancestor
      parentId = spansById.get(parentId)?.parent_id ?? null
    }
    return agents.get(root.id)
  }
  const compareStart = (a: RunSpan, b: RunSpan) =>
    a.started_ms - b.started_ms || Number(b === root) - Number(a === root)
  for (const span of spans.filter(isAgent).toSorted(compareStart)) {
    const caller = span === root ? undefined : findAncestorAgent(span)
    const agent = {
      id: span.id,
      callerId: caller?.id ?? null,
      depth: (caller?.depth ?? -1) + 1,
      span,
      steps: [],
      calls: [],
    }
    agents.set(span.id, agent)
    caller?.calls.push(agent)
  }
  for (const span of spans) if (!isAgent(span)) findAncestorAgent(span)?.steps.push(span)
  return [...agents.values()]
}

/** The agent `ms` after the run's start. `streamedText`: text received so far, while the run is in progress. */
export function getRunAgentSnapshot(agent: RunAgent, ms: number, streamedText?: string): RunAgentSnapshot {
  const { span, steps } = agent
  const hasEnded = ({ ended_ms }: RunSpan) => ended_ms !== null && ended_ms <= ms
  const finishedModelSteps = steps.filter((step) => step.kind === 'model' && hasEnded(step))
  const startedSteps = steps.filter((step) => step.started_ms <= ms)
  const modelStep = startedSteps.findLast(({ kind }) => kind === 'model')
  const finalText = hasEnded(span) && typeof span.output === 'string' ? span.output : ''
  const texts = finishedModelSteps.map(getSpanText).filter((text) => text !== '')
  return {
    ...describeState(agent, startedSteps, ms),
    model: modelStep?.model ?? modelStep?.name ?? null,
    usage: sumUsage(finishedModelSteps.flatMap(({ usage }) => usage ?? [])),
    elapsedMs: Math.max(0, Math.min(ms, span.ended_ms ?? ms) - span.started_ms),
    output: finalText || streamedText || texts.join('\n\n'),
  }
}

type StateDescription = Pick<RunAgentSnapshot, 'state' | 'activity'>

function describeState(agent: RunAgent, startedSteps: readonly RunSpan[], ms: number): StateDescription {
  const { started_ms, ended_ms } = agent.span
  if (started_ms > ms) return { state: 'waiting', activity: 'Not started' }
  if (ended_ms !== null && ended_ms <= ms) return describeFinished(agent.span)
  return describeRunning(agent, startedSteps, ms)
}

function describeFinished({ failure }: RunSpan): StateDescription {
  if (failure === null) return { state: 'done', activity: 'Done' }
  return { state: 'failed', activity: failure === 'stopped' ? 'Stopped' : `Failed: ${failure}` }
}

function describeRunning(
  { calls: calledAgents }: RunAgent,
  startedSteps: readonly RunSpan[],
  ms: number,
): StateDescription {
  const isOpen = (span: RunSpan) => span.started_ms <= ms && (span.ended_ms === null || span.ended_ms > ms)
  const openSpans = startedSteps.filter(isOpen)
  const openWait = openSpans.find(({ kind }) => kind === 'wait')
  if (openWait) return { state: 'waiting', activity: waitLabels[openWait.name] ?? 'Waiting' }
  if (openSpans.some(({ kind }) => kind === 'model')) return { state: 'running', activity: 'Writing' }
  const openCallCount = calledAgents.filter(({ span }) => isOpen(span)).length
  if (openCallCount > 0) return { state: 'waiting', activity: `Waiting for ${pluralize(openCallCount, 'agent')}` }
  const tool = openSpans.find(({ kind }) => kind === 'tool')
  if (tool) return { state: 'running', activity: `Calling ${tool.name}` }
  if (!startedSteps.some(({ kind }) => kind === 'model')) return { state: 'waiting', activity: 'Waiting for its turn' }
  return { state: 'running', activity: 'Working' }
}

const waitLabels: Record<string, string> = {
  'wait before retry': 'Waiting to retry',
  'wait for permission': 'Waiting for permission',
}

function getSpanText({ output }: RunSpan): string {
  if (typeof output === 'string') return output
  const { text } = (output ?? {}) as { text?: unknown }
  return typeof text === 'string' ? text : ''
}

/** Milliseconds since the run's start at which a step other than a memory step starts or ends, sorted, without duplicates. */
export function getTurningPoints(agents: readonly RunAgent[], endMs: number): number[] {
  const timedSpans = agents.flatMap(({ span, steps }) => [span, ...steps.filter(({ kind }) => kind !== 'memory')])
  const timestamps = timedSpans.flatMap(({ started_ms, ended_ms }) => [
    started_ms,
    ...(ended_ms === null ? [] : [ended_ms]),
  ])
  return [...new Set([0, ...timestamps, endMs].filter((ms) => ms >= 0 && ms <= endMs))].toSorted((a, b) => a - b)
}
