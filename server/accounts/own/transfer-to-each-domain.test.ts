import { beforeEach, describe, expect, it } from 'vitest'
import { agents } from '#contract/agents/agents.ts'
import { engagementTemplates, type TemplateStep } from '#contract/keepers/engagement-templates.ts'
import { keeperTypes } from '#contract/keepers/keeper-types.ts'
import { keepers } from '#contract/keepers/keepers.ts'
import { memoryPatterns } from '#contract/keepers/memory-patterns.ts'
import { createTestKeeper } from '#tests/create-test-keeper.ts'
import { engines } from '#tests/engines.ts'
import { insertDomain } from '#tests/insert-domain.ts'
import { createTemplateField, createTemplateStep } from '#tests/template-fixtures.ts'
import type { Actor } from '#tests/test-app.ts'
import { useTestApp } from '#tests/use-test-app.ts'
import { deleteAccounts } from './delete-accounts.ts'

describe.each(engines)('entities several people use of a deleted account, on %s', (engine) => {
  const { app, ada, ben, cleo } = useTestApp(engine, ['ada', 'ben', 'cleo'], { perTest: true })
  beforeEach(async () => {
    await insertDomain(app, ada, [
      [ben, 'user'],
      [cleo, 'user'],
    ])
  })

  const form = async () => {
    const body = { kind: 'content-type', label: 'Tide notes', fields: [createTemplateField('tide')] }
    return (await ada.call(engagementTemplates.create, { body } as never)).data
  }
  const process = async (steps: TemplateStep[]) => {
    const body = { kind: 'process', label: 'Ebb and flow', steps }
    return (await ada.call(engagementTemplates.create, { body } as never)).data
  }
  const createAgent = async (actor: Actor, more: object = {}) => {
    const body = { name: 'Harbour hand', purpose: 'Reads the log.', ...more }
    return (await actor.call(agents.create, { body } as never)).data
  }
  const deleteAccount = async (): Promise<string[]> => {
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
    const keepersByActor = new Map<Actor, string>()
    for (const actor of [ben, cleo])
      keepersByActor.set(actor, (await createTestKeeper(actor, { keeperTypeId: type.id })).id)
    await deleteAccount()
    for (const [actor, id] of keepersByActor) {
      const { data: keeper } = await actor.call(keepers.show, { params: { id } })
      const { data: types } = await actor.call(keeperTypes.list)
      const copiedEntities = types.filter(({ system }) => !system)
      expect(copiedEntities).toMatchObject([{ id: keeper.keeperTypeId, mine: true, _count: { Keeper: 1 } }])
    }
  })

  it("keepers naming a pattern by slug resolve to their person's copy", async () => {
    await ada.call(memoryPatterns.create, { body: { name: 'Tide table', keepsStory: true } })
    const keepersByActor = new Map<Actor, string>()
    for (const actor of [ben, cleo])
      keepersByActor.set(actor, (await createTestKeeper(actor, { memoryPattern: 'tide-table' })).id)
    await deleteAccount()
    for (const [actor, id] of keepersByActor) {
      const { data: keeper } = await actor.call(keepers.show, { params: { id } })
      const { data: patterns } = await actor.call(memoryPatterns.list)
      const [copiedEntities, ...otherPatterns] = patterns.filter(({ system }) => !system)
      expect([copiedEntities, otherPatterns]).toMatchObject([{ mine: true, _count: { Keeper: 1 } }, []])
      expect(keeper).toMatchObject({ memoryPattern: copiedEntities?.slug, keepsStory: true })
    }
  })

  it("a template linked by two people is linked to each one's copy", async () => {
    const tides = await form()
    const keepersByActor = new Map<Actor, string>()
    for (const actor of [ben, cleo]) {
      const { id } = await createTestKeeper(actor)
      keepersByActor.set(actor, id)
      await actor.call(engagementTemplates.linkToKeeper, { params: { id, templateId: tides.id } })
    }
    await deleteAccount()
    for (const [actor, id] of keepersByActor) {
      const { data: linked } = await actor.call(engagementTemplates.ofKeeper, { params: { id } })
      expect(linked.filter(({ ofType }) => !ofType)).toMatchObject([{ label: 'Tide notes', mine: true }])
    }
  })

  it("other people's agents stay in the steps of a copy, even deleted ones", async () => {
    const hand = await createAgent(ben, { visibility: 'public' })
    const deletedAgent = await createAgent(ben, { visibility: 'public', name: 'Quay hand' })
    const slugs = [hand.slug, deletedAgent.slug]
    const copiedEntities = await process(slugs.map((agentSlug) => createTemplateStep('Ask', { agentSlug })))
    expect((await ben.call(agents.remove, { body: { id: deletedAgent.id } })).status).toBe(200)
    const { id } = await createTestKeeper(cleo)
    const run = await cleo.call(engagementTemplates.begin, { params: { x: copiedEntities.id }, body: { keeperId: id } })
    await deleteAccount()
    const { data } = await cleo.call(engagementTemplates.showRun, { params: { runId: run.data.id } })
    expect(data.template.mine).toBe(true)
    expect(data.template.steps.map(({ agentSlug }) => agentSlug)).toEqual(slugs)
  })

  it('entities only Ada used are never copied', async () => {
    const type = (await ada.call(keeperTypes.create, { body: { name: 'Harbour log' } })).data
    await ada.call(memoryPatterns.create, { body: { name: 'Tide table' } })
    const tides = await form()
    const copiedEntities = await process([createTemplateStep('Ebb', { contentTypeId: tides.id })])
    const { id } = await createTestKeeper(ada, { keeperTypeId: type.id, memoryPattern: 'Tide table' })
    const hand = await createAgent(ada)
    await ada.call(keeperTypes.assign, { params: { agentId: hand.id, keeperTypeId: type.id } })
    await ada.call(engagementTemplates.linkToKeeper, { params: { id, templateId: tides.id } })
    await ada.call(engagementTemplates.begin, { params: { x: copiedEntities.id }, body: { keeperId: id } })
    const written = await deleteAccount()
    expect(written.filter((sql) => /people/.test(sql)).length).toBeGreaterThan(0)
    const copies = /^insert into "?(keeper_types|memory_patterns|engagement_templates|agent_keeper_types)/
    expect(written.filter((sql) => copies.test(sql))).toEqual([])
  })
})
