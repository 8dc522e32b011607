import { setTimeout } from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { agents } from '#contract/agents/agents.ts'
import { engagementTemplates, type TemplateStep } from '#contract/keepers/engagement-templates.ts'
import { keeperTypes } from '#contract/keepers/keeper-types.ts'
import { type Keeper, keepers } from '#contract/keepers/keepers.ts'
import { memoryPatterns } from '#contract/keepers/memory-patterns.ts'
import { moments } from '#contract/keepers/moments.ts'
import { reflections } from '#contract/keepers/reflections.ts'
import { sole } from '#contract/keepers/sole.ts'
import { keepersKnownTo } from '#server/keepers/prompt/whose-keepers.ts'
import { approvedSole } from '#server/keepers/sole/approved-sole.ts'
import { sweepMedia } from '#server/media/sweep-media.ts'
import { domainOf } from '#tests/domain-of.ts'
import { engines } from '#tests/engines.ts'
import { keeperOf } from '#tests/keeper-of.ts'
import { templateField as field, templateStep as step } from '#tests/template-words.ts'
import { type Actor, type TestApp, testApp } from '#tests/test-app.ts'
import { uploadOf } from '#tests/upload-of.ts'
import { deleteAccounts } from './delete-accounts.ts'

const day = 24 * 60 * 60 * 1000

describe.each(engines)('entities others use of a deleted account, on %s', (engine) => {
  let app: TestApp
  let ada: Actor
  let ben: Actor
  let cleo: Actor
  let keeper: Keeper
  beforeEach(async () => {
    app = await testApp(engine)
    ;[ada, ben, cleo] = [await app.as('ada'), await app.as('ben'), await app.as('cleo')]
    await domainOf(app, ada, [
      [ben, 'user'],
      [cleo, 'user'],
    ])
    keeper = await keeperOf(ben)
  })
  afterEach(() => app.close())

  const made = async (body: object, who = ada) => (await who.call(engagementTemplates.create, { body } as never)).data
  const form = (more: object = {}, who = ada) =>
    made({ kind: 'content-type', label: 'Tide notes', fields: [field('tide')], ...more }, who)
  const process = (steps: TemplateStep[], more: object = {}, who = ada) =>
    made({ kind: 'process', label: 'Ebb and flow', steps, ...more }, who)
  const begun = async (x: string, who = ben, keeperId = keeper.id) =>
    (await who.call(engagementTemplates.begin, { params: { x }, body: { keeperId } })).data
  const answer = (runId: string, answers: object, who = ben) =>
    who.call(engagementTemplates.answerStep, { params: { runId }, body: { answers, done: true } as never })
  const show = (runId: string, who = ben) => who.call(engagementTemplates.showRun, { params: { runId } })
  const templatesOf = async (who: Actor) =>
    (await who.call(engagementTemplates.list)).data.filter(({ system }) => !system)
  const isDue = () =>
    app.services.db
      .updateTable('people')
      .set({ deletes_at: app.services.now().getTime() })
      .where('id', '=', ada.id)
      .execute()
  const goes = async () => {
    await isDue()
    expect(await deleteAccounts(app.services)).toBe(1)
  }

  it("Ben continues Ada's process in his own forms, with every answer", async () => {
    const tides = await form()
    const { data: hand } = await ada.call(agents.create, {
      body: { name: 'Harbour hand', purpose: 'Ask on.', model: 'gpt-4.1-mini', provider: 'openai' } as never,
    })
    const own = await process([
      step('Ebb', { contentTypeId: tides.id, agentSlug: hand.slug }),
      step('Wait', { waitHours: 24 }),
      step('Flow'),
    ])
    const unused = await process([step('Nobody began it')])
    const run = await begun(own.id)
    const before = (await answer(run.id, { tide: 'The ebb took the pier.' })).data
    expect(before.step).toBe(1)
    app.passTime(1000)
    await goes()

    const { status, data: after } = await show(run.id)
    expect(status).toBe(200)
    const { template, ...rest } = after
    expect(rest).toEqual({
      ...before,
      template: undefined,
      steps: before.steps.map((each) => ({ ...each, agentSlug: null })),
    })
    expect(template).toMatchObject({ label: 'Ebb and flow', mine: true, system: false, rev: 1 })
    expect(template.id).not.toBe(own.id)
    expect(template.slug).toMatch(/^ebb-and-flow-\w{8}$/)
    // Creation date and agents were Ada's.
    expect(Date.parse(template.createdAt)).toBeGreaterThan(Date.parse(own.createdAt))
    const rows = await app.services.db
      .selectFrom('engagement_templates')
      .selectAll()
      .where('system', '=', false)
      .execute()
    expect(rows.map(({ owner_id }) => owner_id)).toEqual([ben.id, ben.id])
    for (const gone of [ada.id, own.id, tides.id, hand.slug, unused.id])
      expect(JSON.stringify(rows)).not.toContain(gone)
    expect((await templatesOf(ben)).map(({ label }) => label).toSorted()).toEqual(['Ebb and flow', 'Tide notes'])
    expect(await templatesOf(cleo)).toEqual([])

    await answer(run.id, { answer: 'It waited.' })
    app.passTime(2 * day)
    const ended = (await answer(run.id, { answer: 'The flow brought it back.' })).data
    expect(ended.finishedAt).not.toBeNull()
    const { data: written } = await ben.call(reflections.list, { params: { id: keeper.id } })
    expect(written.map(({ content }) => content).join()).toMatch(/took the pier.*brought it back/s)
  })

  it('Ben and Cleo get separate copies; finished runs get none', async () => {
    const tides = await form()
    const hers = await keeperOf(cleo)
    const [bens, cleos] = [await begun(tides.id), await begun(tides.id, cleo, hers.id)]
    const moons = await form({ label: 'Moon notes' })
    await answer((await begun(moons.id)).id, { tide: 'It was full.' })
    const own = await form({ label: 'Moon of Ben' }, ben)
    await goes()
    const [ofBen, ofCleo] = [(await show(bens.id)).data.template, (await show(cleos.id, cleo)).data.template]
    expect([ofBen.mine, ofCleo.mine, ofBen.id === ofCleo.id, ofBen.slug === ofCleo.slug]).toEqual([
      true,
      true,
      false,
      false,
    ])
    expect((await templatesOf(ben)).map(({ id }) => id).toSorted()).toEqual([own.id, ofBen.id].toSorted())
    expect((await templatesOf(cleo)).map(({ id }) => id)).toEqual([ofCleo.id])
    const { data: written } = await ben.call(reflections.list, { params: { id: keeper.id } })
    expect(written.map(({ content }) => content).join()).toContain('It was full.')
  })

  it("Ben's uploads for Ada's template stay until used or purged", async () => {
    const pictured = { fields: [field('pictures', { type: 'media' })], target: 'moment' }
    const [kept, discarded] = [await form(pictured), await form(pictured)]
    const [run, binned] = [await begun(kept.id), await begun(discarded.id)]
    const files = [await uploadOf(ben, keeper.id), await uploadOf(ben, keeper.id, 'image/png')]
    for (const [{ id: runId }, file] of [
      [run, files[0]],
      [binned, files[1]],
    ] as const) {
      const body = { answers: { pictures: [file ?? ''] } }
      expect((await ben.call(engagementTemplates.answerStep, { params: { runId }, body })).status).toBe(200)
    }
    app.passTime(13 * day)
    expect((await ben.call(engagementTemplates.abandon, { params: { runId: binned.id } })).status).toBe(200)
    await goes()
    app.passTime(13 * day)
    await sweepMedia(app.services)
    const left = await app.services.db.selectFrom('media').select('id').execute()
    expect(left.map(({ id }) => id).toSorted()).toEqual(files.toSorted())
    const rows = await app.services.db.selectFrom('template_runs').select(['id', 'deleted_at']).execute()
    expect(rows.find(({ id }) => id === binned.id)?.deleted_at).not.toBeNull()
    const ended = (await answer(run.id, { pictures: [files[0]] })).data
    const { data: moment } = await ben.call(moments.show, { params: { id: ended.entries[0]?.id ?? '' } })
    expect(moment.media.map(({ id }) => id)).toEqual([files[0]])
  })

  it("Ben's process uses a copy of Ada's form, and his links stay", async () => {
    const tides = await form()
    const moons = await form({ label: 'Moon notes' })
    const own = await process([step('Ebb', { contentTypeId: tides.id }), step('Flow')], {}, ben)
    const run = await begun(own.id)
    const params = { id: keeper.id, templateId: moons.id }
    expect((await ben.call(engagementTemplates.linkToKeeper, { params })).status).toBe(200)
    await goes()
    const after = (await show(run.id)).data
    expect(after.fields).toEqual(run.fields)
    expect(after.template).toMatchObject({ id: own.id, rev: own.rev + 1, label: own.label })
    const copy = (await templatesOf(ben)).find(({ label }) => label === 'Tide notes')
    expect(after.template.steps).toEqual([{ ...own.steps[0], contentTypeId: copy?.id }, own.steps[1]])
    const { data: linked } = await ben.call(engagementTemplates.ofKeeper, { params: { id: keeper.id } })
    expect(linked.filter(({ ofType }) => !ofType).map(({ label, mine }) => [label, mine])).toEqual([
      ['Moon notes', true],
    ])
  })

  it('a run Ben starts during the deletion postpones it', async () => {
    const tides = await form()
    const { db } = app.services
    const batch = db.batch.bind(db)
    const late: string[] = []
    db.batch = async (writes) => {
      // The first batch closes the account.
      if (late.push('') === 2) late.push((await begun(tides.id)).id)
      return batch(writes)
    }
    await isDue()
    expect(await deleteAccounts(app.services)).toBe(0)
    db.batch = batch
    expect((await ada.call(keepers.list)).status).toBe(401)
    expect((await show(late[2] ?? '')).data.template.mine).toBe(false)
    expect(await deleteAccounts(app.services)).toBe(1)
    expect((await show(late[2] ?? '')).data.template.mine).toBe(true)
  })

  it('a run Ben is starting, not yet committed, survives the deletion', async () => {
    const tides = await form()
    const { db } = app.services
    const run = await begun((await form({ label: 'Own notes' }, ben)).id)
    const changed = Promise.withResolvers<void>()
    const beginning = db.inTransaction(async (tx) => {
      await tx.updateTable('template_runs').set({ template_id: tides.id }).where('id', '=', run.id).execute()
      changed.resolve()
      await setTimeout(500)
    })
    await changed.promise
    await isDue()
    const first = deleteAccounts(app.services)
    await beginning
    expect((await first) + (await deleteAccounts(app.services))).toBe(1)
    const { template } = (await show(run.id)).data
    expect([template.mine, template.label, template.id === tides.id]).toEqual([true, 'Tide notes', false])
  })

  it('an interrupted deletion leaves no copy, and the next one creates it', async () => {
    const run = await begun((await form()).id)
    const { db } = app.services
    const batch = db.batch.bind(db)
    db.batch = (writes) => batch(writes.length > 10 ? [...writes, { compile: () => dying }] : writes)
    const dying = db
      .deleteFrom('people')
      .where('no_such_column' as 'id', '=', '')
      .compile()
    app.services.log.level = 'silent'
    await isDue()
    expect(await deleteAccounts(app.services)).toBe(0)
    expect((await show(run.id)).data.template.mine).toBe(false)
    expect(await templatesOf(ben)).toHaveLength(1)
    db.batch = batch
    expect(await deleteAccounts(app.services)).toBe(1)
    expect((await templatesOf(ben)).map(({ mine }) => mine)).toEqual([true])
    expect((await show(run.id)).data.template.mine).toBe(true)
  })

  describe('with a pattern that keeps a story', () => {
    const patternOf = async (who: Actor, more: object = {}) =>
      (await who.call(memoryPatterns.create, { body: { name: 'Tide table', keepsStory: true, ...more } })).data
    const patternsOf = async (who: Actor) => (await who.call(memoryPatterns.list)).data.filter(({ system }) => !system)
    const shown = async (id: string, who = ben) => (await who.call(keepers.show, { params: { id } })).data

    it.each(['Tide TABLE', 'tide-table'])("Ben's keeper naming %s keeps the approved story", async (said) => {
      const pattern = await patternOf(ada, { description: 'High and low.' })
      const { id } = await keeperOf(ben, { memoryPattern: said })
      const params = { id }
      const kept = (await ben.call(reflections.create, { params, body: { content: 'I stay.' } })).data
      const statements = [{ text: 'I stay.', sources: [{ entity: 'reflection', id: kept.id, quote: 'I stay.' }] }]
      expect((await ben.call(sole.submitDraft, { params, body: { statements } as never })).status).toBe(200)
      expect((await ben.call(sole.approve, { params, body: {} })).status).toBe(200)
      await goes()
      expect((await shown(id)).keepsStory).toBe(true)
      expect((await approvedSole(app.services, id))?.statements).toHaveLength(1)
      const [copy, ...others] = await patternsOf(ben)
      expect([copy, others]).toMatchObject([
        { name: 'Tide table', description: 'High and low.', keepsStory: true, mine: true, _count: { Keeper: 1 } },
        [],
      ])
      expect([copy?.id === pattern.id, copy?.slug]).toEqual([false, expect.stringMatching(/^tide-table-\w{8}$/)])
      expect(await patternsOf(cleo)).toEqual([])
    })

    it("Ben's keeper that means his own pattern by the name keeps doing so", async () => {
      await patternOf(ada)
      await patternOf(ben, { keepsStory: false })
      const byName = await keeperOf(ben, { memoryPattern: 'Tide table' })
      const bySlug = await keeperOf(ben, { memoryPattern: 'tide-table' })
      expect([(await shown(byName.id)).keepsStory, (await shown(bySlug.id)).keepsStory]).toEqual([false, true])
      await goes()
      expect([(await shown(byName.id)).keepsStory, (await shown(bySlug.id)).keepsStory]).toEqual([false, true])
      expect((await shown(byName.id)).memoryPattern).toBe('Tide table')
      expect(new Set((await patternsOf(ben)).map(({ name }) => name)).size).toBe(2)
    })
  })

  describe('with a keeper type', () => {
    const typeOf = async (who = ada) =>
      (await who.call(keeperTypes.create, { body: { name: 'Harbour log', description: 'Ships.' } })).data
    const typesOf = async (who: Actor) => (await who.call(keeperTypes.list)).data.filter(({ system }) => !system)
    const agentOf = async (who: Actor, keeperTypeId: string) => {
      const { data } = await who.call(agents.create, { body: { name: 'Harbour hand', purpose: 'Reads the log.' } })
      const assigned = await who.call(keeperTypes.assign, { params: { agentId: data.id, keeperTypeId } })
      expect(assigned.status).toBe(200)
      return data
    }
    const ofAgent = async (who: Actor, agentId: string) =>
      (await who.call(keeperTypes.ofAgent, { params: { agentId } })).data

    it("Ben's keepers keep Ada's type as a copy, with its templates", async () => {
      const type = await typeOf()
      const tides = await form()
      for (const templateId of ['system-gratitude', tides.id])
        await ada.call(keeperTypes.linkTemplate, { params: { id: type.id, templateId } })
      const { id } = await keeperOf(ben, { keeperTypeId: type.id })
      const asked = async () => (await ben.call(engagementTemplates.ofKeeper, { params: { id } })).data
      const before = await asked()
      expect(before.map(({ ofType }) => ofType)).toEqual([true, true])
      await goes()
      const [copy, ...others] = await typesOf(ben)
      expect([copy, others]).toMatchObject([
        { name: 'Harbour log', description: 'Ships.', mine: true, _count: { Keeper: 1 } },
        [],
      ])
      expect([copy?.id === type.id, copy?.slug]).toEqual([false, expect.stringMatching(/^harbour-log-\w{8}$/)])
      expect((await ben.call(keepers.show, { params: { id } })).data.keeperTypeId).toBe(copy?.id)
      expect((await asked()).map(({ label, ofType }) => [label, ofType])).toEqual(
        before.map(({ label, ofType }) => [label, ofType]),
      )
      expect((await templatesOf(ben)).map(({ label, mine }) => [label, mine])).toEqual([['Tide notes', true]])
      expect(await typesOf(cleo)).toEqual([])
    })

    it("Ben's restricted agent doesn't get access to his other keepers", async () => {
      const type = await typeOf()
      const log = await keeperOf(ben, { keeperTypeId: type.id })
      const [bens, cleos] = [await agentOf(ben, type.id), await agentOf(cleo, type.id)]
      const known = async (who: Actor, agentId: string) => {
        const agent = await app.services.db
          .selectFrom('agents')
          .selectAll()
          .where('id', '=', agentId)
          .executeTakeFirstOrThrow()
        const found = await keepersKnownTo(app.services, who, { agent, askedBy: [] }, { anyType: true })
        return found.keepers.map(({ id }) => id)
      }
      await keeperOf(cleo)
      expect([await known(ben, bens.id), await known(cleo, cleos.id)]).toEqual([[log.id], []])
      await goes()
      expect([await known(ben, bens.id), await known(cleo, cleos.id)]).toEqual([[log.id], []])
      // Each sees the restricting type and can unassign it.
      for (const [who, { id }] of [
        [ben, bens],
        [cleo, cleos],
      ] as const)
        expect((await ofAgent(who, id)).map(({ name, mine }) => [name, mine])).toEqual([['Harbour log', true]])
      const rows = await app.services.db.selectFrom('agent_keeper_types').selectAll().execute()
      expect(rows).toHaveLength(2)
    })
  })
})
