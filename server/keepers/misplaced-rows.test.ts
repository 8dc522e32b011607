import { sql } from 'kysely'
import { beforeAll, describe, expect, it } from 'vitest'
import { sharingInDomains } from '#contract/domains/sharing-in-domains.ts'
import type { Endpoint } from '#contract/endpoint.ts'
import { echoes } from '#contract/keepers/echoes.ts'
import { engagementTemplates } from '#contract/keepers/engagement-templates.ts'
import { entries } from '#contract/keepers/entries.ts'
import { journeys } from '#contract/keepers/journeys.ts'
import { logbook } from '#contract/keepers/logbook.ts'
import { memoryCards } from '#contract/keepers/memory-cards.ts'
import { moments } from '#contract/keepers/moments.ts'
import { reflections } from '#contract/keepers/reflections.ts'
import { sampleKeeper } from '#contract/keepers/sample-keeper.ts'
import { sole } from '#contract/keepers/sole.ts'
import { topics } from '#contract/keepers/topics.ts'
import { voice } from '#contract/keepers/voice.ts'
import { json } from '#server/db/database.ts'
import { copyRow } from '#tests/copy-row.ts'
import { createTestKeeper } from '#tests/create-test-keeper.ts'
import { computeDatabaseHash } from '#tests/dump-database.ts'
import { engines } from '#tests/engines.ts'
import { insertDomain } from '#tests/insert-domain.ts'
import { uploadMedia } from '#tests/upload-media.ts'
import { useTestApp } from '#tests/use-test-app.ts'
import { findCards } from './memory-cards/find-cards.ts'

/** Tables of entries: every row names its owner and its keeper. */
const entryTables = [
  'moments',
  'reflections',
  'memory_cards',
  'voice_entries',
  'echoes',
  'logbook_entries',
  'journeys',
  'paths',
  'topics',
] as const

// Rows that a fault put into another person's keeper. Reads for models, quotes and references check owner and keeper,
// and each check works alone.
describe.each(engines)('rows of Ben in Ada’s keeper, on %s', (engine) => {
  const { app, ben, ada } = useTestApp(engine, ['ben', 'ada'])
  let adasKeeperId: string
  let bensKeeperId: string
  let responsesBefore: Record<string, unknown>
  const bensIds = new Map<string, string>()
  const adasIds = new Map<string, string>()

  beforeAll(async () => {
    bensKeeperId = (await ben.call(sampleKeeper.make, { body: { timezone: 'UTC' } })).data.id
    adasKeeperId = (await ada.call(sampleKeeper.make, { body: { timezone: 'UTC' } })).data.id
    adasIds.set('keepers', adasKeeperId)
    bensIds.set('media', await uploadMedia(ben, bensKeeperId))
    for (const [ids, { id: owner }] of [
      [bensIds, ben],
      [adasIds, ada],
    ] as const)
      for (const table of entryTables) {
        const query = sql`select id from ${sql.table(table)} where owner_id = ${owner} order by id limit 1`
        ids.set(table, (await app.services.db.longRead<{ id: string }>(query))[0]?.id ?? '')
      }
    const { data: echo } = await ada.call(echoes.create, {
      params: { id: adasKeeperId },
      body: { message: 'Still here?' },
    })
    adasIds.set('waiting echo', echo.id)
    responsesBefore = await fetchResponses()
    await moveRowsToAdasKeeper()
  })

  async function moveRowsToAdasKeeper() {
    const { db } = app.services
    // Topic names are unique per keeper. Ben's entries mention Ada's topics as well.
    await db.write(sql`update topics set name_folded = name_folded || ' too' where keeper_id = ${bensKeeperId}`)
    for (const table of [...entryTables, 'media', 'card_vectors'] as const)
      await db.write(sql`update ${sql.table(table)} set keeper_id = ${adasKeeperId} where keeper_id = ${bensKeeperId}`)
    await db.write(sql`insert into entry_topics (entity, entity_id, topic_id, keeper_id, said_at)
      select entity, entity_id, cast(${adasIds.get('topics')} as text), cast(${adasKeeperId} as text), max(said_at)
      from entry_topics where keeper_id = ${bensKeeperId} group by entity, entity_id`)
    // One of Ben's cards is waiting to be embedded.
    await db.write(sql`update memory_cards set embedded_with = null where id = ${bensIds.get('memory_cards')}`)
    // A history state and a read of Ada's moment that name Ben as owner.
    const ownedByBen = {
      keeper_id: adasKeeperId,
      owner_id: ben.id,
      entity: 'moment',
      entity_id: adasIds.get('moments') ?? '',
    } as const
    const historyState = { ...ownedByBen, id: 'bens-row', rev: 99, snapshot: json({ body: 'His words.' }), saved_at: 1 }
    const read = {
      ...ownedByBen,
      id: 'bens-row',
      run_id: 'run',
      agent_id: 'agent',
      agent_name: 'Kip',
      purpose: 'Ben’s',
      read_at: 1,
    }
    await db.insertInto('entry_history').values(historyState).execute()
    await db.insertInto('memory_reads').values(read).execute()
  }

  /** Responses for Ada's keeper by call. */
  async function fetchResponses() {
    const params = { id: adasKeeperId }
    const moment = { params: { entity: 'moment', id: adasIds.get('moments') ?? '' } }
    const responses = {
      reflections: await ada.call(reflections.list, { params }),
      suggestions: await ada.call(reflections.suggestions, { params }),
      cards: await ada.call(memoryCards.list, { params }),
      'cards to be embedded': await ada.call(memoryCards.list, { params, query: { embedded: 'false' } }),
      'cards by topic': await ada.call(memoryCards.byTopic, { params }),
      'state of the cards': await ada.call(memoryCards.embeddingStatus, { params }),
      'cards found': await ada.call(memoryCards.search, { params, query: { query: 'goodnight to the house' } }),
      journeys: await ada.call(journeys.list, { params }),
      history: await ada.call(entries.history, moment),
      reads: await ada.call(entries.reads, moment),
    }
    const topic = (await ada.call(topics.show, { params: { id: adasIds.get('topics') ?? '' } })).data
    const topicNames = (await ada.call(topics.list, { params })).data.map(({ name }) => name)
    for (const [name, { status, text }] of Object.entries(responses))
      expect({ name, status }, text).toEqual({ name, status: 200 })
    const bodies = Object.fromEntries(Object.entries(responses).map(([name, { body }]) => [name, body]))
    return { ...bodies, mentions: topic.mentions, topics: topicNames.toSorted() }
  }

  it('are neither shown nor counted in Ada’s keeper', async () => {
    expect(await fetchResponses()).toEqual(responsesBefore)
  })

  /** Requests of Ada about one of her rows that name one of Ben's, and the rejected field. */
  type ForeignReference = [string, string, Endpoint, string, (bensIds: Record<string, string>) => object]
  const references: ForeignReference[] = [
    [
      'a moment of a journey',
      'journeyId',
      moments.create,
      'keepers',
      (ids) => ({ body: 'm', journeyId: ids.journeys }),
    ],
    [
      'a moment that moves into a journey',
      'journeyId',
      moments.update,
      'moments',
      (ids) => ({ journeyId: ids.journeys }),
    ],
    ['a moment with a picture', 'mediaIds', moments.create, 'keepers', (ids) => ({ body: 'm', mediaIds: [ids.media] })],
    [
      'a logbook entry about a moment',
      'momentId',
      logbook.create,
      'keepers',
      (ids) => ({ label: 'l', category: 'c', entry: 'e', momentId: ids.moments }),
    ],
    [
      'a logbook entry about a journey',
      'journeyId',
      logbook.update,
      'logbook_entries',
      (ids) => ({ journeyId: ids.journeys }),
    ],
    [
      'an echo that waits for a journey',
      'triggerConditions.journeyId',
      echoes.create,
      'keepers',
      (ids) => ({ message: 'e', triggerConditions: { journeyId: ids.journeys } }),
    ],
    [
      'an echo that comes to wait for a journey',
      'triggerConditions.journeyId',
      echoes.update,
      'waiting echo',
      (ids) => ({ triggerConditions: { journeyId: ids.journeys } }),
    ],
    [
      'a waypoint with a moment',
      'waypoints',
      journeys.createPath,
      'journeys',
      (ids) => ({ title: 'p', waypoints: [{ title: 'w', momentIds: [ids.moments] }] }),
    ],
    [
      'a statement that quotes a reflection',
      'statements.0',
      sole.submitDraft,
      'keepers',
      (ids) => ({
        statements: [{ text: 's', sources: [{ entity: 'reflection', id: ids.reflections, quote: 'the' }] }],
      }),
    ],
    [
      'a voice with a recording',
      'audioId',
      voice.create,
      'keepers',
      (ids) => ({ label: 'l', belief: 'b', audioId: ids.media }),
    ],
  ]
  it.each(references)('cannot be named by %s', async (_, field, call, table, toBody) => {
    const hashBefore = await computeDatabaseHash(app.services.db)
    const params = { id: adasIds.get(table) ?? '' }
    const response = await ada.call(call, { params, body: toBody(Object.fromEntries(bensIds)) })
    expect([400, 422], response.text).toContain(response.status)
    expect(Object.keys(response.body.fields ?? {})).toEqual([field])
    expect(await computeDatabaseHash(app.services.db)).toBe(hashBefore)
  })

  it('do not answer a request that reuses their id', async () => {
    const other = await createTestKeeper(ada)
    const send = (id: string, keeperId: string) =>
      ada.call(reflections.create, { params: { id: keeperId }, body: { id, content: 'Sent again.' } })
    expect((await send(bensIds.get('reflections') ?? '', adasKeeperId)).status).toBe(409)
    expect((await send(adasIds.get('reflections') ?? '', other.id)).status).toBe(409)
    expect((await send(adasIds.get('reflections') ?? '', adasKeeperId)).status).toBe(200)
    const upload = (id: string, keeperId: string) =>
      ada.fetch(`/api/keeper/keepers/${keeperId}/media?id=${id}`, {
        method: 'POST',
        headers: { 'content-type': 'text/plain' },
        body: 'A note.',
      })
    const ownId = app.services.newId()
    expect((await upload(ownId, adasKeeperId)).status).toBe(200)
    expect((await upload(ownId, other.id)).status).toBe(409)
    expect((await upload(bensIds.get('media') ?? '', adasKeeperId)).status).toBe(409)
    const startRun = (id: string, keeperId: string, actor = ada) =>
      actor.call(engagementTemplates.begin, { params: { x: 'gratitude' }, body: { id, keeperId } })
    const runId = app.services.newId()
    const bensRunId = app.services.newId()
    expect((await startRun(runId, adasKeeperId)).status).toBe(200)
    expect((await startRun(bensRunId, bensKeeperId, ben)).status).toBe(200)
    await app.services.db
      .updateTable('template_runs')
      .set({ keeper_id: adasKeeperId })
      .where('id', '=', bensRunId)
      .execute()
    expect((await startRun(runId, other.id)).status).toBe(409)
    expect((await startRun(bensRunId, adasKeeperId)).status).toBe(409)
  })

  it('do not make a file readable by the wrong owner or keeper', async () => {
    const getStatus = async (id: string) => (await ada.fetch(`/api/keeper/media/${id}`)).status
    const ownId = await uploadMedia(ada, adasKeeperId)
    expect(await getStatus(ownId)).toBe(200)
    expect(await getStatus(bensIds.get('media') ?? '')).toBe(404)
    await app.services.db.updateTable('media').set({ keeper_id: bensKeeperId }).where('id', '=', ownId).execute()
    expect(await getStatus(ownId)).toBe(404)
  })

  it('do not let Ada transcribe Ben’s recording', async () => {
    const id = adasIds.get('voice_entries') ?? ''
    const audio_id = bensIds.get('media') ?? ''
    await app.services.db.updateTable('voice_entries').set({ audio_id }).where('id', '=', id).execute()
    const { status, body } = await ada.call(voice.transcribe, { params: { id } })
    expect({ status, error: body.error }).toEqual({
      status: 409,
      error: 'This entry has no recording. Record one first.',
    })
  })

  it('do not appear in searches of another keeper', async () => {
    const other = await createTestKeeper(ada)
    const search = async (id: string) =>
      (
        await findCards(app.services, { keeper: { id, owner_id: ada.id }, limit: 20 }, 'goodnight to the house')
      ).matches.map((card) => card.id)
    const callSearch = async (id: string) =>
      (await ada.call(memoryCards.search, { params: { id }, query: { query: 'goodnight to the house' } })).data.map(
        ({ card }) => card.id,
      )
    const cardIds = await search(adasKeeperId)
    expect(cardIds.toSorted()).toEqual((await callSearch(adasKeeperId)).toSorted())
    const selectOwners = app.services.db
      .selectFrom('memory_cards')
      .select('owner_id')
      .distinct()
      .where('id', 'in', cardIds)
    expect(await selectOwners.execute(), 'no rows of Ben').toEqual([{ owner_id: ada.id }])
    await app.services.db
      .updateTable('memory_cards')
      .set({ keeper_id: other.id })
      .where('owner_id', '=', ada.id)
      .execute()
    expect(await search(adasKeeperId)).toEqual([])
    expect(await callSearch(adasKeeperId)).toEqual([])
  })

  it('do not appear among Ada’s shares', async () => {
    const domain_id = await insertDomain(app, ada, [[ben, 'user']])
    const foreignShare = { domain_id, keeper_id: adasKeeperId, owner_id: ben.id, shared_at: 1 }
    const parts = { with_moments: true, with_journeys: true, with_logbook: true, with_sole: true }
    const roles = { for_admin: true, for_user: true, for_friend: true, for_connection: true }
    await app.services.db
      .insertInto('domain_keepers')
      .values({ ...foreignShare, ...parts, ...roles })
      .execute()
    const { data } = await ada.call(sharingInDomains.sharesOfKeeper, { params: { id: adasKeeperId } })
    expect(data).toEqual({ keeper: [], journeys: [] })
  })

  it('do not link Ada’s reflection to Ben’s card', async () => {
    const { db } = app.services
    const { data: reflection } = await ada.call(reflections.create, {
      params: { id: adasKeeperId },
      body: { content: 'Kept.' },
    })
    await ada.call(reflections.promote, { params: { id: reflection.id } })
    await db
      .updateTable('memory_cards')
      .set({ reflection_id: null })
      .where('reflection_id', '=', reflection.id)
      .execute()
    const updateCard = db.updateTable('memory_cards').set({ reflection_id: reflection.id })
    await updateCard.where('id', '=', bensIds.get('memory_cards') ?? '').execute()
    const { data } = await ada.call(reflections.show, { params: { id: reflection.id } })
    expect(data.id).toBe(reflection.id)
    expect(JSON.stringify(data)).not.toContain(bensIds.get('memory_cards'))
  })

  it('do not show a file that is moving to another keeper', async () => {
    const other = await createTestKeeper(ada)
    const mediaId = await uploadMedia(ada, adasKeeperId)
    const { db } = app.services
    const batch = db.batch.bind(db)
    db.batch = async (writes) => {
      db.batch = batch
      await db.updateTable('media').set({ keeper_id: other.id }).where('id', '=', mediaId).execute()
      return batch(writes)
    }
    const { status } = await ada.call(moments.create, {
      params: { id: adasKeeperId },
      body: { body: 'm', mediaIds: [mediaId] },
    })
    expect(status).toBeGreaterThanOrEqual(400)
    const row = await db.selectFrom('media').select(['entity']).where('id', '=', mediaId).executeTakeFirst()
    expect(row).toEqual({ entity: null })
  })

  it('do not let Ada delete a sample that belongs to Ben', async () => {
    const { db } = app.services
    const { data } = await ada.call(reflections.create, {
      params: { id: adasKeeperId },
      body: { content: 'One of many.' },
    })
    await copyRow(db, 'reflections', data.id, {
      count: 501,
      values: (index) => ({ id: index.toString(16).padStart(32, '0') }),
    })
    const selectReflections = () =>
      db.selectFrom('reflections').select('id').where('keeper_id', '=', adasKeeperId).execute()
    const reflectionsBefore = await selectReflections()
    await db.updateTable('keepers').set({ owner_id: ben.id }).where('id', '=', adasKeeperId).execute()
    await ada.call(sampleKeeper.remove)
    expect(await selectReflections()).toHaveLength(reflectionsBefore.length)
    expect(await db.selectFrom('keepers').select('owner_id').where('id', '=', adasKeeperId).execute()).toEqual([
      { owner_id: ben.id },
    ])
  })
})
