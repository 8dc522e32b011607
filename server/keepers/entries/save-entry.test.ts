import { beforeEach, describe, expect, it, vi } from 'vitest'
import type { Endpoint, EndpointOutput } from '#contract/endpoint.ts'
import { echoes } from '#contract/keepers/echoes.ts'
import { entries } from '#contract/keepers/entries.ts'
import { journeys } from '#contract/keepers/journeys.ts'
import { logbook } from '#contract/keepers/logbook.ts'
import { memoryCards } from '#contract/keepers/memory-cards.ts'
import { moments } from '#contract/keepers/moments.ts'
import { reflections } from '#contract/keepers/reflections.ts'
import { topics } from '#contract/keepers/topics.ts'
import { voice } from '#contract/keepers/voice.ts'
import type { Person } from '#server/accounts/person.ts'
import { hourMs } from '#server/values/time-units.ts'
import { copyRow } from '#tests/copy-row.ts'
import { createTestKeeper } from '#tests/create-test-keeper.ts'
import { engines } from '#tests/engines.ts'
import { fetchAllPages } from '#tests/fetch-all-pages.ts'
import { insertMomentRows } from '#tests/insert-moment-rows.ts'
import { useTestApp } from '#tests/use-test-app.ts'
import { buildTopicLinkWrites, type LinkedTopic, resolveTopics } from '../topics/link-topics.ts'
import { createEntry, noSource } from './create-entry.ts'
import { removesText } from './record-history.ts'
import { saveEntry } from './save-entry.ts'
import { trashEntry } from './trash-entry.ts'

describe.each(engines)('an entry, on %s', (engine) => {
  const { app, ada } = useTestApp(engine, ['ada'], { perTest: true })
  let person: Person
  let keeper: { id: string; owner_id: string }
  const values = {
    ...noSource,
    agent_id: 'default-agent',
    topic: null,
    content: 'first',
    ai_visible: true,
    rested_at: null,
    promoted_at: null,
    moment_id: null,
  }
  const toView = (row: { content: string; rev: number }) => ({ content: row.content, rev: row.rev })
  const save = (id: string, content: string, ifMatch: number | null) =>
    saveEntry(app.services, person, { entity: 'reflection', id, ifMatch, getChanges: () => ({ content }), toView })
  const loadHistory = () =>
    app.services.db.selectFrom('entry_history').select(['rev', 'snapshot']).orderBy('rev').execute()

  beforeEach(async () => {
    person = { id: ada.id } as Person
    keeper = { id: (await createTestKeeper(ada)).id, owner_id: ada.id }
  })

  it('is created once for two requests with the same id', async () => {
    const id = 'a'.repeat(32)
    const createReflection = (content: string) =>
      createEntry(app.services, keeper, { entity: 'reflection', id, values: { ...values, content } })
    await createReflection('first')
    expect((await createReflection('second')).content).toBe('first')
    expect(await app.services.db.selectFrom('reflections').select('id').execute()).toEqual([{ id }])
  })

  it('rejects a stale save with both versions, unchanged', async () => {
    const { id } = await createEntry(app.services, keeper, { entity: 'reflection', id: undefined, values })
    await save(id, 'mine', 1)
    await expect(save(id, 'theirs', 1)).rejects.toMatchObject({
      kind: 'stale',
      details: { data: { yours: { content: 'theirs', rev: 1 }, current: { content: 'mine', rev: 2 } } },
    })
    expect((await app.services.db.selectFrom('reflections').select('content').execute())[0]).toEqual({
      content: 'mine',
    })
  })

  it('accepts a save without a revision and keeps the loser in history', async () => {
    const { id } = await createEntry(app.services, keeper, { entity: 'reflection', id: undefined, values })
    await save(id, 'mine', 1)
    await save(id, 'theirs', null)
    expect(await loadHistory()).toEqual([
      { rev: 1, snapshot: { content: 'first', rev: 1 } },
      { rev: 2, snapshot: { content: 'mine', rev: 2 } },
    ])
  })

  it('stores one history state per editing session', async () => {
    const { id } = await createEntry(app.services, keeper, { entity: 'reflection', id: undefined, values })
    await save(id, 'b', 1)
    await save(id, 'c', 2)
    expect((await loadHistory()).map(({ rev }) => rev)).toEqual([1])
    app.passTime(10 * 60_000)
    await save(id, 'd', 3)
    expect((await loadHistory()).map(({ rev }) => rev)).toEqual([1, 3])
  })

  it('keeps removed text in history within a session, and the text a restore replaces', async () => {
    const { id } = await createEntry(app.services, keeper, { entity: 'reflection', id: undefined, values })
    const morning = 'At six the harbour is quiet, and the ferry has not come yet.'
    await save(id, morning, 1)
    await save(id, `${morning} I wait.`, 2)
    await save(id, 'Short.', 3)
    await save(id, morning, 4)
    expect((await loadHistory()).map(({ snapshot }) => (snapshot as unknown as { content: string }).content)).toEqual([
      'first',
      `${morning} I wait.`,
      'Short.',
    ])
  })

  it('applies three concurrent saves one after the other', async () => {
    const { id } = await createEntry(app.services, keeper, { entity: 'reflection', id: undefined, values })
    await Promise.allSettled(Array.from({ length: 3 }, (_, index) => save(id, `text ${index}`, null)))
    const { rev } = await app.services.db.selectFrom('reflections').select('rev').executeTakeFirstOrThrow()
    expect(rev).toBe(4)
    expect(await loadHistory()).toHaveLength(3)
  })

  it('an entry in the trash can be neither changed nor deleted again', async () => {
    const { id } = await createEntry(app.services, keeper, { entity: 'reflection', id: undefined, values })
    await trashEntry(app.services, person, 'reflection', id)
    await expect(save(id, 'x', null)).rejects.toMatchObject({ kind: 'not-found' })
    await expect(trashEntry(app.services, person, 'reflection', id)).rejects.toMatchObject({ kind: 'not-found' })
  })

  it('shares topics by case and alias, created once concurrently', async () => {
    const [first] = await resolveTopics(app.services, keeper, ['Father'])
    const linkTopics = (id: string, linkedTopics: LinkedTopic[]) =>
      app.services.db.batch(
        buildTopicLinkWrites(app.services, keeper, { entity: 'moment', id, saidAt: 1 }, linkedTopics),
      )
    await linkTopics('first', first ? [first] : [])
    await app.services.db
      .insertInto('topic_aliases')
      .values({ keeper_id: keeper.id, alias: 'Dad', alias_folded: 'dad', topic_id: first?.id ?? '' })
      .execute()
    const resolved = await Promise.all([
      resolveTopics(app.services, keeper, [' father ', 'DAD', 'Garden']),
      resolveTopics(app.services, keeper, ['garden']),
    ])
    expect(resolved[0].map(({ name }) => name)).toEqual(['Father', 'Garden'])
    await Promise.all([linkTopics('both', resolved[0]), linkTopics('garden', resolved[1])])
    const topicRows = await app.services.db.selectFrom('topics').select(['id', 'name_folded']).execute()
    expect(topicRows.map(({ name_folded }) => name_folded).sort()).toEqual(['father', 'garden'])
    const links = await app.services.db.selectFrom('entry_topics').select(['entity_id', 'topic_id']).execute()
    const getTopicName = (id: string) => topicRows.find((topic) => topic.id === id)?.name_folded
    expect(links.map((link) => `${link.entity_id}: ${getTopicName(link.topic_id)}`).sort()).toEqual([
      'both: father',
      'both: garden',
      'first: father',
      'garden: garden',
    ])
    await linkTopics('both', resolved[1])
    expect(
      await app.services.db.selectFrom('entry_topics').where('entity_id', '=', 'both').selectAll().execute(),
    ).toEqual([expect.objectContaining({ topic_id: topicRows.find((topic) => topic.name_folded === 'garden')?.id })])
  })
})

const morning = 'At six the harbour is quiet, and the ferry has not come yet.'

it.each([
  ['a text by one without its middle line', morning, 'At six the harbour has not come yet.'],
  ['a text by nothing', morning, ''],
  ['a name by another one', 'Quay', 'Harbour'],
  ['a list by a shorter one', [{ title: 'Harbour', note: 'The old one.' }], []],
  ['a text by null', 'Remember the frost.', null],
])('a save that replaces %s removes text', (_, previous, updated) => {
  expect(removesText({ content: previous }, { content: updated })).toBe(true)
})

it.each([
  ['appends text', morning, `${morning} I wait.`],
  ['inserts text', morning, morning.replace('the ferry', 'the first ferry of the day')],
  ['corrects a word', morning, morning.replace('quiet', 'still')],
  ['replaces a letter', 'b', 'c'],
  ['changes nothing', [morning], [morning]],
  ['fills an empty field', null, morning],
  ['changes a number', 4, 5],
])('a save that %s removes no text', (_, previous, updated) => {
  expect(removesText({ content: previous, rev: 1 }, { content: updated, rev: 2 })).toBe(false)
})

describe.each(engines)('deleted entries and agent reads beyond one page, on %s', (engine) => {
  const { app, ada } = useTestApp(engine, ['ada'], { perTest: true })
  let keeperId: string
  let reflectionId: string
  beforeEach(async () => {
    keeperId = (await createTestKeeper(ada)).id
    const body = { content: 'The lamp was lit.' }
    reflectionId = (await ada.call(reflections.create, { params: { id: keeperId }, body })).data.id
  })

  it('list every deleted entry once, newest first', async () => {
    const { db, now } = app.services
    const ids = Array.from({ length: 1500 }, (_, index) => `m${index}`)
    await insertMomentRows(
      app.services,
      ids.map((id) => ({ id, keeperId, ownerId: ada.id })),
    )
    await copyRow(db, 'reflections', reflectionId, { count: 799, values: (index) => ({ id: `r${index}` }) })
    // Many at the same instant across page boundaries.
    const earlier = now().getTime() - hourMs
    await db.updateTable('moments').set({ deleted_at: earlier }).execute()
    await db.updateTable('reflections').set({ deleted_at: earlier }).execute()
    await db
      .updateTable('moments')
      .set({ deleted_at: earlier + 1000 })
      .where('id', 'in', ids.slice(0, 700))
      .execute()
    for (const query of [{}, { keeperId }] as Record<string, string>[]) {
      const pages = await fetchAllPages(ada, entries.trash, {}, { query })
      expect(pages.map(({ length }) => length)).toEqual([1000, 1000, 300])
      const all = pages.flat()
      expect(new Set(all.map(({ entity, id }) => `${entity} ${id}`)).size).toBe(2300)
      expect(all.slice(0, 700).every(({ deletedAt }) => Date.parse(deletedAt) === earlier + 1000)).toBe(true)
    }
  })

  it('list every agent read once, newest first', async () => {
    const newestReadAt = app.services.now().getTime()
    const params = { entity: 'reflection' as const, id: reflectionId }
    const ofReflection = { owner_id: ada.id, keeper_id: keeperId, entity: params.entity, entity_id: reflectionId }
    const run = { agent_id: 'a', agent_name: 'Kip', run_id: '', connection_id: null }
    const read = { ...ofReflection, ...run, id: '', purpose: 'chat', read_at: newestReadAt }
    await copyRow(app.services.db, 'memory_reads', read, {
      count: 2300,
      values: (index) => ({
        id: `read${index}`,
        run_id: `run${index}`,
        read_at: newestReadAt - Math.floor(index / 7) * hourMs,
      }),
    })
    const readPages = await fetchAllPages(ada, entries.reads, params)
    expect(readPages.map(({ length }) => length)).toEqual([1000, 1000, 300])
    const all = readPages.flat()
    expect(new Set(all.map(({ id }) => id)).size).toBe(2300)
    const times = all.map((entry) => entry.at)
    expect(times).toEqual(times.toSorted().toReversed())
  })
})

describe.each(engines)('a new entry, on %s', (engine) => {
  const { ada, ben } = useTestApp(engine, ['ada', 'ben'])

  it.each([
    [reflections, { content: 'x' }],
    [moments, { body: 'x' }],
    [journeys, { title: 'x' }],
    [topics, { name: 'x' }],
    [voice, { label: 'x', belief: 'x' }],
    [logbook, { entry: 'x', label: 'x', category: 'x' }],
    [echoes, { message: 'x' }],
  ])('is rejected with a different keeper id in the body (%#)', async ({ list, create }, fields) => {
    const keeper = await createTestKeeper(ada)
    const other = await createTestKeeper(ada)
    const bensKeeper = await createTestKeeper(ben)
    const createWith = (keeperId: string) =>
      ada.call(create as Endpoint, { params: { id: keeper.id }, body: { ...fields, keeperId } })
    for (const keeperId of [other.id, bensKeeper.id, '0'.repeat(32)]) {
      const { status, body } = await createWith(keeperId)
      expect({ status, fields: Object.keys(body.fields ?? {}) }).toEqual({ status: 400, fields: ['keeperId'] })
    }
    expect((await createWith(keeper.id)).status).toBe(200)
    const { data } = await ada.call(list as Endpoint, { params: { id: other.id } })
    expect(data).toEqual(list === moments.list ? { items: [], next_cursor: null } : [])
  })
})

const entryCount = 2300

describe.each(engines)('lists longer than one page, on %s', (engine) => {
  const { app, ada } = useTestApp(engine, ['ada'], { perTest: true })
  let keeperId: string
  beforeEach(async () => {
    keeperId = (await createTestKeeper(ada)).id
  })

  const list = { voice: voice.list, echoes: echoes.list, logbook: logbook.list, journeys: journeys.list }
  /** Copies of an entry, some alike in all but the id. */
  const fill = (
    table: 'voice_entries' | 'echoes' | 'logbook_entries' | 'journeys',
    { id, createdAt }: { id: string; createdAt: string },
    values: (index: number) => object = () => ({}),
  ) =>
    copyRow(app.services.db, table, id, {
      count: entryCount - 1,
      values: (index) => ({
        id: `e${index}`,
        created_at: Date.parse(createdAt) - Math.floor(index / 7) * hourMs,
        ...values(index),
      }),
    })

  async function readPages<E extends (typeof list)[keyof typeof list]>(call: E, betweenPages?: () => Promise<unknown>) {
    const pages = await fetchAllPages(ada, call, { id: keeperId }, { ...(betweenPages && { betweenPages }) })
    expect(pages.map(({ length }) => length)).toEqual([1000, 1000, 300])
    expect(new Set(pages.flat().map(({ id }) => id)).size).toBe(entryCount)
    return pages as EndpointOutput<E>[]
  }

  it('contain every voice entry once, in order', async () => {
    const body = { label: 'Sea', belief: 'It comes back.' }
    const { data } = await ada.call(voice.create, { params: { id: keeperId }, body })
    await fill('voice_entries', data)
    const times = (await readPages(voice.list)).flat().map(({ createdAt }) => createdAt)
    expect(times).toEqual(times.toSorted().toReversed())
  })

  it('contain every logbook entry once, pinned first, despite a new one', async () => {
    const body = { entry: 'I kept the light.', label: 'Light', category: 'Work' }
    const write = () => ada.call(logbook.create, { params: { id: keeperId }, body })
    await fill('logbook_entries', (await write()).data, (index) => ({
      pinned: index % 3 === 0,
      occurred_on: `20${String(10 + (index % 15)).padStart(2, '0')}-0${1 + (index % 9)}-1${index % 2}`,
    }))
    const order = (await readPages(logbook.list, write))
      .flat()
      .map(({ pinned, occurredOn, createdAt }) => `${Number(pinned)} ${occurredOn} ${createdAt}`)
    expect(order).toEqual(order.toSorted().toReversed())
  })

  it('contain every echo once, ready first, while some become ready', async () => {
    const body = { message: 'Remember the quay.' }
    const { data } = await ada.call(echoes.create, { params: { id: keeperId }, body })
    const now = app.services.now().getTime()
    await fill('echoes', data, (index) => ({
      trigger_at: index % 4 === 0 ? null : now + (index - 100) * hourMs,
      delivered_at: index % 5 === 0 ? now - index * 1000 : null,
    }))
    const [firstPage = []] = await readPages(echoes.list, async () => app.passTime(50 * hourMs))
    const isReady = ({ state }: { state: string }) => state === 'ready'
    const readyCount = firstPage.filter(isReady).length
    expect(readyCount).toBeGreaterThan(50)
    expect(firstPage.slice(0, readyCount).every(isReady)).toBe(true)
  })

  it('contain every journey once, in order, despite a new one', async () => {
    const createJourney = () => ada.call(journeys.create, { params: { id: keeperId }, body: { title: 'The crossing' } })
    const statuses = ['active', 'planned', 'paused', 'completed']
    await fill('journeys', (await createJourney()).data, (index) => ({ status: statuses[index % 4] }))
    const order = (await readPages(journeys.list, createJourney))
      .flat()
      .map(({ status, createdAt }) => `${3 - statuses.indexOf(status)} ${createdAt}`)
    expect(order).toEqual(order.toSorted().toReversed())
  })

  // PostgreSQL is not in-process.
  if (engine === 'sqlite')
    it('do not block other requests', async () => {
      const driver = app.services.db.engineDriver
      const reads = vi.spyOn(driver, 'read')
      const longReads = vi.spyOn(driver, 'longRead')
      const longTextLists = { ...list, reflections: reflections.list, cards: memoryCards.list }
      for (const section of ['voice', 'echoes', 'logbook', 'reflections', 'cards'] as const) {
        const callsBefore = { reads: reads.mock.calls.length, longReads: longReads.mock.calls.length }
        await ada.call(longTextLists[section], { params: { id: keeperId } })
        const readStatements = reads.mock.calls.slice(callsBefore.reads).map(([statement]) => statement.sql)
        expect(
          readStatements.filter((text) => text.includes('limit 1001')),
          section,
        ).toEqual([])
        const longReadStatements = longReads.mock.calls.slice(callsBefore.longReads).map(([statement]) => statement.sql)
        expect(
          longReadStatements.filter((text) => text.includes('limit 1001')),
          section,
        ).toHaveLength(1)
      }
    })

  it.each([
    'x',
    'WzFd',
    Buffer.from('["2026","e1"]').toString('base64url'),
    Buffer.from('[1e99,"a"]').toString('base64url'),
  ])('reject the cursor %s', async (cursor) => {
    const { id } = (await ada.call(reflections.create, { params: { id: keeperId }, body: { content: 'Read.' } })).data
    const reads = { call: entries.reads, params: { entity: 'reflection', id } }
    const keeperCalls = [...Object.values(list), memoryCards.byTopic].map((call) => ({
      call,
      params: { id: keeperId },
    }))
    for (const { call, params } of [...keeperCalls, { call: entries.trash, params: {} }, reads]) {
      const { status, body } = await ada.call(call as Endpoint, { params, query: { cursor } })
      expect({ status, fields: body.fields }, call.path).toEqual({
        status: 400,
        fields: { cursor: 'Use the next_cursor of the previous page.' },
      })
    }
  })
})
