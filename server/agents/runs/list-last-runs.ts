import type { agents } from '#contract/agents/agents.ts'
import type { EndpointOutput } from '#contract/endpoint.ts'
import type { Person } from '#server/accounts/person.ts'
import type { Services } from '#server/services.ts'
import { toIsoTime } from '#server/values/iso-time.ts'

const maxRuns = 1000

/** Reads only the newest runs, so that a long history costs no more. */
export async function listLastRuns({ db }: Services, person: Person): Promise<EndpointOutput<typeof agents.lastRuns>> {
  const newestRuns = db
    .selectFrom('runs')
    .select(['agent_id', 'created_at'])
    .where('person_id', '=', person.id)
    .where('origin', '!=', 'trial')
    .orderBy('created_at', 'desc')
    .limit(maxRuns)
  const rows = await db.longRead(
    db
      .selectFrom(newestRuns.as('newest'))
      .select('newest.agent_id')
      .select((select) => select.fn.max('newest.created_at').as('at'))
      .groupBy('newest.agent_id')
      .orderBy('at', 'desc'),
  )
  return rows.map(({ agent_id, at }) => ({ agent_id, last_run_at: toIsoTime(Number(at)) }))
}
