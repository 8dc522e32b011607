import { UniqueViolation } from '#server/db/database-errors.ts'
import { Problem } from '#server/http/problem.ts'
import type { Services } from '#server/services.ts'
import { requireRun } from '../runs/follow-run.ts'
import type { Runner } from '../runs/runner.ts'

/** @throws Problem `not-found` for foreign or unknown calls, `conflict` if the call isn't pending */
export async function decide(
  services: Services,
  runner: Runner,
  { runId, callId, allowed }: { runId: string; callId: string; allowed: boolean },
): Promise<{ allowed: boolean }> {
  const row = await requireRun(services, runner, runId)
  const live = services.runs.find(runId)
  const call = (live?.tools ?? row.tools ?? []).find(({ id }) => id === callId)
  if (!call) throw new Problem('not-found', { message: 'Tool call not found' })
  const isPending = call.state === 'asks' && row.status === 'running' && (!live || live.permissionRequests.has(callId))
  if (!isPending) throw createAlreadyAnswered()
  try {
    await services.db
      .insertInto('tool_decisions')
      .values({ run_id: runId, call_id: callId, allowed, decided_at: services.now().getTime() })
      .execute()
  } catch (error) {
    if (error instanceof UniqueViolation) throw createAlreadyAnswered()
    throw error
  }
  if (!live) services.bus.send({ kind: 'run-asked-for', runId })
  live?.permissionRequests.get(callId)?.answer(allowed ? 'yes' : 'no')
  return { allowed }
}

function createAlreadyAnswered(): Problem {
  return new Problem('conflict', {
    message: 'This tool no longer needs an answer. Someone already answered, or the run has ended.',
  })
}
