import { randomBytes } from 'node:crypto'
import { sql, type Updateable } from 'kysely'
import { type DnsStatus, hostingNameServers } from '#contract/domains/custom-domains.ts'
import type { Person } from '#server/accounts/person.ts'
import { insertAudit } from '#server/audit/write-audit.ts'
import { requireChanges, type Write } from '#server/db/database.ts'
import { UnexpectedChanges, UniqueViolation } from '#server/db/database-errors.ts'
import type { Schema } from '#server/db/schema.ts'
import { badField, Problem } from '#server/http/problem.ts'
import { requireAttempt } from '#server/http/throttle.ts'
import type { Services } from '#server/services.ts'
import { toIsoTimeOrNull } from '#server/values/iso-time.ts'
import { type DomainRow, lockDomain, requireDomainAccess } from '../domain-access.ts'
import {
  createEmptyStatus,
  type HostedDomain,
  type HostingDriver,
  HostingFailure,
  type HostingStatus,
  hostingErrors,
  takenCodes,
  toFailureText,
} from '../hosting/hosting-driver.ts'
import { publishDomainChanged } from '../publish-domain-changed.ts'
import { detachHost, setCustomDomain } from '../set-custom-domain.ts'
import { readHostName } from './host-name.ts'

export async function toHostedDomain(services: Services, row: DomainRow): Promise<HostedDomain | undefined> {
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
async function requireHostedDomain(services: Services, row: DomainRow): Promise<HostedDomain> {
  const name = await toHostedDomain(services, row)
  if (!name) throw badField('customDomain', 'Enter a domain name, such as memories.example.com.')
  return name
}

function createChangedConcurrentlyProblem(): Problem {
  return new Problem('conflict', {
    message: 'Someone changed this custom domain in the meantime. Reload and try again.',
  })
}

async function isContested({ db }: Services, hostname: string, domainId: string): Promise<boolean> {
  const claims = db.selectFrom('domains').select('id').where('custom_domain', '=', hostname).where('id', '!=', domainId)
  const earlierVerifications = db
    .selectFrom('audit_events')
    .select('id')
    // Not a parameter: the partial index matches only this literal.
    .where(sql<boolean>`action = 'custom-domain-verified'`)
    .where('subject', '=', hostname)
    .where('domain_id', '!=', domainId)
  return (await db.exists(claims)) || db.exists(earlierVerifications)
}

/** Status checks query name servers or the provider, whose limits all domains share. */
const checkThrottle = { kind: 'custom-domain-look', limit: 30, windowMs: 60_000 }
/** Counted separately, so that pages polling the status don't use up adding and verifying. */
const actionThrottle = { ...checkThrottle, kind: 'custom-domain-deed' }

export async function showDnsStatus(services: Services, person: Person, id: string): Promise<DnsStatus> {
  const { domain } = await requireDomainAccess(services, person, id, 'seeCustomDomain')
  const { hosting } = services
  if (!hosting)
    return toDnsStatus(services, domain, { ...createEmptyStatus(), error: hostingErrors['403'], errorCode: '403' })
  const name = await toHostedDomain(services, domain)
  if (!name) return toDnsStatus(services, domain, createEmptyStatus())
  await requireAttempt(services, checkThrottle, id)
  return toDnsStatus(services, domain, await hosting.status(name))
}

function toDnsStatus({ hosting, now }: Services, row: DomainRow, status: HostingStatus): DnsStatus {
  const { attached, configured, records, error, errorCode, configuredBy, conflicts } = status
  const hostDetails: DnsStatus['details'] = {
    customDomain: row.custom_domain,
    verified: row.custom_domain_verified,
    provider: hosting?.name ?? null,
    checkedAt: hosting && row.custom_domain ? now().toISOString() : null,
    brokenSince: toIsoTimeOrNull(row.custom_domain_broken_since),
    configuredBy,
    conflicts,
  }
  return { attached, configured, records, nameServers: hostingNameServers, error, errorCode, details: hostDetails }
}

/** Idempotent. @throws Problem 400 without driver or name, 409 if another project has it, 502; `stale` with both versions */
export async function attachHost(
  services: Services,
  person: Person,
  id: string,
  requestedName: string | undefined,
  ifMatch: number | null = null,
): Promise<DnsStatus> {
  const { domain: current } = await requireDomainAccess(services, person, id, 'setCustomDomain')
  const { hosting, settings } = services
  if (!hosting) throw new Problem('driver-missing')
  if (requestedName !== undefined && readHostName(requestedName, settings) !== current.custom_domain)
    await setCustomDomain(services, person, id, requestedName, ifMatch)
  const access = await requireDomainAccess(services, person, id, 'setCustomDomain')
  const { domain } = access
  const name = await requireHostedDomain(services, domain)

  await requireAttempt(services, actionThrottle, id)
  await attachAtProvider(hosting, name)
  const columns = {
    custom_domain_attached_at: services.now().getTime(),
    custom_domain_token: domain.custom_domain_token ?? randomBytes(10).toString('hex'),
  }
  const attachedRow = { ...domain, ...columns }
  const isSaved = await services.db.batchUnlessChanged([
    ...lockDomain(services, person, access),
    updateHost(services, domain, columns),
    insertAudit(services, { action: 'custom-domain-added', actor: person, domainId: id, subject: name.hostname }),
  ])
  if (!isSaved) {
    await releaseHost(services, attachedRow)
    throw createChangedConcurrentlyProblem()
  }
  await publishDomainChanged(services, id)
  const attachedName = await toHostedDomain(services, attachedRow)
  return toDnsStatus(services, attachedRow, await hosting.status(attachedName ?? name))
}

/** Fails with UnexpectedChanges if someone changed the custom domain in the meantime. */
function updateHost({ db }: Services, domain: DomainRow, columns: Updateable<Schema['domains']>): Write {
  return requireChanges(
    db
      .updateTable('domains')
      .set(columns)
      .where('id', '=', domain.id)
      .where('custom_domain', '=', domain.custom_domain)
      .where('custom_domain_token', 'is not distinct from', domain.custom_domain_token),
  )
}

async function attachAtProvider(hosting: HostingDriver, name: Parameters<HostingDriver['attach']>[0]): Promise<void> {
  try {
    await hosting.attach(name)
  } catch (error) {
    if (error instanceof HostingFailure) throw toAttachProblem(error)
    throw error
  }
}

const badNameCodes = ['bad_request', 'invalid_domain', '400']

function toAttachProblem({ errorCode, message }: HostingFailure): Problem {
  const problemText = toFailureText(errorCode, message)
  if (badNameCodes.includes(errorCode)) return badField('customDomain', problemText)
  return new Problem(takenCodes.includes(errorCode) ? 'conflict' : 'provider-failed', {
    message: problemText,
    code: errorCode,
  })
}

async function releaseHost(services: Services, row: Parameters<typeof detachHost>[1]): Promise<void> {
  const claim = await services.db
    .selectFrom('domains')
    .select('custom_domain_attached_at')
    .where('id', '=', row.id)
    .where('custom_domain', '=', row.custom_domain)
    .executeTakeFirst()
  if (claim?.custom_domain_attached_at == null) await detachHost(services, row)
}

/**
 * If ownership and routing are correct, the custom domain is served from now on.
 * @throws Problem 422 with the status as data if a check fails, 409 if another domain has verified the name
 */
export async function verifyHost(services: Services, person: Person, id: string): Promise<DnsStatus> {
  const access = await requireDomainAccess(services, person, id, 'setCustomDomain')
  const { domain } = access
  const { hosting, db } = services
  if (!hosting) throw new Problem('driver-missing')
  const name = await requireHostedDomain(services, domain)
  if (name.attachedAt === null)
    throw new Problem('conflict', { message: 'Add this custom domain to the hosting provider first.' })
  if (await isVerifiedByOther(services, name.hostname, id)) throw createHostTakenProblem(name.hostname)

  await requireAttempt(services, actionThrottle, id)
  const status = await hosting.verify(name)
  if (!status.verified || !status.configured || status.errorCode !== null)
    throw new Problem('unprocessable', {
      message: describeVerificationFailure(status),
      data: toDnsStatus(services, domain, status),
      ...(status.errorCode && { code: status.errorCode }),
    })

  const columns = {
    custom_domain_verified: true,
    custom_domain_checked_at: services.now().getTime(),
    custom_domain_broken_since: null,
    custom_domain_failures: 0,
  }
  const verification = {
    action: 'custom-domain-verified',
    actor: person,
    domainId: id,
    subject: name.hostname,
  } as const
  try {
    await db.batch([
      ...lockDomain(services, person, access),
      updateHost(services, domain, columns),
      ...(domain.custom_domain_verified ? [] : [insertAudit(services, verification)]),
    ])
  } catch (error) {
    if (error instanceof UniqueViolation) throw createHostTakenProblem(name.hostname)
    throw error instanceof UnexpectedChanges ? createChangedConcurrentlyProblem() : error
  }
  await services.customHosts.loadChanged(db)
  await publishDomainChanged(services, id)
  return toDnsStatus(services, { ...domain, ...columns }, status)
}

function isVerifiedByOther({ db }: Services, hostname: string, id: string): Promise<boolean> {
  return db.exists(
    db
      .selectFrom('domains')
      .select('id')
      .where('custom_domain', '=', hostname)
      .where('custom_domain_verified', '=', true)
      .where('id', '!=', id),
  )
}

function createHostTakenProblem(hostname: string): Problem {
  return new Problem('conflict', {
    message: `Another domain on this server has already verified ${hostname}. If it’s yours, ask your administrator.`,
    code: 'custom-domain-taken',
  })
}

function describeVerificationFailure({ error, errorCode, records, conflicts }: HostingStatus): string {
  if (error && errorCode) return toFailureText(errorCode, error)
  const [conflict] = conflicts
  const openRecords = records.filter(
    ({ state, value }) => (state === 'missing' || state === 'different') && value !== '',
  )
  const recordNames = openRecords.map(({ type, domain }) => `${type} record for ${domain}`)
  if (recordNames.length > 0)
    return `These DNS records are missing or wrong: ${recordNames.join(', ')}. DNS changes can take a while to show up.`
  return conflict ?? 'The hosting provider hasn’t verified this domain yet. Try again later.'
}
