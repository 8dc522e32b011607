import { useMemo } from 'react'
import type { RunDetail } from '#contract/agents/runs.ts'
import { useRunDetail } from '#web/agents/agent-queries.ts'
import { mergeLiveSpans } from '#web/agents/runs/live-spans.ts'
import { useElapsed } from '#web/agents/runs/use-elapsed.ts'
import { useLiveRun } from '#web/agents/runs/use-live-run.ts'
import { type AgentMoment, buildRunAgents, getAgentMoment, type RunAgent } from './run-agents.ts'
import { useReplay } from './use-replay.ts'

const emptyRun: Pick<RunDetail, 'status' | 'created_at' | 'execution_time_ms'> = {
  status: 'success',
  created_at: '',
  execution_time_ms: 0,
}

/** Agents as they are now while the run is in progress, and at the replay position once it has finished. */
export function useRunBoard(runId: string) {
  const query = useRunDetail(runId)
  const run = query.data
  const { view, stop } = useLiveRun(query)
  const running = run?.status === 'running'
  const elapsed = useElapsed(run ?? emptyRun)
  const liveSpans = view?.spans
  const spans = useMemo(() => {
    if (!run) return []
    return run.status === 'running' ? mergeLiveSpans(run.spans, liveSpans ?? []) : run.spans
  }, [run, liveSpans])
  const agents = useMemo(() => buildRunAgents(spans), [spans])
  const latest = Math.max(0, ...spans.map(({ started_ms, ended_ms }) => ended_ms ?? started_ms))
  const endMs = Math.max(latest, elapsed)
  const replay = useReplay(agents, endMs)
  const atMs = running ? endMs : replay.ms

  const moments = useMemo(() => {
    const getStreamedText = (agent: RunAgent) =>
      running ? (agent.callerId === null ? view?.text : view?.spanTexts[agent.id]) : undefined
    return new Map<string, AgentMoment>(
      agents.map((agent) => [agent.id, getAgentMoment(agent, atMs, getStreamedText(agent))]),
    )
  }, [agents, atMs, running, view?.text, view?.spanTexts])

  return { query, run, running, view, stop, agents, moments, endMs, replay }
}
