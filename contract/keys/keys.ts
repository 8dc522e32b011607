import * as z from 'zod/mini'
import { givenProvider as provider } from '../agents/model-settings.ts'
import { endpoint } from '../endpoint.ts'
import { oneLine, shownLine } from '../one-line-text.ts'
import { secretKey } from './secret-key.ts'

/** When the provider last refused the key as it is now; `null` once it works, and for one never refused. */
const rejectedAt = z.nullable(z.string())

const personalKey = z.object({ provider, maskedKey: z.string(), rejected_at: rejectedAt })
export type PersonalKey = z.infer<typeof personalKey>

const platformKey = z.object({
  provider,
  maskedKey: z.string(),
  label: z.nullable(shownLine),
  is_active: z.boolean(),
  rejected_at: rejectedAt,
  /** `environment` keys were set by who runs the server and can neither be read back nor deleted here. */
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

/** By provider: the host that is called instead of the provider's own, such as `127.0.0.1:11434`. */
const localHosts = z.partialRecord(provider, z.string())
export type LocalHosts = z.infer<typeof localHosts>

const platformKeyList = z.object({
  keys: z.array(platformKey),
  stats: platformKeyStats,
  local_hosts: localHosts,
})
export type PlatformKeyList = z.infer<typeof platformKeyList>

const keyTrial = z.object({
  /** `unknown`: the provider could not be asked, or said nothing of the key. */
  outcome: z.enum(['accepted', 'refused', 'unknown']),
  /** The provider's verdict in words. */
  message: z.string(),
  /** Whether a model answers whoever tried it when they ask Kip. */
  kip_answers: z.boolean(),
})
export type KeyTrial = z.infer<typeof keyTrial>

const manages = { permission: 'manage_api_keys' } as const
const providerParams = z.object({ provider })

export const keys = {
  listPersonal: endpoint('GET /api/kip/user-keys', {
    summary:
      'One’s own provider keys, masked; beside them `platform`, the providers with a fallback key, and `local_hosts`',
    access: 'person',
    returns: z.array(personalKey),
  }),
  savePersonal: endpoint('POST /api/kip/user-keys', {
    summary: 'Save one’s own key for a provider',
    access: 'person',
    body: z.object({ provider, apiKey: secretKey }),
    returns: personalKey,
  }),
  tryPersonal: endpoint('POST /api/kip/user-keys/:provider/try', {
    summary: 'Ask the provider whether it accepts one’s own saved key; the page does after each save',
    access: 'person',
    params: providerParams,
    returns: keyTrial,
  }),
  removePersonal: endpoint('DELETE /api/kip/user-keys/:provider', {
    summary: 'Delete one’s own key for a provider',
    access: 'person',
    params: providerParams,
    returns: z.nullable(z.object({})),
  }),
  listPlatform: endpoint('GET /api/kip/platform-keys', {
    summary: 'The fallback keys of the platform, masked',
    access: manages,
    returns: platformKeyList,
  }),
  savePlatform: endpoint('POST /api/kip/platform-keys', {
    summary: 'Save or replace a fallback key',
    access: manages,
    body: z.object({
      provider,
      api_key: secretKey,
      label: z.optional(z.nullable(oneLine({ max: 80 }))),
      is_active: z.optional(z.boolean()),
    }),
    returns: platformKey,
  }),
  tryPlatform: endpoint('POST /api/kip/platform-keys/:provider/try', {
    summary: 'Ask the provider whether it accepts a saved fallback key',
    access: manages,
    params: providerParams,
    returns: keyTrial,
  }),
  removePlatform: endpoint('DELETE /api/kip/platform-keys/:provider', {
    summary: 'Delete a fallback key',
    access: manages,
    params: providerParams,
    returns: z.nullable(z.object({})),
  }),
  platformStats: endpoint('GET /api/kip/platform-keys/stats', {
    summary: 'How many fallback keys there are',
    access: manages,
    returns: platformKeyStats,
  }),
}
