import type { Services } from '#server/services.ts'

export async function requestStop(services: Services, runId: string): Promise<void> {
  await services.db
    .updateTable('runs')
    .set({ stop_requested: true })
    .where('id', '=', runId)
    .where('status', '=', 'running')
    .execute()
  const run = services.runs.find(runId)
  run?.abort.abort('stopped')
  if (!run) services.bus.send({ kind: 'run-asked-for', runId })
}
