import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Provider } from '#contract/agents/model-settings.ts'
import { describeInvalidFormat, isKeyFormatValid } from '#contract/keys/key-formats.ts'
import type { LocalHosts, PersonalKey, PlatformKey, PlatformKeyStats } from '#contract/keys/keys.ts'
import { builtInProviders, listProviders } from '#contract/providers/registry.ts'
import type { Person } from '#server/accounts/person.ts'
import { insertAudit } from '#server/audit/write-audit.ts'
import { computeKeyFingerprint } from '#server/db/backup-archive.ts'
import { requireChanges, type Write } from '#server/db/database.ts'
import { UnexpectedChanges } from '#server/db/database-errors.ts'
import { badField, Problem } from '#server/http/problem.ts'
import type { Services } from '#server/services.ts'
import type { ProviderSettings, Settings } from '#server/settings/settings.ts'
import { toIsoTimeOrNull } from '#server/values/iso-time.ts'
import { readMasterSecret } from './master-key.ts'
import { sealForWrite } from './sealer.ts'

export const platformOwner = 'platform'

export async function listPersonalKeys(services: Services, person: Person): Promise<PersonalKey[]> {
  const rows = await services.db
    .selectFrom('provider_keys')
    .select(['provider', 'masked', 'rejected_at'])
    .where('owner', '=', person.id)
    .execute()
  return sortByProvider(rows).map((row) => ({
    provider: row.provider,
    maskedKey: row.masked,
    rejected_at: toIsoTimeOrNull(row.rejected_at),
  }))
}

export async function listProvidersWithPlatformKey(services: Services): Promise<Provider[]> {
  return (await listPlatformKeys(services)).filter((key) => key.is_active).map((key) => key.provider)
}

export async function savePersonalKey(
  services: Services,
  person: Person,
  { provider, apiKey }: { provider: Provider; apiKey: string },
): Promise<PersonalKey> {
  requireKeyFormat(services, provider, 'apiKey', apiKey)
  const maskedKey = await storeKey(services, { owner: person.id, provider, key: apiKey, label: null, isActive: true })
  services.live.publish(person.id, { type: 'keys-changed' })
  return { provider, maskedKey, rejected_at: null }
}

export async function removePersonalKey(services: Services, person: Person, provider: Provider): Promise<void> {
  await removeKey(services, person.id, provider)
  services.live.publish(person.id, { type: 'keys-changed' })
}

export async function listPlatformKeys(services: Services): Promise<PlatformKey[]> {
  const rows = await services.db
    .selectFrom('provider_keys')
    .select(['provider', 'masked', 'label', 'is_active', 'rejected_at'])
    .where('owner', '=', platformOwner)
    .execute()
  const storedKeys = rows.map((row) => ({
    provider: row.provider,
    maskedKey: row.masked,
    label: row.label,
    is_active: row.is_active,
    rejected_at: toIsoTimeOrNull(row.rejected_at),
    source: 'stored' as const,
  }))
  const environmentKeys = listProviders()
    .filter(({ id }) => getProviderSettings(services, id).key && !storedKeys.some((key) => key.provider === id))
    .map(({ id }) => ({
      provider: id,
      maskedKey: '••••••••',
      label: 'Set in the server’s environment.',
      is_active: true,
      rejected_at: null,
      source: 'environment' as const,
    }))
  return sortByProvider([...storedKeys, ...environmentKeys])
}

/** @throws Problem 400 at the field */
export function requireKeyFormat(services: Services, provider: Provider, field: string, key: string): void {
  const hasCustomAddress = getProviderSettings(services, provider).baseUrl !== null
  if (!isKeyFormatValid(provider, key, hasCustomAddress))
    throw badField(field, describeInvalidFormat(provider, key, hasCustomAddress))
}

export function getCustomProviderHosts(services: Services): LocalHosts {
  return Object.fromEntries(
    listProviders().flatMap(({ id }) => {
      const { baseUrl } = getProviderSettings(services, id)
      return baseUrl ? [[id, new URL(baseUrl).host]] : []
    }),
  )
}

export function computePlatformKeyStats(keys: PlatformKey[]): PlatformKeyStats {
  const activeKeys = keys.filter((key) => key.is_active)
  return {
    total: keys.length,
    active: activeKeys.length,
    byProvider: Object.fromEntries(
      listProviders().map(({ id }) => [id, keys.filter((key) => key.provider === id).length]),
    ),
    hasActiveKeys: activeKeys.length > 0,
  }
}

/** `actor` is `null` for the server itself. */
export async function savePlatformKey(
  services: Services,
  actor: { id: string } | null,
  input: { provider: Provider; api_key: string; label?: string | null | undefined; is_active?: boolean | undefined },
): Promise<PlatformKey> {
  const { provider, api_key: key, label = null, is_active: isActive = true } = input
  requireKeyFormat(services, provider, 'api_key', key)
  const previous = await services.db
    .selectFrom('provider_keys')
    .select('is_active')
    .where('owner', '=', platformOwner)
    .where('provider', '=', provider)
    .executeTakeFirst()
  const auditWrites = [insertAudit(services, { action: 'platform-key-saved', actor, subject: provider })]
  if (previous && previous.is_active !== isActive) {
    const details = { from: formatOnOff(previous.is_active), to: formatOnOff(isActive) }
    auditWrites.push(insertAudit(services, { action: 'platform-key-switched', actor, subject: provider, details }))
  }
  const row = { owner: platformOwner, provider, key, label: label || null, isActive }
  const maskedKey = await storeKey(services, row, auditWrites)
  return { provider, maskedKey, label: label || null, is_active: isActive, rejected_at: null, source: 'stored' }
}

const formatOnOff = (isActive: boolean) => (isActive ? 'on' : 'off')

export async function removePlatformKey(
  services: Services,
  actor: { id: string } | null,
  provider: Provider,
): Promise<void> {
  const auditWrites = [insertAudit(services, { action: 'platform-key-removed', actor, subject: provider })]
  try {
    await removeKey(services, platformOwner, provider, auditWrites)
  } catch (error) {
    if (!(error instanceof Problem && getProviderSettings(services, provider).key)) throw error
    throw new Problem('conflict', {
      message: 'This key is set in the server’s environment. An administrator can remove it there.',
    })
  }
}

interface KeyToStore {
  owner: string
  provider: Provider
  key: string
  label: string | null
  isActive: boolean
}

async function storeKey(services: Services, input: KeyToStore, extraWrites: readonly Write[] = []): Promise<string> {
  const { masked, write, afterWrite } = prepareKey(services, input)
  await services.db.batch([write, ...extraWrites])
  await afterWrite()
  return masked
}

export function prepareKey(services: Services, input: KeyToStore) {
  const { owner, provider, label, isActive } = input
  const key = input.key.trim()
  const now = services.now().getTime()
  const masked = maskKey(key)
  const sealing = sealForWrite(services, 'provider_keys', key, toKeyBinding(owner, provider))
  const row = { sealed: sealing.sealed, masked, label, is_active: isActive, updated_at: now, rejected_at: null }
  const write: Write = services.db
    .insertInto('provider_keys')
    .values({ id: services.newId(), owner, provider, created_at: now, ...row })
    .onConflict((conflict) => conflict.columns(['owner', 'provider']).doUpdateSet(row))
  return {
    masked,
    write,
    async afterWrite() {
      await sealing.afterWrite()
      services.modelLists.forget(owner, provider)
    },
  }
}

async function removeKey(
  services: Services,
  owner: string,
  provider: Provider,
  extraWrites: readonly Write[] = [],
): Promise<void> {
  const keyDelete = services.db.deleteFrom('provider_keys').where('owner', '=', owner).where('provider', '=', provider)
  try {
    await services.db.batch([requireChanges(keyDelete), ...extraWrites])
  } catch (error) {
    if (!(error instanceof UnexpectedChanges)) throw error
    throw new Problem('not-found', { message: 'There’s no key for this provider.' })
  }
  services.modelLists.forget(owner, provider)
}

/** Binds a sealed key to its owner and provider: in another row, it can't be opened. */
export function toKeyBinding(owner: string, provider: Provider): string {
  return `${owner}|${provider}`
}

function sortByProvider<ProviderRow extends { provider: Provider }>(rows: ProviderRow[]): ProviderRow[] {
  const ids = listProviders().map(({ id }) => id)
  return rows.toSorted((a, b) => ids.indexOf(a.provider) - ids.indexOf(b.provider))
}

/** The last four characters of a shorter key would reveal too much of it. */
const minMaskableLength = 20

export function maskKey(key: string): string {
  const dots = '••••••••'
  if (key.length < minMaskableLength) return dots
  const prefix = ['sk-ant-', 'sk-proj-', 'sk-'].find((start) => key.startsWith(start)) ?? ''
  return `${prefix}${dots}${key.slice(-4)}`
}

export async function readMasterKeyFingerprint({ secret, dataDir }: Settings): Promise<string | null> {
  if (!secret && !existsSync(join(dataDir, 'master.key'))) return null
  return computeKeyFingerprint(await readMasterSecret(secret, dataDir))
}

type ServiceLookup = Pick<Services, 'settings' | 'modelServices'>
type ProviderCallSettings = ProviderSettings & { headers: Record<string, string> }

export function getProviderSettings(services: ServiceLookup, id: string): ProviderCallSettings {
  return findProviderSettings(services, id) ?? { key: null, baseUrl: null, headers: {} }
}

/** @throws Problem `conflict` if the provider is no longer set up, or its headers can't be opened */
export function requireProviderSettings(services: ServiceLookup, id: string): ProviderCallSettings {
  const settings = findProviderSettings(services, id)
  if (!settings) throw new Problem('conflict', { message: `${formatMissingProvider(id)} ${missingProviderAdvice}` })
  const problem = services.modelServices.find(id)?.problem
  if (problem) throw new Problem('conflict', { message: problem })
  return settings
}

export const formatMissingProvider = (id: string) => `The model service “${id}” is no longer set up on this server.`
const missingProviderAdvice = 'Choose another model provider, or ask an administrator to add the service again.'

export function findProviderSettings(
  { settings, modelServices }: ServiceLookup,
  id: string,
): ProviderCallSettings | undefined {
  const builtIn = builtInProviders.find((provider) => provider.id === id)
  return builtIn ? { ...settings.providers[builtIn.id], headers: {} } : modelServices.find(id)
}
