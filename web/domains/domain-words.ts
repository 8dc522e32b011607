import { domainSlugProblem } from '#contract/domains/domain-slug.ts'
import type { Domain } from '#contract/domains/domains.ts'
import type { ConflictField } from '#web/offline/conflict-dialog.tsx'

export interface DomainWords {
  name: string
  slug: string
  description: string
  /** Empty for none. */
  leadAgentId: string
}

export const wordsOf = (domain: Domain | undefined): DomainWords => ({
  name: domain?.name ?? '',
  slug: domain?.slug ?? '',
  description: domain?.description ?? '',
  leadAgentId: domain?.leadAgentId ?? '',
})

/** The request body of changed fields; the server derives an empty slug from the name. */
export function changesIn(before: DomainWords, words: DomainWords): Partial<Record<keyof DomainWords, string | null>> {
  const names = Object.keys(words) as (keyof DomainWords)[]
  const changed = names.filter((name) => words[name].trim() !== before[name])
  return Object.fromEntries(changed.map((name) => [name, words[name].trim() || null]))
}

export function wrongIn({ name, slug }: DomainWords, before: DomainWords): Record<string, string> {
  const nameProblem = name.trim() === '' ? 'Enter a name.' : undefined
  // An unchanged slug may predate the current rules.
  const given = slug.trim()
  const slugProblem = given === '' || given === before.slug ? undefined : domainSlugProblem(given)
  return { ...(nameProblem && { name: nameProblem }), ...(slugProblem && { slug: slugProblem }) }
}

const labels = { name: 'Name', slug: 'Slug', description: 'Description', leadAgentId: 'Lead agent' } as const

/** Fields that both sides changed to different values. */
export function conflictsIn(before: DomainWords, yours: DomainWords, current: DomainWords): ConflictField[] {
  const changed = Object.keys(changesIn(before, yours)) as (keyof DomainWords)[]
  return changed
    .filter((name) => current[name] !== before[name] && current[name] !== yours[name].trim())
    .map((name) => ({
      name,
      label: labels[name],
      yours: yours[name].trim(),
      current: current[name],
      ...((name === 'slug' || name === 'leadAgentId') && { choiceOnly: true }),
    }))
}
