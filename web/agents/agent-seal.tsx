import type { AgentClass } from '#contract/agents/agent-constants.ts'
import type { AgentConfig } from '#contract/agents/agents.ts'
import { withLeadAppearance } from '#contract/agents/lead-appearance.ts'
import { Seal } from '#web/ui/drawings/seal.tsx'

export interface AgentSealProps {
  agent: { name: string; agent_class: AgentClass; config?: Pick<AgentConfig, 'avatar' | 'theme_color'> }
  size?: number
  className?: string
}

export function AgentSeal({ agent, size, className }: AgentSealProps) {
  const leadStyle = agent.agent_class === 'Lead' ? withLeadAppearance('Lead', agent.config ?? {}) : {}
  return (
    <Seal
      name={agent.name}
      kind={agent.agent_class}
      size={size}
      color={leadStyle.theme_color}
      avatar={leadStyle.avatar}
      className={className}
    />
  )
}
