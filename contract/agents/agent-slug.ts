export const appPathSegments: ReadonlySet<string> = new Set([
  'root',
  'studio',
  'board-studio',
  'admin',
  'library',
  'keeper',
  'search',
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
  'metrics',
  'mcp',
  'oauth',
  'v1',
])

export const reservedSlugs: ReadonlySet<string> = new Set([
  ...appPathSegments,
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
/** An endpoint accepts an ID or a slug, so a slug must never look like an ID. */
const idPattern = /^(?:[0-9a-f]{32}|built-in(?:-.*)?)$/
export const slugRule = 'Only lowercase letters, numbers and hyphens.'

export function toSlug(name: string): string {
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

export function getSlugProblem(slug: string): string | undefined {
  if (!slugPattern.test(slug) || slug.includes('--')) {
    const suggestion = toSlug(slug.replaceAll('_', '-'))
    return suggestion ? `${slugRule} Use ${suggestion}` : slugRule
  }
  if (idPattern.test(slug)) return 'This slug looks like an ID. Choose another one.'
  if (reservedSlugs.has(slug)) return `"${slug}" is reserved by Keeper. Choose another slug.`
  return undefined
}
