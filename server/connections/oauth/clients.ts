import * as z from 'zod/mini'
import { cleanOneLine } from '#contract/one-line-text.ts'
import { json } from '#server/db/database.ts'
import { safeFetch } from '#server/http/egress.ts'
import { badField } from '#server/http/problem.ts'
import type { Services } from '#server/services.ts'
import { loopbackHosts } from '#server/settings/public-url.ts'

export interface OAuthClient {
  id: string
  name: string
  redirectUris: readonly string[]
}

const maxRedirectUris = 20
const maxUriLength = 2_000
const maxNameLength = 80
const unsafeSchemes = new Set(['javascript:', 'data:', 'file:', 'blob:', 'about:', 'vbscript:', 'ws:', 'wss:', 'ftp:'])

export const clientMetadata = z.object({
  client_name: z.optional(z.string().check(z.maxLength(200))),
  redirect_uris: z
    .array(z.string().check(z.maxLength(maxUriLength)))
    .check(z.minLength(1, 'Send redirect_uris.'), z.maxLength(maxRedirectUris)),
})

const publishedMetadata = z.extend(clientMetadata, { client_id: z.string() })

/** Registers a client by its own description (RFC 7591). @throws Problem 400 */
export async function registerClient(
  services: Services,
  metadata: z.infer<typeof clientMetadata>,
): Promise<OAuthClient> {
  const client = { id: `client-${services.newUnguessableId()}`, ...toClient(metadata, 'A program') }
  await services.db
    .insertInto('oauth_clients')
    .values({
      id: client.id,
      name: client.name,
      redirect_uris: json([...client.redirectUris]),
      created_at: services.now().getTime(),
      last_used_at: null,
    })
    .execute()
  return client
}

/** A registered client, or one that publishes its description at its ID. @throws Problem 400 */
export async function loadClient(services: Services, clientId: string): Promise<OAuthClient> {
  if (clientId.startsWith('https://')) return loadPublishedClient(services, clientId)
  const row = await services.db.selectFrom('oauth_clients').selectAll().where('id', '=', clientId).executeTakeFirst()
  if (!row) throw badField('client_id', 'This program isn’t registered here. Connect it again.')
  return { id: row.id, name: row.name, redirectUris: row.redirect_uris }
}

async function loadPublishedClient(services: Services, clientId: string): Promise<OAuthClient> {
  const url = URL.parse(clientId)
  if (!url || url.pathname === '/' || url.hash !== '' || url.username !== '')
    throw badField('client_id', 'The client ID isn’t the address of a client’s description.')
  const options = { ...services.egress, hosts: [url.hostname], signal: new AbortController().signal }
  let parsed: z.infer<typeof publishedMetadata>
  try {
    const { text } = await safeFetch(clientId, options)
    parsed = publishedMetadata.parse(JSON.parse(text))
  } catch {
    throw badField('client_id', `The program’s description at ${url.host} couldn’t be read.`)
  }
  if (parsed.client_id !== clientId)
    throw badField('client_id', `The description at ${url.host} belongs to another program.`)
  return { id: clientId, ...toClient(parsed, url.host) }
}

function toClient({ client_name, redirect_uris }: z.infer<typeof clientMetadata>, fallbackName: string) {
  const areUrisAllowed = redirect_uris.every(isRedirectUriAllowed)
  if (!areUrisAllowed) throw badField('redirect_uris', 'Use https, a loopback address, or a scheme of your own.')
  const name = cleanOneLine(client_name ?? '').slice(0, maxNameLength) || fallbackName
  return { name, redirectUris: redirect_uris }
}

const isLoopback = (url: URL) => url.protocol === 'http:' && loopbackHosts.includes(url.hostname)

function isRedirectUriAllowed(uri: string): boolean {
  const url = URL.parse(uri)
  if (url?.hash !== '' || url.username !== '') return false
  if (url.protocol === 'https:' || isLoopback(url)) return true
  // Schemes of programs have a host or a dot in their name; `mailto:` and other common schemes have neither.
  const isProgramScheme = url.host !== '' || url.protocol.includes('.')
  return url.protocol !== 'http:' && !unsafeSchemes.has(url.protocol) && isProgramScheme
}

/** Must match a registered address; programs on the person’s computer can use any port and loopback name (RFC 8252). @throws Problem 400 */
export function requireRedirectUri({ redirectUris }: OAuthClient, uri: string): URL {
  const url = URL.parse(uri)
  const isRegistered = redirectUris.some((registered) => registered === uri || isSameLoopback(registered, uri))
  if (!url || !isRegistered || !isRedirectUriAllowed(uri))
    throw badField('redirect_uri', 'The program didn’t register this address, so you can’t be sent there.')
  return url
}

function isSameLoopback(registered: string, requested: string): boolean {
  const [registeredUrl, requestedUrl] = [URL.parse(registered), URL.parse(requested)]
  if (!registeredUrl || !requestedUrl || !isLoopback(registeredUrl) || !isLoopback(requestedUrl)) return false
  return registeredUrl.pathname === requestedUrl.pathname && registeredUrl.search === requestedUrl.search
}

/** The host of a web address; otherwise the scheme, because a program chooses what follows it. */
export const getRedirectTarget = (url: URL) => (/^https?:$/.test(url.protocol) ? url.host : url.protocol)

export const isLocalRedirect = (url: URL) => url.protocol !== 'https:'
