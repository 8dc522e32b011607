import type { Person } from '#server/accounts/person.ts'
import { getPathTo } from '#server/agents/chat/message-tree.ts'
import { buildAgentFile } from '#server/agents/versions/export-agent.ts'
import { resolveSnapshots } from '#server/agents/versions/stored-snapshots.ts'
import { buildFirstVersion } from '#server/agents/versions/write-version.ts'
import type { Services } from '#server/services.ts'
import { toIsoTime } from '#server/values/iso-time.ts'

const archivePageSize = 500

export async function* streamAgent(services: Services, agentId: string): AsyncGenerator<string> {
  const { db } = services
  const agent = await db.selectFrom('agents').selectAll().where('id', '=', agentId).executeTakeFirst()
  if (!agent) return
  const file = await buildAgentFile(services, agent, { withQuestions: true })
  yield `${JSON.stringify(file, null, 2).slice(0, -2)},\n  "versions": [`
  let separator = '\n'
  for (let lastRev = 0; ; ) {
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

export interface ChatToArchive {
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
  let lastRow = { created_at: -1, id: '' }
  for (;;) {
    const { created_at: at, id } = lastRow
    const rows = await db
      .selectFrom('runs')
      .select(['id', 'agent_id', 'agent_name', 'agent_slug', 'session_id', 'status', 'error_code', 'origin'])
      .select(['model_provider', 'model', 'key_source', 'mock_mode', 'attempts', 'input_tokens', 'output_tokens'])
      .select(['cost_micros', 'usage_estimated', 'created_at', 'execution_time_ms'])
      .where('person_id', '=', person.id)
      .where((where) =>
        where.or([where('created_at', '>', at), where.and([where('created_at', '=', at), where('id', '>', id)])]),
      )
      .orderBy('created_at')
      .orderBy('id')
      .limit(archivePageSize)
      .execute()
    for (const { cost_micros, created_at, ...row } of rows)
      yield {
        ...row,
        cost_usd: cost_micros === null ? null : cost_micros / 1_000_000,
        created_at: toIsoTime(created_at),
      }
    const newest = rows.at(-1)
    if (!newest || rows.length < archivePageSize) return
    lastRow = newest
  }
}

export async function* streamStudio({ db }: Services, { id }: Pick<Person, 'id'>): AsyncGenerator<string> {
  const listOwn = async (table: 'keeper_types' | 'engagement_templates' | 'memory_patterns' | 'agent_classes') => {
    const rows = await db
      .selectFrom(table as 'keeper_types')
      .selectAll()
      .where('owner_id', '=', id)
      .orderBy('created_at')
      .orderBy('id')
      .execute()
    return rows.map(({ owner_id, system, rev, created_at, updated_at, ...row }) => ({
      ...row,
      created_at: toIsoTime(created_at),
      updated_at: toIsoTime(updated_at),
    }))
  }
  const boardTemplates = await db
    .selectFrom('board_templates')
    .select(['id', 'name', 'description', 'config', 'frames', 'created_at'])
    .where('owner_id', '=', id)
    .orderBy('created_at')
    .orderBy('id')
    .execute()
  const themes = await db
    .selectFrom('themes')
    .select(['id', 'slug', 'name', 'note', 'visibility', 'light', 'dark', 'basis', 'created_at', 'updated_at'])
    .where('owner_id', '=', id)
    .where('deleted_at', 'is', null)
    .orderBy('created_at')
    .orderBy('id')
    .execute()
  const studio = {
    keeper_types: await listOwn('keeper_types'),
    engagement_templates: await listOwn('engagement_templates'),
    memory_patterns: await listOwn('memory_patterns'),
    agent_classes: await listOwn('agent_classes'),
    themes: themes.map((row) => ({
      ...row,
      created_at: toIsoTime(row.created_at),
      updated_at: toIsoTime(row.updated_at),
    })),
    board_templates: boardTemplates.map((row) => ({ ...row, created_at: toIsoTime(row.created_at) })),
  }
  yield `${JSON.stringify(studio, null, 2)}\n`
}
