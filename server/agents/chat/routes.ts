import { chat } from '#contract/agents/chat.ts'
import { type ServedCall, serveArea } from '#server/http/serve-area.ts'
import type { Services } from '#server/services.ts'
import { getRunner } from '../runs/execute/runner.ts'
import { deleteSession, renameSession, showBranch } from './chat-sessions.ts'

export function chatRoutes(services: Services): ServedCall[] {
  return serveArea('chat', chat, {
    rename: (call) => renameSession(services, getRunner(call), call.params.sessionId, call.body.sessionName),
    remove: async (call) => {
      await deleteSession(services, getRunner(call), call.params.sessionId)
    },
    showBranch: (call) => showBranch(services, getRunner(call), call.params.sessionId, call.body.messageId),
  })
}
