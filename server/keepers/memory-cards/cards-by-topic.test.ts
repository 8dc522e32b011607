import { describe, expect, it } from 'vitest'
import { memoryCards } from '#contract/keepers/memory-cards.ts'
import { type Reflection, reflections } from '#contract/keepers/reflections.ts'
import { copyRow } from '#tests/copy-row.ts'
import { createTestKeeper } from '#tests/create-test-keeper.ts'
import { engines } from '#tests/engines.ts'
import { fetchAllPages } from '#tests/fetch-all-pages.ts'
import type { Actor } from '#tests/test-app.ts'
import { useTestApp } from '#tests/use-test-app.ts'

const written = 2300
const hour = 60 * 60 * 1000

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
  const topicAt = (at: number) => (at > 2200 && at % 7 === 0 ? `Old ${at}` : at % 3 === 0 ? null : 'Harbour')

  async function fill() {
    const { id } = await createTestKeeper(ada)
    const bens = await createCard(ben, (await createTestKeeper(ben)).id, 'Of Ben alone: saffron.')
    const first = await createCard(ada, id, 'The first one')
    const values = (from: number) => (at: number) => ({
      id: `c${from}${at}`,
      reflection_id: null,
      created_at: first.created_at - (1 + Math.floor(at / 7)) * hour,
      topic: topicAt(at),
    })
    await copyRow(app.services.db, 'memory_cards', first, { count: written - 1, values: values(1) })
    await copyRow(app.services.db, 'memory_cards', bens, { count: 50, values: values(2) })
    return id
  }

  it('lists each of the owner’s cards once under its topic', async () => {
    const id = await fill()
    const pages = await fetchAllPages(ada, memoryCards.byTopic, { id })
    const ofPages = pages.map((groups) => groups.flatMap(({ cards }) => cards))
    expect(ofPages.map(({ length }) => length)).toEqual([1000, 1000, 300])
    expect(new Set(ofPages.flat().map((card) => card.id)).size).toBe(written)
    expect(JSON.stringify(pages)).not.toContain('saffron')
    const [first = []] = pages
    for (const { topic, count } of first) {
      const cards = pages
        .flatMap((groups) => groups.filter((group) => group.topic === topic))
        .flatMap((one) => one.cards)
      expect({ topic, cardCount: cards.length }).toEqual({ topic, cardCount: count })
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
      expect({ topic, cardCount: cards.length }).toEqual({
        topic,
        cardCount: expect.toSatisfy((many) => many >= Math.min(count, 6)),
      })
    const counts = data.map(({ count }) => count)
    expect(counts, 'the fullest first').toEqual(counts.toSorted((one, other) => other - one))
  })

  it('loses no card when another is written between two pages', async () => {
    const id = await fill()
    let more = 0
    const add = async () => {
      const row = await app.services.db
        .selectFrom('memory_cards')
        .selectAll()
        .where('id', '=', 'c10')
        .executeTakeFirst()
      if (!row) throw new Error('there is no such card')
      const values = () => ({ id: `new${more++}`, created_at: row.created_at + 10 * hour })
      await copyRow(app.services.db, 'memory_cards', row, { count: 1, values })
    }
    const pages = await fetchAllPages(ada, memoryCards.byTopic, { id }, add)
    const ids = new Set(pages.flat().flatMap(({ cards }) => cards.map((card) => card.id)))
    expect([...ids].filter((cardId) => !cardId.startsWith('new')).length).toBe(written)
  })

  it('rejects an invalid cursor', async () => {
    const { id } = await createTestKeeper(ada)
    const { status, body } = await ada.call(memoryCards.byTopic, { params: { id }, query: { cursor: 'x' } })
    expect({ status, fields: body.fields }).toEqual({
      status: 400,
      fields: { cursor: 'Use the next_cursor of the previous page.' },
    })
  })
})
