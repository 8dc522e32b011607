import { trimEndMatching } from '#contract/linear-text.ts'

export interface PageRoute {
  /** `:x` matches one segment. */
  path: string
  title: string
  parents?: readonly { title: string; to?: string }[]
  /** Another path shows the same page, or the page needs more than the palette can give. */
  isHiddenInPalette?: boolean
}

const rootCrumb = { title: 'Root Dashboard', to: '/root' }
const studioCrumb = { title: 'Studio', to: '/studio/kip' }
const adminCrumb = { title: 'Admin' }
const keepersCrumb = { title: 'Keepers', to: '/keeper' }

export const pageRoutes: readonly PageRoute[] = [
  { path: '/root', title: 'Root Dashboard' },
  { path: '/root/profile', title: 'Profile', parents: [rootCrumb] },
  { path: '/root/domain', title: 'Domain Settings', parents: [rootCrumb] },
  { path: '/root/domain/:id', title: 'Shared in a domain', parents: [rootCrumb], isHiddenInPalette: true },
  { path: '/root/domain/:id/keepers/:keeperId', title: 'Shared keeper', parents: [rootCrumb], isHiddenInPalette: true },
  {
    path: '/root/domain/:id/journeys/:journeyId',
    title: 'Shared journey',
    parents: [rootCrumb],
    isHiddenInPalette: true,
  },
  { path: '/oauth/authorize', title: 'Connect a program', parents: [rootCrumb], isHiddenInPalette: true },
  { path: '/root/api-keys', title: 'Personal API Keys', parents: [rootCrumb] },
  { path: '/root/settings/api-keys', title: 'Personal API Keys', parents: [rootCrumb], isHiddenInPalette: true },
  { path: '/studio/agents', title: 'Manage Agents', parents: [studioCrumb] },
  { path: '/studio/kip/agents', title: 'Manage Agents', parents: [studioCrumb], isHiddenInPalette: true },
  {
    path: '/studio/agent-board',
    title: 'Agent',
    parents: [studioCrumb, { title: 'Manage Agents', to: '/studio/agents' }],
    isHiddenInPalette: true,
  },
  {
    path: '/studio/agents/:id',
    title: 'Agent',
    parents: [studioCrumb, { title: 'Manage Agents', to: '/studio/agents' }],
  },
  { path: '/studio/kip', title: 'Kip Studio' },
  { path: '/studio/themes', title: 'Theme Library', parents: [studioCrumb] },
  {
    path: '/studio/engagement-templates',
    title: 'Engagement Templates',
    parents: [studioCrumb],
    isHiddenInPalette: true,
  },
  { path: '/studio/memory-patterns', title: 'Memory Patterns', parents: [studioCrumb] },
  { path: '/studio/agent-classes', title: 'Agent Classes', parents: [studioCrumb] },
  { path: '/studio/board-studio', title: 'Board Studio', parents: [studioCrumb] },
  { path: '/studio/domain-board', title: 'Domain board', parents: [studioCrumb] },
  { path: '/studio/journey-board', title: 'Journey board', parents: [studioCrumb] },
  { path: '/studio/keeper-type-board', title: 'Keeper type board', parents: [studioCrumb] },
  { path: '/studio/people-board', title: 'People Management', parents: [studioCrumb] },
  { path: '/studio/admin', title: 'Studio Admin', parents: [studioCrumb] },
  { path: '/studio/admin/logs', title: 'System Logs', parents: [studioCrumb] },
  { path: '/studio/kip/logs', title: 'Agent Execution Logs', parents: [studioCrumb], isHiddenInPalette: true },
  { path: '/studio/admin/api-keys', title: 'Platform API Keys', parents: [studioCrumb], isHiddenInPalette: true },
  { path: '/studio/kip/api-keys', title: 'Platform API Keys', parents: [studioCrumb] },
  { path: '/admin/domains', title: 'Domain Management', parents: [adminCrumb] },
  { path: '/admin/roles', title: 'Platform Roles', parents: [adminCrumb] },
  { path: '/admin/users', title: 'Platform User Management', parents: [adminCrumb] },
  {
    path: '/admin/audit',
    title: 'Audit Log',
    parents: [adminCrumb, { title: 'Platform User Management', to: '/admin/users' }],
  },
  { path: '/admin/backups', title: 'Backups', parents: [adminCrumb] },
  { path: '/library', title: 'Documents' },
  { path: '/search', title: 'Search' },
  { path: '/keeper', title: 'All Keepers' },
  { path: '/keeper/manage', title: 'Manage Keepers', parents: [keepersCrumb] },
  { path: '/keeper/bin', title: 'Recently deleted', parents: [keepersCrumb] },
  { path: '/keeper/transfer', title: 'Export and import', parents: [keepersCrumb] },
  { path: '/keeper/types', title: 'Keeper Types', parents: [keepersCrumb] },
  { path: '/keeper/engagement-templates', title: 'Engagement Templates', parents: [keepersCrumb] },
  { path: '/keeper/new', title: 'New Keeper', parents: [keepersCrumb] },
  { path: '/keeper/selected/metadata', title: 'Keeper Metadata', parents: [keepersCrumb], isHiddenInPalette: true },
  {
    path: '/keeper/selected/engagement-templates',
    title: 'Engagement Templates',
    parents: [keepersCrumb],
    isHiddenInPalette: true,
  },
  { path: '/keeper/selected/memory-tools', title: 'Memory tools', parents: [keepersCrumb], isHiddenInPalette: true },
  { path: '/keeper/:id/dashboard', title: 'Dashboard', parents: [keepersCrumb] },
  { path: '/keeper/:id/memory', title: 'Memory', parents: [keepersCrumb] },
  { path: '/keeper/:id/journeys', title: 'Journeys', parents: [keepersCrumb] },
  { path: '/keeper/:id/moments', title: 'Moments', parents: [keepersCrumb] },
  { path: '/keeper/:id/book', title: 'Book', parents: [keepersCrumb] },
  { path: '/keeper/:id/topics', title: 'Topics', parents: [keepersCrumb] },
  { path: '/keeper/:id/voice', title: 'Voice Panel', parents: [keepersCrumb], isHiddenInPalette: true },
  { path: '/keeper/:id/logbook', title: 'Logbook', parents: [keepersCrumb], isHiddenInPalette: true },
  { path: '/keeper/:id/reflection-journal', title: 'Reflection Journal', parents: [keepersCrumb] },
  { path: '/keeper/:id/memory-cards', title: 'Memory Cards', parents: [keepersCrumb] },
  { path: '/keeper/:id/sources', title: 'Sources', parents: [keepersCrumb] },
  { path: '/keeper/:id/voice-panel', title: 'Voice Panel', parents: [keepersCrumb] },
  { path: '/keeper/:id/echo-writer', title: 'Echo Writer', parents: [keepersCrumb] },
  { path: '/keeper/:id/engagement', title: 'Engagement', parents: [keepersCrumb], isHiddenInPalette: true },
  { path: '/keeper/:id/identity-logbook', title: 'Identity Logbook', parents: [keepersCrumb] },
  { path: '/debug', title: 'Diagnostics' },
  { path: '/board-demo', title: 'Board demo' },
  { path: '/api', title: 'API' },
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
        patternSegments.every((segment, index) => segment.startsWith(':') || segment === pathSegments[index])
      )
    })
  )
}

/** Pages of a keeper lead to the person's first keeper (`1`). */
export function getPaletteRoutes(): { path: string; to: string; title: string; hint: string }[] {
  return pageRoutes
    .filter((route) => !route.isHiddenInPalette && !route.path.startsWith('/studio/agents/:'))
    .map(({ path, title, parents }) => ({
      path,
      to: path.replace(':id', '1'),
      title,
      hint: path.includes(':id') ? 'Your keeper' : (parents?.map((crumb) => crumb.title).join(' › ') ?? ''),
    }))
}
