import type { Services } from '#server/services.ts'
import type { LiveRun } from './run-registry.ts'

/** Counts runs in other processes. Concurrent starts in two processes don't see each other. */
export async function runsElsewhere(
  services: Services,
  { agentId, personId, visitorId }: Pick<LiveRun, 'agentId' | 'personId' | 'visitorId'>,
): Promise<{ theirs: number; ofVisitors: number }> {
  if (!services.bus.isOpen) return { theirs: 0, ofVisitors: 0 }
  const rows = await services.db
    .selectFrom('runs')
    .select(['id', 'person_id', 'visitor_id'])
    .where('status', '=', 'running')
    .where('lease_until', '>', services.now().getTime())
    .where((where) =>
      personId
        ? where('person_id', '=', personId)
        : where.or([
            where('visitor_id', '=', visitorId),
            where.and([where('agent_id', '=', agentId), where('visitor_id', 'is not', null)]),
          ]),
    )
    .execute()
  const elsewhere = rows.filter(({ id }) => !services.runs.find(id))
  return {
    theirs: personId ? elsewhere.length : elsewhere.filter((row) => row.visitor_id === visitorId).length,
    ofVisitors: elsewhere.filter((row) => row.visitor_id !== null).length,
  }
}
