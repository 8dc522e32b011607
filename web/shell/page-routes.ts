import { trimEndMatching } from '#contract/trim-end.ts'
export interface PageRoute {
  /** `:x` matches one segment. */
  path: string
  title: string
  parents?: readonly { title: string; to?: string }[]
  /** Hidden from the palette: another path shows the same page. */
  alias?: boolean
}

const root = { title: 'Root Dashboard', to: '/root' }
const studio = { title: 'Studio', to: '/studio/kip' }
const admin = { title: 'Admin' }
const keepers = { title: 'Keepers', to: '/keeper' }

export const pageRoutes: readonly PageRoute[] = [
  { path: '/root', title: 'Root Dashboard' },
  { path: '/root/profile', title: 'Profile', parents: [root] },
  { path: '/root/domain', title: 'Domain Settings', parents: [root] },
  { path: '/root/domain/:id', title: 'Shared in a domain', parents: [root], alias: true },
  { path: '/root/domain/:id/keepers/:keeperId', title: 'Shared keeper', parents: [root], alias: true },
  { path: '/root/domain/:id/journeys/:journeyId', title: 'Shared journey', parents: [root], alias: true },
  { path: '/root/api-keys', title: 'Personal API Keys', parents: [root] },
  { path: '/root/settings/api-keys', title: 'Personal API Keys', parents: [root], alias: true },
  { path: '/studio/agents', title: 'Manage Agents', parents: [studio] },
  { path: '/studio/kip/agents', title: 'Manage Agents', parents: [studio], alias: true },
  {
    path: '/studio/agent-board',
    title: 'Agent',
    parents: [studio, { title: 'Manage Agents', to: '/studio/agents' }],
    alias: true,
  },
  { path: '/studio/agents/:id', title: 'Agent', parents: [studio, { title: 'Manage Agents', to: '/studio/agents' }] },
  { path: '/studio/kip', title: 'Kip Studio' },
  { path: '/studio/themes', title: 'Theme Library', parents: [studio] },
  { path: '/studio/engagement-templates', title: 'Engagement Templates', parents: [studio], alias: true },
  { path: '/studio/memory-patterns', title: 'Memory Patterns', parents: [studio] },
  { path: '/studio/agent-classes', title: 'Agent Classes', parents: [studio] },
  { path: '/studio/board-studio', title: 'Board Studio', parents: [studio] },
  { path: '/studio/domain-board', title: 'Domain board', parents: [studio] },
  { path: '/studio/journey-board', title: 'Journey board', parents: [studio] },
  { path: '/studio/keeper-type-board', title: 'Keeper type board', parents: [studio] },
  { path: '/studio/people-board', title: 'People Management', parents: [studio] },
  { path: '/studio/admin', title: 'Studio Admin', parents: [studio] },
  { path: '/studio/admin/logs', title: 'System Logs', parents: [studio] },
  { path: '/studio/kip/logs', title: 'Agent Execution Logs', parents: [studio], alias: true },
  { path: '/studio/admin/api-keys', title: 'Platform API Keys', parents: [studio], alias: true },
  { path: '/studio/kip/api-keys', title: 'Platform API Keys', parents: [studio] },
  { path: '/admin/domains', title: 'Domain Management', parents: [admin] },
  { path: '/admin/roles', title: 'Platform Roles', parents: [admin] },
  { path: '/admin/users', title: 'Platform User Management', parents: [admin] },
  {
    path: '/admin/audit',
    title: 'Audit Log',
    parents: [admin, { title: 'Platform User Management', to: '/admin/users' }],
  },
  { path: '/library', title: 'Documents' },
  { path: '/keeper', title: 'All Keepers' },
  { path: '/keeper/manage', title: 'Manage Keepers', parents: [keepers] },
  { path: '/keeper/bin', title: 'Recently deleted', parents: [keepers] },
  { path: '/keeper/transfer', title: 'Export and import', parents: [keepers] },
  { path: '/keeper/types', title: 'Keeper Types', parents: [keepers] },
  { path: '/keeper/engagement-templates', title: 'Engagement Templates', parents: [keepers] },
  { path: '/keeper/new', title: 'New Keeper', parents: [keepers] },
  { path: '/keeper/selected/metadata', title: 'Keeper Metadata', parents: [keepers], alias: true },
  { path: '/keeper/selected/engagement-templates', title: 'Engagement Templates', parents: [keepers], alias: true },
  { path: '/keeper/selected/memory-tools', title: 'Memory tools', parents: [keepers], alias: true },
  { path: '/keeper/:id/dashboard', title: 'Dashboard', parents: [keepers] },
  { path: '/keeper/:id/memory', title: 'Memory', parents: [keepers] },
  { path: '/keeper/:id/journeys', title: 'Journeys', parents: [keepers] },
  { path: '/keeper/:id/moments', title: 'Moments', parents: [keepers] },
  { path: '/keeper/:id/topics', title: 'Topics', parents: [keepers] },
  { path: '/keeper/:id/voice', title: 'Voice Panel', parents: [keepers], alias: true },
  { path: '/keeper/:id/logbook', title: 'Logbook', parents: [keepers], alias: true },
  { path: '/keeper/:id/reflection-journal', title: 'Reflection Journal', parents: [keepers] },
  { path: '/keeper/:id/memory-cards', title: 'Memory Cards', parents: [keepers] },
  { path: '/keeper/:id/voice-panel', title: 'Voice Panel', parents: [keepers] },
  { path: '/keeper/:id/echo-writer', title: 'Echo Writer', parents: [keepers] },
  { path: '/keeper/:id/engagement', title: 'Engagement', parents: [keepers], alias: true },
  { path: '/keeper/:id/identity-logbook', title: 'Identity Logbook', parents: [keepers] },
  { path: '/debug', title: 'Diagnostics' },
  { path: '/board-demo', title: 'Board demo' },
]

/** Exact paths win over patterns. */
export function findPageRoute(path: string): PageRoute | undefined {
  const normalizedPath = trimEndMatching(path, /\//) || path.slice(0, 1)
  return (
    pageRoutes.find((route) => route.path === normalizedPath) ??
    pageRoutes.find((route) => {
      const patternSegments = route.path.split('/')
      const pathSegments = normalizedPath.split('/')
      return (
        patternSegments.length === pathSegments.length &&
        patternSegments.every((part, at) => part.startsWith(':') || part === pathSegments[at])
      )
    })
  )
}

/** Pages of a keeper lead to the person's first keeper (`1`). */
export function getPaletteRoutes(): { path: string; to: string; title: string; hint: string }[] {
  return pageRoutes
    .filter((route) => !route.alias && !route.path.startsWith('/studio/agents/:'))
    .map(({ path, title, parents }) => ({
      path,
      to: path.replace(':id', '1'),
      title,
      hint: path.includes(':id') ? 'Your keeper' : (parents?.map((crumb) => crumb.title).join(' › ') ?? ''),
    }))
}
