import type { SelectQueryBuilder } from 'kysely'
import { type Database, json, requireChanges, type Write } from '#server/db/database.ts'
import { UnexpectedChanges } from '#server/db/database-errors.ts'
import type { Schema } from '#server/db/schema.ts'
import type { Services } from '#server/services.ts'
import type { Runner } from '../runs/execute/runner.ts'
import { notifyOtherTabs, requireSession } from './chat-sessions.ts'
import { createReplyInProgressProblem, refuseWhileReplying } from './turns.ts'

/** Deletes a session with its content. Run rows stay for usage stats. @throws Problem 404; 409 while a reply is being written */
export async function deleteSession(services: Services, runner: Runner, sessionId: string): Promise<void> {
  const session = await requireSession(services, runner, sessionId)
  await refuseWhileReplying(services, session.id)
  if (!(await forgetSession(services, session))) throw createReplyInProgressProblem()
  notifyOtherTabs(services, runner, session.id)
}

/** Returns false, with nothing changed, if the session was written to or deleted concurrently. */
export async function forgetSession(
  { db }: Pick<Services, 'db'>,
  session: { id: string; shown_message_id: string | null },
): Promise<boolean> {
  const runIds = db.selectFrom('runs').select('id').where('session_id', '=', session.id)
  // A concurrent turn changes which message is shown.
  const unchanged = db
    .deleteFrom('chat_sessions')
    .where('id', '=', session.id)
    .where('shown_message_id', session.shown_message_id === null ? 'is' : '=', session.shown_message_id)
  try {
    await db.batch([...buildForgetWrites(db, runIds), requireChanges(unchanged)])
    return true
  } catch (error) {
    if (error instanceof UnexpectedChanges) return false
    throw error
  }
}

type RunIds = readonly string[] | SelectQueryBuilder<Schema, 'runs', { id: string }>

export function buildForgetWrites(db: Database, runIds: RunIds): Write[] {
  return [
    db
      .updateTable('run_spans')
      .set({ input: json<unknown>(null), output: json<unknown>(null), reasoning: null, memory: null })
      .where('run_id', 'in', runIds),
    db.deleteFrom('media').where('run_id', 'in', runIds),
    db
      .updateTable('runs')
      .set({ input: '', response: '', output: null, error: null, tools: null, sources: null })
      .where('id', 'in', runIds),
  ]
}
