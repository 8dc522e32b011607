import { appPathSegments, toSlug } from '../agents/agent-slug.ts'

const domainSlugPattern = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])$/
const domainSlugRule = 'Use 2 to 63 lowercase letters, digits and hyphens, with no hyphen at either end.'

/** Domains also can't use `kam`, a segment of their own routes. */
export const isReservedDomainSlug = (slug: string): boolean => appPathSegments.has(slug) || slug === 'kam'

export function getDomainSlugProblem(slug: string): string | undefined {
  if (isReservedDomainSlug(slug))
    return `"${slug}" is reserved by Keeper. Choose another slug, for example: ${withDomainSuffix(slug)}`
  if (domainSlugPattern.test(slug)) return undefined
  const suggestion = toSlug(slug.replaceAll('_', '-'))
  if (!domainSlugPattern.test(suggestion)) return domainSlugRule
  return `${domainSlugRule} For example: ${isReservedDomainSlug(suggestion) ? withDomainSuffix(suggestion) : suggestion}`
}

const withDomainSuffix = (slug: string) => `${slug}-domain`
