import { UniqueViolation } from '#server/db/database-errors.ts'
import { Problem } from '#server/http/problem.ts'
import type { Services } from '#server/services.ts'
import type { Runner } from '../runs/execute/runner.ts'
import { requireRun } from '../runs/follow-run.ts'

/** @throws Problem `not-found` for foreign or unknown calls, `conflict` if the call isn't pending */
export async function decideToolCall(
  services: Services,
  runner: Runner,
  { runId, callId, allowed }: { runId: string; callId: string; allowed: boolean },
): Promise<{ allowed: boolean }> {
  const row = await requireRun(services, runner, runId)
  const liveRun = services.runs.find(runId)
  const call = (liveRun?.tools ?? row.tools ?? []).find(({ id }) => id === callId)
  if (!call) throw new Problem('not-found', { message: 'Tool call not found' })
  const isPending =
    call.state === 'asks' && row.status === 'running' && (!liveRun || liveRun.permissionRequests.has(callId))
  if (!isPending) throw createAlreadyAnsweredProblem()
  try {
    await services.db
      .insertInto('tool_decisions')
      .values({ run_id: runId, call_id: callId, allowed, decided_at: services.now().getTime() })
      .execute()
  } catch (error) {
    if (error instanceof UniqueViolation) throw createAlreadyAnsweredProblem()
    throw error
  }
  if (!liveRun) services.bus.send({ kind: 'run-asked-for', runId })
  liveRun?.permissionRequests.get(callId)?.answer(allowed ? 'yes' : 'no')
  return { allowed }
}

function createAlreadyAnsweredProblem(): Problem {
  return new Problem('conflict', {
    message: 'This tool call no longer needs an answer. Someone already answered, or the run has ended.',
  })
}
