import { sql } from 'kysely'
import type { HostedName } from '#server/domains/hosting/hosting-driver.ts'
import { badField, Problem } from '#server/http/problem.ts'
import type { Services } from '#server/services.ts'
import type { DomainRow } from '../domain-access.ts'

/** The custom domain of a row, as drivers are asked about it; undefined where none is written down. */
export async function hostedNameOf(services: Services, row: DomainRow): Promise<HostedName | undefined> {
  const { custom_domain: hostname } = row
  if (hostname === null) return undefined
  return {
    hostname,
    token: row.custom_domain_token ?? '',
    attachedAt: row.custom_domain_attached_at,
    contested: !row.custom_domain_verified && (await isContested(services, hostname, row.id)),
  }
}

/** @throws Problem 400 where no custom domain is written down */
export async function requireHostedName(services: Services, row: DomainRow): Promise<HostedName> {
  const name = await hostedNameOf(services, row)
  if (!name) throw badField('customDomain', 'Enter a domain name, such as memories.example.com.')
  return name
}

export function changedMeanwhile(): Problem {
  return new Problem('conflict', { message: 'Somebody changed this custom domain meanwhile. Reload and look again.' })
}

/** Another domain claims the name now, or was served under it once: its records may still lead here. */
async function isContested({ db }: Services, hostname: string, domainId: string): Promise<boolean> {
  const claim = await db
    .selectFrom('domains')
    .select('id')
    .where('custom_domain', '=', hostname)
    .where('id', '!=', domainId)
    .limit(1)
    .executeTakeFirst()
  if (claim) return true
  const before = await db
    .selectFrom('audit_events')
    .select('id')
    // Written out, so that it is found by the index of exactly these.
    .where(sql<boolean>`action = 'custom-domain-verified'`)
    .where('subject', '=', hostname)
    .where('domain_id', '!=', domainId)
    .limit(1)
    .executeTakeFirst()
  return before !== undefined
}
