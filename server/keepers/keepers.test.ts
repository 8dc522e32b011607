import { Buffer } from 'node:buffer'
import { beforeEach, describe, expect, it } from 'vitest'
import { echoes } from '#contract/keepers/echoes.ts'
import { engagementTemplates } from '#contract/keepers/engagement-templates.ts'
import { journeys } from '#contract/keepers/journeys.ts'
import { keeperTypes } from '#contract/keepers/keeper-types.ts'
import { type Keeper, keepers } from '#contract/keepers/keepers.ts'
import { logbook } from '#contract/keepers/logbook.ts'
import { type MemoryCard, memoryCards } from '#contract/keepers/memory-cards.ts'
import { moments } from '#contract/keepers/moments.ts'
import { reflections } from '#contract/keepers/reflections.ts'
import { sole, submitSoleDraftTool } from '#contract/keepers/sole.ts'
import { topics } from '#contract/keepers/topics.ts'
import { keys } from '#contract/keys/keys.ts'
import { json } from '#server/db/database.ts'
import { dayMs } from '#server/values/time-units.ts'
import { importArchive } from '#tests/archives.ts'
import { createTestKeeper } from '#tests/create-test-keeper.ts'
import { engines } from '#tests/engines.ts'
import type { FakeReply } from '#tests/fakes/model-providers/start-provider-fake.ts'
import { canaryKeys, createProviderApp } from '#tests/provider-app.ts'
import { removeRequestId } from '#tests/remove-request-id.ts'
import { createTemplateField } from '#tests/template-fixtures.ts'
import type { Actor } from '#tests/test-app.ts'
import { useApp, useTestApp } from '#tests/use-test-app.ts'
import { sweepEchoes } from './echoes/check-time-triggers.ts'
import { resumeEmbedding, waitForEmbedding } from './memory-cards/embedding-job.ts'

const unknownId = '0'.repeat(32)
const keeperInput = { title: 'Walks', purpose: 'Where I went.', keeperType: 'journal' }

describe.each(engines)('keepers, on %s', (engine) => {
  const { app, ada, ben } = useTestApp(engine, ['ada', 'ben'], { perTest: true })

  const listTitles = async (actor = ada) => (await actor.call(keepers.list)).data.map(({ title }) => title)
  const show = (id: string, actor = ada) => actor.call(keepers.show, { params: { id } })
  const update = (id: string, body: object, options: { ifMatch?: number; actor?: Actor } = {}) =>
    (options.actor ?? ada).call(keepers.update, {
      params: { id },
      body,
      ...(options.ifMatch !== undefined && { ifMatch: options.ifMatch }),
    })
  const remove = (id: string, actor = ada) => actor.call(keepers.remove, { params: { id } })
  const reflect = async (id: string, content: string) =>
    (await ada.call(reflections.create, { params: { id }, body: { content } })).data

  it('get the system type named in the wizard, and its memory pattern', async () => {
    const { status, data } = await ada.call(keepers.create, {
      body: { title: '  Walks ', purpose: ' Where I went. ', keeperType: 'journal' },
    })
    expect(status).toBe(200)
    expect(data).toEqual({
      id: expect.any(String),
      title: 'Walks',
      purpose: 'Where I went.',
      keeperType: 'journal',
      keeperTypeId: 'system-journal',
      memoryPattern: 'CRMTimeline',
      keepsStory: false,
      theme: 'keeper-classic',
      isPublic: false,
      createdAt: expect.any(String),
      updatedAt: data.createdAt,
      rev: 1,
      ownerId: ada.id,
      owner: { id: ada.id, name: 'Ada Lindqvist' },
      KeeperType: { id: 'system-journal', name: 'Journal', memoryPattern: 'CRMTimeline' },
      engagement_templates: expect.arrayContaining([
        { id: 'system-gratitude', label: 'Gratitude', slug: 'gratitude', type: 'memory' },
      ]),
      _count: { Journey: 0, Path: 0 },
      sole: null,
      soleDraft: null,
      soleSubmittedAt: null,
      entryCount: 0,
      firstEntryAt: null,
      lastEntryAt: null,
    })
    expect((await show(data.id)).data).toEqual(data)
  })

  it('keep chosen values, and an unknown type as plain text', async () => {
    const chosen = { memoryPattern: 'Associative', theme: 'ocean-calm' as const, isPublic: true }
    const { data } = await ada.call(keepers.create, { body: { ...keeperInput, keeperType: 'Almanac', ...chosen } })
    expect(data).toMatchObject({ ...chosen, keeperType: 'Almanac', keeperTypeId: null, KeeperType: null })
  })

  it('are validated field by field', async () => {
    const { status, body } = await ada.call(keepers.create, { body: { title: ' ', purpose: '', keeperType: '' } })
    expect({ status, fields: body.fields }).toEqual({
      status: 400,
      fields: { title: 'Enter a title.', purpose: 'Enter a purpose.' },
    })
    expect(await listTitles()).toEqual([])
  })

  it('need only a title and a purpose; other fields can be empty', async () => {
    const required = { title: 'Walks', purpose: 'Where I went.' }
    const createWith = async (fields: object = {}) =>
      (await ada.call(keepers.create, { body: { ...required, ...fields } })).data
    const custom = { keeperType: 'custom', keeperTypeId: 'system-custom' }
    const minimal = await createWith()
    expect(minimal).toMatchObject({ ...required, ...custom })
    expect(minimal.memoryPattern).not.toBe('')
    const nothingChosen = { keeperType: '', keeperTypeId: '', memoryPattern: '' }
    expect(await createWith(nothingChosen)).toMatchObject({ ...custom, memoryPattern: minimal.memoryPattern })
    expect(await createWith({ keeperTypeId: 'system-journal' })).toMatchObject({
      keeperType: 'journal',
      memoryPattern: 'CRMTimeline',
    })
    const { id, memoryPattern } = minimal
    const { data } = await ada.call(keepers.update, { params: { id }, body: { title: 'Hikes', ...nothingChosen } })
    expect(data).toMatchObject({ title: 'Hikes', keeperType: 'custom', keeperTypeId: null, memoryPattern })
  })

  it('are created once per id, which nobody else can use', async () => {
    const id = 'a'.repeat(32)
    const first = await ada.call(keepers.create, { body: { ...keeperInput, id } })
    const repeated = await ada.call(keepers.create, { body: { ...keeperInput, id, title: 'Other' } })
    expect(repeated.data).toEqual(first.data)
    expect((await ben.call(keepers.create, { body: { ...keeperInput, id } })).status).toBe(409)
    expect(await listTitles()).toEqual(['Walks'])
    expect(await listTitles(ben)).toEqual([])
  })

  it('cannot have a type their owner may not use', async () => {
    const { data: bensType } = await ben.call(keeperTypes.create, { body: { name: 'Tenor' } })
    const responses = await Promise.all(
      [bensType.id, unknownId].map((keeperTypeId) =>
        ada.call(keepers.create, { body: { ...keeperInput, keeperTypeId } }),
      ),
    )
    expect(responses.map(({ status, body }) => [status, Object.keys(body.fields ?? {})])).toEqual([
      [400, ['keeperTypeId']],
      [400, ['keeperTypeId']],
    ])
    expect(new Set(responses.map(({ text }) => removeRequestId(text))).size).toBe(1)
    expect(
      (await ada.call(keepers.create, { body: { ...keeperInput, keeperType: 'tenor' } })).data.keeperTypeId,
    ).toBeNull()
    expect((await createTestKeeper(ben, { keeperType: 'tenor' })).KeeperType?.name).toBe('Tenor')
  })

  it('are listed oldest first, with aliases for the first and newest', async () => {
    for (const title of ['One', 'Two', 'Three']) {
      await createTestKeeper(ada, { title })
      app.passTime(1000)
    }
    await createTestKeeper(ben, { title: 'Ben’s' })
    expect(await listTitles()).toEqual(['One', 'Two', 'Three'])
    expect(await listTitles(ben)).toEqual(['Ben’s'])
    expect((await show('1')).data.title).toBe('One')
    expect((await show('new-keeper-id')).data.title).toBe('Three')
    expect((await show('1', await app.as('dot'))).status).toBe(404)
  })

  it('other people’s keepers respond like unknown ids in every call', async () => {
    const { id } = await createTestKeeper(ada)
    for (const call of [show, (key: string, actor: Actor) => update(key, { title: 'x' }, { actor }), remove]) {
      const responses = await Promise.all([call(id, ben), call(unknownId, ben)])
      expect(responses.map(({ status }) => status)).toEqual([404, 404])
      expect(new Set(responses.map(({ text }) => removeRequestId(text))).size).toBe(1)
    }
    expect(await listTitles()).toEqual(['The Harbour Year'])
  })

  it('keep absent fields on change, with history', async () => {
    const minimal = await createTestKeeper(ada)
    app.passTime(1000)
    const { data } = await update(minimal.id, { title: 'Renamed' }, { ifMatch: 1 })
    expect(data).toEqual({ ...minimal, title: 'Renamed', rev: 2, updatedAt: data.updatedAt })
    expect(data.updatedAt > minimal.updatedAt).toBe(true)
    const history = await app.services.db.selectFrom('entry_history').selectAll().execute()
    expect(history).toMatchObject([{ entity: 'keeper', entity_id: minimal.id, rev: 1 }])
    expect(history[0]?.snapshot).toMatchObject({ title: minimal.title, rev: 1 })
    expect((await update(minimal.id, {})).data.rev).toBe(2)
  })

  it('reject a stale change with both versions, unless it has no base revision', async () => {
    const { id } = await createTestKeeper(ada)
    await update(id, { title: 'Mine' }, { ifMatch: 1 })
    const refused = await update(id, { title: 'Theirs' }, { ifMatch: 1 })
    expect({ status: refused.status, code: refused.body.code }).toEqual({ status: 409, code: 'stale' })
    expect(refused.body.data).toMatchObject({
      yours: { title: 'Theirs', rev: 1 },
      current: { title: 'Mine', rev: 2 },
    })
    expect(await listTitles()).toEqual(['Mine'])
    expect((await update(id, { title: 'Theirs' })).data).toMatchObject({ title: 'Theirs', rev: 3 })
  })

  it('apply three concurrent changes one after the other', async () => {
    const { id } = await createTestKeeper(ada)
    await Promise.all(['a', 'b', 'c'].map((purpose) => update(id, { purpose })))
    expect((await show(id)).data.rev).toBe(4)
    expect(await app.services.db.selectFrom('entry_history').select('rev').orderBy('rev').execute()).toEqual([
      { rev: 1 },
      { rev: 2 },
      { rev: 3 },
    ])
  })

  it('keep type and its name in sync, and keep the type without a name', async () => {
    const { id } = await createTestKeeper(ada)
    expect((await update(id, { keeperTypeId: 'system-wellness' })).data).toMatchObject({
      keeperType: 'wellness',
      KeeperType: { name: 'Wellness' },
      memoryPattern: 'sole',
    })
    expect((await update(id, { keeperType: 'project' })).data.keeperTypeId).toBe('system-project')
    expect((await update(id, { keeperTypeId: null })).data).toMatchObject({ keeperType: 'project', KeeperType: null })
    expect((await update(id, { keeperTypeId: unknownId })).status).toBe(400)
  })

  it('count entries of every kind that are not in the trash', async () => {
    const { id } = await createTestKeeper(ada)
    const other = await createTestKeeper(ada, { title: 'Empty' })
    const first = await reflect(id, 'one')
    app.passTime(5000)
    const last = await reflect(id, 'two')
    const { id: trashedId } = await reflect(id, 'three')
    await ada.call(reflections.remove, { params: { id: trashedId } })
    for (const title of ['Kept', 'Deleted']) {
      const { data: journey } = await ada.call(journeys.create, { params: { id }, body: { title } })
      if (title === 'Deleted') await ada.call(journeys.remove, { params: { id: journey.id } })
    }
    expect((await show(id)).data).toMatchObject({
      entryCount: 2,
      firstEntryAt: first.createdAt,
      lastEntryAt: last.createdAt,
      _count: { Journey: 1, Path: 1 },
    })
    const empty = { entryCount: 0, firstEntryAt: null, lastEntryAt: null, _count: { Journey: 0 } }
    expect((await show(other.id)).data).toMatchObject(empty)
    const occurredAt = '2011-05-03T08:00:00.000Z'
    await ada.call(moments.create, { params: { id: other.id }, body: { body: 'Long ago', occurredAt } })
    expect((await show(other.id)).data).toMatchObject({ entryCount: 1, firstEntryAt: occurredAt })
  })

  it('show the approved SOLE and its pending draft, but no rejected one', async () => {
    const { id } = await createTestKeeper(ada)
    const createVersionRow = (number: number, status: 'active' | 'draft' | 'rejected') => ({
      id: app.services.newId(),
      keeper_id: id,
      owner_id: ada.id,
      version: number,
      status,
      type: 'narrative',
      content: `Story ${number}`,
      statements: json([]),
      author_kind: 'person' as const,
      author_id: ada.id,
      author_name: 'Ada Lindqvist',
      run_id: null,
      based_on: null,
      submitted_at: 1_000_000,
      decided_by: null,
      decided_at: null,
      reason: null,
    })
    const { db } = app.services
    await db
      .insertInto('sole_versions')
      .values([createVersionRow(1, 'rejected'), createVersionRow(2, 'active')])
      .execute()
    expect((await show(id)).data).toMatchObject({
      sole: { version: 2, content: 'Story 2', author: 'Ada Lindqvist' },
      soleDraft: null,
      soleSubmittedAt: null,
    })
    await db.insertInto('sole_versions').values(createVersionRow(3, 'draft')).execute()
    expect((await show(id)).data).toMatchObject({
      sole: { version: 2 },
      soleDraft: { version: 3, content: 'Story 3' },
      soleSubmittedAt: new Date(1_000_000).toISOString(),
    })
  })

  it('list each template of keeper and type once', async () => {
    const { id } = await createTestKeeper(ada)
    const { db } = app.services
    const templateIds = new Map<string, string>()
    for (const label of ['t-a', 't-b', 't-c', 't-d']) {
      const body = {
        kind: 'content-type' as const,
        type: 'memory' as const,
        label,
        fields: [createTemplateField('tide')],
      }
      templateIds.set(label, (await ada.call(engagementTemplates.create, { body })).data.id)
    }
    const getId = (label: string) => templateIds.get(label) ?? ''
    const type = { keeper_type_id: 'system-journal' }
    await db
      .insertInto('keeper_type_templates')
      .values([
        { ...type, template_id: getId('t-b'), position: 90 },
        { ...type, template_id: getId('t-a'), position: 91 },
      ])
      .execute()
    for (const label of ['t-a', 't-c'])
      await ada.call(engagementTemplates.linkToKeeper, { params: { id, templateId: getId(label) } })
    const { data } = await show(id)
    expect(data.engagement_templates.filter(({ slug }) => slug.startsWith('t-'))).toEqual(
      ['t-b', 't-a', 't-c'].map((slug) => ({ id: getId(slug), label: slug, slug, type: 'memory' })),
    )
  })

  it('trashed keepers are hidden with their entries, even from the alias', async () => {
    const first = await createTestKeeper(ada, { title: 'First' })
    app.passTime(1000)
    const second = await createTestKeeper(ada, { title: 'Second' })
    const { id: reflection } = await reflect(first.id, 'kept')
    expect((await remove('1')).status).toBe(200)
    expect(await listTitles()).toEqual(['Second'])
    expect((await show(first.id)).status).toBe(404)
    expect((await show('1')).data.id).toBe(second.id)
    expect((await remove(first.id)).status).toBe(404)
    expect((await update(first.id, { title: 'x' })).status).toBe(404)
    const row = await app.services.db.selectFrom('keepers').selectAll().where('id', '=', first.id).executeTakeFirst()
    expect({ title: row?.title, deleted_at: row?.deleted_at }).toEqual({
      title: 'First',
      deleted_at: expect.any(Number),
    })
    expect(await app.services.db.selectFrom('reflections').select(['id', 'deleted_at']).execute()).toEqual([
      { id: reflection, deleted_at: null },
    ])
  })
})

describe.each(engines)('withdrawn content, on %s', (engine) => {
  let replies: (FakeReply | string)[] = []
  let keeper: Keeper
  const answer = () => replies.shift() ?? 'Nothing more.'
  const { app, ada } = useApp(() => createProviderApp(engine, { answer }), ['ada'], { perTest: true })
  beforeEach(async () => {
    replies = []
    keeper = await createTestKeeper(ada)
    await ada.call(keys.savePersonal, { body: { provider: 'openai', apiKey: canaryKeys.openai } })
  })

  const createCard = async (content: string) => {
    const { data } = await ada.call(reflections.create, { params: { id: keeper.id }, body: { content } })
    return (await ada.call(reflections.promote, { params: { id: data.id } })).data.id
  }

  it('does not reach a model with an unapproved statement', async () => {
    const walk = 'I walk the harbour every morning.'
    const illness = 'I was treated for CANARYILLNESS in spring.'
    const walkId = await createCard(walk)
    const illnessId = await createCard(illness)
    const createStatement = (text: string, id: string) => ({
      text,
      kind: 'add',
      sources: [{ entity: 'card', id, quote: text }],
    })
    const statements = [createStatement(walk, walkId), createStatement(illness, illnessId)]
    replies = [{ text: '', calls: [{ name: submitSoleDraftTool, arguments: { statements } }] }, 'Done.']
    const params = { id: keeper.id }
    const { data } = await ada.call(sole.askForDraft, { params, body: {} })
    const [approved] = data.draft?.statements ?? []
    await ada.call(sole.approve, { params, body: { statementIds: [approved?.id ?? ''] } })
    const captureDraftRequests = async () => {
      const requestsBefore = app.fakes.openai.requests.length
      await ada.call(sole.askForDraft, { params, body: {} })
      return JSON.stringify(app.fakes.openai.requests.slice(requestsBefore))
    }
    expect(await captureDraftRequests(), 'while the card can be read').toContain('not approved')

    await ada.call(memoryCards.update, { params: { id: illnessId }, body: { aiVisible: false } })
    const requestsWithoutCard = await captureDraftRequests()
    expect(requestsWithoutCard).toContain(walk)
    expect(requestsWithoutCard).not.toContain('CANARYILLNESS')
    await ada.call(memoryCards.remove, { params: { id: illnessId } })
    expect(await captureDraftRequests()).not.toContain('CANARYILLNESS')
  })

  it('content of a deleted keeper is not sent, even by a running job', async () => {
    await createCard('CANARY card')
    const now = app.services.now().getTime()
    const job = { keeper_id: keeper.id, owner_id: ada.id, state: 'running', model: 'text-embedding-3-small' }
    await app.services.db
      .insertInto('embedding_jobs')
      .values({ id: 'job', ...job, total: 1, done: 0, created_at: now, updated_at: now, lease_until: 0 } as never)
      .execute()
    await ada.call(keepers.remove, { params: { id: keeper.id } })
    await resumeEmbedding(app.services, { leaseExpiredBefore: Number.POSITIVE_INFINITY })
    await waitForEmbedding(app.services)
    expect(app.fakes.openai.requests).toEqual([])
    const jobs = await app.services.db.selectFrom('embedding_jobs').select('state').execute()
    expect(jobs).toEqual([{ state: 'done' }])
  })

  it('does not trigger a recently changed echo after an import', async () => {
    const createdAt = new Date(app.services.now().getTime() - 400 * dayMs).toISOString()
    const body = { message: 'After silence', sealed: true, createdAt }
    const { data } = await ada.call(echoes.create, { params: { id: keeper.id }, body })
    await ada.call(echoes.update, { params: { id: data.id }, body: { triggerConditions: { silentDays: 30 } } })
    const archive = await ada.fetch(`/api/keeper/keepers/${keeper.id}/export`)
    await importArchive(ada, Buffer.from(await archive.arrayBuffer()))
    await sweepEchoes(app.services)
    const all = (await ada.call(keepers.list)).data
    const imported = all.find(({ id }) => id !== keeper.id)
    const listStates = async (id = '') =>
      (await ada.call(echoes.list, { params: { id } })).data.map(({ state }) => state)
    expect(await listStates(keeper.id)).toEqual(['pending'])
    expect(await listStates(imported?.id)).toEqual(['pending'])
    expect(app.mails).toEqual([])
  })

  it('waypoints with unknown moments beyond the parameter limit are rejected', async () => {
    const { data: journey } = await ada.call(journeys.create, { params: { id: keeper.id }, body: { title: 'Far' } })
    const [path] = (await ada.call(journeys.paths, { params: { id: journey.id } })).data
    const waypoints = Array.from({ length: 200 }, (_, index) => ({
      title: `Stage ${index}`,
      momentIds: Array.from({ length: 200 }, (_, moment) => `${index}-${moment}`.padStart(20, '0')),
    }))
    const response = await ada.call(journeys.updatePath, { params: { id: path?.id ?? '' }, body: { waypoints } })
    expect({ status: response.status, fields: Object.keys(response.body.fields ?? {}) }).toEqual({
      status: 400,
      fields: ['waypoints'],
    })
  })
})

describe.each(engines)('lists of long texts, on %s', (engine) => {
  const { app, ada } = useTestApp(engine, ['ada'], { perTest: true })
  let keeperId: string
  beforeEach(async () => {
    keeperId = (await createTestKeeper(ada)).id
  })

  it('are paged by size without gaps or repeats', async () => {
    const cards: string[] = []
    for (let index = 0; index < 18; index++) {
      app.passTime(1000)
      const body = { content: `Number ${index} ${'word '.repeat(96_000)}`, topic: `Topic ${index % 3}` }
      const { data } = await ada.call(reflections.create, { params: { id: keeperId }, body })
      cards.push((await ada.call(reflections.promote, { params: { id: data.id } })).data.id)
    }
    expect(await readPages(memoryCards.list)).toEqual(cards.toReversed())
    expect((await readPages(memoryCards.byTopic)).sort()).toEqual(cards.toSorted())
    const reflectionIds = await readPages(reflections.list)
    expect(reflectionIds).toHaveLength(18)
    expect(new Set(reflectionIds).size).toBe(18)
  }, 60_000)

  it('lists of moments and logbook entries are paged by size', async () => {
    const momentIds: string[] = []
    const entryIds: string[] = []
    for (let index = 0; index < 22; index++) {
      app.passTime(1000)
      const body = { body: `${index} ${'日'.repeat(150_000)}` }
      momentIds.push((await ada.call(moments.create, { params: { id: keeperId }, body })).data.id)
    }
    for (let index = 0; index < 62; index++) {
      app.passTime(1000)
      const body = { entry: `${index} ${'日'.repeat(49_000)}`, label: 'Long', category: 'work' }
      entryIds.push((await ada.call(logbook.create, { params: { id: keeperId }, body })).data.id)
    }
    expect(await readPages(moments.list, { limit: '100' })).toEqual(momentIds.toReversed())
    expect(await readPages(moments.list, { limit: '100', q: '日' })).toEqual(momentIds.toReversed())
    expect(await readPages(logbook.list)).toEqual(entryIds.toReversed())
  }, 60_000)

  it('lists of topics are paged by size and stay in order', async () => {
    const ids: string[] = []
    for (let index = 0; index < 40; index++) {
      const aliases = Array.from({ length: 500 }, (_, alias) => `${'日'.repeat(73)}${index} ${alias}`)
      const body = {
        name: `Topic ${index} ${'日'.repeat(70)}`,
        note: '日'.repeat(5000),
        aliases,
        pinned: index % 10 === 0,
      }
      ids.push((await ada.call(topics.create, { params: { id: keeperId }, body })).data.id)
    }
    await ada.call(moments.create, {
      params: { id: keeperId },
      body: { body: 'Said.', topics: [`Topic 33 ${'日'.repeat(70)}`] },
    })
    const listedIds = await readPages(topics.list)
    expect(listedIds.slice(0, 4)).toEqual([0, 10, 20, 30].map((index) => ids[index]))
    expect(listedIds[4]).toBe(ids[33])
    expect(listedIds).toHaveLength(40)
    expect(listedIds.toSorted()).toEqual(ids.toSorted())
    const invalidCursor = await ada.call(topics.list, { params: { id: keeperId }, query: { cursor: 'x' } })
    expect(invalidCursor.status).toBe(400)
  }, 60_000)

  it('lists of paths are paged by size, also within a journey', async () => {
    const { data: journey } = await ada.call(journeys.create, { params: { id: keeperId }, body: { title: 'Long' } })
    const { data: moment } = await ada.call(moments.create, {
      params: { id: keeperId },
      body: { body: 'At the lighthouse.' },
    })
    const params = { id: journey.id }
    const [{ id: firstPathId = '' } = {}] = (await ada.call(journeys.paths, { params })).data
    const pathIds = [firstPathId]
    let waypointId: string | undefined
    for (let index = 0; index < 12; index++) {
      const waypoints = Array.from({ length: 60 }, (_, waypoint) => ({
        title: `Waypoint ${waypoint}`,
        note: '日'.repeat(5000),
        momentIds: index === 11 && waypoint === 0 ? [moment.id] : [],
      }))
      const { data } = await ada.call(journeys.createPath, { params, body: { title: `Path ${index}`, waypoints } })
      pathIds.push(data.id)
      waypointId = data.waypoints[0]?.id
    }
    expect(await readPages(journeys.paths, {}, journey.id)).toEqual(pathIds)
    const { data, text } = await ada.call(journeys.show, { params })
    expect(Buffer.byteLength(text)).toBeLessThan(9 * 1024 * 1024)
    expect(data.paths.map(({ id }) => id)).toEqual(pathIds.slice(0, data.paths.length))
    expect(await readPages(journeys.paths, { cursor: data.paths_cursor ?? '' }, journey.id)).toEqual(
      pathIds.slice(data.paths.length),
    )
    expect(data.beads.map((item) => [item.id, item.waypointId])).toEqual([[moment.id, waypointId]])
  }, 60_000)

  it('lists of templates with long steps are paged by size', async () => {
    const step = { prompt: '日'.repeat(2000), contentTypeId: null, agentSlug: null, waitHours: null }
    const steps = Array.from({ length: 30 }, (_, index) => ({ title: `Step ${index}`, ...step }))
    const ids: string[] = []
    for (let index = 0; index < 60; index++) {
      app.passTime(1000)
      const body = { kind: 'process', label: `Template ${index}`, steps }
      const { data } = await ada.call(engagementTemplates.create, { body })
      ids.push(data.id)
    }
    const listedIds = await readPages(engagementTemplates.list)
    expect(listedIds.filter((id) => ids.includes(id))).toEqual(ids)
  }, 60_000)

  const readPages = async (call: object, filter: Record<string, string> = {}, id = keeperId) => {
    const ids: string[] = []
    for (let cursor: string | null = ''; cursor !== null; ) {
      const query = { ...filter, ...(cursor !== '' && { cursor }) }
      const { data, body, text } = await ada.call(call as typeof memoryCards.list, { params: { id }, query })
      expect(Buffer.byteLength(text)).toBeLessThan(9 * 1024 * 1024)
      const { items = data, next_cursor } = data as unknown as { items?: unknown[]; next_cursor?: string | null }
      for (const item of items as (MemoryCard | { cards: MemoryCard[] })[])
        ids.push(...('cards' in item ? item.cards.map(({ id }) => id) : [item.id]))
      cursor = (next_cursor ?? body.next_cursor ?? null) as string | null
    }
    return ids
  }
})
