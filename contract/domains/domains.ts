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

export const foundPerson = z.object({ id: z.string(), name: z.nullable(z.string()), email: z.nullable(z.string()) })
export type FoundPerson = z.infer<typeof foundPerson>

export const domains = {
  mine: endpoint('GET /api/domains/my', {
    summary: 'The domains one owns or is a member of, the primary one first',
    access: 'person',
    returns: z.array(domain),
    answer: 'bare',
  }),
  searchPeople: endpoint('GET /api/domains/users/search', {
    summary: 'At most 10 people by name or e-mail; e-mails of those who share a domain, or of that exact address',
    access: 'person',
    query: z.object({
      query: z.string().check(z.trim(), z.minLength(2, 'Type at least 2 characters.'), z.maxLength(200)),
    }),
    returns: z.array(foundPerson),
    answer: 'bare',
  }),
}

/** The role shown beside a domain (seed 000 §6): Owner, else the first permission's role, else Member. */
export function shownRole(of: Pick<Domain, 'ownerId' | 'permissions'>, personId: string): string {
  if (of.ownerId === personId) return 'Owner'
  return of.permissions[0]?.role ?? 'Member'
}
