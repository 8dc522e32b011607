import { getDomainSlugProblem } from '#contract/domains/domain-slug.ts'
import type { Domain } from '#contract/domains/domains.ts'
import type { ConflictField } from '#web/offline/conflict-dialog.tsx'

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
  initial: DomainValues,
  values: DomainValues,
): Partial<Record<keyof DomainValues, string | null>> {
  const names = Object.keys(values) as (keyof DomainValues)[]
  const changedFields = names.filter((name) => values[name].trim() !== initial[name])
  return Object.fromEntries(changedFields.map((name) => [name, values[name].trim() || null]))
}

export function validateDomain({ name, slug }: DomainValues, initial: DomainValues): Record<string, string> {
  const nameProblem = name.trim() === '' ? 'Enter a name.' : undefined
  // An unchanged slug may predate the current rules.
  const trimmedSlug = slug.trim()
  const slugProblem = trimmedSlug === '' || trimmedSlug === initial.slug ? undefined : getDomainSlugProblem(trimmedSlug)
  return { ...(nameProblem && { name: nameProblem }), ...(slugProblem && { slug: slugProblem }) }
}

const labels = { name: 'Name', slug: 'Slug', description: 'Description', leadAgentId: 'Lead agent' } as const

export function findDomainConflicts(
  initial: DomainValues,
  local: DomainValues,
  current: DomainValues,
): ConflictField[] {
  const changedFields = Object.keys(getDomainChanges(initial, local)) as (keyof DomainValues)[]
  return changedFields
    .filter((name) => current[name] !== initial[name] && current[name] !== local[name].trim())
    .map((name) => ({
      name,
      label: labels[name],
      yours: local[name].trim(),
      current: current[name],
      ...((name === 'slug' || name === 'leadAgentId') && { choiceOnly: true }),
    }))
}
