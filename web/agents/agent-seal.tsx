import type { AgentClass } from '#contract/agents/agent-constants.ts'
import type { AgentConfig } from '#contract/agents/agents.ts'
import { getLeadAppearance } from '#contract/agents/lead-appearance.ts'
import { Seal } from '#web/ui/drawings/seal.tsx'

export interface AgentSealProps {
  agent: { name: string; agent_class: AgentClass; config?: Pick<AgentConfig, 'avatar' | 'theme_color'> }
  size?: number
  className?: string
}

export function AgentSeal({ agent, size, className }: AgentSealProps) {
  const leadAppearance = agent.agent_class === 'Lead' && agent.config ? getLeadAppearance(agent.config) : undefined
  return (
    <Seal
      name={agent.name}
      kind={agent.agent_class}
      size={size}
      color={leadAppearance?.theme_color}
      avatar={leadAppearance?.avatar}
      className={className}
    />
  )
}
