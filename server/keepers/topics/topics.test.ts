import { beforeEach, describe, expect, it } from 'vitest'
import { entries } from '#contract/keepers/entries.ts'
import { moments } from '#contract/keepers/moments.ts'
import { reflections } from '#contract/keepers/reflections.ts'
import { topics } from '#contract/keepers/topics.ts'
import { copyRow } from '#tests/copy-row.ts'
import { createTestKeeper } from '#tests/create-test-keeper.ts'
import { computeDatabaseHash } from '#tests/dump-database.ts'
import { engines } from '#tests/engines.ts'
import { fetchAllPages } from '#tests/fetch-all-pages.ts'
import { insertMomentRow, insertMomentRows } from '#tests/insert-moment-rows.ts'
import { useTestApp } from '#tests/use-test-app.ts'
import { buildTopicLinkWrites, resolveTopics } from './link-topics.ts'
import { findRelatedTopics } from './topic-view.ts'

describe.each(engines)('topics, on %s', (engine) => {
  const { app, ada } = useTestApp(engine, ['ada'], { perTest: true })
  let keeper: { id: string; owner_id: string }

  beforeEach(async () => {
    keeper = { id: (await createTestKeeper(ada)).id, owner_id: ada.id }
  })

  const create = (name: string, fields: object = {}) =>
    ada.call(topics.create, { params: { id: keeper.id }, body: { name, ...fields } })
  const update = (id: string, body: object, ifMatch?: number) =>
    ada.call(topics.update, { params: { id }, body, ...(ifMatch !== undefined && { ifMatch }) })
  const list = async () => (await ada.call(topics.list, { params: { id: keeper.id } })).data
  const show = async (id: string) => (await ada.call(topics.show, { params: { id } })).data
  const merge = (id: string, targetId: string) => ada.call(topics.merge, { params: { id, targetId } })
  const undo = (id: string) => ada.call(topics.undoMerge, { params: { id } })
  const mention = async (id: string, names: string[], saidAt = 1000) => {
    const existing = await app.services.db.selectFrom('moments').select('id').where('id', '=', id).executeTakeFirst()
    if (!existing) await insertMomentRow(app.services, { id, keeperId: keeper.id, ownerId: ada.id, title: id })
    const resolvedTopics = await resolveTopics(app.services, keeper, names)
    await app.services.db.batch(
      buildTopicLinkWrites(app.services, keeper, { entity: 'moment', id, saidAt }, resolvedTopics),
    )
  }
  const listTotals = async () => (await list()).map(({ name, total }) => [name, total])

  it('are listed pinned first, then by undeleted mentions', async () => {
    await mention('m1', ['Sea', 'Father'], 1000)
    await mention('m2', ['Sea'], 3000)
    await mention('m3', ['Sea'], 9000)
    await ada.call(reflections.create, { params: { id: keeper.id }, body: { content: 'About him.', topic: 'father' } })
    await create('Garden', { pinned: true })
    await app.services.db.updateTable('moments').set({ deleted_at: 1 }).where('id', '=', 'm3').execute()
    const topicList = await list()
    expect(topicList.map(({ name, total }) => [name, total])).toEqual([
      ['Garden', 0],
      ['Father', 2],
      ['Sea', 2],
    ])
    expect(topicList[1]?.counts).toEqual({ moment: 1, reflection: 1, card: 0, voice: 0, logbook: 0 })
    expect(topicList[2]).toMatchObject({
      firstSaidAt: new Date(1000).toISOString(),
      lastSaidAt: new Date(3000).toISOString(),
    })
    expect(topicList[0]).toMatchObject({ firstSaidAt: null, lastSaidAt: null })
  })

  it('show mentions newest first, and related topics', async () => {
    await mention('m1', ['Sea', 'Father', 'Boat'], 1000)
    await mention('m2', ['Sea', 'Boat'], 2000)
    await mention('m3', ['Sea', 'Storm'], 3000)
    await app.services.db.updateTable('moments').set({ deleted_at: 1 }).where('id', '=', 'm3').execute()
    const sea = (await list()).find(({ name }) => name === 'Sea')
    const { mentions, together } = await show(sea?.id ?? '')
    expect(mentions.map(({ id, entity, title }) => [id, entity, title])).toEqual([
      ['m2', 'moment', 'm2'],
      ['m1', 'moment', 'm1'],
    ])
    expect(mentions[0]?.excerpt).toBe('The lamp was lit.')
    expect(together.map(({ name, count }) => [name, count])).toEqual([
      ['Boat', 2],
      ['Father', 1],
    ])
  })

  it('keep the old name as an alias when renamed', async () => {
    const { data } = await create('Father')
    const renamed = await update(data.id, { name: 'Papa' }, data.rev)
    expect(renamed.data).toMatchObject({ name: 'Papa', aliases: ['Father'], rev: data.rev + 1 })
    await mention('m1', [' FATHER '])
    expect(await listTotals()).toEqual([['Papa', 1]])
    const renamedBack = await update(data.id, { name: 'Father' })
    expect(renamedBack.data).toMatchObject({ name: 'Father', aliases: ['Papa'] })
    expect((await update(data.id, { name: 'FATHER' })).data.aliases, 'only the case differs').toEqual(['Papa'])
    expect((await update(data.id, { aliases: ['Dad', ' dad ', 'father'] })).data.aliases).toEqual(['Dad'])
  })

  it('never share a name or alias', async () => {
    const { data: father } = await create('Father', { aliases: ['Dad'] })
    const refused = await create(' father ')
    expect({ status: refused.status, fields: refused.body.fields }).toEqual({
      status: 409,
      fields: { name: 'There is already a topic “Father”. Choose another name.' },
    })
    expect((await create('DAD')).body.error).toBe('“DAD” already belongs to the topic “Father”. Choose another name.')
    expect((await create('Mother', { aliases: ['Father'] })).body.fields).toHaveProperty('aliases')
    const { data: mother } = await create('Mother')
    expect((await update(mother.id, { name: 'Dad' })).status).toBe(409)
    expect((await update(mother.id, { aliases: ['dad'] })).status).toBe(409)
    const creations = await Promise.all([
      create('Sea', { id: 'a'.repeat(32) }),
      create('Sea', { id: 'b'.repeat(32) }),
      create('sea'),
    ])
    expect(creations.map(({ status }) => status).toSorted()).toEqual([200, 409, 409])
    const updates = await Promise.all([
      update(mother.id, { aliases: ['Them'] }),
      update(father.id, { aliases: ['them', 'Dad'] }),
    ])
    expect(updates.map(({ status }) => status).toSorted()).toEqual([200, 409])
  })

  it('are created once per id, and reuse names and aliases of deleted ones', async () => {
    const id = 'a'.repeat(32)
    await create('Father', { id, aliases: ['Dad'] })
    expect((await create('Father', { id, aliases: ['Dad'] })).status).toBe(200)
    expect(await listTotals()).toEqual([['Father', 0]])
    expect((await ada.call(topics.remove, { params: { id } })).status).toBe(200)
    expect((await ada.call(topics.show, { params: { id } })).status).toBe(404)
    expect((await create('Father', { aliases: ['dad'] })).data).toMatchObject({ aliases: ['dad'] })
  })

  it('restore their links, even of moments changed in between', async () => {
    const params = { id: keeper.id }
    const { data } = await ada.call(moments.create, { params, body: { body: 'At sea.', topics: ['Sea', 'Per'] } })
    const listNames = async () =>
      (await ada.call(moments.show, { params: { id: data.id } })).data.topics.map(({ name }) => name)
    const seaId = data.topics.find(({ name }) => name === 'Sea')?.id ?? ''
    await ada.call(topics.remove, { params: { id: seaId } })
    await ada.call(moments.update, { params: { id: data.id }, body: { topics: ['Per', 'Ida'] } })
    expect(await listNames()).toEqual(['Ida', 'Per'])
    await ada.call(entries.restore, { params: { entity: 'topic', id: seaId } })
    expect(await listNames()).toEqual(['Ida', 'Per', 'Sea'])
    await ada.call(moments.update, { params: { id: data.id }, body: { topics: [] } })
    expect(await listNames()).toEqual([])
    expect((await listTotals()).map(([, total]) => total)).toEqual([0, 0, 0])
  })

  it('can be changed after a restore although another topic has their alias', async () => {
    const { data: father } = await create('Father', { aliases: ['Dad'] })
    await ada.call(topics.remove, { params: { id: father.id } })
    expect((await create('Dad')).status).toBe(200)
    await ada.call(entries.restore, { params: { entity: 'topic', id: father.id } })
    expect((await update(father.id, { pinned: true })).data).toMatchObject({ pinned: true, aliases: ['Dad'] })
    const updated = (await update(father.id, { color: 'madder', aliases: ['Dad'] })).data
    expect(updated).toMatchObject({ color: 'madder', aliases: ['Dad'] })
    await create('Papa')
    expect((await update(father.id, { aliases: ['Dad', 'Papa'] })).body.fields).toEqual({ aliases: expect.any(String) })
  })

  it('can be changed with hundreds of merged names', async () => {
    const { data: work } = await create('Work', { aliases: Array.from({ length: 29 }, (_, index) => `Job ${index}`) })
    const { data: trade } = await create('Trade', { aliases: ['Craft', 'Labour'] })
    await ada.call(topics.merge, { params: { id: trade.id, targetId: work.id } })
    const { aliases } = await show(work.id)
    expect(aliases.length).toBeGreaterThan(30)
    expect((await update(work.id, { color: 'madder', aliases })).data).toMatchObject({ color: 'madder' })
  })

  it('reject a stale save with both versions and aliases', async () => {
    const { data } = await create('Father', { aliases: ['Dad'] })
    await update(data.id, { note: 'Mine.' }, data.rev)
    const { status, body } = await update(data.id, { name: 'Papa', aliases: [] }, data.rev)
    expect(status).toBe(409)
    expect(body).toMatchObject({
      code: 'stale',
      data: {
        yours: { name: 'Papa', aliases: ['Father'] },
        current: { name: 'Father', aliases: ['Dad'], note: 'Mine.' },
      },
    })
    expect((await show(data.id)).aliases).toEqual(['Dad'])
  })

  it('merge into one with all links and names, and separate again', async () => {
    await mention('m1', ['Dad'])
    await mention('m2', ['Dad', 'Father'])
    await mention('m3', ['Father'])
    const [dad, father] = (await list()).toSorted((a, b) => a.name.localeCompare(b.name))
    await update(dad?.id ?? '', { aliases: ['Old man'], note: 'What I call him.' })
    const topicsBefore = await list()
    const { data } = await merge(dad?.id ?? '', father?.id ?? '')
    expect(data.topic).toMatchObject({ name: 'Father', total: 3, aliases: ['Dad', 'Old man'] })
    expect(await listTotals()).toEqual([['Father', 3]])
    expect((await ada.call(topics.show, { params: { id: dad?.id ?? '' } })).status).toBe(404)
    expect((await show(father?.id ?? '')).merges).toMatchObject([{ id: data.mergeId, name: 'Dad' }])
    const undone = await undo(data.mergeId)
    expect(undone.data.map(({ name }) => name)).toEqual(['Father', 'Dad'])
    const removeRevisions = (topicList: typeof topicsBefore) => topicList.map(({ rev, updatedAt, ...topic }) => topic)
    expect(removeRevisions(await list())).toEqual(removeRevisions(topicsBefore))
    expect((await show(father?.id ?? '')).merges).toEqual([])
    expect((await undo(data.mergeId)).status, 'undoing again has no effect').toBe(200)
    expect(removeRevisions(await list())).toEqual(removeRevisions(topicsBefore))
  })

  it('keep changes made after a merge when it is undone', async () => {
    await mention('unchanged', ['Dad'])
    await mention('unlinked-later', ['Dad'])
    await mention('deleted', ['Dad'])
    await create('Father')
    const [dad, father] = (await list()).toSorted((a, b) => a.name.localeCompare(b.name))
    const { data } = await merge(dad?.id ?? '', father?.id ?? '')
    await mention('linked-later', ['dad'])
    await mention('unlinked-later', [])
    await app.services.db.updateTable('moments').set({ deleted_at: 1 }).where('id', '=', 'deleted').execute()
    await undo(data.mergeId)
    expect(await listTotals()).toEqual([
      ['Dad', 1],
      ['Father', 1],
    ])
    await app.services.db.updateTable('moments').set({ deleted_at: null }).where('id', '=', 'deleted').execute()
    expect(await listTotals()).toEqual([
      ['Dad', 2],
      ['Father', 1],
    ])
  })

  it('are not affected when other topics with equal names are merged', async () => {
    const other = await createTestKeeper(ada, { title: 'Another' })
    const { data: foreign } = await ada.call(topics.create, {
      params: { id: other.id },
      body: { name: 'Pa', aliases: ['Dad', 'Old man'] },
    })
    await mention('both', ['Dad', 'Sea'])
    await create('Father')
    const [dad, father] = (await list())
      .filter(({ name }) => name !== 'Sea')
      .toSorted((a, b) => a.name.localeCompare(b.name))
    await update(dad?.id ?? '', { aliases: ['Old man'] })
    const { data } = await merge(dad?.id ?? '', father?.id ?? '')
    expect((await ada.call(topics.remove, { params: { id: dad?.id ?? '' } })).status, 'merged into another').toBe(404)
    await mention('both', ['Sea'])
    const ben = await app.as('ben')
    const topicsBefore = await computeDatabaseHash(app.services.db)
    expect((await ben.call(topics.undoMerge, { params: { id: data.mergeId } })).status).toBe(404)
    expect(await computeDatabaseHash(app.services.db)).toBe(topicsBefore)
    await undo(data.mergeId)
    expect((await listTotals()).toSorted()).toEqual([
      ['Dad', 0],
      ['Father', 0],
      ['Sea', 1],
    ])
    expect((await show(foreign.id)).aliases.toSorted()).toEqual(['Dad', 'Old man'])
    expect((await show(dad?.id ?? '')).aliases).toEqual(['Old man'])
  })

  it('receive a link written during their merge', async () => {
    await insertMomentRow(app.services, { id: 'm1', keeperId: keeper.id, ownerId: ada.id })
    await create('Dad')
    const resolvedTopics = await resolveTopics(app.services, keeper, ['Dad'])
    const { data: father } = await create('Father')
    await merge(resolvedTopics[0]?.id ?? '', father.id)
    await app.services.db.batch(
      buildTopicLinkWrites(app.services, keeper, { entity: 'moment', id: 'm1', saidAt: 1 }, resolvedTopics),
    )
    expect(await listTotals()).toEqual([['Father', 1]])
  })

  it('merge once for concurrent requests, in one direction', async () => {
    await mention('m1', ['Dad', 'Father'])
    const [dad, father] = (await list()).map(({ id }) => id)
    const merges = await Promise.all(Array.from({ length: 3 }, () => merge(dad ?? '', father ?? '')))
    expect(new Set(merges.map(({ status, data }) => `${status} ${data?.mergeId}`)).size).toBe(1)
    expect(await app.services.db.selectFrom('topic_merges').select('id').execute()).toHaveLength(1)
    await Promise.all(Array.from({ length: 3 }, () => undo(merges[0]?.data.mergeId ?? '')))
    const oppositeMerges = await Promise.all([merge(dad ?? '', father ?? ''), merge(father ?? '', dad ?? '')])
    expect(oppositeMerges.map(({ status }) => status).toSorted()).toEqual([200, 404])
    expect(await listTotals()).toHaveLength(1)
  })

  it('explain why a merge cannot be undone', async () => {
    const created = await Promise.all(['A', 'B', 'C'].map((name) => create(name)))
    const [a = '', b = '', c = ''] = created.map(({ data }) => data.id)
    const first = (await merge(a, b)).data.mergeId
    const second = (await merge(b, c)).data.mergeId
    expect((await undo(first)).body.error).toBe('“B” has since been merged into “C”. Undo that merge first.')
    await undo(second)
    await update(b, { aliases: [] })
    await create('a')
    expect((await undo(first)).body.error).toBe(
      'Another topic now has the merged topic’s name. Rename that other topic first, then undo.',
    )
    await ada.call(topics.remove, { params: { id: b } })
    expect((await undo(first)).body.error).toBe(
      'The topic that this one was merged into was deleted. Restore that topic first.',
    )
    expect(await listTotals()).toEqual([
      ['a', 0],
      ['C', 0],
    ])
  })

  it('cannot merge with themselves, another keeper’s, or someone else’s', async () => {
    const { data: ownTopic } = await create('Mine')
    const other = await createTestKeeper(ada, { title: 'Other' })
    const { data: otherKeeperTopic } = await ada.call(topics.create, {
      params: { id: other.id },
      body: { name: 'In another keeper' },
    })
    expect((await merge(ownTopic.id, ownTopic.id)).status).toBe(400)
    expect((await merge(ownTopic.id, otherKeeperTopic.id)).status).toBe(400)
    const ben = await app.as('ben')
    const bensKeeper = await createTestKeeper(ben)
    const { data: foreign } = await ben.call(topics.create, { params: { id: bensKeeper.id }, body: { name: 'Ben’s' } })
    expect((await merge(ownTopic.id, foreign.id)).status).toBe(404)
    expect((await merge(foreign.id, ownTopic.id)).status).toBe(404)
    const { data: second } = await create('Second')
    const { data } = await merge(ownTopic.id, second.id)
    expect((await ben.call(topics.undoMerge, { params: { id: data.mergeId } })).status).toBe(404)
  })
})

const momentCount = 1500
const reflectionCount = 800

describe.each(engines)('mentions of a topic beyond one page, on %s', (engine) => {
  const { app, ada } = useTestApp(engine, ['ada'], { perTest: true })
  let topicId: string
  beforeEach(async () => {
    const keeperId = (await createTestKeeper(ada)).id
    await ada.call(reflections.create, { params: { id: keeperId }, body: { content: 'About the sea.', topic: 'Sea' } })
    const { db } = app.services
    const link = await db.selectFrom('entry_topics').selectAll().executeTakeFirstOrThrow()
    topicId = link.topic_id
    const moments = Array.from({ length: momentCount }, (_, index) => ({ id: `m${index}`, keeperId, ownerId: ada.id }))
    await insertMomentRows(app.services, moments)
    const count = reflectionCount - 1
    await copyRow(db, 'reflections', link.entity_id, { count, values: (index) => ({ id: `r${index}` }) })
    // Many at the same instant across page boundaries, ordered by kind and id only.
    const createMomentLink = (index: number) => ({
      entity: 'moment' as const,
      entity_id: `m${index}`,
      said_at: index % 5,
    })
    await copyRow(db, 'entry_topics', link, { count: momentCount, values: createMomentLink })
    await copyRow(db, 'entry_topics', link, {
      count,
      values: (index) => ({ entity_id: `r${index}`, said_at: index % 5 }),
    })
  })

  const show = (cursor: string | null) =>
    ada.call(topics.show, { params: { id: topicId }, query: { ...(cursor && { cursor }) } })

  it('are listed and counted once each, newest first', async () => {
    const pages = await fetchAllPages(ada, topics.show, { id: topicId })
    for (const { name, total } of pages) {
      expect(name).toBe('Sea')
      expect(total).toEqual(momentCount + reflectionCount)
    }
    expect(pages.map(({ mentions }) => mentions.length)).toEqual([1000, 1000, 300])
    const all = pages.flatMap(({ mentions }) => mentions)
    expect(new Set(all.map(({ entity, id }) => `${entity} ${id}`)).size).toBe(momentCount + reflectionCount)
    const times = all.map(({ at }) => at)
    expect(times).toEqual(times.toSorted().toReversed())
  })

  it('exclude deleted entries', async () => {
    await app.services.db.updateTable('moments').set({ deleted_at: 1 }).where('id', '!=', 'm7').execute()
    const { data, body } = await show(null)
    expect({
      ids: data.mentions.filter(({ entity }) => entity === 'moment').map(({ id }) => id),
      next_cursor: body.next_cursor,
    }).toEqual({ ids: ['m7'], next_cursor: null })
  })

  it('reject an invalid cursor', async () => {
    const { status, body } = await show('x')
    expect({ status, fields: body.fields }).toEqual({
      status: 400,
      fields: { cursor: 'Use the next_cursor of the previous page.' },
    })
  })
})

const keeperTopics = ['Boat', 'Anchor', 'Storm'].map((name) => ({ id: name[0] ?? '', name }))
const createLinks = (ids: string) => Array.from(ids, (topic_id) => ({ topic_id }))

describe('related topics', () => {
  it('are sorted by count, then by name, without unrelated ones', () => {
    expect(findRelatedTopics(createLinks('BAB'), keeperTopics).map(({ name, count }) => [name, count])).toEqual([
      ['Boat', 2],
      ['Anchor', 1],
    ])
    expect(findRelatedTopics(createLinks('BA'), keeperTopics).map(({ name }) => name)).toEqual(['Anchor', 'Boat'])
  })

  it('exclude deleted and merged topics', () => {
    expect(findRelatedTopics(createLinks('BXX'), keeperTopics).map(({ name }) => name)).toEqual(['Boat'])
  })

  it('are limited to twelve', () => {
    const many = Array.from({ length: 20 }, (_, index) => ({ id: String(index), name: String(index) }))
    const links = many.map(({ id }) => ({ topic_id: id }))
    expect(findRelatedTopics(links, many)).toHaveLength(12)
  })
})
