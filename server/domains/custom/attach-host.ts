import { randomBytes } from 'node:crypto'
import type { DnsStatus } from '#contract/domains/custom-domains.ts'
import type { Person } from '#server/accounts/person.ts'
import { insertAudit } from '#server/audit/write-audit.ts'
import { requireChanges } from '#server/db/database.ts'
import { UnexpectedChanges } from '#server/db/database-errors.ts'
import { type HostingDriver, HostingFailure } from '#server/domains/hosting/hosting-driver.ts'
import { takenCodes, toFailureText } from '#server/domains/hosting/hosting-errors.ts'
import { badField, Problem } from '#server/http/problem.ts'
import type { Services } from '#server/services.ts'
import { detachHost } from '../detach-host.ts'
import { lockDomain, requireDomainTo } from '../domain-access.ts'
import { publishDomainChanged } from '../publish-domain-changed.ts'
import { setCustomDomain } from '../set-custom-domain.ts'
import { enforceActionLimit } from './custom-domain-limits.ts'
import { readHostName } from './host-name.ts'
import { customDomainChanged, requireHostedName, toHostedName } from './hosted-name.ts'
import { toDnsStatus } from './show-status.ts'

/** Idempotent. @throws Problem 400 without driver or name, 409 if another project has it, 502; `stale` with both versions */
export async function attachHost(
  services: Services,
  person: Person,
  id: string,
  requestedName: string | undefined,
  ifMatch: number | null = null,
): Promise<DnsStatus> {
  const { domain: current } = await requireDomainTo(services, person, id, 'setCustomDomain')
  const { hosting, settings } = services
  if (!hosting) throw new Problem('driver-missing')
  if (requestedName !== undefined && readHostName(requestedName, settings) !== current.custom_domain)
    await setCustomDomain(services, person, id, requestedName, ifMatch)
  const access = await requireDomainTo(services, person, id, 'setCustomDomain')
  const { domain } = access
  const name = await requireHostedName(services, domain)

  await enforceActionLimit(services, id)
  await attachAtProvider(hosting, name)
  const columns = {
    custom_domain_attached_at: services.now().getTime(),
    custom_domain_token: domain.custom_domain_token ?? randomBytes(10).toString('hex'),
  }
  const attachedRow = { ...domain, ...columns }
  try {
    await services.db.batch([
      ...lockDomain(services, person, access),
      requireChanges(
        services.db
          .updateTable('domains')
          .set(columns)
          .where('id', '=', id)
          .where('custom_domain', '=', name.hostname)
          .where('custom_domain_token', 'is not distinct from', domain.custom_domain_token),
      ),
      insertAudit(services, { action: 'custom-domain-added', actor: person, domainId: id, subject: name.hostname }),
    ])
  } catch (error) {
    if (!(error instanceof UnexpectedChanges)) throw error
    await releaseHost(services, attachedRow)
    throw customDomainChanged()
  }
  await publishDomainChanged(services, id)
  const attachedName = await toHostedName(services, attachedRow)
  return toDnsStatus(services, attachedRow, await hosting.status(attachedName ?? name))
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
