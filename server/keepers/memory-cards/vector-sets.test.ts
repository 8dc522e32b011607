import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Keeper } from '#contract/keepers/keepers.ts'
import { reflections } from '#contract/keepers/reflections.ts'
import { engines } from '#tests/engines.ts'
import { eventually } from '#tests/eventually.ts'
import { keeperOf } from '#tests/keeper-of.ts'
import { type Actor, type TestApp, testApp } from '#tests/test-app.ts'
import { nearestCards } from './vector-sets.ts'

const hour = 60 * 60 * 1000

describe.each(engines)('vector sets, on %s', (engine) => {
  let app: TestApp
  let ada: Actor
  let keeper: Keeper

  beforeEach(async () => {
    app = await testApp(engine)
    ada = await app.as('ada')
    keeper = await keeperOf(ada)
  })
  afterEach(() => app.close())

  const keep = async (content: string) => {
    app.passTime(1000)
    const { data } = await ada.call(reflections.create, { params: { id: keeper.id }, body: { content } })
    return (await ada.call(reflections.promote, { params: { id: data.id } })).data.id
  }
  const nearest = async () => {
    const { model, signs } = await app.services.db
      .selectFrom('card_vectors')
      .select(['model', 'signs'])
      .where('keeper_id', '=', keeper.id)
      .executeTakeFirstOrThrow()
    return nearestCards(app.services, { keeperId: keeper.id, model }, signs, 10)
  }
  const deleteForGood = (id: string) => app.services.db.deleteFrom('memory_cards').where('id', '=', id).execute()

  it('include new cards immediately', async () => {
    const first = await keep('one')
    expect(await nearest()).toEqual({ ids: [first], size: 1 })
    await keep('two')
    expect((await nearest()).size).toBe(2)
  })

  it('drop deleted cards in a background refresh after a day', async () => {
    const [kept, gone] = [await keep('one'), await keep('two')]
    expect((await nearest()).size).toBe(2)
    await deleteForGood(gone)
    app.passTime(23 * hour)
    expect((await nearest()).size).toBe(2)
    app.passTime(2 * hour)
    const later = await keep('three')
    const { ids } = await nearest()
    expect(ids).toEqual(expect.arrayContaining([kept, later]))
    await eventually(async () => expect((await nearest()).ids.toSorted()).toEqual([kept, later].toSorted()))
  })

  it('stay complete for concurrent searches during a refresh', async () => {
    const kept = await keep('one')
    const gone = await keep('two')
    await nearest()
    await deleteForGood(gone)
    app.passTime(25 * hour)
    const looks = await Promise.all(Array.from({ length: 40 }, nearest))
    for (const { ids } of looks) expect(ids).toContain(kept)
    await eventually(async () => expect(await nearest()).toEqual({ ids: [kept], size: 1 }))
  })
})
