import { createServer } from 'node:http'
import { DatabaseSync } from 'node:sqlite'

// Floor of list-agents.ts: one prepared statement, decoded columns, the same JSON.

const [file = '', personId = '', port = '0'] = process.argv.slice(2)
const database = new DatabaseSync(file, { readOnly: true })
const statement = database.prepare(
  `select * from agents
  where owner_id = ? or visibility = 'public' or owner_id is null
  order by created_at desc, id limit 1001`,
)

interface AgentListRow extends Record<string, unknown> {
  created_at: number
  updated_at: number
}

const list = () =>
  (statement.all(personId) as unknown as AgentListRow[]).map((row) => {
    const settings = JSON.parse(String(row.model_settings))
    const isOwner = row.owner_id === personId
    return {
      id: row.id,
      slug: row.slug,
      name: row.name,
      purpose: row.purpose,
      model: settings.model,
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
      created_at: new Date(row.created_at).toISOString(),
      updated_at: new Date(row.updated_at).toISOString(),
      rev: row.rev,
      owner_id: row.owner_id,
      may: {
        run: row.status === 'ready',
        edit: isOwner,
        share: isOwner,
        remove: isOwner,
      },
      visitors_spend_owner_key: row.visitors_spend_owner_key === 1,
      visitor_daily_usd: null,
    }
  })

createServer((_request, answer) => {
  answer.setHeader('content-type', 'application/json; charset=utf-8')
  answer.end(JSON.stringify({ success: true, data: list(), next_cursor: null }))
}).listen(Number(port), '127.0.0.1')
