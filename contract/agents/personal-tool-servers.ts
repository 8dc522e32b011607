import * as z from 'zod/mini'
import { httpAddress } from '../bounds.ts'
import { defineEndpoint } from '../endpoint.ts'
import { cursorQuery, id } from '../keepers/keeper-fields.ts'
import { displayLine, oneLine } from '../one-line-text.ts'

export const maxPersonalToolServers = 20

export const signInReturnPath = '/root/api-keys'

export const personalToolServer = z.object({
  id: z.string(),
  name: displayLine,
  /** Without its query, which can hold a secret. */
  address: displayLine,
  access: z.enum(['none', 'header', 'sign-in']),
  needs_sign_in: z.boolean(),
  /** Why its tools can't be read; `null` if they can. */
  reason: z.nullable(z.string()),
  tools: z.number(),
  created_at: z.string(),
})
export type PersonalToolServer = z.infer<typeof personalToolServer>

const name = oneLine({ max: 30 }).check(
  z.regex(/^[A-Za-z0-9-]{1,30}$/, 'Use 1 to 30 letters, digits and hyphens.'),
  z.refine((value) => value.toLowerCase() !== 'keeper', 'Choose a name other than “keeper”.'),
)
const reservedHeaders =
  /^(?:host|connection|content-.*|transfer-encoding|accept.*|expect|te|trailer|upgrade|mcp-.*|cookie)$/i
const header = z.object({
  name: z.string().check(
    z.trim(),
    z.regex(/^[A-Za-z0-9-]{1,100}$/, 'Enter a header name, such as Authorization.'),
    z.refine((value) => !reservedHeaders.test(value), 'Keeper sets this header itself. Use another one.'),
  ),
  value: z
    .string()
    .check(
      z.trim(),
      z.minLength(1, 'Paste the value of the header.'),
      z.maxLength(4000),
      z.regex(/^[\x20-\x7e]*$/, 'Use only ASCII letters, digits and symbols.'),
    ),
})
const clientCredential = z.string().check(z.trim(), z.minLength(1), z.maxLength(1000))

export const personalToolServers = {
  list: defineEndpoint('GET /api/kip/user-tool-servers', {
    summary: 'List your tool servers by name, each with the number of its tools',
    access: 'person',
    query: z.object(cursorQuery),
    response: z.object({ items: z.array(personalToolServer), next_cursor: z.nullable(z.string()) }),
  }),
  create: defineEndpoint('POST /api/kip/user-tool-servers', {
    summary: `Add a tool server for your agents, at most ${maxPersonalToolServers}; its host must be in KEEPER_FETCH_HOSTS`,
    access: 'person',
    supportsIdempotencyKey: true,
    body: z.object({ name, url: httpAddress, header: z.optional(z.nullable(header)) }),
    response: personalToolServer,
  }),
  remove: defineEndpoint('DELETE /api/kip/user-tool-servers/:id', {
    summary: 'Remove one of your tool servers and its credentials',
    access: 'person',
    params: z.object({ id }),
    response: z.object({}),
  }),
  startSignIn: defineEndpoint('POST /api/kip/user-tool-servers/:id/sign-in', {
    summary:
      'Start a sign-in (OAuth with PKCE) and return the URL to open, valid for 10 minutes. 422 with `data.needs_client` if the server doesn’t register clients automatically and needs a `client_id`',
    access: 'person',
    params: z.object({ id }),
    body: z.object({ client_id: z.optional(clientCredential), client_secret: z.optional(clientCredential) }),
    response: z.object({ authorization_url: z.string() }),
  }),
  finishSignIn: defineEndpoint('POST /api/kip/user-tool-servers/sign-in', {
    summary: 'Complete a sign-in with the parameters of the redirect',
    access: 'person',
    body: z.object({
      state: z.string().check(z.minLength(1), z.maxLength(200)),
      code: z.optional(z.string().check(z.maxLength(4000))),
      iss: z.optional(z.string().check(z.maxLength(2000))),
      error: z.optional(z.string().check(z.maxLength(200))),
    }),
    response: personalToolServer,
  }),
}
