import { chat } from '#contract/agents/chat.ts'
import { type ServedCall, serveArea } from '#server/http/serve-area.ts'
import type { Services } from '#server/services.ts'
import { getRunner } from '../runs/execute/runner.ts'
import { renameSession } from './chat-sessions.ts'
import { deleteSession } from './delete-session.ts'
import { showBranch } from './show-branch.ts'

export function chatRoutes(services: Services): ServedCall[] {
  return serveArea('chat', chat, {
    rename: (call) => renameSession(services, getRunner(call), call.params.sessionId, call.body.sessionName),
    remove: async (call) => {
      await deleteSession(services, getRunner(call), call.params.sessionId)
    },
    showBranch: (call) => showBranch(services, getRunner(call), call.params.sessionId, call.body.messageId),
  })
}
