import type { AskReason } from '#contract/agents/tools.ts'
import type { Tool } from './tool.ts'

/** What has to be looked up about a call; asked only where the answer matters. */
export interface CallContext {
  args: unknown
  /** The person's own message, word for word. */
  typed: string
  isTrusted(serverId: string): Promise<boolean>
  wasGivenOfKeepers(): Promise<boolean>
}

/**
 * Why a person has to allow a call before it runs; `null` where it just runs. A lookup that fails counts as the answer
 * that asks.
 */
export async function reasonToAsk(
  tool: Pick<Tool, 'writes' | 'sends' | 'server' | 'wasTyped'>,
  { args, typed, isTrusted, wasGivenOfKeepers }: CallContext,
): Promise<AskReason | null> {
  if (tool.writes) return 'writes'
  if (!tool.sends || tool.wasTyped?.(typed, args)) return null
  if (tool.server && (await isTrusted(tool.server.id).catch(() => false))) return null
  return (await wasGivenOfKeepers().catch(() => true)) ? 'sends' : null
}
