import * as z from 'zod/mini'
import { endpoint } from '../endpoint.ts'

export const domainRoles = ['owner', 'admin', 'user', 'friend', 'connection'] as const

export const domain = z.object({
  id: z.string(),
  name: z.string(),
  slug: z.string(),
  description: z.nullable(z.string()),
  ownerId: z.string(),
  isPrimary: z.boolean(),
  customDomain: z.nullable(z.string()),
  customDomainVerified: z.boolean(),
  permissions: z.array(z.object({ role: z.enum(domainRoles) })),
  rev: z.number(),
})
export type Domain = z.infer<typeof domain>

export const domains = {
  mine: endpoint('GET /api/domains/my', {
    summary: 'The domains one owns or is a member of, the primary one first',
    access: 'person',
    returns: z.array(domain),
    answer: 'bare',
  }),
}

/** The role shown beside a domain (seed 000 §6): Owner, else the first permission's role, else Member. */
export function shownRole(of: Pick<Domain, 'ownerId' | 'permissions'>, personId: string): string {
  if (of.ownerId === personId) return 'Owner'
  return of.permissions[0]?.role ?? 'Member'
}
