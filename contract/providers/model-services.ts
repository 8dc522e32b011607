import * as z from 'zod/mini'
import { endpoint } from '../endpoint.ts'
import { secretKey } from '../keys/secret-key.ts'
import { oneLine, shownLine } from '../one-line-text.ts'
import { builtInProviders } from './registry.ts'

export const maxModelServices = 50
export const maxServiceHeaders = 20

const builtInIds: readonly string[] = builtInProviders.map(({ id }) => id)

/** A service that speaks like OpenAI. Its key is the platform key of its id; values of its headers stay out. */
export const modelService = z.object({
  id: z.string(),
  name: shownLine,
  base_url: z.string(),
  /** Names of the headers that are sent beside that of the key. */
  header_names: z.array(z.string()),
  /** Services of the `environment` were set by who runs the server, and cannot be changed here. */
  source: z.enum(['stored', 'environment']),
  /** Agents that use it. */
  agents: z.number(),
  /** People who saved a key for it. */
  personal_keys: z.number(),
  /** Why its headers cannot be sent; `null` when they can. */
  problem: z.nullable(z.string()),
  rev: z.number(),
})
export type ModelService = z.infer<typeof modelService>

const savedModelService = z.extend(modelService, {
  /** How the base URL was corrected, in words; `null` when it was not. */
  correction: z.nullable(z.string()),
})
export type SavedModelService = z.infer<typeof savedModelService>

/** Names that belong to the connection itself. */
const reservedHeaders =
  /^(?:host|connection|content-.*|transfer-encoding|accept.*|expect|te|trailer|upgrade|keep-alive)$/i

const headerName = z.string().check(
  z.trim(),
  z.regex(/^[A-Za-z0-9-]{1,100}$/, 'Use the name of a header, such as api-key.'),
  z.refine((name) => !reservedHeaders.test(name), 'Keeper sets this header itself. Use another one.'),
)
const headerValue = z
  .string()
  .check(
    z.trim(),
    z.minLength(1, 'Enter the value of the header.'),
    z.maxLength(4000, 'Use at most 4,000 characters.'),
    z.regex(/^[\x20-\x7e]*$/, 'Use letters, digits and signs without accents.'),
  )

const headers = z.array(z.object({ name: headerName, value: z.optional(headerValue) })).check(
  z.maxLength(maxServiceHeaders, `Use at most ${maxServiceHeaders} headers.`),
  z.refine(
    (list) => new Set(list.map(({ name }) => name.toLowerCase())).size === list.length,
    'Name each header once.',
  ),
)

/** The rule of ids of services, the same on the page and on the server. */
export const serviceId = z.string().check(
  z.trim(),
  z.regex(/^[a-z0-9][a-z0-9-]{0,39}$/, 'Use 1 to 40 lowercase letters, digits and hyphens.'),
  z.refine((id) => !builtInIds.includes(id), 'A provider that comes with Keeper has this id. Choose another one.'),
)

const name = oneLine({ max: 80, min: 1, message: 'Name the service.' })
const baseUrl = z
  .string()
  .check(
    z.trim(),
    z.minLength(1, 'Enter the base URL.'),
    z.maxLength(2000, 'Use an address of at most 2,000 characters.'),
  )

/** `works`: it listed models that agents can use. */
const serviceTrial = z.object({ works: z.boolean(), message: z.string() })
export type ServiceTrial = z.infer<typeof serviceTrial>

const manages = { permission: 'manage_api_keys' } as const
/** Any id, so that one of a built-in provider is not found rather than badly formed. */
const params = z.object({ id: z.string().check(z.maxLength(40)) })

export const modelServices = {
  list: endpoint('GET /api/kip/model-services', {
    summary: 'The services that speak like OpenAI, from the environment and added here, with how many agents use each',
    access: manages,
    returns: z.array(modelService),
  }),
  create: endpoint('POST /api/kip/model-services', {
    summary: `Add a service that speaks like OpenAI, at most ${maxModelServices}; its base URL is corrected, or refused with the reason`,
    access: manages,
    body: z.object({
      id: serviceId,
      name,
      base_url: baseUrl,
      key: z.optional(secretKey),
      headers: z.optional(headers),
    }),
    returns: savedModelService,
    creates: true,
  }),
  update: endpoint('PATCH /api/kip/model-services/:id', {
    summary:
      'Change a service. What is left out stays, also the value of a header that is named without one. With another host its key and the values have to be sent again, and keys that people saved for it are deleted',
    access: manages,
    params,
    body: z.object({
      name: z.optional(name),
      base_url: z.optional(baseUrl),
      key: z.optional(secretKey),
      headers: z.optional(headers),
    }),
    returns: savedModelService,
  }),
  remove: endpoint('DELETE /api/kip/model-services/:id', {
    summary:
      'Delete a service with every key that was saved for it; agents that use it fail until they get another one',
    access: manages,
    params,
    returns: z.nullable(z.object({})),
  }),
  tryOut: endpoint('POST /api/kip/model-services/:id/try', {
    summary: 'Ask a service for its list of models, with its key, and say in words what it answered',
    access: manages,
    params,
    returns: serviceTrial,
  }),
}
