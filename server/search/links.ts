import { getEntryPath } from '#contract/keepers/entry-address.ts'
import type { SearchType } from '#contract/keepers/search.ts'

interface LinkedHit {
  id: string
  containerId: string
  agentSlug: string
}

export function toLink(type: SearchType, { id, containerId, agentSlug }: LinkedHit): string {
  if (type === 'board') return `/studio/board-studio?board=${encodeURIComponent(containerId)}`
  if (type === 'chat') return `/${agentSlug}?sessionId=${encodeURIComponent(containerId)}`
  return getEntryPath({ entity: type, keeperId: containerId, id })
}
