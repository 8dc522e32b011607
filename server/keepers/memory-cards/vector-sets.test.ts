import { beforeEach, describe, expect, it } from 'vitest'
import type { Keeper } from '#contract/keepers/keepers.ts'
import { reflections } from '#contract/keepers/reflections.ts'
import { createTestKeeper } from '#tests/create-test-keeper.ts'
import { engines } from '#tests/engines.ts'
import { eventually } from '#tests/eventually.ts'
import { useTestApp } from '#tests/use-test-app.ts'
import { findNearestCards } from './vector-sets.ts'

const hour = 60 * 60 * 1000

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
  const nearest = async () => {
    const { model, signs } = await app.services.db
      .selectFrom('card_vectors')
      .select(['model', 'signs'])
      .where('keeper_id', '=', keeper.id)
      .executeTakeFirstOrThrow()
    return findNearestCards(app.services, { keeperId: keeper.id, model }, signs, 10)
  }
  const deleteForGood = (id: string) => app.services.db.deleteFrom('memory_cards').where('id', '=', id).execute()

  it('include new cards immediately', async () => {
    const first = await createCard('one')
    expect(await nearest()).toEqual({ ids: [first], size: 1 })
    await createCard('two')
    expect((await nearest()).size).toBe(2)
  })

  it('drop deleted cards in a background refresh after a day', async () => {
    const [savedId, deletedId] = [await createCard('one'), await createCard('two')]
    expect((await nearest()).size).toBe(2)
    await deleteForGood(deletedId)
    app.passTime(23 * hour)
    expect((await nearest()).size).toBe(2)
    app.passTime(2 * hour)
    const later = await createCard('three')
    const { ids } = await nearest()
    expect(ids).toEqual(expect.arrayContaining([savedId, later]))
    await eventually(async () => expect((await nearest()).ids.toSorted()).toEqual([savedId, later].toSorted()))
  })

  it('stay complete for concurrent searches during a refresh', async () => {
    const savedId = await createCard('one')
    const deletedId = await createCard('two')
    await nearest()
    await deleteForGood(deletedId)
    app.passTime(25 * hour)
    const results = await Promise.all(Array.from({ length: 40 }, nearest))
    for (const { ids } of results) expect(ids).toContain(savedId)
    await eventually(async () => expect(await nearest()).toEqual({ ids: [savedId], size: 1 }))
  })
})
