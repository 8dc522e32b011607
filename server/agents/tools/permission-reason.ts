import type { ApprovalReason } from '#contract/agents/tools.ts'
import type { Tool } from './tool.ts'

export interface CallContext {
  args: unknown
  typedText: string
  isTrusted(serverId: string): Promise<boolean>
  hasKeeperContent(): Promise<boolean>
}

/** Why a person must allow a call; `null` if no permission is needed. A failed lookup counts as a reason to ask. */
export async function getPermissionReason(
  tool: Pick<Tool, 'writes' | 'sends' | 'server' | 'wasTyped'>,
  { args, typedText, isTrusted, hasKeeperContent }: CallContext,
): Promise<ApprovalReason | null> {
  if (tool.writes) return 'writes'
  if (!tool.sends || tool.wasTyped?.(typedText, args)) return null
  if (tool.server && (await isTrusted(tool.server.id).catch(() => false))) return null
  return (await hasKeeperContent().catch(() => true)) ? 'sends' : null
}
