import type { RunSpan, Usage } from '#contract/agents/runs.ts'
import { sumOf } from '#contract/agents/sum-of-usage.ts'

/** One agent at work in a run: the one that was asked, or one that an agent of the run asked. */
export interface RunAgent {
  /** Of its step. */
  id: string
  /** The agent that asked it; `null` for the first. */
  askedBy: string | null
  /** 0 for the first. */
  depth: number
  span: RunSpan
  /** Its own steps, without those of the agents it asked. */
  steps: RunSpan[]
  asks: RunAgent[]
}

const agentStates = ['waiting', 'running', 'done', 'failed'] as const
export type AgentState = (typeof agentStates)[number]

/** An agent at a moment of its run. */
export interface AgentMoment {
  state: AgentState
  /** What it does or waits for, in words. */
  doing: string
  model: string | null
  /** What its own requests used so far. */
  usage: Usage
  /** Since it was asked; 0 before. */
  elapsedMs: number
  /** What it said so far. */
  output: string
}

const isAgent = ({ kind }: RunSpan) => kind === 'agent' || kind === 'coordinator'

/** The agents of a run, each after who asked it and in the order they were asked. Every step belongs to one of them. */
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

/** The agent `ms` after the run began. `said`: its words as they are heard, while the run goes on. */
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
      ? { state: 'waiting' as const, doing: 'Not asked yet' }
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
  if (waits) return { state: 'waiting', doing: waitWords[waits.name] ?? 'Waits' }
  if (open.some(({ kind }) => kind === 'model')) return { state: 'running', doing: 'Writes' }
  const asked = asks.filter(({ span }) => isOpen(span)).length
  if (asked > 0) return { state: 'waiting', doing: `Waits for ${asked === 1 ? 'one agent' : `${asked} agents`}` }
  const tool = open.find(({ kind }) => kind === 'tool')
  if (tool) return { state: 'running', doing: `Calls ${tool.name}` }
  if (!begun.some(({ kind }) => kind === 'model')) return { state: 'waiting', doing: 'Waits for its turn' }
  return { state: 'running', doing: 'At work' }
}

const waitWords: Record<string, string> = {
  'wait before retry': 'Waits before it tries again',
  'wait for permission': 'Waits for permission',
}

/** The words of one request; what it wanted called is told by the steps. */
function textOf({ output }: RunSpan): string {
  if (typeof output === 'string') return output
  const { text } = (output ?? {}) as { text?: unknown }
  return typeof text === 'string' ? text : ''
}

/** Where something begins or ends: milliseconds since the run began, each once, in order. */
export function turningPoints(agents: readonly RunAgent[], endMs: number): number[] {
  const times = agents.flatMap(({ span, steps }) => [span, ...steps.filter(({ kind }) => kind !== 'memory')])
  const all = times.flatMap(({ started_ms, ended_ms }) => [started_ms, ...(ended_ms === null ? [] : [ended_ms])])
  return [...new Set([0, ...all, endMs].filter((ms) => ms >= 0 && ms <= endMs))].toSorted((a, b) => a - b)
}
