import type * as z from 'zod/mini'
import {
  maxPersonalToolServers,
  type PersonalToolServer,
  type personalToolServers,
} from '#contract/agents/personal-tool-servers.ts'
import type { Person } from '#server/accounts/person.ts'
import { UniqueViolation } from '#server/db/database-errors.ts'
import { EgressRefused, requireAllowedUrl } from '#server/http/egress.ts'
import { badField, Problem } from '#server/http/problem.ts'
import type { Services } from '#server/services.ts'
import { toIsoTime } from '#server/values/iso-time.ts'
import { forgetOffer, getToolOffers, maxListAgeMs, type ToolServerHandle } from '../mcp-tools.ts'
import { ToolServerFailure } from '../tool-server-failure.ts'
import { createAuthProvider, readPersonalServer } from './access-token.ts'
import {
  createPersonalFetch,
  openForToolServer,
  type PersonalServerRow,
  type ServerSecrets,
  sealForToolServer,
  serverColumns,
} from './server-secrets.ts'

const defaultLimit = 50

type NewServer = z.output<NonNullable<(typeof personalToolServers.create)['body']>>

export async function listPersonalServerHandles(services: Services, personId: string): Promise<ToolServerHandle[]> {
  return (await selectServers(services, personId)).map((row) => toHandle(services, row))
}

export async function listPersonalToolServers(
  services: Services,
  person: Person,
  { cursor = '', limit = defaultLimit }: { cursor?: string | undefined; limit?: number | undefined },
): Promise<{ items: PersonalToolServer[]; next_cursor: string | null }> {
  const rows = (await selectServers(services, person.id)).filter(({ name }) => name > cursor)
  const page = rows.slice(0, limit)
  const items = await Promise.all(page.map((row) => showPersonalToolServer(services, row)))
  return { items, next_cursor: rows.length > limit ? (page.at(-1)?.name ?? null) : null }
}

/** @throws Problem 400 for a taken name or a forbidden address; 409 over the maximum */
export async function createPersonalToolServer(
  services: Services,
  person: Person,
  { name, url, header }: NewServer,
): Promise<PersonalToolServer> {
  const { db, settings, egress } = services
  const isTaken = settings.mcpServers.some((server) => server.name.toLowerCase() === name.toLowerCase())
  if (isTaken)
    throw badField('name', 'A tool server set up by your administrator already has this name. Choose another name.')
  try {
    requireAllowedUrl(url, { ...egress, hosts: settings.fetchHosts })
  } catch (error) {
    if (!(error instanceof EgressRefused)) throw error
    throw badField('url', error.message)
  }
  const existing = await selectServers(services, person.id)
  if (existing.length >= maxPersonalToolServers)
    throw new Problem('conflict', {
      message: `You already have ${maxPersonalToolServers} tool servers. Remove one first.`,
    })
  const { origin, pathname, href } = new URL(url)
  const identity = { id: services.newId(), owner_id: person.id }
  const secrets: ServerSecrets = { url: href, ...(header && { header }) }
  const row: PersonalServerRow = {
    ...identity,
    name,
    address: `${origin}${pathname}`,
    sealed: sealForToolServer(services, identity, secrets),
    created_at: services.now().getTime(),
  }
  try {
    await db.insertInto('personal_tool_servers').values(row).execute()
  } catch (error) {
    if (!(error instanceof UniqueViolation) || error.columns.join() === 'id') throw error
    throw badField('name', 'You already have a tool server with this name. Choose another one.', error)
  }
  return showPersonalToolServer(services, row)
}

export async function removePersonalToolServer(services: Services, person: Person, id: string): Promise<void> {
  const { numDeletedRows } = await services.db
    .deleteFrom('personal_tool_servers')
    .where('id', '=', id)
    .where('owner_id', '=', person.id)
    .executeTakeFirst()
  if (numDeletedRows === 0n) throw new Problem('not-found', { message: 'Tool server not found' })
  forgetOffer(services, id)
}

export async function requirePersonalToolServer(
  services: Services,
  person: Person,
  id: string,
): Promise<PersonalServerRow> {
  const row = await services.db
    .selectFrom('personal_tool_servers')
    .select(serverColumns)
    .where('id', '=', id)
    .where('owner_id', '=', person.id)
    .executeTakeFirst()
  if (!row) throw new Problem('not-found', { message: 'Tool server not found' })
  return row
}

export async function showPersonalToolServer(services: Services, row: PersonalServerRow): Promise<PersonalToolServer> {
  const [secrets, [offer]] = await Promise.all([
    openForToolServer<ServerSecrets>(services, row, row.sealed),
    getToolOffers(services, [toHandle(services, row)], maxListAgeMs.editing),
  ])
  return {
    id: row.id,
    name: row.name,
    address: row.address,
    access: getAccess(secrets),
    needs_sign_in: offer?.failure?.needsSignIn ?? false,
    reason: offer?.reason ?? null,
    tools: offer?.tools.length ?? 0,
    created_at: toIsoTime(row.created_at),
  }
}

function getAccess(secrets: ServerSecrets | undefined): PersonalToolServer['access'] {
  if (secrets?.grant) return 'sign-in'
  return secrets?.header ? 'header' : 'none'
}

function toHandle(services: Services, row: PersonalServerRow): ToolServerHandle {
  return {
    id: row.id,
    name: row.name,
    host: new URL(row.address).host,
    ownerId: row.owner_id,
    async connect() {
      // Reads the secrets again, because tools are cached and the credentials can change.
      const { secrets } = (await readPersonalServer(services, row.id)) ?? {}
      if (!secrets)
        throw new ToolServerFailure(
          'The server’s stored credentials can no longer be decrypted. Remove the server and add it again.',
        )
      const { url, header } = secrets
      return {
        url,
        headers: header ? { [header.name]: header.value } : {},
        fetch: createPersonalFetch(services),
        ...(!header && { auth: createAuthProvider(services, row.id) }),
        secrets: [...(header ? [header.value] : []), ...new URL(url).searchParams.values()],
      }
    },
  }
}

function selectServers({ db }: Services, personId: string): Promise<PersonalServerRow[]> {
  return db
    .selectFrom('personal_tool_servers')
    .select(serverColumns)
    .where('owner_id', '=', personId)
    .orderBy('name')
    .limit(maxPersonalToolServers)
    .execute()
}
