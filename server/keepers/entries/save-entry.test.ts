import { beforeEach, describe, expect, it, vi } from 'vitest'
import { echoes } from '#contract/keepers/echoes.ts'
import { entries, type TrashedEntry } from '#contract/keepers/entries.ts'
import { type Journey, journeys } from '#contract/keepers/journeys.ts'
import { logbook } from '#contract/keepers/logbook.ts'
import { memoryCards } from '#contract/keepers/memory-cards.ts'
import { reflections } from '#contract/keepers/reflections.ts'
import { voice } from '#contract/keepers/voice.ts'
import type { Person } from '#server/accounts/person.ts'
import { createTestKeeper } from '#tests/create-test-keeper.ts'
import { engines } from '#tests/engines.ts'
import { insertMomentRows } from '#tests/insert-moment-rows.ts'
import { useTestApp } from '#tests/use-test-app.ts'
import { buildTopicLinkWrites, type LinkedTopic, resolveTopics } from '../topics/link-topics.ts'
import { createEntry } from './create-entry.ts'
import type { EntryRow } from './entry-tables.ts'
import { removesText } from './record-history.ts'
import { saveEntry } from './save-entry.ts'
import { trashEntry } from './trash-entry.ts'

describe.each(engines)('an entry, on %s', (engine) => {
  const { app } = useTestApp(engine, [], { perTest: true })
  let person: Person
  const keeper = { id: 'k', owner_id: '' }
  const values = {
    agent_id: 'default-agent',
    topic: null,
    content: 'first',
    ai_visible: true,
    rested_at: null,
    promoted_at: null,
    moment_id: null,
    source_kind: null,
    source_id: null,
  }
  const view = (row: { content: string; rev: number }) => ({ content: row.content, rev: row.rev })
  const save = (id: string, content: string, ifMatch: number | null) =>
    saveEntry(app.services, person, { entity: 'reflection', id, ifMatch, changes: () => ({ content }), view })
  const history = () => app.services.db.selectFrom('entry_history').select(['rev', 'snapshot']).orderBy('rev').execute()

  beforeEach(async () => {
    const ada = await app.as('ada')
    person = { id: ada.id } as Person
    keeper.owner_id = ada.id
    const now = app.services.now().getTime()
    await app.services.db
      .insertInto('keepers')
      .values({
        ...keeper,
        title: 'K',
        purpose: 'p',
        keeper_type: 'journal',
        keeper_type_id: null,
        memory_pattern: 'sole',
        theme: 'keeper-classic',
        is_public: false,
        created_at: now,
        updated_at: now,
        deleted_at: null,
      })
      .execute()
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
    expect(await history()).toEqual([
      { rev: 1, snapshot: { content: 'first', rev: 1 } },
      { rev: 2, snapshot: { content: 'mine', rev: 2 } },
    ])
  })

  it('stores one history state per editing session', async () => {
    const { id } = await createEntry(app.services, keeper, { entity: 'reflection', id: undefined, values })
    await save(id, 'b', 1)
    await save(id, 'c', 2)
    expect((await history()).map(({ rev }) => rev)).toEqual([1])
    app.passTime(10 * 60_000)
    await save(id, 'd', 3)
    expect((await history()).map(({ rev }) => rev)).toEqual([1, 3])
  })

  it('keeps removed text in history within a session, and the text a restore replaces', async () => {
    const { id } = await createEntry(app.services, keeper, { entity: 'reflection', id: undefined, values })
    const morning = 'At six the harbour is quiet, and the ferry has not come yet.'
    await save(id, morning, 1)
    await save(id, `${morning} I wait.`, 2)
    await save(id, 'Gone.', 3)
    await save(id, morning, 4)
    expect((await history()).map(({ snapshot }) => (snapshot as unknown as { content: string }).content)).toEqual([
      'first',
      `${morning} I wait.`,
      'Gone.',
    ])
  })

  it('applies three concurrent saves one after the other', async () => {
    const { id } = await createEntry(app.services, keeper, { entity: 'reflection', id: undefined, values })
    await Promise.allSettled(Array.from({ length: 3 }, (_, n) => save(id, `text ${n}`, null)))
    const { rev } = await app.services.db.selectFrom('reflections').select('rev').executeTakeFirstOrThrow()
    expect(rev).toBe(4)
    expect(await history()).toHaveLength(3)
  })

  it('in the trash can be neither changed nor deleted again', async () => {
    const { id } = await createEntry(app.services, keeper, { entity: 'reflection', id: undefined, values })
    await trashEntry(app.services, person, 'reflection', id)
    await expect(save(id, 'x', null)).rejects.toMatchObject({ kind: 'not-found' })
    await expect(trashEntry(app.services, person, 'reflection', id)).rejects.toMatchObject({ kind: 'not-found' })
  })

  it('shares topics by case and alias, created once concurrently', async () => {
    const [first] = await resolveTopics(app.services, keeper, ['Father'])
    const spoken = (id: string, meant: LinkedTopic[]) =>
      app.services.db.batch(buildTopicLinkWrites(app.services, keeper, { entity: 'moment', id, saidAt: 1 }, meant))
    await spoken('first', first ? [first] : [])
    await app.services.db
      .insertInto('topic_aliases')
      .values({ keeper_id: 'k', alias: 'Dad', alias_folded: 'dad', topic_id: first?.id ?? '' })
      .execute()
    const both = await Promise.all([
      resolveTopics(app.services, keeper, [' father ', 'DAD', 'Garden']),
      resolveTopics(app.services, keeper, ['garden']),
    ])
    expect(both[0].map(({ name }) => name)).toEqual(['Father', 'Garden'])
    await Promise.all([spoken('both', both[0]), spoken('garden', both[1])])
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
    await spoken('both', both[1])
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

const hour = 60 * 60 * 1000

describe.each(engines)('deleted entries and agent reads beyond one page, on %s', (engine) => {
  const { app, ada } = useTestApp(engine, ['ada'], { perTest: true })
  let keeperId: string
  let reflectionId: string
  beforeEach(async () => {
    keeperId = (await createTestKeeper(ada)).id
    const body = { content: 'The lamp was lit.' }
    reflectionId = (await ada.call(reflections.create, { params: { id: keeperId }, body })).data.id
  })

  type Read<Row> = (query: Record<string, string>) => Promise<{ data: Row[]; body: Record<string, unknown> }>
  async function pages<Row>(read: Read<Row>): Promise<Row[][]> {
    const all: Row[][] = []
    for (let cursor: string | null = ''; cursor !== null; ) {
      const { data, body } = await read({ ...(cursor && { cursor }) })
      all.push(data)
      cursor = body.next_cursor as string | null
    }
    return all
  }

  async function insert(table: 'reflections' | 'memory_reads', rows: object[]): Promise<void> {
    for (let at = 0; at < rows.length; at += 500)
      await app.services.db
        .insertInto(table)
        .values(rows.slice(at, at + 500) as never)
        .execute()
  }

  it('list every deleted entry once, newest first', async () => {
    const { db, now } = app.services
    const ids = Array.from({ length: 1500 }, (_, at) => `m${at}`)
    await insertMomentRows(
      app.services,
      ids.map((id) => ({ id, keeperId, ownerId: ada.id })),
    )
    const reflection = await db.selectFrom('reflections').selectAll().executeTakeFirstOrThrow()
    await insert(
      'reflections',
      Array.from({ length: 799 }, (_, at) => ({ ...reflection, id: `r${at}` })),
    )
    // Many at the same instant across page boundaries.
    const earlier = now().getTime() - hour
    await db.updateTable('moments').set({ deleted_at: earlier }).execute()
    await db.updateTable('reflections').set({ deleted_at: earlier }).execute()
    await db
      .updateTable('moments')
      .set({ deleted_at: earlier + 1000 })
      .where('id', 'in', ids.slice(0, 700))
      .execute()
    for (const query of [{}, { keeperId }] as Record<string, string>[]) {
      const read = await pages<TrashedEntry>((cursor) => ada.call(entries.trash, { query: { ...query, ...cursor } }))
      expect(read.map(({ length }) => length)).toEqual([1000, 1000, 300])
      const all = read.flat()
      expect(new Set(all.map(({ entity, id }) => `${entity} ${id}`)).size).toBe(2300)
      expect(all.slice(0, 700).every(({ deletedAt }) => Date.parse(deletedAt) === earlier + 1000)).toBe(true)
    }
  })

  it('list every agent read once, newest first', async () => {
    const at = app.services.now().getTime()
    const read = { owner_id: ada.id, entity: 'reflection', entity_id: reflectionId, agent_id: 'a', agent_name: 'Kip' }
    await insert(
      'memory_reads',
      Array.from({ length: 2300 }, (_, index) => ({
        ...read,
        id: `read${index}`,
        keeper_id: keeperId,
        run_id: `run${index}`,
        purpose: 'chat',
        read_at: at - Math.floor(index / 7) * hour,
      })),
    )
    const params = { entity: 'reflection' as const, id: reflectionId }
    const readPages = await pages<{ id: string; at: string }>((query) => ada.call(entries.reads, { params, query }))
    expect(readPages.map(({ length }) => length)).toEqual([1000, 1000, 300])
    const all = readPages.flat()
    expect(new Set(all.map(({ id }) => id)).size).toBe(2300)
    const times = all.map((one) => one.at)
    expect(times).toEqual(times.toSorted().toReversed())
  })

  it('name an invalid cursor', async () => {
    const params = { entity: 'reflection' as const, id: reflectionId }
    const query = { cursor: 'x' }
    for (const { status, body } of [
      await ada.call(entries.trash, { query }),
      await ada.call(entries.reads, { params, query }),
    ])
      expect([status, body.fields]).toEqual([400, { cursor: 'Use the next_cursor of the previous page.' }])
  })
})

const written = 2300

interface Listed {
  id: string
}

describe.each(engines)('lists longer than one page, on %s', (engine) => {
  const { app, ada } = useTestApp(engine, ['ada'], { perTest: true })
  let keeperId: string
  beforeEach(async () => {
    keeperId = (await createTestKeeper(ada)).id
  })

  const list = { voice: voice.list, echoes: echoes.list, logbook: logbook.list, journeys: journeys.list }
  const read = (section: keyof typeof list, cursor?: string) =>
    ada.call(list[section], { params: { id: keeperId }, query: { ...(cursor && { cursor }) } })

  async function pages(section: keyof typeof list, between = async () => {}): Promise<Listed[][]> {
    const all: Listed[][] = []
    for (let cursor: string | undefined; ; await between()) {
      const { status, text, data, body } = await read(section, cursor)
      expect(status, text).toBe(200)
      all.push(data)
      if (body.next_cursor === null) return all
      cursor = String(body.next_cursor)
    }
  }

  /** Copies of one entry, some alike in all but the id. */
  async function fill<Table extends 'voice_entries' | 'echoes' | 'logbook_entries' | 'journeys'>(
    table: Table,
    values: (at: number) => object,
  ): Promise<void> {
    const { db } = app.services
    const row = await db.selectFrom(table).selectAll().executeTakeFirstOrThrow()
    const jsons = Object.fromEntries(
      Object.entries(row).map(([name, value]) => [
        name,
        typeof value === 'object' && value ? JSON.stringify(value) : value,
      ]),
    )
    const rows = Array.from({ length: written - 1 }, (_, at) => ({
      ...jsons,
      id: `e${at}`,
      created_at: Number((row as EntryRow<'voice'>).created_at) - Math.floor(at / 7) * hour,
      ...values(at),
    }))
    for (let at = 0; at < rows.length; at += 500)
      await db
        .insertInto(table)
        .values(rows.slice(at, at + 500) as never)
        .execute()
  }

  const whole = (read: Listed[][]) => {
    const ids = read.flat().map(({ id }) => id)
    expect(read.map(({ length }) => length)).toEqual([1000, 1000, 300])
    expect(new Set(ids).size).toBe(written)
    return ids
  }

  it('contain every voice entry once, in order', async () => {
    await ada.call(voice.create, {
      params: { id: keeperId },
      body: { label: 'Sea', belief: 'It comes back.' } as never,
    })
    await fill('voice_entries', () => ({}))
    const read = await pages('voice')
    whole(read)
    const times = read.flat().map((entry) => (entry as { createdAt: string } & Listed).createdAt)
    expect(times).toEqual(times.toSorted().toReversed())
  })

  it('contain every logbook entry once, pinned first, despite a new one', async () => {
    const body = { entry: 'I kept the light.', label: 'Light', category: 'Work' }
    const write = () => ada.call(logbook.create, { params: { id: keeperId }, body: body as never })
    await write()
    await fill('logbook_entries', (at) => ({
      pinned: at % 3 === 0,
      occurred_on: `20${String(10 + (at % 15)).padStart(2, '0')}-0${1 + (at % 9)}-1${at % 2}`,
    }))
    const read = await pages('logbook', async () => void (await write()))
    whole(read)
    const order = read.flat().map((one) => {
      const { pinned, occurredOn, createdAt } = one as unknown as Record<string, unknown>
      return `${Number(pinned)} ${occurredOn} ${createdAt}`
    })
    expect(order).toEqual(order.toSorted().toReversed())
  })

  it('contain every echo once, ready first, while some become ready', async () => {
    const body = { keeperId, agentId: 'default-agent', message: 'Remember the quay.' }
    await ada.call(echoes.create, { params: { id: keeperId }, body: body as never })
    const now = app.services.now().getTime()
    await fill('echoes', (at) => ({
      trigger_at: at % 4 === 0 ? null : now + (at - 100) * hour,
      delivered_at: at % 5 === 0 ? now - at * 1000 : null,
    }))
    const read = await pages('echoes', async () => app.passTime(50 * hour))
    whole(read)
    const [first] = read
    const isReady = (one: Listed) => (one as { state: string } & Listed).state === 'ready'
    const ready = first?.filter(isReady).length ?? 0
    expect(ready).toBeGreaterThan(50)
    expect(first?.slice(0, ready).every(isReady)).toBe(true)
  })

  it('contain every journey once, in order, despite a new one', async () => {
    const createJourney = () => ada.call(journeys.create, { params: { id: keeperId }, body: { title: 'The crossing' } })
    await createJourney()
    const standings = ['active', 'planned', 'paused', 'completed'] as const
    await fill('journeys', (at) => ({ status: standings[at % 4] }))
    const read = await pages('journeys', async () => void (await createJourney()))
    whole(read)
    const order = read.flat().map((one) => {
      const { status, createdAt } = one as unknown as Journey
      return `${3 - standings.indexOf(status as 'active')} ${createdAt}`
    })
    expect(order).toEqual(order.toSorted().toReversed())
  })

  // PostgreSQL is not in-process.
  if (engine === 'sqlite')
    it('do not block other requests', async () => {
      const driver = app.services.db.engineDriver
      const onMainThread = vi.spyOn(driver, 'read')
      const longReads = vi.spyOn(driver, 'longRead')
      const longTextLists = { ...list, reflections: reflections.list, cards: memoryCards.list }
      for (const section of ['voice', 'echoes', 'logbook', 'reflections', 'cards'] as const) {
        const callsBefore = { read: onMainThread.mock.calls.length, aside: longReads.mock.calls.length }
        await ada.call(longTextLists[section], { params: { id: keeperId } })
        const texts = onMainThread.mock.calls.slice(callsBefore.read).map(([statement]) => statement.sql)
        expect({ section, texts: texts.filter((text) => text.includes('limit 1001')) }).toEqual({ section, texts: [] })
        const pages = longReads.mock.calls.slice(callsBefore.aside).map(([statement]) => statement.sql)
        expect([section, pages.filter((text) => text.includes('limit 1001')).length]).toEqual([section, 1])
      }
    })

  it.each([
    'x',
    'WzFd',
    Buffer.from('["2026","e1"]').toString('base64url'),
    Buffer.from('[1e99,"a"]').toString('base64url'),
  ])('reject the cursor %s', async (cursor) => {
    for (const section of ['voice', 'echoes', 'logbook', 'journeys'] as const) {
      const { status, body } = await read(section, cursor)
      expect([section, status, body.fields]).toEqual([
        section,
        400,
        { cursor: 'Use the next_cursor of the previous page.' },
      ])
    }
  })
})
