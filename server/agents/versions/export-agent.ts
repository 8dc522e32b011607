import type { AgentFile } from '#contract/agents/versions.ts'
import type { Person } from '#server/accounts/person.ts'
import { Reply } from '#server/http/serve-area.ts'
import type { Services } from '#server/services.ts'
import { canEdit, requireAgentFor } from '../agent-access.ts'
import type { AgentRow } from '../agent-row.ts'
import { toSnapshot } from './agent-snapshot.ts'

export async function exportAgent(services: Services, person: Person, idOrSlug: string): Promise<Reply<AgentFile>> {
  const agent = await requireAgentFor(services, person, idOrSlug)
  const file = await buildAgentFile(services, agent, { withQuestions: canEdit(agent, person) })
  return new Reply(file, { headers: { 'content-disposition': `attachment; filename="${agent.slug}.agent.json"` } })
}

export async function buildAgentFile(
  { db, now }: Services,
  agent: AgentRow,
  { withQuestions }: { withQuestions: boolean },
): Promise<AgentFile> {
  const questions = db
    .selectFrom('golden_questions')
    .select(['question', 'expectation', 'judged_by'])
    .where('agent_id', '=', agent.id)
    .orderBy('created_at')
    .orderBy('id')
  return {
    keeper: 'agent',
    format: 1,
    exported_at: now().toISOString(),
    agent: toSnapshot(agent),
    golden_questions: withQuestions ? await questions.execute() : [],
  }
}
