import { type Selectable, sql } from 'kysely'
import { json, requireChanges } from '#server/db/database.ts'
import { ForeignKeyViolation, UnexpectedChanges } from '#server/db/database-errors.ts'
import type { Schema } from '#server/db/schema.ts'
import { Problem } from '#server/http/problem.ts'
import type { Services } from '#server/services.ts'

type GoldenRunRow = Selectable<Schema['golden_runs']>

/** @throws Problem `conflict` while another golden run of this person and agent is running, `not-found` if the agent is deleted */
export async function insertUnlessRunning(services: Services, row: GoldenRunRow): Promise<void> {
  const { db } = services
  // Locks the agent's row until the batch ends, so that the second of two concurrent starts sees the first.
  const lockAgent = db.updateTable('agents').set({ rev: sql<number>`rev` }).where('id', '=', row.agent_id)
  const touchRunningRuns = db
    .updateTable('golden_runs')
    .set({ status: 'running' })
    .where('agent_id', '=', row.agent_id)
    .where('person_id', '=', row.person_id)
    .where('status', '=', 'running')
    .where('lease_until', '>', row.created_at)
  const insert = db.insertInto('golden_runs').values({
    ...row,
    candidate: row.candidate && json(row.candidate),
    models: row.models && json(row.models),
    results: json(row.results),
  })
  try {
    await db.batch([lockAgent, ...(row.status === 'running' ? [requireChanges(touchRunningRuns, 0)] : []), insert])
  } catch (error) {
    if (error instanceof ForeignKeyViolation) throw new Problem('not-found', { message: 'Agent not found' })
    if (!(error instanceof UnexpectedChanges)) throw error
    throw new Problem('conflict', {
      message: 'This agent’s golden questions are already running. Wait for them to finish, or stop them first.',
    })
  }
}
