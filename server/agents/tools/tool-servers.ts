import type { ToolServer } from '#contract/agents/tools.ts'
import { compareStrings } from '#contract/compare-strings.ts'
import type { Person } from '#server/accounts/person.ts'
import { insertAudit } from '#server/audit/write-audit.ts'
import { requireChanges } from '#server/db/database.ts'
import { UnexpectedChanges } from '#server/db/database-errors.ts'
import { Problem } from '#server/http/problem.ts'
import type { Services } from '#server/services.ts'
import type { McpServer } from '#server/settings/settings.ts'
import { toIsoTime } from '#server/values/iso-time.ts'
import { getHost, getSharedToolServers, getToolOffers, getToolServerId, maxListAgeMs } from './mcp-tools.ts'

const defaultLimit = 50

export async function isTrustedServer({ settings, db }: Services, id: string): Promise<boolean> {
  const server = settings.mcpServers.find((candidate) => getToolServerId(candidate) === id)
  if (!server) return false
  if (server.trusted) return true
  const row = await db.selectFrom('trusted_tool_servers').select('id').where('id', '=', id).executeTakeFirst()
  return row !== undefined
}

export async function fetchTrustedServerIds({ settings, db }: Services): Promise<Set<string>> {
  const rows = await db.selectFrom('trusted_tool_servers').select('id').execute()
  const idsFromSettings = settings.mcpServers.filter(({ trusted }) => trusted).map(getToolServerId)
  return new Set([...idsFromSettings, ...rows.map(({ id }) => id)])
}

export async function listToolServers(
  services: Services,
  { cursor = '', limit = defaultLimit }: { cursor?: string | undefined; limit?: number | undefined },
): Promise<{ items: ToolServer[]; next_cursor: string | null }> {
  const servers = services.settings.mcpServers
    .filter(({ name }) => name > cursor)
    .sort((a, b) => compareStrings(a.name, b.name))
  const page = servers.slice(0, limit)
  const items = await toToolServerViews(services, page)
  return { items, next_cursor: servers.length > limit ? (page.at(-1)?.name ?? null) : null }
}

/** @throws Problem `not-found`; `conflict` when revoking trust that comes from the settings */
export async function setTrust(
  services: Services,
  person: Person,
  { id, trusted }: { id: string; trusted: boolean },
): Promise<ToolServer> {
  const { db, settings } = services
  const server = settings.mcpServers.find((candidate) => getToolServerId(candidate) === id)
  if (!server) throw new Problem('not-found', { message: 'Tool server not found' })
  if (server.trusted && !trusted)
    throw new Problem('conflict', {
      message: `The settings trust ${server.name}. Remove "trusted" from its entry in KEEPER_MCP_SERVERS and restart Keeper.`,
    })
  if (!server.trusted) {
    const { name, url } = server
    const host = getHost(url)
    const write = trusted
      ? db
          .insertInto('trusted_tool_servers')
          .values({ id, name, trusted_at: services.now().getTime(), trusted_by: person.id })
          .onConflict((conflict) => conflict.column('id').doNothing())
      : db.deleteFrom('trusted_tool_servers').where('id', '=', id)
    const action = trusted ? 'tool-server-trusted' : 'tool-server-untrusted'
    try {
      await db.batch([
        requireChanges(write),
        insertAudit(services, { action, actor: person, subject: name, details: { host } }),
      ])
    } catch (error) {
      if (!(error instanceof UnexpectedChanges)) throw error
    }
  }
  const [view] = await toToolServerViews(services, [server])
  if (!view) throw new Problem('not-found', { message: 'Tool server not found' })
  return view
}

async function toToolServerViews(services: Services, servers: readonly McpServer[]): Promise<ToolServer[]> {
  const [offers, trustRows] = await Promise.all([
    getToolOffers(services, getSharedToolServers(services, servers), maxListAgeMs.editing),
    services.db
      .selectFrom('trusted_tool_servers')
      .leftJoin('people', 'people.id', 'trusted_by')
      .select(['trusted_tool_servers.id', 'trusted_at', 'trusted_by', 'people.name'])
      .execute(),
  ])
  return servers.map((server) => {
    const id = getToolServerId(server)
    const { tools = [], reason = null } = offers.find((offer) => offer.server.id === id) ?? {}
    const trustRow = trustRows.find((row) => row.id === id)
    return {
      id,
      name: server.name,
      host: getHost(server.url),
      reason,
      tools: tools.length,
      sending: tools.filter(({ sends }) => sends).length,
      writing: tools.filter(({ writes }) => writes).length,
      trust: toTrustView(server, trustRow),
    }
  })
}

function toTrustView(
  server: McpServer,
  row: { trusted_by: string | null; trusted_at: number; name: string | null } | undefined,
): ToolServer['trust'] {
  if (server.trusted) return { source: 'settings', by: null, at: null }
  if (!row) return null
  return {
    source: 'administrator',
    by: row.trusted_by === null ? null : { id: row.trusted_by, name: row.name },
    at: toIsoTime(row.trusted_at),
  }
}
