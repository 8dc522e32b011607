import type { AgentProposal } from '#contract/agents/intent.ts'
import type { Person } from '#server/accounts/person.ts'
import { Reply } from '#server/http/serve-area.ts'
import type { Services } from '#server/services.ts'
import type { Runner } from '../runs/execute/runner.ts'
import { startAndStream, waitForReply } from '../runs/follow-run.ts'
import { type RunParams, startRun } from '../runs/start-run.ts'
import { requireBuiltInAgent } from './built-in.ts'
import { createProposeAgentTool } from './propose-agent.ts'

interface IntentAnswer {
  response: string
  run_id: string
  mock_mode: boolean
  proposal: AgentProposal | null
}

export async function answerIntent(
  services: Services,
  person: Person,
  input: string,
  { wantsStream, address }: { wantsStream: boolean; address: string },
): Promise<Response | Reply<IntentAnswer>> {
  const agent = await requireBuiltInAgent(services, 'platform-agent', 'Agent not found')
  const tool = await createProposeAgentTool(services, person, input)
  const runner: Runner = { person, visitor: null }
  const forgetful = { ...agent, memory_enabled: false }
  const params = { input, origin: 'intent', extraTools: [tool] } satisfies Partial<RunParams>
  if (wantsStream) return startAndStream(services, { ...runner, address }, forgetful, params)
  const run = await startRun(services, runner, forgetful, { ...params, stream: false })
  const { data, options } = await waitForReply(run)
  const { response, run_id, mock_mode } = data
  return new Reply({ response, run_id, mock_mode, proposal: tool.getProposal() }, options)
}
