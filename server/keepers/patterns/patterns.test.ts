import { describe, expect, it } from 'vitest'
import { keepers } from '#contract/keepers/keepers.ts'
import { memoryPatterns } from '#contract/keepers/memory-patterns.ts'
import { reflections } from '#contract/keepers/reflections.ts'
import { sole } from '#contract/keepers/sole.ts'
import { hourMs } from '#server/values/time-units.ts'
import { createTestKeeper } from '#tests/create-test-keeper.ts'
import { engines } from '#tests/engines.ts'
import { insertDomain } from '#tests/insert-domain.ts'
import { useTestApp } from '#tests/use-test-app.ts'
import { getApprovedSole } from '../sole/sole-rows.ts'

describe.each(engines)('memory patterns, on %s', (engine) => {
  const { app, ada, ben } = useTestApp(engine, ['ada', 'ben'], { perTest: true })

  const list = async (actor = ada) => (await actor.call(memoryPatterns.list)).data
  const create = (body: object, actor = ada) =>
    actor.call(memoryPatterns.create, { body: { name: 'Tide table', ...body } as never })
  const update = (id: string, body: object, actor = ada) =>
    actor.call(memoryPatterns.update, { params: { id }, body: body as never })
  const remove = (id: string, actor = ada) => actor.call(memoryPatterns.remove, { params: { id } })
  const countKeepers = async (slug: string) => (await list()).find((pattern) => pattern.slug === slug)?._count.Keeper

  it('count the person’s keepers', async () => {
    expect((await list()).map(({ name }) => name)).toEqual(['SOLE', 'CRM Timeline'])
    for (const memoryPattern of ['sole', 'SOLE', 'CRMTimeline', 'crm timeline', 'palace'])
      await createTestKeeper(ada, { memoryPattern })
    await createTestKeeper(ben, { memoryPattern: 'sole' })
    expect({ sole: await countKeepers('sole'), crmtimeline: await countKeepers('crmtimeline') }).toEqual({
      sole: 2,
      crmtimeline: 2,
    })
  })

  it('are created with defaults', async () => {
    expect((await create({})).data).toMatchObject({
      sections: [],
      captureFrom: ['reflection'],
      promote: { minAgeHours: 24, needsHuman: true },
    })
  })

  it('refuse ambiguous names and promotion without a person', async () => {
    const listRejectedFields = async (body: object) => Object.keys((await create(body)).body.fields ?? {})
    for (const name of ['sole', 'CRM timeline', 'Journal', 'spatial'])
      expect(await listRejectedFields({ name })).toEqual(['name'])
    expect(await listRejectedFields({ promote: { minAgeHours: 1, needsHuman: false } })).toEqual(['promote.needsHuman'])
    const duplicates = [1, 2].map(() => ({ key: 'ebb', title: 'Ebb', kind: 'list' }))
    expect(await listRejectedFields({ sections: duplicates })).toEqual(['sections.1.key'])
    expect(await listRejectedFields({})).toEqual([])
    expect(await listRejectedFields({ name: 'tide-table' }), 'its slug').toEqual(['name'])
  })

  it('stay in use when renamed', async () => {
    const { data } = await create({})
    const keeper = await createTestKeeper(ada, { memoryPattern: 'TIDE table' })
    expect(await countKeepers('tide-table')).toBe(1)
    await update(data.id, { name: 'Moon table' })
    expect(await countKeepers('tide-table')).toBe(1)
    expect((await ada.call(keepers.show, { params: { id: keeper.id } })).data.memoryPattern).toBe('tide-table')
    await ada.call(keepers.update, { params: { id: keeper.id }, body: { memoryPattern: 'sole' } })
    expect((await remove(data.id)).status).toBe(200)
    expect(await countKeepers('tide-table')).toBeUndefined()
  })

  it('decide when keepers suggest reflections, or that they do not', async () => {
    const { data } = await create({ promote: { minAgeHours: 2, needsHuman: true } })
    const { id } = await createTestKeeper(ada, { memoryPattern: data.slug })
    await ada.call(reflections.create, { params: { id }, body: { content: 'The gate does not shut.' } })
    const countSuggestions = async () => (await ada.call(reflections.suggestions, { params: { id } })).data.length
    app.passTime(hourMs * 1.9)
    expect(await countSuggestions()).toBe(0)
    app.passTime(hourMs * 0.2)
    expect(await countSuggestions()).toBe(1)
    await update(data.id, { captureFrom: ['moment'] })
    expect(await countSuggestions()).toBe(0)
  })

  it('patterns with a story give the SOLE to all keepers that use them', async () => {
    const { data } = await create({ keepsStory: true })
    expect(data.keepsStory).toBe(true)
    expect((await list()).map(({ slug, keepsStory }) => [slug, keepsStory])).toEqual([
      ['sole', true],
      ['crmtimeline', false],
      ['tide-table', true],
    ])
    await insertDomain(app, ada, [[ben, 'user']])
    const keeper = await createTestKeeper(ben, { memoryPattern: 'Tide Table' })
    expect(keeper.keepsStory).toBe(true)
    const params = { id: keeper.id }
    const reflection = (await ben.call(reflections.create, { params, body: { content: 'I stay.' } })).data
    const statements = [{ text: 'I stay.', sources: [{ entity: 'reflection', id: reflection.id, quote: 'I stay.' }] }]
    const submit = () => ben.call(sole.submitDraft, { params, body: { statements } as never })
    expect((await submit()).status).toBe(200)
    expect((await ben.call(sole.approve, { params, body: {} })).status).toBe(200)
    expect((await getApprovedSole(app.services, keeper.id))?.statements).toHaveLength(1)
    await update(data.id, { keepsStory: false })
    expect((await ben.call(keepers.show, { params })).data.keepsStory).toBe(false)
    expect((await submit()).status).toBe(422)
    expect(await getApprovedSole(app.services, keeper.id)).toBeNull()
    // Ben’s own pattern of that name takes precedence.
    await update(data.id, { keepsStory: true })
    await create({}, ben)
    expect((await ben.call(keepers.show, { params })).data.keepsStory).toBe(false)
  })

  it('don’t rename the pattern of a stranger’s keepers', async () => {
    const { data } = await create({})
    // Ben's own pattern of that name.
    const bensKeeper = await createTestKeeper(ben, { memoryPattern: 'Tide Table' })
    expect((await update(data.id, { name: 'Moon table' })).status).toBe(200)
    expect((await ben.call(keepers.show, { params: { id: bensKeeper.id } })).data.memoryPattern).toBe('Tide Table')
  })

  it('keep their users in the domain when renamed, except those with a namesake', async () => {
    const { data } = await create({})
    await insertDomain(app, ada, [[ben, 'user']])
    const getKeeperPattern = async (id: string) => (await ben.call(keepers.show, { params: { id } })).data.memoryPattern
    const { id } = await createTestKeeper(ben, { memoryPattern: 'Tide TABLE' })
    await update(data.id, { name: 'Moon table' })
    expect(await getKeeperPattern(id)).toBe('tide-table')

    await create({ name: 'Moon table' }, ben)
    const bensKeeper = await createTestKeeper(ben, { memoryPattern: 'Moon table' })
    // Ada’s keeper uses it too: for each owner, the name means their own pattern.
    const adasKeeper = await createTestKeeper(ada, { memoryPattern: 'Moon table' })
    await update(data.id, { name: 'Star table' })
    expect((await ada.call(keepers.show, { params: { id: adasKeeper.id } })).data.memoryPattern).toBe('tide-table')
    expect(await getKeeperPattern(bensKeeper.id)).toBe('Moon table')
  })

  it('do not rename or reveal keepers that mean another pattern', async () => {
    const { data: adasPattern } = await create({})
    const cleo = await app.as('cleo')
    await insertDomain(app, ada, [
      [ben, 'user'],
      [cleo, 'user'],
    ])
    const getKeeperPattern = async (id: string) =>
      (await cleo.call(keepers.show, { params: { id } })).data.memoryPattern
    const { id } = await createTestKeeper(cleo, { memoryPattern: 'Tide table' })
    app.passTime(1)
    const { data: bensPattern } = await create({}, ben)
    expect((await update(bensPattern.id, { name: 'Moon table' }, ben)).status).toBe(200)
    expect(await getKeeperPattern(id)).toBe('Tide table')
    await update(bensPattern.id, { name: 'Tide table' }, ben)
    expect((await remove(bensPattern.id, ben)).status).toBe(200)
    expect((await remove(adasPattern.id)).status, 'the person’s own pattern is used').toBe(409)
    await update(adasPattern.id, { name: 'Star table' })
    expect(await getKeeperPattern(id)).toBe('tide-table')
  })

  it('keep a pattern chosen during a rename', async () => {
    const { data } = await create({})
    const { id } = await createTestKeeper(ada, { memoryPattern: 'Tide table' })
    const { db } = app.services
    const { batch } = db
    db.batch = async (writes) => {
      db.batch = batch
      await ada.call(keepers.update, { params: { id }, body: { memoryPattern: 'sole' } })
      return batch.call(db, writes)
    }
    expect((await update(data.id, { name: 'Moon table' })).status).toBe(200)
    expect((await ada.call(keepers.show, { params: { id } })).data.memoryPattern).toBe('sole')
  })
})
