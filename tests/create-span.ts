import type { RunSpan } from '#contract/agents/runs.ts'

export function createSpan(id: string, changes: Partial<RunSpan> = {}): RunSpan {
  const empty = { parent_id: null, agent_slug: null, provider: null, model: null, failure: null, usage: null }
  const texts = { input: null, output: null, reasoning: null, memory: [] }
  return { id, kind: 'model', name: id, started_ms: 0, ended_ms: null, ...empty, ...texts, ...changes }
}
