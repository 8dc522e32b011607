import { trimEndOf } from '#contract/trim-end-of.ts'
export interface Place {
  /** `:x` matches one segment. */
  path: string
  title: string
  /** Breadcrumbs before the title. */
  under?: readonly { title: string; to?: string }[]
  /** Hidden from the palette: another path shows the same page. */
  alias?: boolean
}

const root = { title: 'Root Dashboard', to: '/root' }
const studio = { title: 'Studio', to: '/studio/kip' }
const admin = { title: 'Admin' }
const keepers = { title: 'Keepers', to: '/keeper' }

/** Titles for breadcrumbs, palette and system information. */
export const places: readonly Place[] = [
  { path: '/root', title: 'Root Dashboard' },
  { path: '/root/profile', title: 'Profile', under: [root] },
  { path: '/root/domain', title: 'Domain Settings', under: [root] },
  { path: '/root/domain/:id', title: 'Shared in a domain', under: [root], alias: true },
  { path: '/root/domain/:id/keepers/:keeperId', title: 'Shared keeper', under: [root], alias: true },
  { path: '/root/domain/:id/journeys/:journeyId', title: 'Shared journey', under: [root], alias: true },
  { path: '/root/api-keys', title: 'Personal API Keys', under: [root] },
  { path: '/root/settings/api-keys', title: 'Personal API Keys', under: [root], alias: true },
  { path: '/studio/agents', title: 'Manage Agents', under: [studio] },
  { path: '/studio/kip/agents', title: 'Manage Agents', under: [studio], alias: true },
  {
    path: '/studio/agent-board',
    title: 'Agent',
    under: [studio, { title: 'Manage Agents', to: '/studio/agents' }],
    alias: true,
  },
  { path: '/studio/agents/:id', title: 'Agent', under: [studio, { title: 'Manage Agents', to: '/studio/agents' }] },
  { path: '/studio/kip', title: 'Kip Studio' },
  { path: '/studio/themes', title: 'Theme Library', under: [studio] },
  { path: '/studio/engagement-templates', title: 'Engagement Templates', under: [studio], alias: true },
  { path: '/studio/memory-patterns', title: 'Memory Patterns', under: [studio] },
  { path: '/studio/agent-classes', title: 'Agent Classes', under: [studio] },
  { path: '/studio/board-studio', title: 'Board Studio', under: [studio] },
  { path: '/studio/domain-board', title: 'Domain board', under: [studio] },
  { path: '/studio/journey-board', title: 'Journey board', under: [studio] },
  { path: '/studio/keeper-type-board', title: 'Keeper type board', under: [studio] },
  { path: '/studio/people-board', title: 'People Management', under: [studio] },
  { path: '/studio/admin', title: 'Studio Admin', under: [studio] },
  { path: '/studio/admin/logs', title: 'System Logs', under: [studio] },
  { path: '/studio/kip/logs', title: 'Agent Execution Logs', under: [studio], alias: true },
  { path: '/studio/admin/api-keys', title: 'Platform API Keys', under: [studio], alias: true },
  { path: '/studio/kip/api-keys', title: 'Platform API Keys', under: [studio] },
  { path: '/admin/domains', title: 'Domain Management', under: [admin] },
  { path: '/admin/roles', title: 'Platform Roles', under: [admin] },
  { path: '/admin/users', title: 'Platform User Management', under: [admin] },
  {
    path: '/admin/audit',
    title: 'Audit Log',
    under: [admin, { title: 'Platform User Management', to: '/admin/users' }],
  },
  { path: '/library', title: 'Documents' },
  { path: '/keeper', title: 'All Keepers' },
  { path: '/keeper/manage', title: 'Manage Keepers', under: [keepers] },
  { path: '/keeper/bin', title: 'Recently deleted', under: [keepers] },
  { path: '/keeper/transfer', title: 'Export and import', under: [keepers] },
  { path: '/keeper/types', title: 'Keeper Types', under: [keepers] },
  { path: '/keeper/engagement-templates', title: 'Engagement Templates', under: [keepers] },
  { path: '/keeper/new', title: 'New Keeper', under: [keepers] },
  { path: '/keeper/selected/metadata', title: 'Keeper Metadata', under: [keepers], alias: true },
  { path: '/keeper/selected/engagement-templates', title: 'Engagement Templates', under: [keepers], alias: true },
  { path: '/keeper/selected/memory-tools', title: 'Memory tools', under: [keepers], alias: true },
  { path: '/keeper/:id/dashboard', title: 'Dashboard', under: [keepers] },
  { path: '/keeper/:id/memory', title: 'Memory', under: [keepers] },
  { path: '/keeper/:id/journeys', title: 'Journeys', under: [keepers] },
  { path: '/keeper/:id/moments', title: 'Moments', under: [keepers] },
  { path: '/keeper/:id/topics', title: 'Topics', under: [keepers] },
  { path: '/keeper/:id/voice', title: 'Voice Panel', under: [keepers], alias: true },
  { path: '/keeper/:id/logbook', title: 'Logbook', under: [keepers], alias: true },
  { path: '/keeper/:id/reflection-journal', title: 'Reflection Journal', under: [keepers] },
  { path: '/keeper/:id/memory-cards', title: 'Memory Cards', under: [keepers] },
  { path: '/keeper/:id/voice-panel', title: 'Voice Panel', under: [keepers] },
  { path: '/keeper/:id/echo-writer', title: 'Echo Writer', under: [keepers] },
  { path: '/keeper/:id/engagement', title: 'Engagement', under: [keepers], alias: true },
  { path: '/keeper/:id/identity-logbook', title: 'Identity Logbook', under: [keepers] },
  { path: '/debug', title: 'Diagnostics' },
  { path: '/board-demo', title: 'Board demo' },
]

/** Exact paths win over patterns. */
export function placeAt(path: string): Place | undefined {
  const plain = trimEndOf(path, /\//) || path.slice(0, 1)
  return (
    places.find((place) => place.path === plain) ??
    places.find((place) => {
      const wanted = place.path.split('/')
      const given = plain.split('/')
      return wanted.length === given.length && wanted.every((part, at) => part.startsWith(':') || part === given[at])
    })
  )
}

/** Pages of a keeper lead to the person's first keeper (`1`). */
export function placesToGo(): { path: string; to: string; title: string; hint: string }[] {
  return places
    .filter((place) => !place.alias && !place.path.startsWith('/studio/agents/:'))
    .map(({ path, title, under }) => ({
      path,
      to: path.replace(':id', '1'),
      title,
      hint: path.includes(':id') ? 'Your keeper' : (under?.map((crumb) => crumb.title).join(' › ') ?? ''),
    }))
}
