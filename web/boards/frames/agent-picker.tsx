import type { ReactNode } from 'react'
import { useAgentList } from '#web/agents/agent-queries.ts'
import { AgentSeal } from '#web/agents/agent-seal.tsx'
import { NetworkError } from '#web/api/api.ts'
import { EntityPicker } from './entity-picker.tsx'

interface AgentPickerProps {
  title: ReactNode
  onChoose: (agentId: string) => void
  children?: ReactNode
}

export function AgentPicker({ title, onChoose, children }: AgentPickerProps) {
  const { data, error, refetch } = useAgentList()
  const isLoaded = data?.from === 'server'
  const reason = error ?? (data && !isLoaded ? new NetworkError('The server couldn’t be reached.') : null)
  return (
    <EntityPicker
      title={title}
      searchLabel="Search agents"
      choices={
        isLoaded
          ? data.agents.map((agent) => ({
              id: agent.id,
              label: agent.name,
              detail: agent.purpose,
              picture: <AgentSeal agent={agent} size={24} className="shrink-0" />,
            }))
          : undefined
      }
      problem={reason}
      onRetry={refetch}
      onChoose={onChoose}
      empty="You have no agents yet. Create one in Manage Agents."
    >
      {children}
    </EntityPicker>
  )
}
