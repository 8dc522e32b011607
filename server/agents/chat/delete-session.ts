import { json, requireChanges } from '#server/db/database.ts'
import { UnexpectedChanges } from '#server/db/database-errors.ts'
import type { Services } from '#server/services.ts'
import type { Runner } from '../runs/runner.ts'
import { requireSession, tellOtherTabs } from './chat-sessions.ts'
import { refuseWhileReplying, replyUnderWay } from './turns.ts'

/**
 * Deletes one's own session and everything that was said in it. The rows of its runs stay, as figures: when, which
 * model, how long, what it cost. @throws Problem 404; 409 while a reply is being written
 */
export async function deleteSession(services: Services, runner: Runner, sessionId: string): Promise<void> {
  const { db } = services
  const session = await requireSession(services, runner, sessionId)
  await refuseWhileReplying(services, session.id)
  const runIds = db.selectFrom('runs').select('id').where('session_id', '=', session.id)
  const spans = db
    .updateTable('run_spans')
    .set({ input: json<unknown>(null), output: json<unknown>(null), memory: null })
    .where('run_id', 'in', runIds)
  const runs = db
    .updateTable('runs')
    .set({ input: '', response: '', output: null, error: null, tools: null, sources: null })
    .where('session_id', '=', session.id)
  // Their bytes go with the next sweep, unless another recording is the same.
  const recordings = db.deleteFrom('media').where('run_id', 'in', runIds)
  // A turn that another tab begins meanwhile changes which message is shown.
  const unchanged = db
    .deleteFrom('chat_sessions')
    .where('id', '=', session.id)
    .where('shown_message_id', session.shown_message_id === null ? 'is' : '=', session.shown_message_id)
  try {
    await db.batch([spans, recordings, runs, requireChanges(unchanged)])
  } catch (error) {
    if (error instanceof UnexpectedChanges) throw replyUnderWay()
    throw error
  }
  tellOtherTabs(services, runner, session.id)
}
