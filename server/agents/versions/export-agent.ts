import type { AgentFile } from '#contract/agents/versions.ts'
import type { Person } from '#server/accounts/person.ts'
import { Reply } from '#server/http/serve-area.ts'
import type { Services } from '#server/services.ts'
import { mayEdit, requireAgentFor } from '../agent-access.ts'
import { snapshotOf } from './agent-snapshot.ts'

/** An agent as one file, to make the same somewhere else. Its golden questions go along for who may see them. */
export async function exportAgent(services: Services, person: Person, idOrSlug: string): Promise<Reply<AgentFile>> {
  const agent = await requireAgentFor(services, person, idOrSlug)
  const questions = mayEdit(agent, person)
    ? await services.db
        .selectFrom('golden_questions')
        .select(['question', 'expectation', 'judged_by'])
        .where('agent_id', '=', agent.id)
        .orderBy('created_at')
        .orderBy('id')
        .execute()
    : []
  const file: AgentFile = {
    keeper: 'agent',
    format: 1,
    exported_at: services.now().toISOString(),
    agent: snapshotOf(agent),
    golden_questions: questions,
  }
  return new Reply(file, { headers: { 'content-disposition': `attachment; filename="${agent.slug}.agent.json"` } })
}
