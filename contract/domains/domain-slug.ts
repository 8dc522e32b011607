import { ownSegments, slugFrom } from '../agents/agent-slug.ts'

const pattern = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])$/
const rule = 'Use 2 to 63 lowercase letters, digits and hyphens, with no hyphen at either end.'

/** Domains also can't use `kam`, a segment of their own routes. */
export const isOwnSegment = (slug: string): boolean => ownSegments.has(slug) || slug === 'kam'

export function domainSlugProblem(slug: string): string | undefined {
  if (isOwnSegment(slug))
    return `"${slug}" is used by Keeper itself. Choose another slug, for example: ${behindIt(slug)}`
  if (pattern.test(slug)) return undefined
  const better = slugFrom(slug.replaceAll('_', '-'))
  if (!pattern.test(better)) return rule
  return `${rule} For example: ${isOwnSegment(better) ? behindIt(better) : better}`
}

const behindIt = (slug: string) => `${slug}-domain`
