import { setTimeout } from 'node:timers/promises'
import { beforeEach, describe, expect, it } from 'vitest'
import { agents } from '#contract/agents/agents.ts'
import { engagementTemplates, type TemplateStep } from '#contract/keepers/engagement-templates.ts'
import { keeperTypes } from '#contract/keepers/keeper-types.ts'
import { type Keeper, keepers } from '#contract/keepers/keepers.ts'
import { memoryPatterns } from '#contract/keepers/memory-patterns.ts'
import { moments } from '#contract/keepers/moments.ts'
import { reflections } from '#contract/keepers/reflections.ts'
import { sole } from '#contract/keepers/sole.ts'
import { findReadableKeepers } from '#server/keepers/prompt/readable-keepers.ts'
import { getApprovedSole } from '#server/keepers/sole/sole-rows.ts'
import { sweepMedia } from '#server/media/sweep-media.ts'
import { dayMs } from '#server/values/time-units.ts'
import { createTestKeeper } from '#tests/create-test-keeper.ts'
import { engines } from '#tests/engines.ts'
import { insertDomain } from '#tests/insert-domain.ts'
import { createTemplateField, createTemplateStep } from '#tests/template-fixtures.ts'
import type { Actor } from '#tests/test-app.ts'
import { uploadMedia } from '#tests/upload-media.ts'
import { useTestApp } from '#tests/use-test-app.ts'
import { deleteAccounts } from './delete-accounts.ts'

describe.each(engines)('entities others use of a deleted account, on %s', (engine) => {
  const { app, ada, ben, cleo } = useTestApp(engine, ['ada', 'ben', 'cleo'], { perTest: true })
  let keeper: Keeper
  beforeEach(async () => {
    await insertDomain(app, ada, [
      [ben, 'user'],
      [cleo, 'user'],
    ])
    keeper = await createTestKeeper(ben)
  })

  const createTemplate = async (body: object, actor = ada) =>
    (await actor.call(engagementTemplates.create, { body } as never)).data
  const createForm = (more: object = {}, actor = ada) =>
    createTemplate({ kind: 'content-type', label: 'Tide notes', fields: [createTemplateField('tide')], ...more }, actor)
  const createProcess = (steps: TemplateStep[], more: object = {}, actor = ada) =>
    createTemplate({ kind: 'process', label: 'Ebb and flow', steps, ...more }, actor)
  const startRun = async (x: string, actor = ben, keeperId = keeper.id) =>
    (await actor.call(engagementTemplates.begin, { params: { x }, body: { keeperId } })).data
  const answerStep = (runId: string, answers: object, actor = ben) =>
    actor.call(engagementTemplates.answerStep, { params: { runId }, body: { answers, done: true } as never })
  const showRun = (runId: string, actor = ben) => actor.call(engagementTemplates.showRun, { params: { runId } })
  const listOwnTemplates = async (actor: Actor) =>
    (await actor.call(engagementTemplates.list)).data.filter(({ system }) => !system)
  const setDeletionDue = () =>
    app.services.db
      .updateTable('people')
      .set({ deletes_at: app.services.now().getTime() })
      .where('id', '=', ada.id)
      .execute()
  const deleteAda = async () => {
    await setDeletionDue()
    expect(await deleteAccounts(app.services)).toBe(1)
  }

  it("Ben continues Ada's process in his own forms, with every answer", async () => {
    const tides = await createForm()
    const { data: hand } = await ada.call(agents.create, {
      body: { name: 'Harbour hand', purpose: 'Ask on.', model: 'gpt-4.1-mini', provider: 'openai' } as never,
    })
    const adasProcess = await createProcess([
      createTemplateStep('Ebb', { contentTypeId: tides.id, agentSlug: hand.slug }),
      createTemplateStep('Wait', { waitHours: 24 }),
      createTemplateStep('Flow'),
    ])
    const unused = await createProcess([createTemplateStep('Nobody began it')])
    const run = await startRun(adasProcess.id)
    const previous = (await answerStep(run.id, { tide: 'The ebb took the pier.' })).data
    expect(previous.step).toBe(1)
    app.passTime(1000)
    await deleteAda()

    const { status, data: current } = await showRun(run.id)
    expect(status).toBe(200)
    const { template, ...otherFields } = current
    expect(otherFields).toEqual({
      ...previous,
      template: undefined,
      steps: previous.steps.map((item) => ({ ...item, agentSlug: null })),
    })
    expect(template).toMatchObject({ label: 'Ebb and flow', mine: true, system: false, rev: 1 })
    expect(template.id).not.toBe(adasProcess.id)
    expect(template.slug).toMatch(/^ebb-and-flow-\w{8}$/)
    // Creation date and agents were Ada's.
    expect(Date.parse(template.createdAt)).toBeGreaterThan(Date.parse(adasProcess.createdAt))
    const rows = await app.services.db
      .selectFrom('engagement_templates')
      .selectAll()
      .where('system', '=', false)
      .execute()
    expect(rows.map(({ owner_id }) => owner_id)).toEqual([ben.id, ben.id])
    for (const deletedId of [ada.id, adasProcess.id, tides.id, hand.slug, unused.id])
      expect(JSON.stringify(rows)).not.toContain(deletedId)
    expect((await listOwnTemplates(ben)).map(({ label }) => label).toSorted()).toEqual(['Ebb and flow', 'Tide notes'])
    expect(await listOwnTemplates(cleo)).toEqual([])

    await answerStep(run.id, { answer: 'It waited.' })
    app.passTime(2 * dayMs)
    const finished = (await answerStep(run.id, { answer: 'The flow brought it back.' })).data
    expect(finished.finishedAt).not.toBeNull()
    const { data: written } = await ben.call(reflections.list, { params: { id: keeper.id } })
    expect(written.map(({ content }) => content).join()).toMatch(/took the pier.*brought it back/s)
  })

  it('Ben and Cleo get separate copies; finished runs get none', async () => {
    const tides = await createForm()
    const hers = await createTestKeeper(cleo)
    const [bens, cleos] = [await startRun(tides.id), await startRun(tides.id, cleo, hers.id)]
    const moons = await createForm({ label: 'Moon notes' })
    await answerStep((await startRun(moons.id)).id, { tide: 'It was full.' })
    const bensForm = await createForm({ label: 'Moon of Ben' }, ben)
    await deleteAda()
    const [ofBen, ofCleo] = [(await showRun(bens.id)).data.template, (await showRun(cleos.id, cleo)).data.template]
    expect({
      ofBenMine: ofBen.mine,
      ofCleoMine: ofCleo.mine,
      id: ofBen.id === ofCleo.id,
      slug: ofBen.slug === ofCleo.slug,
    }).toEqual({ ofBenMine: true, ofCleoMine: true, id: false, slug: false })
    expect((await listOwnTemplates(ben)).map(({ id }) => id).toSorted()).toEqual([bensForm.id, ofBen.id].toSorted())
    expect((await listOwnTemplates(cleo)).map(({ id }) => id)).toEqual([ofCleo.id])
    const { data: written } = await ben.call(reflections.list, { params: { id: keeper.id } })
    expect(written.map(({ content }) => content).join()).toContain('It was full.')
  })

  it("Ben's uploads for Ada's template stay until used or purged", async () => {
    const pictured = { fields: [createTemplateField('pictures', { type: 'media' })], target: 'moment' }
    const [usedForm, discardedForm] = [await createForm(pictured), await createForm(pictured)]
    const [run, trashedRun] = [await startRun(usedForm.id), await startRun(discardedForm.id)]
    const files = [await uploadMedia(ben, keeper.id), await uploadMedia(ben, keeper.id, 'image/png')]
    for (const [{ id: runId }, file] of [
      [run, files[0]],
      [trashedRun, files[1]],
    ] as const) {
      const body = { answers: { pictures: [file ?? ''] } }
      expect((await ben.call(engagementTemplates.answerStep, { params: { runId }, body })).status).toBe(200)
    }
    app.passTime(13 * dayMs)
    expect((await ben.call(engagementTemplates.abandon, { params: { runId: trashedRun.id } })).status).toBe(200)
    await deleteAda()
    app.passTime(13 * dayMs)
    await sweepMedia(app.services)
    const remainingMedia = await app.services.db.selectFrom('media').select('id').execute()
    expect(remainingMedia.map(({ id }) => id).toSorted()).toEqual(files.toSorted())
    const rows = await app.services.db.selectFrom('template_runs').select(['id', 'deleted_at']).execute()
    expect(rows.find(({ id }) => id === trashedRun.id)?.deleted_at).not.toBeNull()
    const finished = (await answerStep(run.id, { pictures: [files[0]] })).data
    const { data: moment } = await ben.call(moments.show, { params: { id: finished.entries[0]?.id ?? '' } })
    expect(moment.media.map(({ id }) => id)).toEqual([files[0]])
  })

  it("Ben's process uses a copy of Ada's form, and his links stay", async () => {
    const tides = await createForm()
    const moons = await createForm({ label: 'Moon notes' })
    const bensProcess = await createProcess(
      [createTemplateStep('Ebb', { contentTypeId: tides.id }), createTemplateStep('Flow')],
      {},
      ben,
    )
    const run = await startRun(bensProcess.id)
    const params = { id: keeper.id, templateId: moons.id }
    expect((await ben.call(engagementTemplates.linkToKeeper, { params })).status).toBe(200)
    await deleteAda()
    const current = (await showRun(run.id)).data
    expect(current.fields).toEqual(run.fields)
    expect(current.template).toMatchObject({ id: bensProcess.id, rev: bensProcess.rev + 1, label: bensProcess.label })
    const copy = (await listOwnTemplates(ben)).find(({ label }) => label === 'Tide notes')
    expect(current.template.steps).toEqual([{ ...bensProcess.steps[0], contentTypeId: copy?.id }, bensProcess.steps[1]])
    const { data: linked } = await ben.call(engagementTemplates.ofKeeper, { params: { id: keeper.id } })
    expect(linked.filter(({ ofType }) => !ofType).map(({ label, mine }) => [label, mine])).toEqual([
      ['Moon notes', true],
    ])
  })

  it('a run Ben starts during the deletion postpones it', async () => {
    const tides = await createForm()
    const { db } = app.services
    const batch = db.batch.bind(db)
    let batchCount = 0
    let lateRunId = ''
    db.batch = async (writes) => {
      batchCount += 1
      // The first batch closes the account.
      if (batchCount === 2) lateRunId = (await startRun(tides.id)).id
      return batch(writes)
    }
    await setDeletionDue()
    expect(await deleteAccounts(app.services)).toBe(0)
    db.batch = batch
    expect((await ada.call(keepers.list)).status).toBe(401)
    expect((await showRun(lateRunId)).data.template.mine).toBe(false)
    expect(await deleteAccounts(app.services)).toBe(1)
    expect((await showRun(lateRunId)).data.template.mine).toBe(true)
  })

  it('a run Ben is starting, not yet committed, survives the deletion', async () => {
    const tides = await createForm()
    const { db } = app.services
    const run = await startRun((await createForm({ label: 'Own notes' }, ben)).id)
    const changed = Promise.withResolvers<void>()
    const starting = db.inTransaction(async (tx) => {
      await tx.updateTable('template_runs').set({ template_id: tides.id }).where('id', '=', run.id).execute()
      changed.resolve()
      await setTimeout(500)
    })
    await changed.promise
    await setDeletionDue()
    const first = deleteAccounts(app.services)
    await starting
    expect((await first) + (await deleteAccounts(app.services))).toBe(1)
    const { template } = (await showRun(run.id)).data
    expect({ mine: template.mine, label: template.label, id: template.id === tides.id }).toEqual({
      mine: true,
      label: 'Tide notes',
      id: false,
    })
  })

  it('an interrupted deletion leaves no copy, and the next one creates it', async () => {
    const run = await startRun((await createForm()).id)
    const { db } = app.services
    const batch = db.batch.bind(db)
    db.batch = (writes) => batch(writes.length > 10 ? [...writes, { compile: () => failingQuery }] : writes)
    const failingQuery = db
      .deleteFrom('people')
      .where('no_such_column' as 'id', '=', '')
      .compile()
    app.services.log.level = 'silent'
    await setDeletionDue()
    expect(await deleteAccounts(app.services)).toBe(0)
    expect((await showRun(run.id)).data.template.mine).toBe(false)
    expect(await listOwnTemplates(ben)).toHaveLength(1)
    db.batch = batch
    expect(await deleteAccounts(app.services)).toBe(1)
    expect((await listOwnTemplates(ben)).map(({ mine }) => mine)).toEqual([true])
    expect((await showRun(run.id)).data.template.mine).toBe(true)
  })

  describe('with a pattern that keeps a story', () => {
    const createPattern = async (actor: Actor, more: object = {}) =>
      (await actor.call(memoryPatterns.create, { body: { name: 'Tide table', keepsStory: true, ...more } })).data
    const listPatterns = async (actor: Actor) =>
      (await actor.call(memoryPatterns.list)).data.filter(({ system }) => !system)
    const showKeeper = async (id: string, actor = ben) => (await actor.call(keepers.show, { params: { id } })).data

    it.each(['Tide TABLE', 'tide-table'])("Ben's keeper naming %s keeps the approved story", async (writtenName) => {
      const pattern = await createPattern(ada, { description: 'High and low.' })
      const { id } = await createTestKeeper(ben, { memoryPattern: writtenName })
      const params = { id }
      const reflection = (await ben.call(reflections.create, { params, body: { content: 'I stay.' } })).data
      const statements = [{ text: 'I stay.', sources: [{ entity: 'reflection', id: reflection.id, quote: 'I stay.' }] }]
      expect((await ben.call(sole.submitDraft, { params, body: { statements } as never })).status).toBe(200)
      expect((await ben.call(sole.approve, { params, body: {} })).status).toBe(200)
      await deleteAda()
      expect((await showKeeper(id)).keepsStory).toBe(true)
      expect((await getApprovedSole(app.services, id))?.statements).toHaveLength(1)
      const [copy, ...otherEntities] = await listPatterns(ben)
      expect([copy, otherEntities]).toMatchObject([
        { name: 'Tide table', description: 'High and low.', keepsStory: true, mine: true, _count: { Keeper: 1 } },
        [],
      ])
      expect({ id: copy?.id === pattern.id, slug: copy?.slug }).toEqual({
        id: false,
        slug: expect.stringMatching(/^tide-table-\w{8}$/),
      })
      expect(await listPatterns(cleo)).toEqual([])
    })

    it("Ben's keeper that means his own pattern by the name keeps doing so", async () => {
      await createPattern(ada)
      await createPattern(ben, { keepsStory: false })
      const byName = await createTestKeeper(ben, { memoryPattern: 'Tide table' })
      const bySlug = await createTestKeeper(ben, { memoryPattern: 'tide-table' })
      const expectStories = async () => {
        expect((await showKeeper(byName.id)).keepsStory, 'by name').toBe(false)
        expect((await showKeeper(bySlug.id)).keepsStory, 'by slug').toBe(true)
      }
      await expectStories()
      await deleteAda()
      await expectStories()
      expect((await showKeeper(byName.id)).memoryPattern).toBe('Tide table')
      expect(new Set((await listPatterns(ben)).map(({ name }) => name)).size).toBe(2)
    })
  })

  describe('with a keeper type', () => {
    const createType = async (actor = ada) =>
      (await actor.call(keeperTypes.create, { body: { name: 'Harbour log', description: 'Ships.' } })).data
    const listTypes = async (actor: Actor) => (await actor.call(keeperTypes.list)).data.filter(({ system }) => !system)
    const createAgent = async (actor: Actor, keeperTypeId: string) => {
      const { data } = await actor.call(agents.create, { body: { name: 'Harbour hand', purpose: 'Reads the log.' } })
      const assigned = await actor.call(keeperTypes.assign, { params: { agentId: data.id, keeperTypeId } })
      expect(assigned.status).toBe(200)
      return data
    }
    const ofAgent = async (actor: Actor, agentId: string) =>
      (await actor.call(keeperTypes.ofAgent, { params: { agentId } })).data

    it("Ben's keepers keep Ada's type as a copy, with its templates", async () => {
      const type = await createType()
      const tides = await createForm()
      for (const templateId of ['system-gratitude', tides.id])
        await ada.call(keeperTypes.linkTemplate, { params: { id: type.id, templateId } })
      const { id } = await createTestKeeper(ben, { keeperTypeId: type.id })
      const listTemplates = async () => (await ben.call(engagementTemplates.ofKeeper, { params: { id } })).data
      const previous = await listTemplates()
      expect(previous.map(({ ofType }) => ofType)).toEqual([true, true])
      await deleteAda()
      const [copy, ...otherEntities] = await listTypes(ben)
      expect([copy, otherEntities]).toMatchObject([
        { name: 'Harbour log', description: 'Ships.', mine: true, _count: { Keeper: 1 } },
        [],
      ])
      expect({ id: copy?.id === type.id, slug: copy?.slug }).toEqual({
        id: false,
        slug: expect.stringMatching(/^harbour-log-\w{8}$/),
      })
      expect((await ben.call(keepers.show, { params: { id } })).data.keeperTypeId).toBe(copy?.id)
      expect((await listTemplates()).map(({ label, ofType }) => [label, ofType])).toEqual(
        previous.map(({ label, ofType }) => [label, ofType]),
      )
      expect((await listOwnTemplates(ben)).map(({ label, mine }) => [label, mine])).toEqual([['Tide notes', true]])
      expect(await listTypes(cleo)).toEqual([])
    })

    it("Ben's restricted agent doesn't get access to his other keepers", async () => {
      const type = await createType()
      const log = await createTestKeeper(ben, { keeperTypeId: type.id })
      const [bens, cleos] = [await createAgent(ben, type.id), await createAgent(cleo, type.id)]
      const listReadableKeepers = async (actor: Actor, agentId: string) => {
        const agent = await app.services.db
          .selectFrom('agents')
          .selectAll()
          .where('id', '=', agentId)
          .executeTakeFirstOrThrow()
        const result = await findReadableKeepers(
          app.services,
          { person: actor },
          { agent, callers: [] },
          { allIfUntyped: true },
        )
        return result.keepers.map(({ id }) => id)
      }
      await createTestKeeper(cleo)
      const expectReadable = async () => {
        expect(await listReadableKeepers(ben, bens.id)).toEqual([log.id])
        expect(await listReadableKeepers(cleo, cleos.id)).toEqual([])
      }
      await expectReadable()
      await deleteAda()
      await expectReadable()
      // Each sees the restricting type and can unassign it.
      for (const [actor, { id }] of [
        [ben, bens],
        [cleo, cleos],
      ] as const)
        expect((await ofAgent(actor, id)).map(({ name, mine }) => [name, mine])).toEqual([['Harbour log', true]])
      const rows = await app.services.db.selectFrom('agent_keeper_types').selectAll().execute()
      expect(rows).toHaveLength(2)
    })
  })
})

describe.each(engines)('entities several people use of a deleted account, on %s', (engine) => {
  const { app, ada, ben, cleo } = useTestApp(engine, ['ada', 'ben', 'cleo'], { perTest: true })
  beforeEach(async () => {
    await insertDomain(app, ada, [
      [ben, 'user'],
      [cleo, 'user'],
    ])
  })

  const createForm = async () => {
    const body = { kind: 'content-type', label: 'Tide notes', fields: [createTemplateField('tide')] }
    return (await ada.call(engagementTemplates.create, { body } as never)).data
  }
  const createProcess = async (steps: TemplateStep[]) => {
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
    const statements: string[] = []
    db.batch = (writes) => {
      statements.push(...writes.map((write) => ('compile' in write ? write.compile(db) : write).sql))
      return batch(writes)
    }
    expect(await deleteAccounts(app.services)).toBe(1)
    db.batch = batch
    return statements
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
      const [copy, ...otherPatterns] = patterns.filter(({ system }) => !system)
      expect([copy, otherPatterns]).toMatchObject([{ mine: true, _count: { Keeper: 1 } }, []])
      expect(keeper).toMatchObject({ memoryPattern: copy?.slug, keepsStory: true })
    }
  })

  it("a template linked by two people is linked to each one's copy", async () => {
    const tides = await createForm()
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
    const process = await createProcess(slugs.map((agentSlug) => createTemplateStep('Ask', { agentSlug })))
    expect((await ben.call(agents.remove, { body: { id: deletedAgent.id } })).status).toBe(200)
    const { id } = await createTestKeeper(cleo)
    const run = await cleo.call(engagementTemplates.begin, { params: { x: process.id }, body: { keeperId: id } })
    await deleteAccount()
    const { data } = await cleo.call(engagementTemplates.showRun, { params: { runId: run.data.id } })
    expect(data.template.mine).toBe(true)
    expect(data.template.steps.map(({ agentSlug }) => agentSlug)).toEqual(slugs)
  })

  it('entities only Ada used are never copied', async () => {
    const type = (await ada.call(keeperTypes.create, { body: { name: 'Harbour log' } })).data
    await ada.call(memoryPatterns.create, { body: { name: 'Tide table' } })
    const tides = await createForm()
    const process = await createProcess([createTemplateStep('Ebb', { contentTypeId: tides.id })])
    const { id } = await createTestKeeper(ada, { keeperTypeId: type.id, memoryPattern: 'Tide table' })
    const hand = await createAgent(ada)
    await ada.call(keeperTypes.assign, { params: { agentId: hand.id, keeperTypeId: type.id } })
    await ada.call(engagementTemplates.linkToKeeper, { params: { id, templateId: tides.id } })
    await ada.call(engagementTemplates.begin, { params: { x: process.id }, body: { keeperId: id } })
    const statements = await deleteAccount()
    expect(statements.filter((sql) => /people/.test(sql)).length).toBeGreaterThan(0)
    const copyStatement = /^insert into "?(keeper_types|memory_patterns|engagement_templates|agent_keeper_types)/
    expect(statements.filter((sql) => copyStatement.test(sql))).toEqual([])
  })
})
