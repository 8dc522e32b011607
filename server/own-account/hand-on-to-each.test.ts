import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { agents } from '#contract/agents/agents.ts'
import { engagementTemplates, type TemplateStep } from '#contract/keepers/engagement-templates.ts'
import { keeperTypes } from '#contract/keepers/keeper-types.ts'
import { keepers } from '#contract/keepers/keepers.ts'
import { memoryPatterns } from '#contract/keepers/memory-patterns.ts'
import { domainOf } from '#tests/domain-of.ts'
import { engines } from '#tests/engines.ts'
import { keeperOf } from '#tests/keeper-of.ts'
import { templateField, templateStep } from '#tests/template-words.ts'
import { type Actor, type TestApp, testApp } from '#tests/test-app.ts'
import { deleteAccounts } from './delete-accounts.ts'

describe.each(engines)('entities several people use of a deleted account, on %s', (engine) => {
  let app: TestApp
  let ada: Actor
  let ben: Actor
  let cleo: Actor
  beforeEach(async () => {
    app = await testApp(engine)
    ;[ada, ben, cleo] = [await app.as('ada'), await app.as('ben'), await app.as('cleo')]
    await domainOf(app, ada, [
      [ben, 'user'],
      [cleo, 'user'],
    ])
  })
  afterEach(() => app.close())

  const form = async () => {
    const body = { kind: 'content-type', label: 'Tide notes', fields: [templateField('tide')] }
    return (await ada.call(engagementTemplates.create, { body } as never)).data
  }
  const process = async (steps: TemplateStep[]) => {
    const body = { kind: 'process', label: 'Ebb and flow', steps }
    return (await ada.call(engagementTemplates.create, { body } as never)).data
  }
  const agentOf = async (who: Actor, more: object = {}) => {
    const body = { name: 'Harbour hand', purpose: 'Reads the log.', ...more }
    return (await who.call(agents.create, { body } as never)).data
  }
  const goes = async (): Promise<string[]> => {
    const { db, now } = app.services
    await db.updateTable('people').set({ deletes_at: now().getTime() }).where('id', '=', ada.id).execute()
    const batch = db.batch.bind(db)
    const written: string[] = []
    db.batch = (writes) => {
      written.push(...writes.map((write) => ('compile' in write ? write.compile(db) : write).sql))
      return batch(writes)
    }
    expect(await deleteAccounts(app.services)).toBe(1)
    db.batch = batch
    return written
  }

  it('keepers of one type get a copy of it per person', async () => {
    const type = (await ada.call(keeperTypes.create, { body: { name: 'Harbour log' } })).data
    const theirs = new Map<Actor, string>()
    for (const who of [ben, cleo]) theirs.set(who, (await keeperOf(who, { keeperTypeId: type.id })).id)
    await goes()
    for (const [who, id] of theirs) {
      const { data: keeper } = await who.call(keepers.show, { params: { id } })
      const { data: types } = await who.call(keeperTypes.list)
      const own = types.filter(({ system }) => !system)
      expect(own).toMatchObject([{ id: keeper.keeperTypeId, mine: true, _count: { Keeper: 1 } }])
    }
  })

  it("keepers naming a pattern by slug resolve to their person's copy", async () => {
    await ada.call(memoryPatterns.create, { body: { name: 'Tide table', keepsStory: true } })
    const theirs = new Map<Actor, string>()
    for (const who of [ben, cleo]) theirs.set(who, (await keeperOf(who, { memoryPattern: 'tide-table' })).id)
    await goes()
    for (const [who, id] of theirs) {
      const { data: keeper } = await who.call(keepers.show, { params: { id } })
      const { data: patterns } = await who.call(memoryPatterns.list)
      const [own, ...others] = patterns.filter(({ system }) => !system)
      expect([own, others]).toMatchObject([{ mine: true, _count: { Keeper: 1 } }, []])
      expect(keeper).toMatchObject({ memoryPattern: own?.slug, keepsStory: true })
    }
  })

  it("a template linked by two people is linked to each one's copy", async () => {
    const tides = await form()
    const theirs = new Map<Actor, string>()
    for (const who of [ben, cleo]) {
      const { id } = await keeperOf(who)
      theirs.set(who, id)
      await who.call(engagementTemplates.linkToKeeper, { params: { id, templateId: tides.id } })
    }
    await goes()
    for (const [who, id] of theirs) {
      const { data: linked } = await who.call(engagementTemplates.ofKeeper, { params: { id } })
      expect(linked.filter(({ ofType }) => !ofType)).toMatchObject([{ label: 'Tide notes', mine: true }])
    }
  })

  it("other people's agents stay in the steps of a copy, even deleted ones", async () => {
    const hand = await agentOf(ben, { visibility: 'public' })
    const gone = await agentOf(ben, { visibility: 'public', name: 'Quay hand' })
    const slugs = [hand.slug, gone.slug]
    const own = await process(slugs.map((agentSlug) => templateStep('Ask', { agentSlug })))
    expect((await ben.call(agents.remove, { body: { id: gone.id } })).status).toBe(200)
    const { id } = await keeperOf(cleo)
    const run = await cleo.call(engagementTemplates.begin, { params: { x: own.id }, body: { keeperId: id } })
    await goes()
    const { data } = await cleo.call(engagementTemplates.showRun, { params: { runId: run.data.id } })
    expect(data.template.mine).toBe(true)
    expect(data.template.steps.map(({ agentSlug }) => agentSlug)).toEqual(slugs)
  })

  it('entities only Ada used are never copied', async () => {
    const type = (await ada.call(keeperTypes.create, { body: { name: 'Harbour log' } })).data
    await ada.call(memoryPatterns.create, { body: { name: 'Tide table' } })
    const tides = await form()
    const own = await process([templateStep('Ebb', { contentTypeId: tides.id })])
    const { id } = await keeperOf(ada, { keeperTypeId: type.id, memoryPattern: 'Tide table' })
    const hand = await agentOf(ada)
    await ada.call(keeperTypes.assign, { params: { agentId: hand.id, keeperTypeId: type.id } })
    await ada.call(engagementTemplates.linkToKeeper, { params: { id, templateId: tides.id } })
    await ada.call(engagementTemplates.begin, { params: { x: own.id }, body: { keeperId: id } })
    const written = await goes()
    expect(written.filter((sql) => /people/.test(sql)).length).toBeGreaterThan(0)
    const copies = /^insert into "?(keeper_types|memory_patterns|engagement_templates|agent_keeper_types)/
    expect(written.filter((sql) => copies.test(sql))).toEqual([])
  })
})
