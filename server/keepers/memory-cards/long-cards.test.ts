import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type MemoryCard, memoryCards } from '#contract/keepers/memory-cards.ts'
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
    const pages = async (call: typeof memoryCards.list | typeof memoryCards.byTopic | typeof reflections.list) => {
      const ids: string[] = []
      for (let cursor: string | null = ''; cursor !== null; ) {
        const query: Record<string, string> = cursor === '' ? {} : { cursor }
        const { data, body, text } = await ada.call(call as typeof memoryCards.list, {
          params: { id: keeperId },
          query,
        })
        expect(text.length).toBeLessThan(9 * 1024 * 1024)
        for (const item of data as (MemoryCard | { cards: MemoryCard[] })[])
          ids.push(...('cards' in item ? item.cards.map(({ id }) => id) : [item.id]))
        cursor = body.next_cursor as string | null
      }
      return ids
    }
    expect(await pages(memoryCards.list)).toEqual(cards.toReversed())
    expect((await pages(memoryCards.byTopic)).sort()).toEqual(cards.toSorted())
    const said = await pages(reflections.list)
    expect([said.length, new Set(said).size]).toEqual([18, 18])
  }, 60_000)
})
