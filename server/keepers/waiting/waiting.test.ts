import { beforeEach, describe, expect, it } from 'vitest'
import { echoes } from '#contract/keepers/echoes.ts'
import { type Keeper, keepers } from '#contract/keepers/keepers.ts'
import { memoryPatterns } from '#contract/keepers/memory-patterns.ts'
import { reflections } from '#contract/keepers/reflections.ts'
import { sampleKeeper } from '#contract/keepers/sample-keeper.ts'
import { sole } from '#contract/keepers/sole.ts'
import { waiting } from '#contract/keepers/waiting.ts'
import { hourMs } from '#server/values/time-units.ts'
import { createTestKeeper } from '#tests/create-test-keeper.ts'
import { engines } from '#tests/engines.ts'
import { useTestApp } from '#tests/use-test-app.ts'

describe.each(engines)('pending items of all keepers, on %s', (engine) => {
  const { app, ada, ben } = useTestApp(engine, ['ada', 'ben'])
  beforeEach(() => app.services.db.deleteFrom('keepers').execute())

  const show = async (actor = ada) => (await actor.call(waiting.show)).data
  const nothing = { keepers: [], moreKeepers: 0, toReview: [] }
  const hoursAgo = (hours: number) => new Date(app.services.now().getTime() - hours * hourMs).toISOString()
  const createReflection = ({ id }: Keeper, hours: number) =>
    ada.call(reflections.create, { params: { id }, body: { content: 'The gate.', createdAt: hoursAgo(hours) } })
  const createEcho = ({ id }: Keeper, hours: number) =>
    ada.call(echoes.create, { params: { id }, body: { message: 'Come back.', triggerDate: hoursAgo(hours) } })
  const submitDraft = ({ id }: Keeper) =>
    ada.call(sole.submitDraft, { params: { id }, body: { content: 'I keep watch.' } })

  it('are empty at first', async () => {
    expect(await show()).toEqual(nothing)
    const keeper = await createTestKeeper(ada)
    await createReflection(keeper, 23)
    await createEcho(keeper, -1)
    expect(await show()).toEqual(nothing)
  })

  it('are counted by keeper without content, until they are decided', async () => {
    const harbour = await createTestKeeper(ada)
    const garden = await createTestKeeper(ada, { title: 'The Garden' })
    await createTestKeeper(ada, { title: 'Nothing here' })
    const deliveredEcho = (await createEcho(harbour, 2)).data
    await createEcho(harbour, 1)
    const reflection = (await createReflection(harbour, 25)).data
    await createReflection(garden, 25)
    const rested = (await createReflection(garden, 26)).data
    await createReflection(garden, 1)
    const submitted = (await submitDraft(garden)).data.submittedAt
    const response = await ada.call(waiting.show)
    expect(response.data).toEqual({
      keepers: [
        { keeperId: harbour.id, title: 'The Harbour Year', echoesReady: 2, draftSubmittedAt: null, suggestions: 1 },
        { keeperId: garden.id, title: 'The Garden', echoesReady: 0, draftSubmittedAt: submitted, suggestions: 2 },
      ],
      moreKeepers: 0,
      toReview: [],
    })
    expect(response.text).not.toMatch(/The gate|Come back|keep watch/)
    expect(await show(ben)).toEqual(nothing)

    await ada.call(echoes.deliver, { params: { id: deliveredEcho.id } })
    await ada.call(reflections.promote, { params: { id: reflection.id } })
    await ada.call(reflections.rest, { params: { id: rested.id }, body: {} })
    await ada.call(sole.approve, { params: { id: garden.id }, body: {} })
    expect((await show()).keepers).toMatchObject([
      { keeperId: harbour.id, echoesReady: 1, suggestions: 0 },
      { keeperId: garden.id, draftSubmittedAt: null, suggestions: 1 },
    ])
    await ada.call(keepers.remove, { params: { id: harbour.id } })
    expect((await show()).keepers).toMatchObject([{ keeperId: garden.id }])
  })

  it('match the suggestions of each keeper’s memory pattern', async () => {
    const createPattern = async (name: string, minAgeHours: number, captureFrom: string[], actor = ada) => {
      const body = {
        name,
        description: 'By age.',
        sections: [],
        captureFrom,
        promote: { minAgeHours, needsHuman: true },
      }
      const { data, text } = await actor.call(memoryPatterns.create, { body })
      expect(data.slug, text).toMatch(/\S/)
      return data
    }
    const quick = await createPattern('Quick', 2, ['reflection'])
    const momentsOnly = await createPattern('Moments only', 1, ['moment'])
    const keeperList = [
      await createTestKeeper(ada, { title: 'Usual' }),
      await createTestKeeper(ada, { title: 'Quick', memoryPattern: quick.slug }),
      await createTestKeeper(ada, { title: 'By name', memoryPattern: quick.name.toUpperCase() }),
      await createTestKeeper(ada, { title: 'Moments only', memoryPattern: momentsOnly.slug }),
    ]
    // The same name means another pattern for Ben.
    await createPattern('Quick', 1, ['moment'], ben)
    await createTestKeeper(ben, { title: 'Of Ben', memoryPattern: quick.slug })
    for (const keeper of keeperList)
      for (const hours of [1, 3, 25, 24 * 365 * 60]) await createReflection(keeper, hours)
    expect((await show()).keepers.map(({ title, suggestions }) => [title, suggestions])).toEqual([
      ['Usual', 2],
      ['Quick', 3],
      ['By name', 3],
    ])
    for (const { id } of keeperList) {
      const expectedCount = (await ada.call(reflections.suggestions, { params: { id } })).data.length
      expect((await show()).keepers.find(({ keeperId }) => keeperId === id)?.suggestions ?? 0).toBe(expectedCount)
    }
  })

  it('exclude drafts of keepers with another memory pattern', async () => {
    const keeper = await createTestKeeper(ada)
    await submitDraft(keeper)
    await ada.call(keepers.update, { params: { id: keeper.id }, body: { memoryPattern: 'journal' } })
    expect(await show()).toEqual(nothing)
  })

  it('include other people’s drafts for their reviewers only', async () => {
    const keeper = await createTestKeeper(ada, { title: 'Shared story' })
    await submitDraft(keeper)
    const { id } = await app.services.db
      .selectFrom('domains')
      .select('id')
      .where('owner_id', '=', ada.id)
      .executeTakeFirstOrThrow()
    const member = { domain_id: id, person_id: ben.id, role: 'admin' as const, added_at: 1, agreed_at: 1 }
    await app.services.db.insertInto('domain_members').values(member).execute()
    expect(await show(ben)).toEqual(nothing)
    await ada.call(sole.allowReviewer, { params: { id: keeper.id, personId: ben.id } })
    expect((await show(ben)).toReview).toEqual([
      { keeperId: keeper.id, title: 'Shared story', ownerName: 'Ada Lindqvist' },
    ])
    expect((await show(ben)).keepers).toEqual([])
    const setPattern = (memoryPattern: string) =>
      ada.call(keepers.update, { params: { id: keeper.id }, body: { memoryPattern } })
    await setPattern('journal')
    expect(await show(ben), 'the owner can’t decide it either').toEqual(nothing)
    expect((await ben.call(sole.toReview)).data).toEqual([])
    await setPattern('SOLE')
    expect((await show(ben)).toReview).toHaveLength(1)
    expect((await ben.call(sole.toReview)).data).toHaveLength(1)
    await app.services.db.deleteFrom('domain_members').execute()
    expect(await show(ben)).toEqual(nothing)
  })

  it('are limited to 100 keepers plus a count, with the sample last', async () => {
    await ada.call(sampleKeeper.make, { body: { timezone: 'UTC' } })
    const keeperList = await Promise.all(Array.from({ length: 101 }, () => createTestKeeper(ada)))
    expect((await show()).keepers.map(({ keeperId }) => keeperId)).not.toContain(keeperList[0]?.id)
    for (const keeper of keeperList) await createEcho(keeper, 1)
    const { keepers: visibleKeepers, moreKeepers } = await show()
    expect(visibleKeepers).toHaveLength(100)
    expect(moreKeepers).toBe(2)
    await app.services.db
      .updateTable('keepers')
      .set({ deleted_at: 1 })
      .where(
        'id',
        'in',
        keeperList.slice(1).map(({ id }) => id),
      )
      .execute()
    const view = await show()
    expect(view.keepers.map(({ keeperId }) => keeperId === keeperList[0]?.id)).toEqual([true, false])
  })
})
