import { watchAccess } from '#server/accounts/sessions.ts'
import type { AgentRow } from '#server/agents/agent-view.ts'
import type { LiveRun } from '#server/agents/runs/execute/run-registry.ts'
import type { Runner } from '#server/agents/runs/execute/runner.ts'
import { requestStop } from '#server/agents/runs/follow-run.ts'
import { type RunParams, startRun } from '#server/agents/runs/start-run.ts'
import { runAsPerson } from '#server/db/long-reads.ts'
import type { Services } from '#server/services.ts'
import type { ConnectedPerson } from './consent.ts'

/** Like `startRun`, for a program: the run stops when the access ends or its limits change. @throws Problem 413 */
export async function startProgramRun(
  services: Services,
  runner: Runner & { person: ConnectedPerson },
  agent: AgentRow,
  params: RunParams,
): Promise<LiveRun> {
  const { person } = runner
  await services.usage.requireSpace(person.id)
  const run = await runAsPerson(person.id, () => startRun(services, runner, agent, params))
  services.usage.add(person.id, params.input.length)
  stopWithAccess(services, person, run)
  return run
}

function stopWithAccess(services: Services, person: ConnectedPerson, run: LiveRun): void {
  const stopIfAccessChanged = async () => {
    try {
      if (!(await isAccessUnchanged(services, person))) await requestStop(services, run.id)
    } catch (error) {
      services.log.warn({ err: error, runId: run.id }, 'could not check whether a program still has access')
    }
  }
  const stopWatching = watchAccess(services, person.id, stopIfAccessChanged)
  void run.finished.then(stopWatching)
  // The access can have ended while the run was prepared.
  void stopIfAccessChanged()
}

async function isAccessUnchanged({ db, now }: Services, { connection }: ConnectedPerson): Promise<boolean> {
  const time = now().getTime()
  const row = await db
    .selectFrom('connections')
    .innerJoin('people', 'people.id', 'connections.owner_id')
    .select(['keeper_ids', 'topics', 'without_moods', 'monthly_limit_micros'])
    .where('connections.id', '=', connection.id)
    .where('revoked_at', 'is', null)
    .where((where) => where.or([where('expires_at', 'is', null), where('expires_at', '>', time)]))
    .where('people.deactivated_at', 'is', null)
    .where((where) => where.or([where('people.deletes_at', 'is', null), where('people.deletes_at', '>', time)]))
    .executeTakeFirst()
  const { keeperIds, topics, withoutMoods, monthlyLimitMicros } = connection
  const limits = [keeperIds, topics, withoutMoods, monthlyLimitMicros]
  return (
    row !== undefined &&
    JSON.stringify([row.keeper_ids, row.topics, row.without_moods, row.monthly_limit_micros]) === JSON.stringify(limits)
  )
}
