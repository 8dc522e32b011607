/**
 * First path segments of the application; `kip` and `ceox` belong to the built-in agents. web/routes.tsx, the address book
 * and this list are compared by tests.
 */
export const ownSegments: ReadonlySet<string> = new Set([
  'root',
  'studio',
  'board-studio',
  'admin',
  'library',
  'keeper',
  'login',
  'register',
  'debug',
  'board-demo',
  'dev',
  'kip',
  'ceox',
  'api',
  'assets',
  'health',
  'ping',
  'railway-status',
])

/** No agent may take these: where Keeper has pages, and names kept for it. */
export const reservedSlugs: ReadonlySet<string> = new Set([
  ...ownSegments,
  'sw',
  'theme',
  'favicon',
  'robots',
  'manifest',
  'reset',
  'invite',
  'invitation',
  'join',
  'logout',
  'signin',
  'signout',
  'signup',
  'account',
  'settings',
  'profile',
  'public',
  'static',
  'media',
  'files',
  'help',
  'docs',
  'about',
  'privacy',
  'terms',
  'security',
  'status',
  'support',
  'www',
  'mail',
  'ftp',
  'system',
  'null',
  'undefined',
  'new',
  'edit',
  'keeper-app',
  'agents',
  'boards',
])

const slugPattern = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/
/** Calls take an id or a slug for an agent, so one agent's slug must never be another one's id. */
const looksLikeId = /^(?:[0-9a-f]{32}|built-in(?:-.*)?)$/
export const slugRule = 'Only lowercase letters, numbers and hyphens.'

/** The slug made from a name (seed 001 §5): lowercase, letters, digits and single hyphens. */
export function slugFrom(name: string): string {
  return name
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9\s-]/g, '')
    .replace(/[\s-]+/g, '-')
    .replace(/^-|-$/g, '')
    .slice(0, 63)
    .replace(/-$/, '')
}

/** What is wrong with a slug, as a sentence for the field, or undefined. */
export function slugProblem(slug: string): string | undefined {
  if (!slugPattern.test(slug) || slug.includes('--')) {
    const better = slugFrom(slug.replaceAll('_', '-'))
    return better ? `${slugRule} Use ${better}` : slugRule
  }
  if (looksLikeId.test(slug)) return 'This slug looks like an id. Choose another slug.'
  if (reservedSlugs.has(slug)) return `"${slug}" is used by Keeper itself. Choose another slug.`
  return undefined
}
