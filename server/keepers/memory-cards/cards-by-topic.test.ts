import { rmSync } from 'node:fs'
import { afterEach, beforeEach, describe, expect, it, test, vi } from 'vitest'
import type { Keeper } from '#contract/keepers/keepers.ts'
import { memoryCards } from '#contract/keepers/memory-cards.ts'
import { type Reflection, reflections } from '#contract/keepers/reflections.ts'
import { register } from '#server/accounts/register.ts'
import { createBackup } from '#server/db/backup.ts'
import { type Database, type Engine, openDatabase } from '#server/db/database.ts'
import { migrations } from '#server/db/migrations/index.ts'
import { restoreBackup } from '#server/db/restore.ts'
import { createLog } from '#server/http/log.ts'
import type { Services } from '#server/services.ts'
import { readSettings } from '#server/settings/settings.ts'
import { createServices } from '#server/start/create-services.ts'
import { hourMs } from '#server/values/time-units.ts'
import { cast } from '#tests/cast.ts'
import { copyRow } from '#tests/copy-row.ts'
import { createTestKeeper } from '#tests/create-test-keeper.ts'
import { createFreshDatabase, engines, type FreshDatabase } from '#tests/engines.ts'
import { eventually } from '#tests/eventually.ts'
import { fetchAllPages } from '#tests/fetch-all-pages.ts'
import { createIncompressibleText } from '#tests/long-text.ts'
import type { Actor } from '#tests/test-app.ts'
import { useTestApp } from '#tests/use-test-app.ts'
import { createEntry } from '../entries/create-entry.ts'
import { getCardWords, toNormalizedWords } from './card-words.ts'
import { findCards } from './find-cards.ts'
import { createCardVectorWrites, createSearchColumns } from './index-cards.ts'
import { createSnippet } from './search-cards.ts'
import { findNearestCards, stopScanner } from './vector-sets.ts'

const cardCount = 2300

describe.each(engines)('cards by topic beyond one page, on %s', (engine) => {
  const { app, ada, ben } = useTestApp(engine, ['ada', 'ben'], { perTest: true })

  async function createCard(actor: Actor, keeperId: string, content: string) {
    const body = { keeperId, content, agentId: 'default-agent', topic: 'Sea' }
    const { data } = await actor.call(reflections.create, { params: { id: keeperId }, body: body as never })
    await actor.call(reflections.promote, { params: { id: (data as Reflection).id } })
    return app.services.db
      .selectFrom('memory_cards')
      .selectAll()
      .where('keeper_id', '=', keeperId)
      .executeTakeFirstOrThrow()
  }

  /** Every seventh of the oldest is alone with its topic; a third of the others has none. */
  const getTopic = (index: number) =>
    index > 2200 && index % 7 === 0 ? `Old ${index}` : index % 3 === 0 ? null : 'Harbour'

  async function fill() {
    const { id } = await createTestKeeper(ada)
    const bensCard = await createCard(ben, (await createTestKeeper(ben)).id, 'Of Ben alone: saffron.')
    const first = await createCard(ada, id, 'The first one')
    const createValues = (series: number) => (index: number) => ({
      id: `c${series}${index}`,
      reflection_id: null,
      created_at: first.created_at - (1 + Math.floor(index / 7)) * hourMs,
      topic: getTopic(index),
    })
    await copyRow(app.services.db, 'memory_cards', first, { count: cardCount - 1, values: createValues(1) })
    await copyRow(app.services.db, 'memory_cards', bensCard, { count: 50, values: createValues(2) })
    return id
  }

  it('lists each of the owner’s cards once under its topic', async () => {
    const id = await fill()
    const pages = await fetchAllPages(ada, memoryCards.byTopic, { id })
    const cardsByPage = pages.map((groups) => groups.flatMap(({ cards }) => cards))
    expect(cardsByPage.map(({ length }) => length)).toEqual([1000, 1000, 300])
    expect(new Set(cardsByPage.flat().map((card) => card.id)).size).toBe(cardCount)
    expect(JSON.stringify(pages)).not.toContain('saffron')
    const [firstPage = []] = pages
    for (const { topic, count } of firstPage) {
      const cards = pages
        .flatMap((groups) => groups.filter((group) => group.topic === topic))
        .flatMap((group) => group.cards)
      expect(cards, `${topic}`).toHaveLength(count)
      expect(new Set(cards.map((card) => card.topic))).toEqual(new Set([topic]))
      const times = cards.map(({ createdAt }) => createdAt)
      expect(times, 'the newest first').toEqual(times.toSorted().toReversed())
    }
  })

  it('starts with the newest card of every topic', async () => {
    const id = await fill()
    const { data } = await ada.call(memoryCards.byTopic, { params: { id } })
    expect(data.filter(({ topic }) => topic?.startsWith('Old')).length).toBeGreaterThan(10)
    for (const { topic, count, cards } of data)
      expect(cards.length, `${topic}`).toBeGreaterThanOrEqual(Math.min(count, 6))
    const counts = data.map(({ count }) => count)
    expect(counts, 'the fullest first').toEqual(counts.toSorted((a, b) => b - a))
  })

  it('loses no card when another is written between two pages', async () => {
    const id = await fill()
    let addedCount = 0
    const addCard = async () => {
      const values = () => ({ id: `new${addedCount++}`, created_at: app.services.now().getTime() + 10 * hourMs })
      await copyRow(app.services.db, 'memory_cards', 'c10', { count: 1, values })
    }
    const pages = await fetchAllPages(ada, memoryCards.byTopic, { id }, { betweenPages: addCard })
    const ids = new Set(pages.flat().flatMap(({ cards }) => cards.map((card) => card.id)))
    expect([...ids].filter((cardId) => !cardId.startsWith('new')).length).toBe(cardCount)
  })
})

describe('card words', () => {
  it('cover the whole text, read in chunks', () => {
    const content = `Über ${createIncompressibleText(90_000)}\nCafé 漢字 ${createIncompressibleText(60_000, 2)}`
    expect(getCardWords({ topic: 'Bücher', content })).toBe(toNormalizedWords(`Bücher ${content}`).join(' '))
  })

  it('stay within their limit when one character becomes eighteen', () => {
    const cardWords = getCardWords({ topic: null, content: '\uFDFA '.repeat(100_000) })
    expect(cardWords.length).toBeLessThanOrEqual(200_000)
    expect(cardWords.length).toBeGreaterThan(199_900)
  })
})

describe('the snippet of a text', () => {
  it('stays short when every word matches', () => {
    const text = 'alpha beta '.repeat(40_000)
    const snippet = createSnippet(text, 'alpha beta')
    expect(snippet?.snippet.length).toBeLessThan(230)
    expect(snippet?.marks.slice(0, 2)).toEqual([
      [0, 5],
      [6, 10],
    ])
    expect(snippet?.marks.length).toBeGreaterThan(35)
    expect(snippet?.marks.length).toBeLessThan(60)
  })
})

describe.each(engines)('vector sets, on %s', (engine) => {
  const { app, ada } = useTestApp(engine, ['ada'], { perTest: true })
  let keeper: Keeper

  beforeEach(async () => {
    keeper = await createTestKeeper(ada)
  })

  const createCard = async (content: string) => {
    app.passTime(1000)
    const { data } = await ada.call(reflections.create, { params: { id: keeper.id }, body: { content } })
    return (await ada.call(reflections.promote, { params: { id: data.id } })).data.id
  }
  const findNearest = async () => {
    const { model, signs } = await app.services.db
      .selectFrom('card_vectors')
      .select(['model', 'signs'])
      .where('keeper_id', '=', keeper.id)
      .executeTakeFirstOrThrow()
    return findNearestCards(app.services, { keeperId: keeper.id, model }, signs, 10)
  }
  const deleteRow = (id: string) => app.services.db.deleteFrom('memory_cards').where('id', '=', id).execute()

  it('include new cards immediately', async () => {
    const first = await createCard('one')
    expect(await findNearest()).toEqual({ ids: [first], size: 1 })
    await createCard('two')
    expect((await findNearest()).size).toBe(2)
  })

  it('drop deleted cards in a background refresh after a day', async () => {
    const savedId = await createCard('one')
    const deletedId = await createCard('two')
    expect((await findNearest()).size).toBe(2)
    await deleteRow(deletedId)
    app.passTime(23 * hourMs)
    expect((await findNearest()).size).toBe(2)
    app.passTime(2 * hourMs)
    const addedId = await createCard('three')
    const { ids } = await findNearest()
    expect(ids).toEqual(expect.arrayContaining([savedId, addedId]))
    await eventually(async () => expect((await findNearest()).ids.toSorted()).toEqual([savedId, addedId].toSorted()))
  })

  it('stay complete for concurrent searches during a refresh', async () => {
    const savedId = await createCard('one')
    const deletedId = await createCard('two')
    await findNearest()
    await deleteRow(deletedId)
    app.passTime(25 * hourMs)
    const results = await Promise.all(Array.from({ length: 40 }, findNearest))
    for (const { ids } of results) expect(ids).toContain(savedId)
    await eventually(async () => expect(await findNearest()).toEqual({ ids: [savedId], size: 1 }))
  })
})

const enginePairs = engines.flatMap((from) => engines.map((to): [Engine, Engine] => [from, to]))
const cleanups: (() => unknown)[] = []
afterEach(async () => {
  for (const cleanUp of cleanups.splice(0).reverse()) await cleanUp()
})

async function createDatabase(engine: Engine): Promise<FreshDatabase> {
  const database = await createFreshDatabase(engine)
  cleanups.push(() => database.close())
  return database
}

function createServicesFor(db: Database): Services {
  const settings = readSettings({})
  const log = createLog('silent', { write: () => undefined })
  const services = createServices({ db, settings, log, masterSecret: 'a secret that only tests use, long enough' })
  cleanups.push(() => stopScanner(services))
  return services
}

/** One keeper with a card, and one inserted without its search words. */
async function fill(services: Services): Promise<{ id: string; owner_id: string }> {
  const { user } = await register(services, cast.ada, '127.0.0.1')
  const keeper = { id: 'a'.repeat(32), owner_id: user.id }
  const now = services.now().getTime()
  const times = { created_at: now, updated_at: now, deleted_at: null }
  await services.db
    .insertInto('keepers')
    .values({
      ...keeper,
      ...times,
      title: 'K',
      purpose: 'p',
      keeper_type: 'journal',
      keeper_type_id: null,
      memory_pattern: 'sole',
      theme: 'keeper-classic',
      is_public: false,
    })
    .execute()
  const values = {
    reflection_id: null,
    reflection_agent_id: null,
    reflection_created_at: null,
    topic: 'Über',
    ai_visible: true,
    state: 'active' as const,
    source_kind: null,
    source_id: null,
  }
  const searchable = { ...values, content: 'Der Vater trank im Café.' }
  await createEntry(services, keeper, {
    entity: 'card',
    id: 'b'.repeat(32),
    values: { ...searchable, ...createSearchColumns(searchable, now) },
    extraWrites: (id) => createCardVectorWrites(services, { id, content: searchable.content }, now),
  })
  const withoutWords = {
    ...values,
    content: 'Im Café war es warm.',
    embedded_with: null,
    embedded_at: null,
    words: null,
  }
  await createEntry(services, keeper, { entity: 'card', id: 'c'.repeat(32), values: withoutWords })
  return keeper
}

test.each(enginePairs)('cards in a backup of %s are found on %s by words and by meaning', async (from, to) => {
  const source = await createDatabase(from)
  const keeper = await fill(createServicesFor(source.db))
  const { path } = await createBackup(source, new Date('2026-11-21T04:05:06.789Z'), null)
  const target = await createDatabase(to)
  await target.db.close()
  // PostgreSQL still counts a connection shortly after it closes.
  const { movedPaths } = await vi.waitFor(
    () => restoreBackup(path, target, { migrations, now: new Date(), keyFingerprint: null }),
    { timeout: 10_000 },
  )
  for (const folder of movedPaths) cleanups.push(() => rmSync(folder, { recursive: true, force: true }))

  const db = await openDatabase(target)
  cleanups.push(() => db.close())
  const { matches } = await findCards(createServicesFor(db), { keeper, limit: 5 }, 'cafe vater')
  expect(matches.map(({ id, matched }) => [id[0], matched])).toEqual([
    ['b', ['words', 'meaning']],
    ['c', ['words', 'meaning']],
  ])
  const { matches: topicMatches } = await findCards(createServicesFor(db), { keeper, limit: 5 }, 'uber')
  expect(topicMatches.map(({ id }) => id[0]).toSorted()).toEqual(['b', 'c'])
})
