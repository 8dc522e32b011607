import { Problem } from '#server/http/problem.ts'
import type { Services } from '#server/services.ts'
import type { AgentRow } from '../agent-row.ts'

export async function requireBuiltInAgent(
  services: Services,
  slug: 'kip' | 'platform-agent' | 'type-agent',
  notFoundMessage: string,
): Promise<AgentRow> {
  const agent = await services.db
    .selectFrom('agents')
    .selectAll()
    .where('id', '=', `built-in-${slug}`)
    .executeTakeFirst()
  if (!agent) throw new Problem('not-found', { message: notFoundMessage })
  return agent
}
