import { type Domain, shownRole } from '#contract/domains/domains.ts'

/** 'Owner.{slug}' for the primary domain, '{role}.{slug}' for the others. */
export function domainLabel(domain: Domain, personId: string): string {
  return domain.isPrimary ? `Owner.${domain.slug}` : `${shownRole(domain, personId)}.${domain.slug}`
}
