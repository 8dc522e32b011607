import type { Services } from '#server/services.ts'
import type { LiveRun } from './run-registry.ts'

/** Counts runs in other server processes: runs of this person or visitor, and of all the agent's visitors. */
export async function countRemoteRuns(
  services: Services,
  { agentId, personId, visitorId }: Pick<LiveRun, 'agentId' | 'personId' | 'visitorId'>,
): Promise<{ byRunner: number; byVisitors: number }> {
  if (!services.bus.isOpen) return { byRunner: 0, byVisitors: 0 }
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
  const remoteRuns = rows.filter(({ id }) => !services.runs.find(id))
  return {
    byRunner: personId ? remoteRuns.length : remoteRuns.filter((row) => row.visitor_id === visitorId).length,
    byVisitors: remoteRuns.filter((row) => row.visitor_id !== null).length,
  }
}
