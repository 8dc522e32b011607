import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { type AgentGrant, type AgentRight, sharing } from '#contract/agents/sharing.ts'
import { call } from '#web/api/api.ts'
import { agentsKey } from '../agent-queries.ts'

type Grants = { grants: AgentGrant[]; mine: AgentRight[] }

const grantsKey = (agentId: string) => [...agentsKey, 'grants', agentId] as const

export function useGrants(agentId: string) {
  return useQuery({
    queryKey: grantsKey(agentId),
    queryFn: ({ signal }) => call(sharing.list, { params: { agentId }, signal }),
  })
}

/** Saves rights immediately. `saving` is the pending change, cleared if the server rejects it. */
export function useSetRights(agentId: string) {
  const queryClient = useQueryClient()
  const [saving, setSaving] = useState<{ personId: string; rights: AgentRight[] }>()
  const [error, setError] = useState<string>()

  async function setRights(personId: string, rights: AgentRight[]): Promise<boolean> {
    setSaving({ personId, rights })
    setError(undefined)
    try {
      const grant = await call(sharing.grant, { params: { agentId, personId }, body: { rights } })
      queryClient.setQueryData<Grants>(
        grantsKey(agentId),
        (previous) => previous && applyGrant(previous, personId, grant),
      )
      return true
    } catch (reason) {
      setError((reason instanceof Error && reason.message) || 'The rights couldn’t be saved. Try again.')
      void queryClient.invalidateQueries({ queryKey: grantsKey(agentId) })
      return false
    } finally {
      setSaving(undefined)
    }
  }
  return { setRights, saving, error }
}

function applyGrant({ grants, mine }: Grants, personId: string, grant: AgentGrant | null): Grants {
  const exists = grants.some(({ person }) => person.id === personId)
  if (!grant) return { grants: grants.filter(({ person }) => person.id !== personId), mine }
  if (!exists) return { grants: [...grants, grant], mine }
  return { grants: grants.map((candidate) => (candidate.person.id === personId ? grant : candidate)), mine }
}
