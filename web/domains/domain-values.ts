import { getDomainSlugProblem } from '#contract/domains/domain-slug.ts'
import type { Domain } from '#contract/domains/domains.ts'

export interface DomainValues {
  name: string
  slug: string
  description: string
  /** Empty for none. */
  leadAgentId: string
}

export const toDomainValues = (domain: Domain | undefined): DomainValues => ({
  name: domain?.name ?? '',
  slug: domain?.slug ?? '',
  description: domain?.description ?? '',
  leadAgentId: domain?.leadAgentId ?? '',
})

/** The request body of changed fields; the server derives an empty slug from the name. */
export function getDomainChanges(
  previous: DomainValues | null,
  values: DomainValues,
): Partial<Record<keyof DomainValues, string | null>> {
  const names = Object.keys(values) as (keyof DomainValues)[]
  const changedFields = names.filter((name) => values[name].trim() !== (previous?.[name] ?? ''))
  return Object.fromEntries(changedFields.map((name) => [name, values[name].trim() || null]))
}

export function validateDomain({ name, slug }: DomainValues, previous: DomainValues | null): Record<string, string> {
  const nameProblem = name.trim() === '' ? 'Enter a name.' : undefined
  // An unchanged slug may predate the current rules.
  const trimmedSlug = slug.trim()
  const slugProblem =
    trimmedSlug === '' || trimmedSlug === previous?.slug ? undefined : getDomainSlugProblem(trimmedSlug)
  return { ...(nameProblem && { name: nameProblem }), ...(slugProblem && { slug: slugProblem }) }
}
