import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { logbook } from '#contract/keepers/logbook.ts'
import { type MemoryCard, memoryCards } from '#contract/keepers/memory-cards.ts'
import { moments } from '#contract/keepers/moments.ts'
import { reflections } from '#contract/keepers/reflections.ts'
import { engines } from '#tests/engines.ts'
import { keeperOf } from '#tests/keeper-of.ts'
import { type Actor, type TestApp, testApp } from '#tests/test-app.ts'

describe.each(engines)('lists of long texts, on %s', (engine) => {
  let app: TestApp
  let ada: Actor
  let keeperId: string
  beforeEach(async () => {
    app = await testApp(engine)
    ada = await app.as('ada')
    keeperId = (await keeperOf(ada)).id
  })
  afterEach(() => app.close())

  it('come a few megabytes at a time, and none is left out or comes twice', async () => {
    const cards: string[] = []
    for (let n = 0; n < 18; n++) {
      app.passTime(1000)
      const body = { content: `Number ${n} ${'word '.repeat(96_000)}`, topic: `Topic ${n % 3}` }
      const { data } = await ada.call(reflections.create, { params: { id: keeperId }, body })
      cards.push((await ada.call(reflections.promote, { params: { id: data.id } })).data.id)
    }
    expect(await readPages(memoryCards.list)).toEqual(cards.toReversed())
    expect((await readPages(memoryCards.byTopic)).sort()).toEqual(cards.toSorted())
    const written = await readPages(reflections.list)
    expect([written.length, new Set(written).size]).toEqual([18, 18])
  }, 60_000)

  it('of moments and of the logbook end early, too', async () => {
    const [momentIds, entryIds]: [string[], string[]] = [[], []]
    for (let n = 0; n < 22; n++) {
      app.passTime(1000)
      const body = { body: `${n} ${'日'.repeat(150_000)}` }
      momentIds.push((await ada.call(moments.create, { params: { id: keeperId }, body })).data.id)
    }
    for (let n = 0; n < 62; n++) {
      app.passTime(1000)
      const body = { entry: `${n} ${'日'.repeat(49_000)}`, label: 'Long', category: 'work' }
      entryIds.push((await ada.call(logbook.create, { params: { id: keeperId }, body })).data.id)
    }
    expect(await readPages(moments.list, { limit: '100' })).toEqual(momentIds.toReversed())
    expect(await readPages(moments.list, { limit: '100', q: '日' })).toEqual(momentIds.toReversed())
    expect(await readPages(logbook.list)).toEqual(entryIds.toReversed())
  }, 60_000)

  /** Ids of all pages, in their order. */
  const readPages = async (call: object, filter: Record<string, string> = {}) => {
    const ids: string[] = []
    for (let cursor: string | null = ''; cursor !== null; ) {
      const query = { ...filter, ...(cursor !== '' && { cursor }) }
      const { data, body, text } = await ada.call(call as typeof memoryCards.list, { params: { id: keeperId }, query })
      expect(Buffer.byteLength(text)).toBeLessThan(9 * 1024 * 1024)
      const { items = data, next_cursor } = data as unknown as { items?: unknown[]; next_cursor?: string | null }
      for (const item of items as (MemoryCard | { cards: MemoryCard[] })[])
        ids.push(...('cards' in item ? item.cards.map(({ id }) => id) : [item.id]))
      cursor = (next_cursor ?? body.next_cursor ?? null) as string | null
    }
    return ids
  }
})
