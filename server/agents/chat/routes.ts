import { chat } from '#contract/agents/chat.ts'
import { type ServedCall, serveArea } from '#server/http/serve-area.ts'
import { unbuilt } from '#server/http/unbuilt.ts'
import type { Services } from '#server/services.ts'

export function chatRoutes(_services: Services): ServedCall[] {
  return serveArea('chat', chat, unbuilt(chat))
}
