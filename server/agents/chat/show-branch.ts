import type { ChatMessage } from '#contract/agents/chat.ts'
import { requireChanges } from '#server/db/database.ts'
import { UnexpectedChanges } from '#server/db/database-errors.ts'
import type { Services } from '#server/services.ts'
import type { Runner } from '../runs/execute/runner.ts'
import { notifyOtherTabs, requireSession } from './chat-sessions.ts'
import { findNewestLeaf } from './message-tree.ts'
import { listSessionMessages } from './session-messages.ts'
import { createReplyInProgressProblem, refuseWhileReplying, requireMessage } from './turns.ts'

/** Switches the session, in all tabs, to the newest leaf of the message's branch. @throws Problem 404, 409 */
export async function showBranch(
  services: Services,
  runner: Runner,
  sessionId: string,
  messageId: string,
): Promise<ChatMessage[]> {
  const session = await requireSession(services, runner, sessionId)
  const messages = await services.db
    .selectFrom('messages')
    .select(['id', 'parent_id', 'position'])
    .where('session_id', '=', session.id)
    .execute()
  const { id } = requireMessage(messages, messageId)
  await refuseWhileReplying(services, session.id)
  const sessionUpdate = services.db
    .updateTable('chat_sessions')
    .set({ shown_message_id: findNewestLeaf(messages, id) })
    .where('id', '=', session.id)
    .where('shown_message_id', '=', session.shown_message_id)
  try {
    await services.db.batch([requireChanges(sessionUpdate)])
  } catch (error) {
    if (error instanceof UnexpectedChanges) throw createReplyInProgressProblem()
    throw error
  }
  notifyOtherTabs(services, runner, session.id)
  return listSessionMessages(services, runner, { sessionId: session.id })
}
