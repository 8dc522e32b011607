import { createServer } from 'node:http'
import { DatabaseSync } from 'node:sqlite'

// Baseline of lists.ts: prepared statements, decoded columns, the same JSON.

const [file = '', personId = '', keeperId = '', port = '0'] = process.argv.slice(2)
const database = new DatabaseSync(file, { readOnly: true })
type Row = Record<string, unknown>

/** Builds plain objects from arrays, because node:sqlite's row objects are in V8's slow dictionary mode. */
function prepare(sql: string) {
  const statement = database.prepare(sql)
  statement.setReturnArrays(true)
  const names = statement.columns().map(({ name }) => name)
  return {
    all: (...values: string[]) =>
      (statement.all(...values) as unknown as unknown[][]).map((columns) => {
        const row: Row = {}
        for (let index = 0; index < names.length; index++) row[names[index] ?? ''] = columns[index]
        return row
      }),
  }
}

const agents = prepare(
  `select * from agents
  where owner_id = ? or visibility = 'public' or owner_id is null
  order by created_at desc, id limit 1001`,
)
const placeholders = Array.from({ length: 20 }, () => '?').join(', ')
const moments = prepare(
  `select * from moments where keeper_id = ? and deleted_at is null order by occurred_at desc, id desc limit 21`,
)
const topics = prepare(
  `select entity_id, topics.id, name, color from entry_topics join topics on topics.id = topic_id
  where entity = 'moment' and entity_id in (${placeholders}) and deleted_at is null order by name_folded`,
)
const media = prepare(
  `select * from media where entity = 'moment' and entity_id in (${placeholders}) order by position`,
)

interface TimedRow extends Row {
  created_at: number
  updated_at: number
}

interface MomentListRow extends TimedRow {
  id: string
  occurred_at: number
}

const listAgents = () => ({
  data: (agents.all(personId) as unknown as TimedRow[]).map((row) => {
    const settings = JSON.parse(String(row.model_settings))
    const isOwner = row.owner_id === personId
    return {
      name: row.name,
      slug: row.slug,
      purpose: row.purpose,
      agent_class: row.agent_class,
      context_scope: row.context_scope,
      memory_enabled: row.memory_enabled === 1,
      tools: JSON.parse(String(row.tools)),
      permissions: JSON.parse(String(row.permissions)),
      config: JSON.parse(String(row.config)),
      status: row.status,
      model_provider: row.model_provider,
      model_settings: settings,
      visibility: row.visibility,
      visitors_spend_owner_key: row.visitors_spend_owner_key === 1,
      visitor_daily_usd: null,
      id: row.id,
      model: settings.model,
      created_at: new Date(row.created_at).toISOString(),
      updated_at: new Date(row.updated_at).toISOString(),
      rev: row.rev,
      owner_id: row.owner_id,
      may: { run: row.status === 'ready', edit: isOwner, share: isOwner, remove: isOwner },
    }
  }),
  next_cursor: null,
})

function listMoments() {
  const rows = (moments.all(keeperId) as unknown as MomentListRow[]).slice(0, 20)
  const ids = rows.map(({ id }) => id)
  const topicRows = Map.groupBy(topics.all(...ids), (row) => row.entity_id)
  const files = Map.groupBy(media.all(...ids), (row) => row.entity_id)
  const last = rows[19] as MomentListRow
  const items = rows.map((row) => ({
    id: row.id,
    keeperId: row.keeper_id,
    createdAt: new Date(row.created_at).toISOString(),
    updatedAt: new Date(row.updated_at).toISOString(),
    rev: row.rev,
    occurredAt: new Date(row.occurred_at).toISOString(),
    localDate: row.local_date,
    timezone: row.timezone,
    title: row.title,
    body: row.body,
    mood: { score: row.mood_score, label: row.mood_label },
    place: row.place && JSON.parse(String(row.place)),
    weather: row.weather && JSON.parse(String(row.weather)),
    journeyId: row.journey_id,
    pinned: row.pinned === 1,
    aiVisible: row.ai_visible === 1,
    promptId: row.prompt_id,
    topics: (topicRows.get(row.id) ?? []).map(({ id, name, color }) => ({ id, name, color })),
    media: files.get(row.id) ?? [],
  }))
  return { data: { items, next_cursor: `${last.occurred_at}-${last.id}` } }
}

createServer((request, answer) => {
  answer.setHeader('content-type', 'application/json; charset=utf-8')
  answer.end(JSON.stringify({ success: true, ...(request.url === '/moments' ? listMoments() : listAgents()) }))
}).listen(Number(port), '127.0.0.1')
