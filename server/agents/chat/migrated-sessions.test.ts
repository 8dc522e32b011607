import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type Database, openDatabase } from '#server/db/database.ts'
import { migrate } from '#server/db/migrate.ts'
import { migrations } from '#server/db/migrations/index.ts'
import { createFreshDatabase, engines } from '#tests/engines.ts'
import { getPathTo } from './session-messages.ts'

const now = () => new Date('2026-11-21T04:05:06.789Z')

describe.each(engines)('chats from before branches existed on %s', (engine) => {
  let db: Database
  let dataDir: string
  let close: () => Promise<void>
  const migrateTo = (last: string) =>
    migrate(
      db,
      migrations.filter(({ name }) => name <= last),
      { dataDir, now, backup: false },
    )

  beforeEach(async () => {
    if (engine === 'sqlite') {
      dataDir = mkdtempSync(join(tmpdir(), 'keeper-data-'))
      db = await openDatabase({ dataDir })
      close = async () => {
        await db.close()
        rmSync(dataDir, { recursive: true, force: true })
      }
      return
    }
    const fresh = await createFreshDatabase(engine)
    db = fresh.db
    dataDir = fresh.dataDir
    close = fresh.close
    for (const statement of [sql`drop schema public cascade`, sql`create schema public`]) await db.write(statement)
  })
  afterEach(() => close())

  it('stay linear after the migration and show their last message', async () => {
    await migrateTo('0002-answered-creates')
    await db.write(sql`insert into agents
      (id, owner_id, slug, name, purpose, agent_class, context_scope, memory_enabled, tools, permissions, config, status,
       model_provider, model_settings, visibility, created_at, updated_at)
      values ('agent', null, 'lead', 'Lead', 'p', 'Lead', '', ${true}, '[]', '[]', '{}', 'ready', 'openai', '{}', 'public', 1, 1)`)
    for (const id of ['first', 'second', 'empty'])
      await db.write(sql`insert into chat_sessions (id, agent_id, person_id, visitor_id, name, created_at, updated_at)
        values (${id}, 'agent', null, 'somebody', ${id}, 1, 1)`)
    const messages: [id: string, session: string, position: number][] = [
      ['b1', 'second', 1],
      ['a1', 'first', 1],
      ['a2', 'first', 2],
      ['b2', 'second', 2],
      ['a4', 'first', 4],
      ['a3', 'first', 3],
    ]
    for (const [id, session, position] of messages)
      await db.write(sql`insert into messages (id, session_id, sender, content, run_id, created_at, position)
        values (${id}, ${session}, ${position % 2 ? 'user' : 'agent'}, ${`said ${id}`}, null, 1, ${position})`)

    await migrateTo('9999')
    const visibleMessages = await db
      .selectFrom('chat_sessions')
      .select(['id', 'shown_message_id'])
      .orderBy('id')
      .execute()
    expect(visibleMessages).toEqual([
      { id: 'empty', shown_message_id: null },
      { id: 'first', shown_message_id: 'a4' },
      { id: 'second', shown_message_id: 'b2' },
    ])
    const rows = await db.selectFrom('messages').select(['id', 'parent_id', 'position', 'content']).execute()
    expect(getPathTo(rows, 'a4').map(({ content }) => content)).toEqual(['said a1', 'said a2', 'said a3', 'said a4'])
    expect(getPathTo(rows, 'b2').map(({ id }) => id)).toEqual(['b1', 'b2'])
    expect(rows).toHaveLength(6)
  })
})
