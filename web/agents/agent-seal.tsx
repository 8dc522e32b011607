import type { AgentClass } from '#contract/agents/agent-words.ts'
import type { AgentConfig } from '#contract/agents/agents.ts'
import { Seal } from '#web/ui/drawings/seal.tsx'

export interface AgentSealProps {
  agent: { name: string; agent_class: AgentClass; config?: Pick<AgentConfig, 'avatar' | 'theme_color'> }
  size?: number
  className?: string
}

/** A Lead's own colour and avatar show on its seal and nowhere else. */
export function AgentSeal({ agent, size, className }: AgentSealProps) {
  const isLead = agent.agent_class === 'Lead'
  return (
    <Seal
      name={agent.name}
      kind={agent.agent_class}
      size={size}
      colour={isLead ? agent.config?.theme_color : undefined}
      avatar={isLead ? agent.config?.avatar : undefined}
      className={className}
    />
  )
}
