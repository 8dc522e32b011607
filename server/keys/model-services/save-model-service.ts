import { lookup } from 'node:dns/promises'
import { isIP } from 'node:net'
import type { Selectable } from 'kysely'
import type * as z from 'zod/mini'
import { checkBaseUrl } from '#contract/providers/check-base-url.ts'
import {
  type ModelService,
  maxModelServices,
  type modelServices,
  type SavedModelService,
} from '#contract/providers/model-services.ts'
import type { Person } from '#server/accounts/person.ts'
import { insertAudit } from '#server/audit/write-audit.ts'
import { requireChanges, type Write } from '#server/db/database.ts'
import { UnexpectedChanges, UniqueViolation } from '#server/db/database-errors.ts'
import type { Schema } from '#server/db/schema.ts'
import { badField, Problem } from '#server/http/problem.ts'
import { isLinkLocalAddress } from '#server/http/public-address.ts'
import { retryChanges } from '#server/http/retry-changes.ts'
import { platformOwner, prepareKey, requireKeyFormat } from '#server/keys/provider-keys.ts'
import { sealForWrite, toModelServiceBinding } from '#server/keys/sealer.ts'
import type { Services } from '#server/services.ts'
import { stripBrackets } from '#server/values/strip-brackets.ts'
import { createServiceNotFoundProblem, requireModelService } from './model-services.ts'

const lookupTimeoutMs = 2000

interface CheckedAddress {
  baseUrl: string
  correction: string | null
}

/** Local addresses are allowed. @throws Problem 400 at `base_url` */
async function checkServiceAddress(services: Services, text: string): Promise<CheckedAddress> {
  const checked = checkBaseUrl('/v1', text)
  if ('refusal' in checked) throw createBadBaseUrl(`The base URL ${checked.refusal}.`)
  const { baseUrl, query, note } = checked
  // Other query parameters could be secrets, and would be visible.
  const unknownParameter = [...new URLSearchParams(query).keys()].find((name) => name !== 'api-version')
  if (unknownParameter !== undefined)
    throw createBadBaseUrl(
      'The base URL can’t have a query, except for Azure’s “api-version”. If it contains a key, enter the key in its own field or as a header.',
    )
  const host = stripBrackets(new URL(baseUrl).hostname)
  const addresses = isIP(host) ? [host] : await resolveHost(services, host)
  if (addresses.some(isLinkLocalAddress))
    throw createBadBaseUrl(
      `${host} is a link-local address, where cloud servers get their credentials, so Keeper never calls it.`,
    )
  return { baseUrl: `${baseUrl}${query}`, correction: note }
}

const createBadBaseUrl = (message: string): Problem => badField('base_url', message)

/** Empty if the name can't be resolved here: its container may start later, or a proxy resolves it. */
async function resolveHost({ egress }: Services, host: string): Promise<string[]> {
  const addresses = egress.resolve
    ? egress.resolve(host)
    : lookup(host, { all: true }).then((all) => all.map(({ address }) => address))
  const timeout = Promise.withResolvers<string[]>()
  const timer = setTimeout(() => timeout.resolve([]), lookupTimeoutMs)
  try {
    return await Promise.race([addresses.catch(() => []), timeout.promise])
  } finally {
    clearTimeout(timer)
  }
}

type NewService = z.output<NonNullable<(typeof modelServices.create)['body']>>
type ServiceChanges = z.output<NonNullable<(typeof modelServices.update)['body']>>
type ServiceRow = Selectable<Schema['model_services']>
type HeaderValues = Record<string, string>

/** @throws Problem 400 for a taken id or unusable address; 409 above the maximum */
export async function createModelService(
  services: Services,
  person: Pick<Person, 'id'>,
  { id, name, base_url, key, headers = [] }: NewService,
): Promise<SavedModelService> {
  const { db } = services
  if (services.modelServices.isFromSettings(id))
    throw badField('id', 'A service from the server’s environment already has this ID. Choose another one.')
  const address = await checkServiceAddress(services, base_url)
  if (key !== undefined) requireKeyFormat(services, id, 'key', key)
  const { count } = await db
    .selectFrom('model_services')
    .select((select) => select.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  if (Number(count) >= maxModelServices)
    throw new Problem('conflict', { message: `There are already ${maxModelServices} services. Delete one first.` })
  const now = services.now().getTime()
  const sealing = sealHeaders(services, id, toHeaders(headers, {}, { isOtherHost: false }))
  const savedKey = key === undefined ? undefined : prepareServiceKey(services, id, key)
  const host = new URL(address.baseUrl).host
  try {
    await db.batch([
      db.insertInto('model_services').values({
        id,
        name,
        base_url: address.baseUrl,
        sealed: sealing.sealed,
        created_at: now,
        updated_at: now,
      }),
      // Keys of an earlier service with this id were meant for another address.
      db.deleteFrom('provider_keys').where('provider', '=', id),
      ...(savedKey ? [savedKey.write] : []),
      insertAudit(services, { action: 'model-service-added', actor: person, subject: id, details: { host } }),
      ...(savedKey ? [auditKey(services, person, id)] : []),
    ])
  } catch (error) {
    if (!(error instanceof UniqueViolation)) throw error
    throw badField('id', 'There’s already a service with this ID. Choose another one.', error)
  }
  await Promise.all([savedKey?.afterWrite(), sealing.afterWrite()])
  return reloadSaved(services, id, address)
}

/** Secrets are never sent to another host: they must be entered again. @throws Problem 400, 404; `stale` with both versions */
export async function updateModelService(
  services: Services,
  person: Pick<Person, 'id'>,
  id: string,
  changes: ServiceChanges,
  ifMatch: number | null,
): Promise<SavedModelService> {
  refuseFromSettings(services, id)
  const { db } = services
  const address = changes.base_url === undefined ? undefined : await checkServiceAddress(services, changes.base_url)
  if (changes.key !== undefined) requireKeyFormat(services, id, 'key', changes.key)
  return retryChanges(async () => {
    const row = await requireServiceRow(services, id)
    if (ifMatch !== null && ifMatch !== row.rev) throw await createStaleProblem(services, id, changes, ifMatch)
    const baseUrl = address?.baseUrl ?? row.base_url
    const isOtherHost = new URL(baseUrl).origin !== new URL(row.base_url).origin
    await services.modelServices.load(services)
    const currentHeaders = services.modelServices.find(id)?.headers ?? {}
    const sentHeaders = changes.headers ?? Object.keys(currentHeaders).map((name) => ({ name }))
    const headers = toHeaders(sentHeaders, currentHeaders, { isOtherHost })
    if (isOtherHost && changes.key === undefined && (await hasPlatformKey(services, id)))
      throw badField(
        'key',
        'The base URL points to another host, and the saved key isn’t sent there. Enter the key for that host.',
      )
    const sealing = sealHeaders(services, id, headers)
    const savedKey = changes.key === undefined ? undefined : prepareServiceKey(services, id, changes.key)
    const [from, to] = [new URL(row.base_url).host, new URL(baseUrl).host]
    const writes: Write[] = [
      requireChanges(
        db
          .updateTable('model_services')
          .set({
            name: changes.name ?? row.name,
            base_url: baseUrl,
            sealed: sealing.sealed,
            updated_at: services.now().getTime(),
            rev: row.rev + 1,
          })
          .where('id', '=', id)
          .where('rev', '=', row.rev),
      ),
      ...(isOtherHost ? [db.deleteFrom('provider_keys').where('provider', '=', id)] : []),
      ...(savedKey ? [savedKey.write, auditKey(services, person, id)] : []),
      insertAudit(services, {
        action: 'model-service-changed',
        actor: person,
        subject: id,
        details: from === to ? { host: to } : { from, to },
      }),
    ]
    await db.batch(writes)
    await Promise.all([savedKey?.afterWrite(), sealing.afterWrite()])
    return reloadSaved(services, id, address)
  })
}

/** Also deletes all keys saved for it. @throws Problem 404, 409 */
export async function removeModelService(services: Services, person: Pick<Person, 'id'>, id: string): Promise<void> {
  refuseFromSettings(services, id)
  const { db } = services
  const row = await requireServiceRow(services, id)
  try {
    await db.batch([
      requireChanges(db.deleteFrom('model_services').where('id', '=', id)),
      db.deleteFrom('provider_keys').where('provider', '=', id),
      insertAudit(services, {
        action: 'model-service-removed',
        actor: person,
        subject: id,
        details: { host: new URL(row.base_url).host },
      }),
    ])
  } catch (error) {
    if (!(error instanceof UnexpectedChanges)) throw error
    throw createServiceNotFoundProblem()
  }
  await services.modelServices.loadChanged(services)
}

async function requireServiceRow({ db }: Services, id: string): Promise<ServiceRow> {
  const row = await db.selectFrom('model_services').selectAll().where('id', '=', id).executeTakeFirst()
  if (!row) throw createServiceNotFoundProblem()
  return row
}

function refuseFromSettings({ modelServices }: Services, id: string): void {
  if (modelServices.isFromSettings(id))
    throw new Problem('conflict', {
      message: 'This service is set in the server’s environment. An administrator can change it there.',
    })
}

async function createStaleProblem(
  services: Services,
  id: string,
  { name, base_url }: ServiceChanges,
  rev: number,
): Promise<Problem> {
  const current = await requireModelService(services, id)
  const sentService: ModelService = {
    ...current,
    name: name ?? current.name,
    base_url: base_url ?? current.base_url,
    rev,
  }
  return new Problem('stale', { data: { yours: sentService, current } })
}

async function reloadSaved(
  services: Services,
  id: string,
  address: CheckedAddress | undefined,
): Promise<SavedModelService> {
  await services.modelServices.loadChanged(services)
  return { ...(await requireModelService(services, id)), correction: address?.correction ?? null }
}

/** Lower-cased, so that a header named `Authorization` replaces the key's. @throws Problem 400 */
function toHeaders(
  sentHeaders: readonly { name: string; value?: string | undefined }[],
  savedHeaders: HeaderValues,
  { isOtherHost }: { isOtherHost: boolean },
): HeaderValues {
  return Object.fromEntries(
    sentHeaders.map(({ name: typedName, value }, index) => {
      const name = typedName.toLowerCase()
      const headerValue = value ?? savedHeaders[name]
      if (headerValue === undefined) throw badField(`headers.${index}.value`, 'Enter the value of this header.')
      if (value === undefined && isOtherHost)
        throw badField(
          `headers.${index}.value`,
          'The base URL points to another host, and saved values aren’t sent there. Enter the value again.',
        )
      return [name, headerValue]
    }),
  )
}

const sealHeaders = (services: Services, id: string, headers: HeaderValues) =>
  sealForWrite(services, 'model_services', JSON.stringify(headers), toModelServiceBinding(id))

const prepareServiceKey = (services: Services, id: string, key: string) =>
  prepareKey(services, { owner: platformOwner, provider: id, key, label: null, isActive: true })

const auditKey = (services: Services, person: Pick<Person, 'id'>, id: string) =>
  insertAudit(services, { action: 'platform-key-saved', actor: person, subject: id })

async function hasPlatformKey({ db }: Services, id: string): Promise<boolean> {
  const row = await db
    .selectFrom('provider_keys')
    .select('id')
    .where('owner', '=', platformOwner)
    .where('provider', '=', id)
    .executeTakeFirst()
  return row !== undefined
}
