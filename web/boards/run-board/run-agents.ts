import type { RunSpan, Usage } from '#contract/agents/runs.ts'
import { sumOf } from '#contract/agents/sum-of-usage.ts'

/** The agent that was run, or one that another agent of the run called. */
export interface RunAgent {
  /** The id of its span. */
  id: string
  askedBy: string | null
  depth: number
  span: RunSpan
  /** Without the steps of the agents it called. */
  steps: RunSpan[]
  asks: RunAgent[]
}

const agentStates = ['waiting', 'running', 'done', 'failed'] as const
export type AgentState = (typeof agentStates)[number]

export interface AgentMoment {
  state: AgentState
  /** For people, e.g. "Calling search". */
  doing: string
  model: string | null
  /** Of its own requests so far. */
  usage: Usage
  /** 0 before its start. */
  elapsedMs: number
  output: string
}

const isAgent = ({ kind }: RunSpan) => kind === 'agent' || kind === 'coordinator'

/** Callers come before the agents they call, in order of start. Every step is assigned to exactly one agent. */
export function agentsOf(spans: readonly RunSpan[]): RunAgent[] {
  const byId = new Map(spans.map((span) => [span.id, span]))
  const root = spans.find(isAgent)
  if (!root) return []
  const agents = new Map<string, RunAgent>()
  const agentAbove = (span: RunSpan): RunAgent | undefined => {
    const seen = new Set<string>()
    for (let at = span.parent_id; at !== null && !seen.has(at); at = byId.get(at)?.parent_id ?? null) {
      seen.add(at)
      const found = agents.get(at)
      if (found) return found
    }
    return agents.get(root.id)
  }
  for (const span of spans.filter(isAgent).toSorted((a, b) => a.started_ms - b.started_ms || (a === root ? -1 : 0))) {
    const above = span === root ? undefined : agentAbove(span)
    const agent = {
      id: span.id,
      askedBy: above?.id ?? null,
      depth: (above?.depth ?? -1) + 1,
      span,
      steps: [],
      asks: [],
    }
    agents.set(span.id, agent)
    above?.asks.push(agent)
  }
  for (const span of spans) if (!isAgent(span)) agentAbove(span)?.steps.push(span)
  return [...agents.values()]
}

/** The agent `ms` after the run's start. `said`: text streamed so far, while the run is in progress. */
export function momentOf(agent: RunAgent, ms: number, said?: string): AgentMoment {
  const { span, steps } = agent
  const has = (each: RunSpan) => each.ended_ms !== null && each.ended_ms <= ms
  const answered = steps.filter((step) => step.kind === 'model' && has(step))
  const begun = steps.filter((step) => step.started_ms <= ms)
  const ended = has(span)
  const whole = ended && typeof span.output === 'string' ? span.output : ''
  const pieces = answered.map(textOf).filter((text) => text !== '')
  return {
    ...(span.started_ms > ms
      ? { state: 'waiting' as const, doing: 'Not started' }
      : ended
        ? ending(span)
        : atWork(agent, begun, ms)),
    model:
      begun.findLast(({ kind }) => kind === 'model')?.model ??
      begun.findLast(({ kind }) => kind === 'model')?.name ??
      null,
    usage: sumOf(answered.flatMap(({ usage }) => usage ?? [])),
    elapsedMs: Math.max(0, Math.min(ms, span.ended_ms ?? ms) - span.started_ms),
    output: whole || said || pieces.join('\n\n'),
  }
}

function ending({ failure }: RunSpan): Pick<AgentMoment, 'state' | 'doing'> {
  if (failure === null) return { state: 'done', doing: 'Done' }
  return { state: 'failed', doing: failure === 'stopped' ? 'Stopped' : `Failed: ${failure}` }
}

function atWork({ asks }: RunAgent, begun: readonly RunSpan[], ms: number): Pick<AgentMoment, 'state' | 'doing'> {
  const isOpen = (span: RunSpan) => span.started_ms <= ms && (span.ended_ms === null || span.ended_ms > ms)
  const open = begun.filter(isOpen)
  const waits = open.find(({ kind }) => kind === 'wait')
  if (waits) return { state: 'waiting', doing: waitWords[waits.name] ?? 'Waiting' }
  if (open.some(({ kind }) => kind === 'model')) return { state: 'running', doing: 'Writing' }
  const asked = asks.filter(({ span }) => isOpen(span)).length
  if (asked > 0) return { state: 'waiting', doing: `Waiting for ${asked === 1 ? '1 agent' : `${asked} agents`}` }
  const tool = open.find(({ kind }) => kind === 'tool')
  if (tool) return { state: 'running', doing: `Calling ${tool.name}` }
  if (!begun.some(({ kind }) => kind === 'model')) return { state: 'waiting', doing: 'Waiting for its turn' }
  return { state: 'running', doing: 'Working' }
}

const waitWords: Record<string, string> = {
  'wait before retry': 'Waiting to retry',
  'wait for permission': 'Waiting for permission',
}

function textOf({ output }: RunSpan): string {
  if (typeof output === 'string') return output
  const { text } = (output ?? {}) as { text?: unknown }
  return typeof text === 'string' ? text : ''
}

/** Milliseconds since the run's start at which a step starts or ends, sorted, without duplicates. */
export function turningPoints(agents: readonly RunAgent[], endMs: number): number[] {
  const times = agents.flatMap(({ span, steps }) => [span, ...steps.filter(({ kind }) => kind !== 'memory')])
  const all = times.flatMap(({ started_ms, ended_ms }) => [started_ms, ...(ended_ms === null ? [] : [ended_ms])])
  return [...new Set([0, ...all, endMs].filter((ms) => ms >= 0 && ms <= endMs))].toSorted((a, b) => a - b)
}
