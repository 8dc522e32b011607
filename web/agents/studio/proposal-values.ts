import { toSlug } from '#contract/agents/agent-slug.ts'
import { type AgentProposal, agentProposal, proposeAgentTool } from '#contract/agents/intent.ts'
import { completeSettings, coordinatorSettings } from '#contract/agents/model-settings.ts'
import type { ToolCall } from '#contract/agents/tools.ts'
import { type AgentFormValues, newAgentValues, toModelFields } from '../form/agent-form-values.ts'

export function findProposal(tools: readonly ToolCall[]): AgentProposal | undefined {
  const call = tools.findLast(({ name, state }) => name === proposeAgentTool && state === 'done')
  const parsed = call && agentProposal.safeParse(call.arguments)
  return parsed?.success ? parsed.data : undefined
}

export function toProposalValues(proposal: AgentProposal): AgentFormValues {
  const provider = proposal.model_provider ?? newAgentValues.model_provider
  const config = proposal.config ?? {}
  const { capabilities } = config
  return {
    ...newAgentValues,
    name: proposal.name,
    slug: proposal.slug || toSlug(proposal.name),
    purpose: proposal.purpose,
    agent_class: proposal.agent_class ?? newAgentValues.agent_class,
    context_scope: proposal.context_scope ?? newAgentValues.context_scope,
    memory_enabled: proposal.memory_enabled ?? newAgentValues.memory_enabled,
    tools: (proposal.tools ?? []).join(', '),
    bundle: config.bundle ?? [],
    tagline: config.tagline ?? '',
    personality: config.personality ?? '',
    capabilities: Array.isArray(capabilities) ? capabilities.join(', ') : (capabilities ?? ''),
    model_provider: provider,
    ...toModelFields(
      completeSettings(provider, {
        ...(proposal.agent_class === 'Coordinator' && coordinatorSettings),
        ...(proposal.model && { model: proposal.model }),
      }),
    ),
  }
}
