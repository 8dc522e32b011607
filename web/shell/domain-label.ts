import { type Domain, shownRole } from '#contract/domains/domains.ts'

/** The primary one is 'Owner.{slug}', every other '{role}.{slug}' (seed 000 §2). */
export function domainLabel(domain: Domain, personId: string): string {
  return domain.isPrimary ? `Owner.${domain.slug}` : `${shownRole(domain, personId)}.${domain.slug}`
}
