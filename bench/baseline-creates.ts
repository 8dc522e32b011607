import { fdatasync, openSync, write } from 'node:fs'
import { createServer } from 'node:http'
import { DatabaseSync } from 'node:sqlite'
import { promisify } from 'node:util'

// Baselines of creates.ts: a bare server that stores each body durably before it responds, as a line of a file or, in a
// `.db` file, as a row.

const [path = '', port = '0'] = process.argv.slice(2)
const isDatabase = path.endsWith('.db')
const storeBodies = isDatabase ? createDatabaseStore(path) : createFileStore(path)

let waiting: { body: string; done: () => void }[] = []
let isWriting = false

async function flush(): Promise<void> {
  if (isWriting) return
  isWriting = true
  while (waiting.length > 0) {
    // A commit blocks the thread, so requests of this tick join it.
    if (isDatabase) await new Promise((resolve) => setImmediate(resolve))
    const group = waiting
    waiting = []
    await storeBodies(group.map(({ body }) => body))
    for (const { done } of group) done()
  }
  isWriting = false
}

function createFileStore(file: string): (bodies: string[]) => Promise<void> {
  const descriptor = openSync(file, 'a')
  const [append, sync] = [promisify(write), promisify(fdatasync)]
  return async (bodies) => {
    await append(descriptor, bodies.map((body) => `${JSON.stringify(JSON.parse(body))}\n`).join(''))
    await sync(descriptor)
  }
}

function createDatabaseStore(file: string): (bodies: string[]) => Promise<void> {
  const database = new DatabaseSync(file)
  database.exec('pragma journal_mode = wal; pragma synchronous = full')
  const insertAgent = database.prepare(
    `insert into agents (id, slug, name, purpose, agent_class, context_scope, memory_enabled, tools, permissions, config, status,
      model_provider, model_settings, visibility, created_at, updated_at)
    values (?, ?, ?, ?, 'Lead', 'general', 0, '[]', '[]', '{}', 'ready', 'openai', '{}', 'private', ?, ?)`,
  )
  const insertMoment = database.prepare(
    `insert into moments (id, keeper_id, owner_id, created_at, updated_at, occurred_at, local_date, timezone, body, pinned,
      ai_visible)
    select ?, id, owner_id, ?, ?, ?, ?, ?, ?, 0, 1 from keepers limit 1`,
  )
  let insertedCount = 0
  const insert = (body: Record<string, string>) => {
    const now = Date.now()
    const id = now.toString(16).padStart(12, '0') + String(++insertedCount).padStart(20, '0')
    const { name = '', slug = '', purpose = '', body: text, occurredAt = '', timezone = '' } = body
    if (text === undefined) insertAgent.run(id, slug, name, purpose, now, now)
    else insertMoment.run(id, now, now, Date.parse(occurredAt), occurredAt.slice(0, 10), timezone, text)
  }
  return async (bodies) => {
    database.exec('begin immediate')
    for (const body of bodies) insert(JSON.parse(body) as Record<string, string>)
    database.exec('commit')
  }
}

createServer((request, answer) => {
  let body = ''
  request.setEncoding('utf8')
  request.on('data', (chunk) => {
    body += chunk
  })
  request.on('end', () => {
    if (request.method === 'GET') return answer.end('ok')
    waiting.push({
      body,
      done() {
        answer.setHeader('content-type', 'application/json; charset=utf-8')
        answer.end(JSON.stringify({ success: true, data: JSON.parse(body) }))
      },
    })
    void flush()
  })
}).listen(Number(port), '127.0.0.1')
