import * as z from 'zod/mini'
import { providerInput as provider } from '../agents/model-settings.ts'
import { defineEndpoint } from '../endpoint.ts'
import { emptyResponse } from '../keepers/keeper-fields.ts'
import { displayLine, oneLine } from '../one-line-text.ts'

export const secretKey = z
  .string()
  .check(z.trim(), z.minLength(1, 'Paste the key.'), z.maxLength(500, 'This is too long for a provider key.'))

/** When the provider last refused the current key; `null` if it works or was never refused. */
const rejectedAt = z.nullable(z.string())

const personalKey = z.object({ provider, maskedKey: z.string(), rejected_at: rejectedAt })
export type PersonalKey = z.infer<typeof personalKey>

const platformKey = z.object({
  provider,
  maskedKey: z.string(),
  label: z.nullable(displayLine),
  is_active: z.boolean(),
  rejected_at: rejectedAt,
  /** `environment`: set by the operator; can't be read back or deleted here. */
  source: z.enum(['stored', 'environment']),
})
export type PlatformKey = z.infer<typeof platformKey>

const platformKeyStats = z.object({
  total: z.number(),
  active: z.number(),
  byProvider: z.record(z.string(), z.number()),
  hasActiveKeys: z.boolean(),
})
export type PlatformKeyStats = z.infer<typeof platformKeyStats>

/** Hosts of the providers that are called at a custom address (`<PROVIDER>_BASE_URL`). */
const localHosts = z.partialRecord(provider, z.string())
export type LocalHosts = z.infer<typeof localHosts>

const platformKeyList = z.object({
  keys: z.array(platformKey),
  stats: platformKeyStats,
  local_hosts: localHosts,
})
export type PlatformKeyList = z.infer<typeof platformKeyList>

const keyTrial = z.object({
  /** `unknown`: the provider is unavailable, or gave no verdict. */
  outcome: z.enum(['accepted', 'refused', 'unknown']),
  message: z.string(),
  /** The key was accepted, and the assistant Kip can now answer this person. */
  kip_answers: z.boolean(),
})
export type KeyTrial = z.infer<typeof keyTrial>

const manageKeysAccess = { permission: 'manage_api_keys' } as const
const providerParams = z.object({ provider })

export const keys = {
  listPersonal: defineEndpoint('GET /api/kip/user-keys', {
    summary:
      'List your provider keys, masked. Beside them: `platform` (providers with a platform key) and `local_hosts`',
    access: 'person',
    response: z.array(personalKey),
  }),
  savePersonal: defineEndpoint('POST /api/kip/user-keys', {
    summary: 'Save your key for a provider',
    access: 'person',
    proof: 'recent',
    body: z.object({ provider, apiKey: secretKey }),
    response: personalKey,
  }),
  tryPersonal: defineEndpoint('POST /api/kip/user-keys/:provider/try', {
    summary: 'Check whether the provider accepts your saved key',
    access: 'person',
    params: providerParams,
    response: keyTrial,
  }),
  removePersonal: defineEndpoint('DELETE /api/kip/user-keys/:provider', {
    summary: 'Delete your key for a provider',
    access: 'person',
    proof: 'recent',
    params: providerParams,
    response: emptyResponse,
  }),
  listPlatform: defineEndpoint('GET /api/kip/platform-keys', {
    summary: 'List the fallback keys of the platform, masked',
    access: manageKeysAccess,
    response: platformKeyList,
  }),
  savePlatform: defineEndpoint('POST /api/kip/platform-keys', {
    summary: 'Save or replace a fallback key',
    access: manageKeysAccess,
    proof: 'recent',
    body: z.object({
      provider,
      api_key: secretKey,
      label: z.optional(z.nullable(oneLine({ max: 80 }))),
      is_active: z.optional(z.boolean()),
    }),
    response: platformKey,
  }),
  tryPlatform: defineEndpoint('POST /api/kip/platform-keys/:provider/try', {
    summary: 'Check whether the provider accepts a saved fallback key',
    access: manageKeysAccess,
    params: providerParams,
    response: keyTrial,
  }),
  removePlatform: defineEndpoint('DELETE /api/kip/platform-keys/:provider', {
    summary: 'Delete a fallback key',
    access: manageKeysAccess,
    proof: 'recent',
    params: providerParams,
    response: emptyResponse,
  }),
  platformStats: defineEndpoint('GET /api/kip/platform-keys/stats', {
    summary: 'Get the number of fallback keys',
    access: manageKeysAccess,
    response: platformKeyStats,
  }),
}
