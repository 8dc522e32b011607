import { builtInTools } from '#contract/agents/tools.ts'
import type { Services } from '#server/services.ts'

/** Every name an agent's tool list may hold. */
export async function knownToolNames(_services: Services): Promise<string[]> {
  return [...builtInTools]
}
