import type { AskReason } from '#contract/agents/tools.ts'
import type { Tool } from './tool.ts'

/** Lookups about a call, made only if their answer matters. */
export interface CallContext {
  args: unknown
  typed: string
  isTrusted(serverId: string): Promise<boolean>
  wasGivenOfKeepers(): Promise<boolean>
}

/** Why a person must allow a call; `null` if no permission is needed. A failed lookup counts as a reason to ask. */
export async function reasonToAsk(
  tool: Pick<Tool, 'writes' | 'sends' | 'server' | 'wasTyped'>,
  { args, typed, isTrusted, wasGivenOfKeepers }: CallContext,
): Promise<AskReason | null> {
  if (tool.writes) return 'writes'
  if (!tool.sends || tool.wasTyped?.(typed, args)) return null
  if (tool.server && (await isTrusted(tool.server.id).catch(() => false))) return null
  return (await wasGivenOfKeepers().catch(() => true)) ? 'sends' : null
}
