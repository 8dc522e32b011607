import { type SqlBool, sql } from 'kysely'
import { getPathTo } from '#server/agents/chat/session-messages.ts'
import { buildAgentFile } from '#server/agents/versions/agent-file.ts'
import { buildFirstVersion, resolveSnapshots } from '#server/agents/versions/write-version.ts'
import { managersOnlyActions } from '#server/domains/people/list-people.ts'
import type { Services } from '#server/services.ts'
import { toIsoTime, toIsoTimeOrNull } from '#server/values/iso-time.ts'
import { toOpenJsonObject } from '#server/values/open-json-object.ts'
import type { Person } from '../person.ts'
import { listSessions } from '../sessions.ts'

/** `account.json`: profile, memberships and audit. Keys are masked; tokens and hashes are left out. */
export async function* streamAccount(services: Services, person: Person): AsyncGenerator<string> {
  const account = { ...(await readProfile(services, person)), ...(await readMemberships(services, person)) }
  const head = { format: 'keeper-account', version: 1, exportedAt: services.now().toISOString(), ...account }
  yield `${toOpenJsonObject(head)},\n  "audit": `
  yield* streamJsonList(streamAudit(services, person))
  yield '\n}\n'
}

export async function* streamJsonList(items: AsyncIterable<unknown>): AsyncGenerator<string> {
  let separator = '[\n'
  for await (const item of items) {
    yield separator + JSON.stringify(item)
    separator = ',\n'
  }
  yield separator === '[\n' ? '[]' : '\n]'
}

async function readProfile(services: Services, person: Person) {
  const { db } = services
  const row = await db.selectFrom('people').selectAll().where('id', '=', person.id).executeTakeFirstOrThrow()
  const keys = await db.selectFrom('provider_keys').selectAll().where('owner', '=', person.id).execute()
  const toolServers = await db
    .selectFrom('personal_tool_servers')
    .select(['name', 'address', 'created_at'])
    .where('owner_id', '=', person.id)
    .execute()
  const connections = await db.selectFrom('connections').selectAll().where('owner_id', '=', person.id).execute()
  const budget = await db
    .selectFrom('budgets')
    .select(['limit_micros', 'warn_at_percent'])
    .where('scope', '=', 'mine')
    .where('subject', '=', person.id)
    .executeTakeFirst()
  return {
    profile: {
      id: row.id,
      email: row.email,
      name: row.name,
      nickname: row.nickname,
      createdAt: toIsoTimeOrNull(row.created_at),
      lastSignInAt: toIsoTimeOrNull(row.last_sign_in_at),
      deletesAt: toIsoTimeOrNull(row.deletes_at),
      platformRoles: person.roles,
    },
    settings: {
      preferredThemeId: row.preferred_theme_id,
      firstStepsDismissedAt: toIsoTimeOrNull(row.first_steps_dismissed_at),
      monthlyBudgetUsd: budget?.limit_micros == null ? null : budget.limit_micros / 1_000_000,
      providerKeys: keys.map(({ provider, masked, created_at }) => ({
        provider,
        masked,
        createdAt: toIsoTimeOrNull(created_at),
      })),
      toolServers: toolServers.map(({ name, address, created_at }) => ({
        name,
        address,
        createdAt: toIsoTimeOrNull(created_at),
      })),
    },
    connections: connections.map(({ name, purpose, scopes, created_at, expires_at, revoked_at }) => ({
      name,
      purpose,
      scopes,
      createdAt: toIsoTime(created_at),
      expiresAt: toIsoTimeOrNull(expires_at),
      revokedAt: toIsoTimeOrNull(revoked_at),
    })),
    sessions: await listSessions(services, person.id, person.sessionId),
  }
}

async function readMemberships({ db }: Services, person: Person) {
  const domains = await db.selectFrom('domains').selectAll().where('owner_id', '=', person.id).execute()
  const notes = await db
    .selectFrom('domain_members')
    .innerJoin('people', 'people.id', 'domain_members.person_id')
    .select(['domain_members.domain_id as id', 'people.name as about', 'domain_members.note'])
    // SQL allows no empty list.
    .where('domain_members.domain_id', 'in', [...domains.map(({ id }) => id), ''])
    .where('domain_members.note', '!=', '')
    .orderBy('people.id')
    .execute()
  const memberships = await db
    .selectFrom('domain_members')
    .innerJoin('domains', 'domains.id', 'domain_members.domain_id')
    .select([
      'domains.id',
      'domains.name',
      'domain_members.role',
      'domain_members.added_at',
      'domain_members.agreed_at',
    ])
    .where('domain_members.person_id', '=', person.id)
    .execute()
  const invitations = await db
    .selectFrom('invitations')
    .innerJoin('domains', 'domains.id', 'invitations.domain_id')
    .selectAll('invitations')
    .select('domains.name as domain')
    .where('invited_by', '=', person.id)
    .execute()
  return {
    domains: domains.map((row) => ({
      id: row.id,
      name: row.name,
      slug: row.slug,
      description: row.description,
      isPrimary: row.is_primary,
      customDomain: row.custom_domain,
      createdAt: toIsoTimeOrNull(row.created_at),
      notesOnMembers: notes.filter(({ id }) => id === row.id).map(({ about, note }) => ({ about, note })),
    })),
    memberships: memberships.map(({ added_at, agreed_at, ...row }) => ({
      ...row,
      addedAt: toIsoTimeOrNull(added_at),
      agreedAt: toIsoTimeOrNull(agreed_at),
    })),
    invitationsSent: invitations.map((row) => ({
      domain: row.domain,
      email: row.email,
      role: row.role,
      note: row.note,
      sentAt: toIsoTimeOrNull(row.sent_at),
      acceptedAt: toIsoTimeOrNull(row.accepted_at),
      revokedAt: toIsoTimeOrNull(row.revoked_at),
    })),
  }
}

/** Leaves out managers' notes about this person, which the activity list of a domain hides too. */
async function* streamAudit({ db }: Services, { id }: Person): AsyncGenerator<unknown> {
  const readRows = (last = { at: -1, id: '' }) =>
    db
      .selectFrom('audit_events')
      .selectAll()
      .where((where) =>
        where.or([
          where('actor_id', '=', id),
          where.and([where('person_id', '=', id), where('action', 'not in', managersOnlyActions)]),
        ]),
      )
      .where(sql<SqlBool>`(at, id) > (${last.at}, ${last.id})`)
      .orderBy('at')
      .orderBy('id')
      .limit(archivePageSize)
      .execute()
  const describePerson = (personId: string) => (personId === id ? 'you' : 'someone else')
  for await (const row of iterateRows(readRows))
    yield {
      at: toIsoTimeOrNull(row.at),
      action: row.action,
      by: row.actor_id === null ? 'the server' : describePerson(row.actor_id),
      to: row.person_id === null ? null : describePerson(row.person_id),
      domainId: row.domain_id,
      subject: row.subject,
      details: row.details,
    }
}

const archivePageSize = 500

async function* iterateRows<Row>(readRows: (last: Row | undefined) => Promise<Row[]>): AsyncGenerator<Row> {
  let rows: Row[] = []
  do {
    rows = await readRows(rows.at(-1))
    yield* rows
  } while (rows.length === archivePageSize)
}

export async function* streamAgent(services: Services, agentId: string): AsyncGenerator<string> {
  const { db } = services
  const agent = await db.selectFrom('agents').selectAll().where('id', '=', agentId).executeTakeFirst()
  if (!agent) return
  const file = await buildAgentFile(services, agent, { withQuestions: true })
  yield `${toOpenJsonObject(file)},\n  "versions": [`
  let separator = '\n'
  let lastRev = 0
  while (true) {
    const rows = await db
      .selectFrom('agent_versions')
      .select(['rev', 'origin', 'restored_rev', 'snapshot', 'created_at'])
      .where('agent_id', '=', agentId)
      .where('rev', '>', lastRev)
      .orderBy('rev')
      .limit(archivePageSize)
      .execute()
    const versions =
      rows.length === 0 && lastRev === 0 ? [buildFirstVersion(agent)] : await resolveSnapshots(services, agentId, rows)
    for (const { rev, restored_rev, created_at, ...row } of versions) {
      const version = { version: rev, ...row, restored_version: restored_rev, created_at: toIsoTime(created_at) }
      yield separator + JSON.stringify(version)
      separator = ',\n'
    }
    const newest = rows.at(-1)
    if (!newest || rows.length < archivePageSize) break
    lastRev = newest.rev
  }
  yield ']\n}\n'
}

interface ChatToArchive {
  id: string
  name: string
  agent_name: string
  agent_slug: string
  created_at: number
  updated_at: number
  shown_message_id: string | null
}

export async function* streamChat(services: Services, chat: ChatToArchive): AsyncGenerator<string> {
  const rows = await listChatMessages(services, chat.id)
  const messages = rows.map(({ created_at, position, ...row }) => ({ ...row, created_at: toIsoTime(created_at) }))
  const { id, name, agent_name, agent_slug, created_at, updated_at, shown_message_id } = chat
  const dates = { created_at: toIsoTime(created_at), updated_at: toIsoTime(updated_at) }
  const chatFile = { id, name, agent: { name: agent_name, slug: agent_slug }, ...dates, shown_message_id, messages }
  yield `${JSON.stringify(chatFile, null, 2)}\n`
}

export async function* streamChatMarkdown(services: Services, chat: ChatToArchive): AsyncGenerator<string> {
  yield `# ${chat.name.replace(/\s+/g, ' ')}\n\n_With ${chat.agent_name}, since ${toIsoTime(chat.created_at)}_\n`
  for (const row of getPathTo(await listChatMessages(services, chat.id), chat.shown_message_id))
    yield `\n## ${row.sender === 'user' ? 'You' : chat.agent_name}, ${toIsoTime(row.created_at)}\n\n${row.content}\n`
}

function listChatMessages({ db }: Services, sessionId: string) {
  return db
    .selectFrom('messages')
    .select(['id', 'parent_id', 'sender', 'content', 'run_id', 'created_at', 'position'])
    .where('session_id', '=', sessionId)
    .orderBy('position')
    .execute()
}

export async function* streamRuns({ db }: Services, person: Pick<Person, 'id'>): AsyncGenerator<unknown> {
  const readRows = (last = { created_at: -1, id: '' }) =>
    db
      .selectFrom('runs')
      .select(['id', 'agent_id', 'agent_name', 'agent_slug', 'session_id', 'status', 'error_code', 'origin'])
      .select(['model_provider', 'model', 'key_source', 'mock_mode', 'attempts', 'input_tokens', 'output_tokens'])
      .select(['cost_micros', 'usage_estimated', 'created_at', 'execution_time_ms'])
      .where('person_id', '=', person.id)
      .where(sql<SqlBool>`(created_at, id) > (${last.created_at}, ${last.id})`)
      .orderBy('created_at')
      .orderBy('id')
      .limit(archivePageSize)
      .execute()
  for await (const { cost_micros, created_at, ...row } of iterateRows(readRows))
    yield {
      ...row,
      cost_usd: cost_micros === null ? null : cost_micros / 1_000_000,
      created_at: toIsoTime(created_at),
    }
}

const studioTables = [
  'keeper_types',
  'engagement_templates',
  'memory_patterns',
  'agent_classes',
  'themes',
  'board_templates',
] as const

export async function* streamStudio({ db }: Services, { id }: Pick<Person, 'id'>): AsyncGenerator<string> {
  const studio: Record<string, object[]> = {}
  for (const table of studioTables) {
    const rows = await db
      .selectFrom(table as 'themes')
      .selectAll()
      .where('owner_id', '=', id)
      .$if(table === 'themes', (themes) => themes.where('deleted_at', 'is', null))
      .orderBy('created_at')
      .orderBy('id')
      .$castTo<{ created_at: number; updated_at?: number } & Record<string, unknown>>()
      .execute()
    studio[table] = rows.map(({ owner_id, system, rev, deleted_at, created_at, updated_at, ...row }) => ({
      ...row,
      created_at: toIsoTime(created_at),
      ...(updated_at !== undefined && { updated_at: toIsoTime(updated_at) }),
    }))
  }
  yield `${JSON.stringify(studio, null, 2)}\n`
}
