import type { AgentClass } from '#contract/agents/agent-words.ts'
import type { AgentConfig } from '#contract/agents/agents.ts'
import { withLeadLooks } from '#contract/agents/lead-looks.ts'
import { Seal } from '#web/ui/drawings/seal.tsx'

export interface AgentSealProps {
  agent: { name: string; agent_class: AgentClass; config?: Pick<AgentConfig, 'avatar' | 'theme_color'> }
  size?: number
  className?: string
}

/** Only Leads show their color and avatar. */
export function AgentSeal({ agent, size, className }: AgentSealProps) {
  const looks = agent.agent_class === 'Lead' ? withLeadLooks('Lead', agent.config ?? {}) : {}
  return (
    <Seal
      name={agent.name}
      kind={agent.agent_class}
      size={size}
      colour={looks.theme_color}
      avatar={looks.avatar}
      className={className}
    />
  )
}
