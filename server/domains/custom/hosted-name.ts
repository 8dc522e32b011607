import { sql } from 'kysely'
import type { HostedName } from '#server/domains/hosting/hosting-driver.ts'
import { badField, Problem } from '#server/http/problem.ts'
import type { Services } from '#server/services.ts'
import type { DomainRow } from '../domain-access.ts'

export async function toHostedName(services: Services, row: DomainRow): Promise<HostedName | undefined> {
  const { custom_domain: hostname } = row
  if (hostname === null) return undefined
  return {
    hostname,
    token: row.custom_domain_token ?? '',
    attachedAt: row.custom_domain_attached_at,
    contested: !row.custom_domain_verified && (await isContested(services, hostname, row.id)),
  }
}

/** @throws Problem 400 without a custom domain */
export async function requireHostedName(services: Services, row: DomainRow): Promise<HostedName> {
  const name = await toHostedName(services, row)
  if (!name) throw badField('customDomain', 'Enter a domain name, such as memories.example.com.')
  return name
}

export function customDomainChanged(): Problem {
  return new Problem('conflict', {
    message: 'Someone changed this custom domain in the meantime. Reload and try again.',
  })
}

async function isContested({ db }: Services, hostname: string, domainId: string): Promise<boolean> {
  const claim = await db
    .selectFrom('domains')
    .select('id')
    .where('custom_domain', '=', hostname)
    .where('id', '!=', domainId)
    .limit(1)
    .executeTakeFirst()
  if (claim) return true
  const earlierVerification = await db
    .selectFrom('audit_events')
    .select('id')
    // Spelled out to match the partial index.
    .where(sql<boolean>`action = 'custom-domain-verified'`)
    .where('subject', '=', hostname)
    .where('domain_id', '!=', domainId)
    .limit(1)
    .executeTakeFirst()
  return earlierVerification !== undefined
}
