import { beforeEach, describe, expect, it } from 'vitest'
import { echoes } from '#contract/keepers/echoes.ts'
import { engagementTemplates } from '#contract/keepers/engagement-templates.ts'
import { entries } from '#contract/keepers/entries.ts'
import { journeys } from '#contract/keepers/journeys.ts'
import type { Entity } from '#contract/keepers/keeper-fields.ts'
import { type Keeper, keepers } from '#contract/keepers/keepers.ts'
import { moments } from '#contract/keepers/moments.ts'
import { reflections } from '#contract/keepers/reflections.ts'
import { topics } from '#contract/keepers/topics.ts'
import { json } from '#server/db/database.ts'
import { dayMs, hourMs } from '#server/values/time-units.ts'
import { copyRow } from '#tests/copy-row.ts'
import { createTestKeeper } from '#tests/create-test-keeper.ts'
import { engines } from '#tests/engines.ts'
import { fetchAllPages } from '#tests/fetch-all-pages.ts'
import type { Actor } from '#tests/test-app.ts'
import { uploadMedia } from '#tests/upload-media.ts'
import { useTestApp } from '#tests/use-test-app.ts'
import { purgeTrash } from './purge-trash.ts'

const unknownId = '0'.repeat(32)

describe.each(engines)('the trash, on %s', (engine) => {
  const { app, ada, ben } = useTestApp(engine, ['ada', 'ben'], { perTest: true })
  let keeper: Keeper
  beforeEach(async () => {
    keeper = await createTestKeeper(ada)
  })

  const getNow = () => app.services.now().getTime()
  /** A session that outlasts the trash, as with daily visits. */
  const extendSession = () =>
    app.services.db
      .updateTable('sessions')
      .set({ expires_at: getNow() + 90 * dayMs, last_seen_at: getNow() + 31 * dayMs })
      .execute()
  const reflect = async (content: string, fields: object = {}) =>
    (await ada.call(reflections.create, { params: { id: keeper.id }, body: { content, ...fields } })).data
  const createTopic = async (name: string) =>
    (await ada.call(topics.create, { params: { id: keeper.id }, body: { name } })).data.id
  const listTrashed = async (actor = ada, keeperId: string | null = keeper.id) =>
    (await actor.call(entries.trash, { query: keeperId === null ? {} : { keeperId } })).data
  const restore = (entity: Entity, id: string, actor = ada) => actor.call(entries.restore, { params: { entity, id } })
  const fetchHistory = (entity: Entity, id: string, actor = ada) =>
    actor.call(entries.history, { params: { entity, id } })
  const countRows = async (
    table: 'reflections' | 'entry_topics' | 'entry_history' | 'media' | 'keepers',
    id: string,
  ) => {
    const column = { reflections: 'id', keepers: 'id', media: 'entity_id' }[table as string] ?? 'entity_id'
    const rows = await app.services.db
      .selectFrom(table as 'media')
      .selectAll()
      .where(column as 'entity_id', '=', id)
      .execute()
    return rows.length
  }

  it('lists a deleted entry by its title and restores it unchanged', async () => {
    const reflection = await reflect('  The ferry\nwas late again.', { topic: 'Ferries' })
    await ada.call(reflections.remove, { params: { id: reflection.id } })
    const [firstItem] = await listTrashed()
    expect(firstItem).toEqual({
      entity: 'reflection',
      id: reflection.id,
      keeperId: keeper.id,
      title: 'The ferry was late again.',
      deletedAt: expect.any(String),
      goneAt: expect.any(String),
    })
    expect(Date.parse(firstItem?.goneAt ?? '') - Date.parse(firstItem?.deletedAt ?? '')).toBe(30 * dayMs)
    expect((await restore('reflection', reflection.id)).data).toEqual({
      entity: 'reflection',
      id: reflection.id,
      keeperId: keeper.id,
    })
    expect((await ada.call(reflections.show, { params: { id: reflection.id } })).data).toEqual(reflection)
    expect(await listTrashed()).toEqual([])
    expect((await restore('reflection', reflection.id)).status).toBe(404)
  })

  it('hides the text of a sealed echo, also in its history', async () => {
    const createEcho = (body: object) => ada.call(echoes.create, { params: { id: keeper.id }, body })
    const { data: echo } = await createEcho({ message: 'a canary before it was sealed' })
    app.passTime(10 * 60_000)
    await ada.call(echoes.update, { params: { id: echo.id }, body: { sealed: true, message: 'a canary under seal' } })
    const history = await fetchHistory('echo', echo.id)
    expect(history.data).toHaveLength(1)
    expect(history.text).not.toContain('canary')
    await ada.call(echoes.remove, { params: { id: echo.id } })
    const unsealed = await createEcho({ message: 'An unsealed one' })
    await ada.call(echoes.remove, { params: { id: unsealed.data.id } })
    expect((await listTrashed()).map(({ title }) => title).sort()).toEqual(['An unsealed one', 'Sealed echo'])
  })

  it('lists every kind, newest first, of one keeper or all', async () => {
    const moment = await ada.call(moments.create, {
      params: { id: keeper.id },
      body: { body: 'At the quay', occurredAt: '2026-11-20T10:00:00Z', timezone: 'Europe/Oslo' },
    })
    await ada.call(moments.remove, { params: { id: moment.data.id } })
    app.passTime(1000)
    const topicId = await createTopic('Harbour')
    await ada.call(topics.remove, { params: { id: topicId } })
    app.passTime(1000)
    const journey = await ada.call(journeys.create, { params: { id: keeper.id }, body: { title: 'North' } })
    await ada.call(journeys.remove, { params: { id: journey.data.id } })
    const other = await createTestKeeper(ada, { title: 'Another' })
    app.passTime(1000)
    await ada.call(keepers.remove, { params: { id: other.id } })
    expect((await listTrashed()).map(({ title }) => title)).toEqual(['North', 'Harbour', 'At the quay'])
    expect((await listTrashed(ada, null))[0]).toMatchObject({ entity: 'keeper', title: 'Another', id: other.id })
    expect((await listTrashed(ben, null)).map(({ title }) => title)).toEqual([])
    expect((await restore('topic', topicId, ben)).status).toBe(404)
    expect((await restore('topic', unknownId, ben)).status).toBe(404)
    for (const [entity, id] of [
      ['topic', topicId],
      ['journey', journey.data.id],
      ['moment', moment.data.id],
      ['keeper', other.id],
    ] as const)
      expect((await restore(entity, id)).status).toBe(200)
    expect(await listTrashed()).toEqual([])
  })

  it('restores an entry of a deleted keeper only after the keeper', async () => {
    const reflection = await reflect('Inside')
    await ada.call(reflections.remove, { params: { id: reflection.id } })
    await ada.call(keepers.remove, { params: { id: keeper.id } })
    const refused = await restore('reflection', reflection.id)
    expect({ status: refused.status, error: refused.body.error }).toEqual({
      status: 404,
      error: 'Its keeper "The Harbour Year" was deleted too. Restore the keeper first.',
    })
    expect((await restore('keeper', keeper.id)).status).toBe(200)
    expect((await restore('reflection', reflection.id)).status).toBe(200)
  })

  it('is private to its owner', async () => {
    const reflection = await reflect('The gate does not shut.')
    await ada.call(reflections.remove, { params: { id: reflection.id } })
    expect((await restore('reflection', reflection.id, ben)).status).toBe(404)
    await ada.call(keepers.remove, { params: { id: keeper.id } })
    const refused = await restore('keeper', keeper.id, ben)
    expect({ status: refused.status, error: refused.body.error }).toEqual({
      status: 404,
      error: (await restore('keeper', unknownId, ben)).body.error,
    })
    expect((await listTrashed(ada, null)).map(({ entity }) => entity)).toContain('keeper')
    expect((await restore('keeper', keeper.id)).status).toBe(200)
  })

  it('refuses to restore a topic whose name is in use', async () => {
    const first = await createTopic('Sea')
    await ada.call(topics.remove, { params: { id: first } })
    const second = await createTopic('Sea')
    const refused = await restore('topic', first)
    expect(refused.status).toBe(409)
    expect(refused.body.error).toBe('Another topic has this name now. Rename that one, then restore this one.')
    await ada.call(topics.remove, { params: { id: second } })
    expect((await restore('topic', first)).status).toBe(200)
  })

  it('keeps deleted items for 30 days, then purges them', async () => {
    const reflection = await reflect('Leaves', { topic: 'Autumn' })
    await ada.call(reflections.update, { params: { id: reflection.id }, body: { content: 'Leaves fall' } })
    const untouched = await reflect('Stays', { topic: 'Autumn' })
    const deletedKeeper = await createTestKeeper(ada, { title: 'Deleted' })
    await ada.call(reflections.create, { params: { id: deletedKeeper.id }, body: { content: 'In a deleted keeper' } })
    await ada.call(reflections.remove, { params: { id: reflection.id } })
    await ada.call(keepers.remove, { params: { id: deletedKeeper.id } })
    await extendSession()
    app.passTime(29 * dayMs + 23 * hourMs)
    expect(await purgeTrash(app.services)).toBe(0)
    expect(await listTrashed()).toHaveLength(1)
    const countReflectionRows = async (id: string) => ({
      reflections: await countRows('reflections', id),
      topics: await countRows('entry_topics', id),
      history: await countRows('entry_history', id),
    })
    expect(await countReflectionRows(reflection.id)).toEqual({ reflections: 1, topics: 1, history: 1 })
    app.passTime(2 * hourMs)
    // Expired items are hidden before the sweep.
    expect(await listTrashed()).toEqual([])
    expect((await restore('reflection', reflection.id)).status).toBe(404)
    expect(await purgeTrash(app.services)).toBeGreaterThanOrEqual(2)
    expect(await purgeTrash(app.services)).toBe(0)
    expect(await countRows('keepers', deletedKeeper.id)).toBe(0)
    expect(await countReflectionRows(reflection.id)).toEqual({ reflections: 0, topics: 0, history: 0 })
    expect(await countReflectionRows(untouched.id)).toEqual({ reflections: 1, topics: 1, history: 0 })
  })

  it('splits the history of a long text into pages by size, each state once', async () => {
    const reflection = await reflect('Long')
    const createText = (state: number) => `${state} ${'x'.repeat(450_000)}`
    const snapshots = Array.from({ length: 30 }, (_, index) => ({
      id: app.services.newId(),
      keeper_id: keeper.id,
      owner_id: ada.id,
      entity: 'reflection' as const,
      entity_id: reflection.id,
      rev: index < 2 ? 1 : index,
      snapshot: json({ content: createText(index) }),
      saved_at: index,
    }))
    for (const values of snapshots) await app.services.db.insertInto('entry_history').values(values).execute()
    const params = { entity: 'reflection' as const, id: reflection.id }
    const pages = await fetchAllPages(ada, entries.history, params)
    for (const page of pages) expect(JSON.stringify(page).length).toBeLessThan(9_000_000)
    const loadedStates = pages.flat().map(({ snapshot }) => String(snapshot.content).split(' ')[0])
    expect(loadedStates).toEqual(snapshots.map((_, index) => String(29 - index)))
    expect(pages.length).toBeGreaterThan(1)
    expect((await ada.call(entries.history, { params, query: { cursor: 'x' } })).status).toBe(400)
    expect((await ada.call(entries.history, { params, query: { cursor: '1-z' } })).status).toBe(400)
  })

  it('purges merged topics with their target', async () => {
    const sourceId = await createTopic('Dad')
    const targetId = await createTopic('Father')
    const otherId = await createTopic('Mother')
    await ada.call(topics.merge, { params: { id: sourceId, targetId } })
    await ada.call(topics.remove, { params: { id: targetId } })
    await extendSession()
    app.passTime(31 * dayMs)
    await purgeTrash(app.services)
    const rows = await app.services.db.selectFrom('topics').select('id').execute()
    expect(rows.map(({ id }) => id)).toEqual([otherId])
  })

  it('purges chains of merged topics', async () => {
    const first = await createTopic('Dad')
    const second = await createTopic('Papa')
    const third = await createTopic('Father')
    await ada.call(topics.merge, { params: { id: first, targetId: second } })
    await ada.call(topics.merge, { params: { id: second, targetId: third } })
    await ada.call(topics.remove, { params: { id: third } })
    await extendSession()
    app.passTime(31 * dayMs)
    await purgeTrash(app.services)
    expect(await app.services.db.selectFrom('topics').select('id').execute()).toEqual([])
  })

  it('purges the template answers an entry was made from', async () => {
    const started = await ada.call(engagementTemplates.begin, {
      params: { x: 'morning-pages' },
      body: { keeperId: keeper.id },
    })
    const answered = await ada.call(engagementTemplates.answerStep, {
      params: { runId: started.data.id },
      body: { answers: { pages: 'CANARYPAGES', one_thing: 'Sail' }, done: true },
    })
    const [reflection] = answered.data.entries
    await ada.call(reflections.remove, { params: { id: reflection?.id ?? '' } })
    const loadAnswers = async () =>
      JSON.stringify(await app.services.db.selectFrom('template_runs').select('answers').execute())
    await purgeTrash(app.services)
    expect(await loadAnswers(), 'while it can be restored').toContain('CANARYPAGES')
    app.passTime(31 * dayMs)
    await purgeTrash(app.services)
    expect(await loadAnswers()).not.toContain('CANARYPAGES')
    expect(await countRows('reflections', reflection?.id ?? '')).toBe(0)
  })

  it('purges a large keeper in small batches', async () => {
    const reflection = await reflect('One of many.')
    const { db } = app.services
    await copyRow(db, 'reflections', reflection.id, { count: 1_200, values: (index) => ({ id: `copy-${index}` }) })
    await ada.call(keepers.remove, { params: { id: keeper.id } })
    app.passTime(31 * dayMs)
    const write = db.write.bind(db)
    const changeCounts: number[] = []
    db.write = async (statement) => {
      const result = await write(statement)
      changeCounts.push(result.changes)
      return result
    }
    expect(await purgeTrash(app.services)).toBe(1)
    expect(changeCounts.filter((changes) => changes > 0)).toEqual([500, 201])
    expect(await countRows('keepers', keeper.id)).toBe(0)
    expect(await app.services.db.selectFrom('reflections').select('id').execute()).toEqual([])
  })

  it('purges the history of a journey’s paths', async () => {
    const { data: journey } = await ada.call(journeys.create, { params: { id: keeper.id }, body: { title: 'Away' } })
    const [path] = (await ada.call(journeys.paths, { params: { id: journey.id } })).data
    const params = { id: path?.id ?? '' }
    await ada.call(journeys.updatePath, { params, body: { waypoints: [{ title: 'canary waypoint' }] } })
    await ada.call(journeys.updatePath, { params, body: { waypoints: [{ title: 'Another' }] } })
    expect(await countRows('entry_history', params.id)).toBeGreaterThan(0)
    await ada.call(journeys.remove, { params: { id: journey.id } })
    await extendSession()
    app.passTime(31 * dayMs)
    await purgeTrash(app.services)
    const history = await app.services.db.selectFrom('entry_history').selectAll().execute()
    expect(await countRows('entry_history', params.id)).toBe(0)
    expect(JSON.stringify(history)).not.toContain('canary waypoint')
  })

  it('purges a moment’s pictures and keeps texts about it', async () => {
    const { data: moment } = await ada.call(moments.create, {
      params: { id: keeper.id },
      body: { body: 'Snow', mediaIds: [await uploadMedia(ada, keeper.id, 'image/png')] },
    })
    const about = await reflect('About the snow', { momentId: moment.id })
    expect(await countRows('media', moment.id)).toBe(1)
    await ada.call(moments.remove, { params: { id: moment.id } })
    await extendSession()
    app.passTime(31 * dayMs)
    await purgeTrash(app.services)
    expect(await countRows('media', moment.id)).toBe(0)
    expect((await ada.call(reflections.show, { params: { id: about.id } })).data).toMatchObject({
      content: 'About the snow',
      momentId: null,
    })
  })

  it('shows history newest first, to the owner only', async () => {
    const reflection = await reflect('one')
    for (const content of ['two', 'three']) {
      app.passTime(10 * 60_000)
      await ada.call(reflections.update, { params: { id: reflection.id }, body: { content } })
    }
    const { data } = await fetchHistory('reflection', reflection.id)
    expect(data.map(({ rev, snapshot }) => [rev, snapshot.content])).toEqual([
      [2, 'two'],
      [1, 'one'],
    ])
    expect((await fetchHistory('reflection', reflection.id, ben)).status).toBe(404)
    await ada.call(keepers.update, { params: { id: keeper.id }, body: { title: 'Renamed' } })
    expect((await fetchHistory('keeper', keeper.id)).data[0]?.snapshot).toMatchObject({ title: 'The Harbour Year' })
    expect((await fetchHistory('keeper', keeper.id, ben)).status).toBe(404)
  })

  it('shows the owner which agents read an entry, newest first', async () => {
    const reflection = await reflect('read by agents')
    const insertRead = (id: string, readAt: number) =>
      app.services.db
        .insertInto('memory_reads')
        .values({
          id: `${id}-${engine}`,
          keeper_id: keeper.id,
          owner_id: ada.id,
          run_id: id,
          read_at: readAt,
          entity: 'reflection',
          entity_id: reflection.id,
          agent_id: 'kip',
          agent_name: 'Kip',
          purpose: 'answer',
        })
        .execute()
    await insertRead('first', 1000)
    await insertRead('second', 2000)
    const listReads = (actor: Actor) =>
      actor.call(entries.reads, { params: { entity: 'reflection', id: reflection.id } })
    expect((await listReads(ada)).data.map(({ runId }) => runId)).toEqual(['second', 'first'])
    expect((await listReads(ben)).status).toBe(404)
  })
})
