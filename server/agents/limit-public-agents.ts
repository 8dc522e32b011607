import { Problem } from '#server/http/problem.ts'
import type { Services } from '#server/services.ts'
import type { AgentRow } from './agent-row.ts'

/** Everybody's list carries the public agents of everybody, so one person fills it only so far. */
export const mostPublicAgents = 200

/** @param before the saved agent: what is public already stays so */
export async function limitPublicAgents({ db }: Services, agent: AgentRow, before?: AgentRow): Promise<void> {
  if (agent.visibility !== 'public' || agent.owner_id === null || before?.visibility === 'public') return
  const { count } = await db
    .selectFrom('agents')
    .select((select) => select.fn.countAll().as('count'))
    .where('owner_id', '=', agent.owner_id)
    .where('visibility', '=', 'public')
    .executeTakeFirstOrThrow()
  if (Number(count) < mostPublicAgents) return
  const message = `One person may have ${mostPublicAgents} public agents, and you have them. Make one of those private or shared, or delete it; then this one can be public.`
  throw new Problem('unprocessable', { message, fields: { visibility: message } })
}
