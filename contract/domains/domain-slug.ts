import { slugFrom } from '../agents/agent-slug.ts'

const pattern = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])$/
const rule = 'Use 2 to 63 lowercase letters, digits and hyphens, with no hyphen at either end.'

/** What is wrong with the slug of a domain, as a sentence for the field with one that would do, or undefined. */
export function domainSlugProblem(slug: string): string | undefined {
  if (pattern.test(slug)) return undefined
  const better = slugFrom(slug.replaceAll('_', '-'))
  return pattern.test(better) ? `${rule} For example: ${better}` : rule
}
