import type { Agent } from '#contract/agents/agents.ts'
import { boards } from '#contract/boards/boards.ts'
import { demoAgent, findSampleAgent } from '#contract/samples/sample-agents.ts'
import { call, NetworkError } from '#web/api/api.ts'

/** Samples aren’t fetched; while the server is unreachable, a sample of that name is used. */
export async function findWorkspaceAgent(agentId: string, signal: AbortSignal): Promise<Agent> {
  if (agentId === demoAgent.id) return demoAgent
  try {
    return (await call(boards.agentWorkspace, { params: { agentId }, signal })).agent
  } catch (reason) {
    const sample = reason instanceof NetworkError ? findSampleAgent(agentId) : undefined
    if (sample) return sample
    throw reason
  }
}
