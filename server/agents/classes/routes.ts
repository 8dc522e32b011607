import { agentClassCalls } from '#contract/agents/agent-classes.ts'
import type { ServedCall } from '#server/http/serve-area.ts'
import { unbuiltArea } from '#server/http/unbuilt.ts'
import type { Services } from '#server/services.ts'

export function agentClassRoutes(_services: Services): ServedCall[] {
  return unbuiltArea('agentClasses', agentClassCalls as never)
}
