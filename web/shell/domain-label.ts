import type { Domain } from '#contract/domains/domains.ts'
import { getDisplayRole } from '#contract/domains/domains.ts'

export function getDomainLabel(domain: Domain): string {
  return domain.isPrimary ? `Owner.${domain.slug}` : `${getDisplayRole(domain)}.${domain.slug}`
}
