import { sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Person } from '#server/accounts/person.ts'
import { SessionCache } from '#server/accounts/session-cache.ts'
import { ListCache, type ListResult } from '#server/agents/model-lists/list-cache.ts'
import { type Database, openDatabase } from '#server/db/database.ts'
import { DatabaseUnavailable } from '#server/db/database-errors.ts'
import { createLog } from '#server/http/log.ts'
import { createFreshDatabase, engines, type FreshDatabase } from '#tests/engines.ts'
import { eventually } from '#tests/eventually.ts'
import { type BusMessage, ProcessBus } from './process-bus.ts'

const log = createLog('fatal', { write: () => undefined })
const listKey = { kind: 'models', provider: 'openai', payer: 'ada', key: 'k', baseUrl: null } as const
const ada = { id: 'ada', sessionId: 'one', sessionExpiresAt: 1000 } as Person

describe.runIf(engines.includes('postgres'))('two buses on one PostgreSQL', () => {
  let freshDatabase: FreshDatabase
  let remoteDb: Database
  let localBus: ProcessBus
  let remoteBus: ProcessBus
  beforeEach(async () => {
    freshDatabase = await createFreshDatabase('postgres')
    remoteDb = await openDatabase(freshDatabase)
    localBus = new ProcessBus()
    remoteBus = new ProcessBus()
    await localBus.open(freshDatabase.db, log)
    await remoteBus.open(remoteDb, log)
  })
  afterEach(async () => {
    await Promise.all([localBus.close(), remoteBus.close()])
    await remoteDb.close()
    await freshDatabase.close()
  })

  it('messages arrive at the other bus in order, not at the sender', async () => {
    const received = { here: [] as string[], there: [] as string[] }
    localBus.on('person-forgotten', ({ personId }) => received.here.push(personId))
    remoteBus.on('person-forgotten', ({ personId }) => received.there.push(personId))
    remoteBus.on('session-forgotten', () => received.there.push('of another kind'))
    const ids = Array.from({ length: 500 }, (_, index) => `${index}`.padStart(32, '0'))
    for (const personId of ids) localBus.send({ kind: 'person-forgotten', personId })
    await eventually(() => expect(received.there).toHaveLength(500))
    expect(received).toEqual({ here: [], there: ids })
    await localBus.close()
    localBus.send({ kind: 'person-forgotten', personId: 'late' })
    await new Promise((resolve) => setTimeout(resolve, 100))
    expect(received.there).toHaveLength(500)
  })

  it('foreign payloads are ignored, and later messages arrive', async () => {
    const received: string[] = []
    remoteBus.on('person-forgotten', ({ personId }) => received.push(personId))
    remoteBus.onMissed(() => received.push('missed'))
    // A malformed event must not reach listeners.
    remoteBus.on('live', ({ personId, event }) => received.push(`${personId} ${event.type}`))
    for (const payload of [
      'no packet',
      ...['5', '"keeper"', 'null', '[]', '{}', '{"messages":5}', '{"messages":[null]}', '{"from":5}'],
      ...['{"from":"x","messages":5}', '{"from":"x","messages":{}}', '{"from":"x","messages":[null,5,"y",[]]}'],
      '{"from":null,"messages":[{"kind":"live"},{"kind":"live","personId":"ada","event":null}]}',
      '{"from":null,"messages":[{"kind":"person-forgotten"},{"kind":"person-forgotten","personId":5}]}',
    ])
      await freshDatabase.db.write(sql`select pg_notify('keeper', ${payload})`)
    // Kinds of a later version next to known ones.
    const later = [{ kind: 'of-later' }, { kind: 'toString' }, { kind: 'person-forgotten', personId: 'ben' }]
    await freshDatabase.db.write(sql`select pg_notify('keeper', ${JSON.stringify({ from: 'x', messages: later })})`)
    localBus.send({ kind: 'person-forgotten', personId: 'ada' })
    await eventually(() => expect(received).toEqual(['ben', 'ada']))
  })

  it('after an overflow the others reload everything', async () => {
    let missedCount = 0
    const received: string[] = []
    remoteBus.onMissed(() => missedCount++)
    remoteBus.on('person-forgotten', ({ personId }) => received.push(personId))
    const { write } = freshDatabase.db
    const refused = Promise.withResolvers<void>()
    freshDatabase.db.write = async () => {
      freshDatabase.db.write = write
      refused.resolve()
      throw new DatabaseUnavailable('The connection to PostgreSQL failed (lost)')
    }
    for (let index = 0; index <= 10_000; index++) localBus.send({ kind: 'person-forgotten', personId: `${index}` })
    await refused.promise
    await eventually(() =>
      expect({ receivedCount: received.length, missedCount }).toEqual({ receivedCount: 10_000, missedCount: 1 }),
    )
  })

  it('messages in a batch arrive at both buses on commit, never on rollback', async () => {
    const received: string[] = []
    const createMessage = (id: string): Extract<BusMessage, { kind: 'board-change' }> => ({
      kind: 'board-change',
      boardId: 'b',
      id,
    })
    localBus.on('board-change', ({ id }) => received.push(`here ${id}`))
    remoteBus.on('board-change', ({ id }) => received.push(`there ${id}`))
    const broken = {
      ...freshDatabase.db
        .insertInto('people')
        .values({} as never)
        .compile(),
      sql: 'insert into nothing',
    }
    await expect(freshDatabase.db.batch([localBus.sendInBatch(createMessage('undone')), broken])).rejects.toThrow()
    await freshDatabase.db.batch([localBus.sendInBatch(createMessage('done'))])
    await eventually(() => expect(received.toSorted()).toEqual(['here done', 'there done']))
  })

  it('invalidations reach the other process; a gap clears everything', async () => {
    const [sessions, remoteSessions] = [new SessionCache(localBus), new SessionCache(remoteBus)]
    const [lists, remoteLists] = [new ListCache(localBus), new ListCache(remoteBus)]
    let requestCount = 0
    const fetchList = async (): Promise<ListResult<number>> => ({ items: [++requestCount], problem: null })
    const fetchCached = (from: ListCache) => from.get(listKey, { fresh: false, now: () => 0, fetchList })
    const rememberSession = () => remoteSessions.remember('hash', ada, 0, remoteSessions.generation)
    rememberSession()
    await fetchCached(remoteLists)
    lists.forget('ben', 'openai')
    sessions.forgetSession('two')
    await eventually(() => expect(remoteSessions.generation).toBe(1))
    expect(remoteSessions.find('hash', 0), 'another session').toBe(ada)
    expect((await fetchCached(remoteLists)).result.items, 'the key of another process').toEqual([1])

    lists.forget('ada', 'openai')
    sessions.forgetSession('one')
    await eventually(() => expect(remoteSessions.find('hash', 0)).toBeUndefined())
    expect((await fetchCached(remoteLists)).result.items).toEqual([2])

    rememberSession()
    const missed = new Promise<void>((resolve) => remoteBus.onMissed(resolve))
    await cutConnection(freshDatabase.db)
    await missed
    expect(remoteSessions.find('hash', 0)).toBeUndefined()
    expect((await fetchCached(remoteLists)).result.items).toEqual([3])
    sessions.evictPerson('ada')
    const previous = remoteSessions.generation
    await eventually(() => expect(remoteSessions.generation).toBeGreaterThan(previous))
  })
})

async function cutConnection({ engineDriver }: Database): Promise<void> {
  const sql = `select pg_terminate_backend(pid) from pg_stat_activity
    where datname = current_database() and query = 'listen keeper'`
  await engineDriver.write({ sql, parameters: [] })
}

describe.runIf(engines.includes('sqlite'))('on SQLite', () => {
  it('nothing is sent to the database or queued', async () => {
    const { db, close } = await createFreshDatabase('sqlite')
    const bus = new ProcessBus()
    await bus.open(db, log)
    expect(bus.isOpen).toBe(false)
    await db.close()
    bus.send({ kind: 'hosts-changed' })
    await bus.close()
    await close()
  })
})
