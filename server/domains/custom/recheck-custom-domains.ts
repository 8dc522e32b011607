import type { ExpressionBuilder } from 'kysely'
import type { Email } from '#server/accounts/mailer.ts'
import { insertAudit } from '#server/audit/write-audit.ts'
import { requireChanges } from '#server/db/database.ts'
import type { Schema } from '#server/db/schema.ts'
import type { HostingDriver, HostingStatus } from '#server/domains/hosting/hosting-driver.ts'
import { sendOrQueueEmail } from '#server/email/pending-emails.ts'
import type { Services } from '#server/services.ts'
import { getPublicUrl } from '#server/settings/public-url.ts'
import { hourMs } from '#server/values/time-units.ts'
import type { DomainRow } from '../domain-access.ts'
import { publishDomainChanged } from '../publish-domain-changed.ts'
import { toHostedDomain } from './hosted-domain.ts'

const checkIntervalMs = 24 * hourMs
const maxBrokenMs = 72 * hourMs
const minFailures = 3
const batchSize = 100

export function startRechecking(services: Services): () => void {
  let isBusy = false
  let isStopped = false
  const check = async () => {
    if (isBusy) return
    isBusy = true
    try {
      await recheckCustomDomains(services, () => isStopped)
    } catch (error) {
      if (!isStopped) services.log.error({ err: error }, 'custom domains could not be checked')
    } finally {
      isBusy = false
    }
  }
  void check()
  const timer = setInterval(check, hourMs)
  timer.unref()
  return () => {
    isStopped = true
    clearInterval(timer)
  }
}

/** Each row is claimed by one process. A domain that fails three checks over 72 hours is unverified. @returns the number of checks */
export async function recheckCustomDomains(services: Services, isStopped = () => false): Promise<number> {
  const { db, hosting } = services
  if (!hosting) return 0
  const dueBefore = services.now().getTime() - checkIntervalMs
  let checkedCount = 0
  while (true) {
    const dueRows = await db
      .selectFrom('domains')
      .selectAll()
      .where('custom_domain_verified', '=', true)
      .where(whereDue(dueBefore))
      .orderBy('custom_domain_checked_at')
      .limit(batchSize)
      .execute()
    if (dueRows.length === 0) return checkedCount
    for (const row of dueRows) {
      if (isStopped()) return checkedCount
      if (!(await claimRow(services, row, dueBefore))) continue
      await recheckRow(services, hosting, row)
      checkedCount += 1
    }
  }
}

const whereDue = (dueBefore: number) => (where: ExpressionBuilder<Schema, 'domains'>) =>
  where.or([where('custom_domain_checked_at', 'is', null), where('custom_domain_checked_at', '<=', dueBefore)])

async function claimRow(services: Services, { id }: DomainRow, dueBefore: number): Promise<boolean> {
  const { numUpdatedRows } = await services.db
    .updateTable('domains')
    .set({ custom_domain_checked_at: services.now().getTime() })
    .where('id', '=', id)
    .where('custom_domain_verified', '=', true)
    .where(whereDue(dueBefore))
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

async function recheckRow(services: Services, hosting: HostingDriver, row: DomainRow): Promise<void> {
  const name = await toHostedDomain(services, row)
  if (!name) throw new Error(`The domain ${row.id} is verified without a custom domain`)
  const state = getHostState(await hosting.status(name))
  const now = services.now().getTime()
  if (state === 'unknown') services.log.warn({ domainId: row.id }, 'a custom domain could not be checked')
  if (state === 'valid') await saveCheck(services, row, { custom_domain_broken_since: null, custom_domain_failures: 0 })
  if (state !== 'broken') return
  const brokenSince = row.custom_domain_broken_since ?? now
  const failureCount = row.custom_domain_broken_since === null ? 1 : row.custom_domain_failures + 1
  if (now - brokenSince >= maxBrokenMs && failureCount >= minFailures) await markLost(services, row)
  else await saveCheck(services, row, { custom_domain_broken_since: brokenSince, custom_domain_failures: failureCount })
}

function getHostState({ verified, configured, errorCode }: HostingStatus): 'valid' | 'broken' | 'unknown' {
  if (errorCode === '404') return 'broken'
  if (errorCode !== null) return 'unknown'
  return verified && configured ? 'valid' : 'broken'
}

type CheckResult = Partial<
  Pick<DomainRow, 'custom_domain_verified' | 'custom_domain_broken_since' | 'custom_domain_failures'>
>

function buildCheckUpdate({ db }: Services, row: DomainRow, result: CheckResult) {
  return db
    .updateTable('domains')
    .set(result)
    .where('id', '=', row.id)
    .where('custom_domain', '=', row.custom_domain)
    .where('custom_domain_token', 'is not distinct from', row.custom_domain_token)
    .where('custom_domain_verified', '=', true)
}

async function saveCheck(services: Services, row: DomainRow, result: CheckResult): Promise<void> {
  await buildCheckUpdate(services, row, result).execute()
  if (result.custom_domain_broken_since !== row.custom_domain_broken_since) await publishDomainChanged(services, row.id)
}

async function markLost(services: Services, row: DomainRow): Promise<void> {
  const { db } = services
  const columns = { custom_domain_verified: false, custom_domain_broken_since: null, custom_domain_failures: 0 }
  const isSaved = await db.batchUnlessChanged([
    requireChanges(buildCheckUpdate(services, row, columns)),
    insertAudit(services, {
      action: 'custom-domain-lost',
      actor: null,
      personId: row.owner_id,
      domainId: row.id,
      subject: row.custom_domain,
    }),
  ])
  if (!isSaved) return
  await services.customHosts.loadChanged(db)
  await publishDomainChanged(services, row.id)
  await emailOwner(services, row)
}

async function emailOwner(services: Services, { id, owner_id: personId, custom_domain }: DomainRow): Promise<void> {
  if (!services.mailer.isSetUp) return
  const subjectId = `${id} ${custom_domain}`
  const email = await writeLostDomainEmail(services, subjectId)
  if (email) await sendOrQueueEmail(services, { kind: 'custom-domain-lost', subjectId, personId }, email)
}

/** @param subjectId the domain's ID and the lost custom domain. @returns `null` if it has changed, or its owner is deactivated */
export async function writeLostDomainEmail(services: Services, subjectId: string): Promise<Email | null> {
  const [domainId = '', name = ''] = subjectId.split(' ')
  const lostDomain = await services.db
    .selectFrom('domains')
    .innerJoin('people', 'people.id', 'domains.owner_id')
    .select(['email', 'custom_domain'])
    .where('domains.id', '=', domainId)
    .where('custom_domain', '=', name)
    .where('custom_domain_verified', '=', false)
    .where('deactivated_at', 'is', null)
    .executeTakeFirst()
  if (!lostDomain) return null
  return {
    to: lostDomain.email,
    subject: `${lostDomain.custom_domain} is no longer served`,
    text: `For three days, ${lostDomain.custom_domain} hasn’t pointed to your domain in Keeper, so its page is no longer shown there. Nothing else has changed.

To restore it, fix its DNS records and verify it again under Domain Settings: ${getPublicUrl(services)}/root`,
  }
}
