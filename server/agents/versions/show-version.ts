import type { AgentSnapshot } from '#contract/agents/versions.ts'
import type { Person } from '#server/accounts/person.ts'
import { Problem } from '#server/http/problem.ts'
import type { Services } from '#server/services.ts'
import { requireEditableAgent } from '../agent-access.ts'
import { readSnapshot, toSnapshot } from './agent-snapshot.ts'
import { resolveSnapshots } from './stored-snapshots.ts'

export async function showVersion(
  services: Services,
  person: Person,
  { agentId, version }: { agentId: string; version: number },
): Promise<{ version: number; snapshot: AgentSnapshot }> {
  const agent = await requireEditableAgent(services, person, agentId)
  const row = await services.db
    .selectFrom('agent_versions')
    .select(['rev', 'snapshot'])
    .where('agent_id', '=', agent.id)
    .where('rev', '=', Math.min(version, 2 ** 31 - 1))
    .executeTakeFirst()
  const [whole] = row ? await resolveSnapshots(services, agent.id, [row]) : []
  if (whole) return { version, snapshot: readSnapshot(whole.snapshot) }
  if (version === agent.rev) return { version, snapshot: toSnapshot(agent) }
  throw new Problem('not-found', { message: 'Version not found' })
}
