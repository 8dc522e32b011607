import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { agents } from '#contract/agents/agents.ts'
import { domains } from '#contract/domains/domains.ts'
import type { Endpoint } from '#contract/endpoint.ts'
import { keepers } from '#contract/keepers/keepers.ts'
import { moments } from '#contract/keepers/moments.ts'
import type { Write } from '#server/db/database.ts'
import { DatabaseUnavailable } from '#server/db/database-errors.ts'
import { engines } from '#tests/engines.ts'
import { createTestApp, type TestApp } from '#tests/test-app.ts'
import { sweepAnsweredCreates } from './idempotency.ts'

describe.each(engines)('a create with an Idempotency-Key on %s', (engine) => {
  let app: TestApp
  beforeAll(async () => {
    app = await createTestApp(engine)
  })
  afterAll(() => app.close())

  const body = { name: 'Evening Round', purpose: 'Goes round in the evening.' }
  const withKey = (key: string) => ({ body, headers: { 'idempotency-key': key } })
  const listAgents = async (personId: string) =>
    app.services.db.selectFrom('agents').select('id').where('owner_id', '=', personId).execute()

  test('repeated creates nothing and gets the same answer', async () => {
    const ada = await app.as('ada')
    const first = await ada.call(agents.create, withKey('again'))
    const second = await ada.call(agents.create, withKey('again'))
    expect(second.status).toBe(200)
    expect(second.text).toBe(first.text)
    expect([first, second].map((answer) => answer.headers.get('idempotent-replayed'))).toEqual([null, 'true'])
    expect(await listAgents(ada.id)).toHaveLength(1)
  })

  test('sent eight times at once creates one agent; others get it or must wait', async () => {
    const ben = await app.as('ben')
    const answers = await Promise.all(Array.from({ length: 8 }, () => ben.call(agents.create, withKey('at-once'))))
    expect(await listAgents(ben.id)).toHaveLength(1)
    const created = new Set(answers.filter((answer) => answer.status === 200).map((answer) => answer.data.id))
    expect(created.size).toBe(1)
    for (const answer of answers) expect([200, 409]).toContain(answer.status)
  })

  test('a repeated key with another body is refused; other people’s keys are separate', async () => {
    const ada = await app.as('ada')
    const other = await ada.call(agents.create, {
      body: { ...body, name: 'Other' },
      headers: { 'idempotency-key': 'again' },
    })
    expect(other.status).toBe(422)
    const dot = await app.as('dot')
    const answerOfDot = await dot.call(agents.create, withKey('again'))
    expect(answerOfDot.status).toBe(200)
    expect(answerOfDot.data.owner_id).toBe(dot.id)
  })

  test("a repeated key for another parent is refused and doesn't affect the first", async () => {
    const ada = await app.as('ada')
    const keeperBody = { title: 'Harbour', purpose: 'p', keeperType: 'journal', memoryPattern: 'sole' }
    const [one, two] = [
      (await ada.call(keepers.create, { body: keeperBody })).data.id,
      (await ada.call(keepers.create, { body: keeperBody })).data.id,
    ]
    const createMoment = (id: string, key: string) =>
      ada.call(moments.create, { params: { id }, body: { body: 'The tide.' }, headers: { 'idempotency-key': key } })
    const countMoments = async (id: string) => (await ada.call(moments.list, { params: { id } })).data.items.length
    const first = await createMoment(one, 'of-one')
    const inOtherKeeper = await createMoment(two, 'of-one')
    expect({
      firstStatus: first.status,
      otherKeeperStatus: inOtherKeeper.status,
      code: inOtherKeeper.body.code,
    }).toEqual({ firstStatus: 200, otherKeeperStatus: 422, code: 'unprocessable' })
    expect(inOtherKeeper.text).not.toContain(first.data.id)
    const again = await createMoment(one, 'of-one')
    expect({ text: again.text, idempotentReplayed: again.headers.get('idempotent-replayed') }).toEqual({
      text: first.text,
      idempotentReplayed: 'true',
    })
    expect({ one: await countMoments(one), two: await countMoments(two) }).toEqual({ one: 1, two: 0 })
    expect((await createMoment(two, 'of-two')).status).toBe(200)
  })

  test('a repeated key with another query is refused', async () => {
    const ada = await app.as('ada')
    const createFrom = (from: string) => ada.call(agents.create, { ...withKey('queried'), query: { from } })
    expect({
      firstStatusHere: (await createFrom('here')).status,
      statusThere: (await createFrom('there')).status,
      secondStatusHere: (await createFrom('here')).status,
    }).toEqual({ firstStatusHere: 200, statusThere: 422, secondStatusHere: 200 })
  })

  test('a failed create can be sent again', async () => {
    const ada = await app.as('ada')
    const headers = { 'idempotency-key': 'mended' }
    const refused = await ada.call(agents.create, { body: { ...body, slug: 'kip' }, headers })
    expect(refused.status).toBe(400)
    expect((await ada.call(agents.create, { body: { ...body, slug: 'mended' }, headers })).status).toBe(200)
  })

  test('a create whose process died is retried after a minute, not before', async () => {
    const cleo = await app.as('cleo')
    const first = await cleo.call(agents.create, withKey('vanished'))
    await app.services.db.deleteFrom('agents').where('id', '=', first.data.id).execute()
    await app.services.db
      .updateTable('answered_creates')
      .set({ status: null, answer: null })
      .where('person_id', '=', cleo.id)
      .execute()
    expect((await cleo.call(agents.create, withKey('vanished'))).status).toBe(409)
    app.passTime(61_000)
    expect((await cleo.call(agents.create, withKey('vanished'))).status).toBe(200)
    expect(await listAgents(cleo.id)).toHaveLength(1)
  })

  test.each([
    ['an agent', 'agents', agents.create, body],
    ['an agent with a chosen slug', 'agents', agents.create, { ...body, slug: 'lost-and-found' }],
    ['a domain', 'domains', domains.create, { name: 'Lost and found' }],
    ['a domain with a chosen slug', 'domains', domains.create, { name: 'Lost', slug: 'lost-for-words' }],
  ] as const)("%s created without a response isn't created again, and says so", async (...input) => {
    const [kind, table, create, body] = input
    const headers = { 'idempotency-key': kind.replaceAll(' ', '-') }
    const dot = await app.as('dot')
    const { db } = app.services
    const { batch } = db
    const listEntitiesOfDot = () => db.selectFrom(table).select('id').where('owner_id', '=', dot.id).execute()
    const previous = await listEntitiesOfDot()
    const send = () => dot.call(create as Endpoint, { body, headers })
    const isCreate = (writes: readonly Write[]) =>
      writes.some((write) => ('compile' in write ? write.compile(db) : write).sql.includes(`insert into "${table}"`))
    db.batch = async (writes) => {
      const results = await batch.call(db, writes)
      if (isCreate(writes)) throw new DatabaseUnavailable('The connection to PostgreSQL failed (lost)')
      return results
    }
    try {
      expect((await send()).status).toBe(503)
    } finally {
      db.batch = batch
    }
    const again = await send()
    expect({ status: again.status, text: again.text }).toEqual({
      status: 409,
      text: expect.stringContaining('Keeper already created this'),
    })
    expect(await listEntitiesOfDot()).toHaveLength(previous.length + 1)
  })

  test('is forgotten after a day', async () => {
    app.passTime(25 * 60 * 60 * 1000)
    await sweepAnsweredCreates(app.services)
    expect(await app.services.db.selectFrom('answered_creates').select('id').execute()).toEqual([])
  })
})
