import * as z from 'zod/mini'
import { defineEndpoint } from '../endpoint.ts'
import { emptyResponse } from '../keepers/keeper-fields.ts'
import { secretKey } from '../keys/keys.ts'
import { displayLine, oneLine } from '../one-line-text.ts'
import { builtInProviders } from './registry.ts'

export const maxModelServices = 50
export const maxServiceHeaders = 20

const builtInIds: readonly string[] = builtInProviders.map(({ id }) => id)

/** An OpenAI-compatible service. Its ID names its platform key; header values are never returned. */
export const modelService = z.object({
  id: z.string(),
  name: displayLine,
  base_url: z.string(),
  header_names: z.array(z.string()),
  source: z.enum(['stored', 'environment']),
  agents: z.number(),
  personal_keys: z.number(),
  problem: z.nullable(z.string()),
  rev: z.number(),
})
export type ModelService = z.infer<typeof modelService>

const savedModelService = z.extend(modelService, {
  correction: z.nullable(z.string()),
})
export type SavedModelService = z.infer<typeof savedModelService>

const reservedHeaders =
  /^(?:host|connection|content-.*|transfer-encoding|accept.*|expect|te|trailer|upgrade|keep-alive)$/i

const headerName = z.string().check(
  z.trim(),
  z.regex(/^[A-Za-z0-9-]{1,100}$/, 'Enter a header name, such as api-key.'),
  z.refine((name) => !reservedHeaders.test(name), 'Keeper sets this header itself. Use another one.'),
)
const headerValue = z
  .string()
  .check(
    z.trim(),
    z.minLength(1, 'Enter the value of the header.'),
    z.maxLength(4000, 'Use at most 4,000 characters.'),
    z.regex(/^[\x20-\x7e]*$/, 'Use only ASCII letters, digits and symbols.'),
  )

const headers = z.array(z.object({ name: headerName, value: z.optional(headerValue) })).check(
  z.maxLength(maxServiceHeaders, `Use at most ${maxServiceHeaders} headers.`),
  z.refine(
    (list) => new Set(list.map(({ name }) => name.toLowerCase())).size === list.length,
    'List each header only once.',
  ),
)

export const serviceId = z.string().check(
  z.trim(),
  z.regex(/^[a-z0-9][a-z0-9-]{0,39}$/, 'Use 1 to 40 lowercase letters, digits and hyphens.'),
  z.refine((id) => !builtInIds.includes(id), 'A built-in provider has this ID. Choose another one.'),
)

const name = oneLine({ max: 80, min: 1, message: 'Enter a name for the service.' })
const baseUrl = z
  .string()
  .check(
    z.trim(),
    z.minLength(1, 'Enter the base URL.'),
    z.maxLength(2000, 'Use an address of at most 2,000 characters.'),
  )

const serviceTrial = z.object({ works: z.boolean(), message: z.string() })
export type ServiceTrial = z.infer<typeof serviceTrial>

const manageKeysAccess = { permission: 'manage_api_keys' } as const
/** Accepts any ID, so that a built-in provider's is "not found" instead of "invalid". */
const serviceParams = z.object({ id: z.string().check(z.maxLength(40)) })

export const modelServices = {
  list: defineEndpoint('GET /api/kip/model-services', {
    summary:
      'List OpenAI-compatible services, from the environment and added here, with the number of agents using each',
    access: manageKeysAccess,
    response: z.array(modelService),
  }),
  create: defineEndpoint('POST /api/kip/model-services', {
    summary: `Add an OpenAI-compatible service, at most ${maxModelServices}; its base URL is corrected, or refused with a reason`,
    access: manageKeysAccess,
    proof: 'recent',
    body: z.object({
      id: serviceId,
      name,
      base_url: baseUrl,
      key: z.optional(secretKey),
      headers: z.optional(headers),
    }),
    response: savedModelService,
    supportsIdempotencyKey: true,
  }),
  update: defineEndpoint('PATCH /api/kip/model-services/:id', {
    summary:
      'Update a service; omitted fields and header values stay. A new host requires the key and header values again and deletes the keys people saved for the service',
    access: manageKeysAccess,
    proof: 'recent',
    params: serviceParams,
    body: z.object({
      name: z.optional(name),
      base_url: z.optional(baseUrl),
      key: z.optional(secretKey),
      headers: z.optional(headers),
    }),
    response: savedModelService,
  }),
  remove: defineEndpoint('DELETE /api/kip/model-services/:id', {
    summary: 'Delete a service and all keys saved for it; agents that use it fail until they get another provider',
    access: manageKeysAccess,
    proof: 'recent',
    params: serviceParams,
    response: emptyResponse,
  }),
  tryOut: defineEndpoint('POST /api/kip/model-services/:id/try', {
    summary: 'Test a service by listing its models with its key, and explain the result',
    access: manageKeysAccess,
    params: serviceParams,
    response: serviceTrial,
  }),
}
