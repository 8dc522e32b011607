import type { DnsStatus } from '#contract/domains/custom-domains.ts'
import type { Person } from '#server/accounts/person.ts'
import { insertAudit } from '#server/audit/write-audit.ts'
import { requireChanges } from '#server/db/database.ts'
import { UnexpectedChanges, UniqueViolation } from '#server/db/database-errors.ts'
import type { HostingStatus } from '#server/domains/hosting/hosting-driver.ts'
import { toFailureText } from '#server/domains/hosting/hosting-errors.ts'
import { Problem } from '#server/http/problem.ts'
import type { Services } from '#server/services.ts'
import { lockDomain, requireDomainTo } from '../domain-access.ts'
import { publishDomainChanged } from '../publish-domain-changed.ts'
import { enforceActionLimit } from './custom-domain-limits.ts'
import { customDomainChanged, requireHostedName } from './hosted-name.ts'
import { toDnsStatus } from './show-status.ts'

/** If ownership and routing are correct, the custom domain is served from now on.
 * @throws Problem 422 with the status as data if a check fails, 409 if another domain has verified the name */
export async function verifyHost(services: Services, person: Person, id: string): Promise<DnsStatus> {
  const access = await requireDomainTo(services, person, id, 'setCustomDomain')
  const { domain } = access
  const { hosting, db } = services
  if (!hosting) throw new Problem('driver-missing')
  const name = await requireHostedName(services, domain)
  if (name.attachedAt === null)
    throw new Problem('conflict', { message: 'Add this custom domain to the provider first.' })
  if (await isVerifiedByOther(services, name.hostname, id)) throw createHostTakenProblem(name.hostname)

  await enforceActionLimit(services, id)
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
  try {
    await db.batch([
      ...lockDomain(services, person, access),
      requireChanges(
        db
          .updateTable('domains')
          .set(columns)
          .where('id', '=', id)
          .where('custom_domain', '=', name.hostname)
          .where('custom_domain_token', 'is not distinct from', domain.custom_domain_token),
      ),
      ...(domain.custom_domain_verified
        ? []
        : [
            insertAudit(services, {
              action: 'custom-domain-verified',
              actor: person,
              domainId: id,
              subject: name.hostname,
            }),
          ]),
    ])
  } catch (error) {
    if (error instanceof UniqueViolation) throw createHostTakenProblem(name.hostname)
    if (!(error instanceof UnexpectedChanges)) throw error
    throw customDomainChanged()
  }
  await services.customHosts.loadChanged(db)
  await publishDomainChanged(services, id)
  return toDnsStatus(services, { ...domain, ...columns }, status)
}

async function isVerifiedByOther({ db }: Services, hostname: string, id: string): Promise<boolean> {
  const otherDomain = await db
    .selectFrom('domains')
    .select('id')
    .where('custom_domain', '=', hostname)
    .where('custom_domain_verified', '=', true)
    .where('id', '!=', id)
    .executeTakeFirst()
  return otherDomain !== undefined
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
