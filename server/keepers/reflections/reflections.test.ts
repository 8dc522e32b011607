import { beforeEach, describe, expect, it } from 'vitest'
import { entries } from '#contract/keepers/entries.ts'
import type { Keeper } from '#contract/keepers/keepers.ts'
import { type Reflection, reflections } from '#contract/keepers/reflections.ts'
import { json } from '#server/db/database.ts'
import { hourMs, minuteMs } from '#server/values/time-units.ts'
import { createTestKeeper } from '#tests/create-test-keeper.ts'
import { engines } from '#tests/engines.ts'
import { fetchAllPages } from '#tests/fetch-all-pages.ts'
import { insertMomentRow } from '#tests/insert-moment-rows.ts'
import { removeRequestId } from '#tests/remove-request-id.ts'
import type { Actor } from '#tests/test-app.ts'
import { useTestApp } from '#tests/use-test-app.ts'

const unknownId = '0'.repeat(32)

describe.each(engines)('reflections, on %s', (engine) => {
  const { app, ada, ben } = useTestApp(engine, ['ada', 'ben'])
  let keeper: Keeper
  beforeEach(async () => {
    keeper = await createTestKeeper(ada)
  })

  const post = (body: object, actor = ada, id = keeper.id) => actor.call(reflections.create, { params: { id }, body })
  const write = async (content: string, fields: object = {}): Promise<Reflection> =>
    (await post({ content, ...fields })).data
  const put = (id: string, body: object, ifMatch?: number) =>
    ada.call(reflections.update, { params: { id }, body, ...(ifMatch !== undefined && { ifMatch }) })
  const show = async (id: string) => (await ada.call(reflections.show, { params: { id } })).data
  const list = (query: Record<string, string | number> = {}) =>
    ada.call(reflections.list, { params: { id: keeper.id }, query })
  const findTexts = async (query: Record<string, string | number>) =>
    (await list(query)).data.map(({ content }) => content)
  const listSuggestions = async () =>
    (await ada.call(reflections.suggestions, { params: { id: keeper.id } })).data.map(({ content }) => content)
  const promote = (id: string, actor = ada) => actor.call(reflections.promote, { params: { id } })
  const setResting = (id: string, body: object = {}) => ada.call(reflections.rest, { params: { id }, body })
  const loadCards = (id: string) =>
    app.services.db.selectFrom('memory_cards').selectAll().where('reflection_id', '=', id).execute()
  const loadTopics = (entity: 'reflection' | 'card', id: string) =>
    app.services.db
      .selectFrom('entry_topics')
      .innerJoin('topics', 'topics.id', 'entry_topics.topic_id')
      .select(['topics.name', 'entry_topics.said_at'])
      .where('entity', '=', entity)
      .where('entity_id', '=', id)
      .execute()

  it('are stored byte for byte, with defaults', async () => {
    const content = '  # Quay\r\n\tPer — “the flat”\u0000 é e\u0301  \n'.replace('\u0000', '')
    const reflection = await write(content, { topic: '  The flat in Bergen ' })
    expect(reflection).toEqual({
      id: expect.any(String),
      keeperId: keeper.id,
      agentId: 'default-agent',
      topic: 'The flat in Bergen',
      content,
      aiVisible: true,
      promotedToMemoryCard: false,
      promotedAt: null,
      memoryCardId: null,
      restedAt: null,
      momentId: null,
      createdAt: expect.any(String),
      updatedAt: expect.any(String),
      rev: 1,
    })
    expect(await show(reflection.id)).toEqual(reflection)
    expect((await loadTopics('reflection', reflection.id)).map(({ name }) => name)).toEqual(['The flat in Bergen'])
  })

  it('require a text within the limit', async () => {
    for (const content of ['', ' \n\t ', 'x'.repeat(500_001)]) {
      const { status, body } = await post({ content })
      expect({ status, fields: Object.keys(body.fields as object) }).toEqual({ status: 400, fields: ['content'] })
    }
    expect((await list()).data).toEqual([])
  })

  it('can have 50,000 words, also in a three-byte script', async () => {
    const content = '日'.repeat(500_000)
    const reflection = await write(content)
    expect(reflection.content).toBe(content)
    const longer = `${content.slice(1)}本`
    expect((await put(reflection.id, { content: longer }, 1)).data.content).toBe(longer)
    expect((await promote(reflection.id)).data.content).toBe(longer)
  })

  it('keep the time of offline writing, but never a future one', async () => {
    const pastDate = new Date(app.services.now().getTime() - 3 * hourMs).toISOString()
    const futureDate = new Date(app.services.now().getTime() + 3 * hourMs).toISOString()
    expect((await write('then', { createdAt: pastDate })).createdAt).toBe(pastDate)
    const postdated = await write('later', { createdAt: futureDate })
    expect(Date.parse(postdated.createdAt)).toBeLessThanOrEqual(app.services.now().getTime())
  })

  it('are created once per id, which nobody else can use', async () => {
    const id = 'ab'.repeat(16)
    const first = await write('once', { id })
    expect((await write('once', { id })).id).toBe(id)
    expect((await list()).data).toEqual([first])
    const bensKeeper = await createTestKeeper(ben)
    expect((await post({ id, content: 'mine' }, ben, bensKeeper.id)).status).toBe(409)
    expect((await show(id)).content).toBe('once')
  })

  it('treat a moment of another keeper like a missing one', async () => {
    const responses = []
    const bensKeeper = await createTestKeeper(ben)
    const momentId = app.services.newId()
    await insertMomentRow(app.services, { id: momentId, keeperId: bensKeeper.id, ownerId: ben.id })
    for (const id of [momentId, unknownId]) responses.push(await post({ content: 'x', momentId: id }))
    expect(responses.map(({ status }) => status)).toEqual([400, 400])
    expect(responses[0]?.body.fields).toEqual({ momentId: 'Choose a moment in this keeper, or none.' })
    expect(new Set(responses.map(({ text }) => removeRequestId(text))).size).toBe(1)
  })

  it('keep absent fields on change, move topics and record history', async () => {
    const reflection = await write('first', { topic: 'Harbour', aiVisible: false })
    const changed = (await put(reflection.id, { content: 'second' }, 1)).data
    expect(changed).toMatchObject({ content: 'second', topic: 'Harbour', aiVisible: false, rev: 2 })
    expect((await put(reflection.id, { topic: 'Choir' }, 2)).data).toMatchObject({ content: 'second', topic: 'Choir' })
    expect((await loadTopics('reflection', reflection.id)).map(({ name }) => name)).toEqual(['Choir'])
    expect((await put(reflection.id, { topic: '' }, 3)).data.topic).toBeNull()
    expect(await loadTopics('reflection', reflection.id)).toEqual([])
    const history = await app.services.db
      .selectFrom('entry_history')
      .select('snapshot')
      .where('entity_id', '=', reflection.id)
      .execute()
    const snapshots = history.map(({ snapshot }) => snapshot as unknown as typeof reflection)
    expect(snapshots[0]).toEqual(reflection)
    expect(snapshots.map(({ content, topic }) => `${content}, ${topic}`)).toEqual([
      'first, Harbour',
      'second, Harbour',
      'second, Choir',
    ])
  })

  it('reject a stale save with both versions, unchanged', async () => {
    const reflection = await write('first')
    await put(reflection.id, { content: 'in one tab' }, 1)
    const late = await put(reflection.id, { content: 'in the other' }, 1)
    expect({ status: late.status, code: late.body.code }).toEqual({ status: 409, code: 'stale' })
    expect(late.body.data).toMatchObject({
      yours: { content: 'in the other', rev: 1 },
      current: { content: 'in one tab', rev: 2 },
    })
    expect((await show(reflection.id)).content).toBe('in one tab')
  })

  it('are suggested after 24 hours, oldest first', async () => {
    await write('first')
    app.passTime(10 * minuteMs)
    await write('second')
    app.passTime(24 * hourMs - 11 * minuteMs)
    expect(await listSuggestions()).toEqual([])
    app.passTime(2 * minuteMs)
    expect(await listSuggestions()).toEqual(['first'])
    app.passTime(10 * minuteMs)
    expect(await listSuggestions()).toEqual(['first', 'second'])
  })

  it('are not suggested while they rest, and keep text and revision', async () => {
    const reflection = await write('quiet')
    app.passTime(25 * hourMs)
    const rested = (await setResting(reflection.id)).data
    expect(rested).toMatchObject({ content: 'quiet', rev: 1, restedAt: expect.any(String) })
    app.passTime(hourMs)
    expect((await setResting(reflection.id, { rest: true })).data.restedAt).toBe(rested.restedAt)
    expect(await listSuggestions()).toEqual([])
    expect((await setResting(reflection.id, { rest: false })).data.restedAt).toBeNull()
    expect(await listSuggestions()).toEqual(['quiet'])
    await setResting(reflection.id)
    expect((await promote(reflection.id)).status).toBe(200)
    expect((await setResting(reflection.id)).status).toBe(409)
  })

  it('follow the owner’s memory pattern, not another of the same name', async () => {
    const createPatternRow = (owner: Actor, slug: string, minAgeHours: number, name = slug) => ({
      id: app.services.newId(),
      owner_id: owner.id,
      slug,
      name,
      description: '',
      system: false,
      sections: json([]),
      capture_from: json(['reflection' as const]),
      promote: json({ minAgeHours, needsHuman: true as const }),
      created_at: 1,
      updated_at: 1,
    })
    await app.services.db
      .insertInto('memory_patterns')
      .values([createPatternRow(ada, 'ada-slow', 72, 'Slow River'), createPatternRow(ben, 'ben-quick', 0)])
      .execute()
    keeper = await createTestKeeper(ada)
    const setPattern = (memory_pattern: string) =>
      app.services.db.updateTable('keepers').set({ memory_pattern }).where('id', '=', keeper.id).execute()
    await write('slow')
    await setPattern('ben-quick')
    app.passTime(hourMs)
    expect(await listSuggestions()).toEqual([])
    for (const patternName of ['ada-slow', 'Slow River']) {
      await setPattern(patternName)
      expect(await listSuggestions()).toEqual([])
    }
    app.passTime(70 * hourMs)
    expect(await listSuggestions()).toEqual([])
    app.passTime(2 * hourMs)
    expect(await listSuggestions()).toEqual(['slow'])
  })

  it('become a card with their text, topic, author and time, and lock', async () => {
    const reflection = await write('kept', { topic: 'Harbour', agentId: 'agent-7', aiVisible: false })
    app.passTime(hourMs)
    const card = (await promote(reflection.id)).data
    expect(card).toMatchObject({
      keeperId: keeper.id,
      reflectionId: reflection.id,
      content: 'kept',
      topic: 'Harbour',
      aiVisible: false,
      state: 'active',
      embedded: true,
      rev: 1,
      reflection: { id: reflection.id, agentId: 'agent-7', createdAt: reflection.createdAt },
    })
    expect(await loadTopics('card', card.id)).toEqual([{ name: 'Harbour', said_at: Date.parse(reflection.createdAt) }])
    expect(await loadTopics('reflection', reflection.id)).toHaveLength(1)
    expect(await show(reflection.id)).toMatchObject({ promotedToMemoryCard: true, memoryCardId: card.id, rev: 2 })
    for (const response of [await put(reflection.id, { content: 'other' }), await promote(reflection.id)]) {
      expect({ status: response.status, error: response.body.error }).toEqual({
        status: 409,
        error: expect.stringContaining('locked'),
      })
    }
    expect((await show(reflection.id)).content).toBe('kept')
    expect((await ada.call(reflections.remove, { params: { id: reflection.id } })).status).toBe(200)
    expect((await ada.call(reflections.show, { params: { id: reflection.id } })).status).toBe(404)
    expect(await loadCards(reflection.id)).toMatchObject([{ id: card.id, content: 'kept', deleted_at: null }])
  })

  it('become one card for 50 concurrent promotions', async () => {
    const reflection = await write('wanted', { topic: 'Crowd' })
    const responses = await Promise.all(Array.from({ length: 50 }, () => promote(reflection.id)))
    const statuses = responses.map(({ status }) => status)
    expect(statuses.filter((status) => status === 200)).toHaveLength(1)
    expect(statuses.filter((status) => status === 409)).toHaveLength(49)
    const cards = await loadCards(reflection.id)
    expect(cards.map(({ id }) => id)).toEqual([responses.find(({ status }) => status === 200)?.data.id])
  })

  it('lock the text their card was made of, despite a concurrent edit', async () => {
    const reflection = await write('first')
    await Promise.all([
      put(reflection.id, { content: 'second' }),
      promote(reflection.id),
      put(reflection.id, { content: 'third' }),
      promote(reflection.id),
    ])
    const [card, ...otherCards] = await loadCards(reflection.id)
    expect(otherCards).toEqual([])
    expect(card?.content).toBe((await show(reflection.id)).content)
  })

  it('refuse the promotion of a stale revision', async () => {
    const reflection = await write('first')
    await put(reflection.id, { content: 'second' }, 1)
    const late = await ada.call(reflections.promote, { params: { id: reflection.id }, ifMatch: 1 })
    expect({ status: late.status, code: late.body.code }).toEqual({ status: 409, code: 'stale' })
    expect(await loadCards(reflection.id)).toEqual([])
  })

  it('are paged before 1970, too', async () => {
    for (const year of [1960, 1961, 1971]) await write(`in ${year}`, { createdAt: `${year}-05-17T12:00:00Z` })
    const pages = await fetchAllPages(ada, reflections.list, { id: keeper.id }, { query: { limit: '1' } })
    expect(pages.flat().map(({ content }) => content)).toEqual(['in 1971', 'in 1961', 'in 1960'])
  })

  it('are paged newest first without gaps or repeats at equal times', async () => {
    const createdAt = new Date(app.services.now().getTime() - hourMs).toISOString()
    for (let index = 0; index < 7; index++) await write(`number ${index}`, { createdAt })
    await write('newest')
    const all = (await list()).data.map(({ id }) => id)
    expect(all).toHaveLength(8)
    expect((await list()).body.next_cursor).toBeNull()
    const pages = await fetchAllPages(ada, reflections.list, { id: keeper.id }, { query: { limit: '3' } })
    expect(pages.flat().map(({ id }) => id)).toEqual(all)
    expect((await list({ cursor: 'x' })).status).toBe(400)
    expect((await list({ limit: 101 })).status).toBe(400)
  })

  it('are searched in text and topic, with % and _ as plain characters', async () => {
    await write('The harbour was 100% quiet', { topic: 'Evenings' })
    await write('snake_case, back\\slash')
    await write('ÅSE sang', { topic: 'Choir' })
    expect(await findTexts({ q: '100%' })).toEqual(['The harbour was 100% quiet'])
    expect(await findTexts({ q: '1%t' })).toEqual([])
    expect(await findTexts({ q: '_' })).toEqual(['snake_case, back\\slash'])
    expect(await findTexts({ q: '\\' })).toEqual(['snake_case, back\\slash'])
    expect(await findTexts({ q: 'HARBOUR evenings' })).toEqual(['The harbour was 100% quiet'])
    expect(await findTexts({ q: 'harbour choir' })).toEqual([])
    expect(await findTexts({ q: 'åse sang' })).toEqual(['ÅSE sang'])
    expect(await findTexts({ q: 'a\u030ase sang' }), 'the ring as a combining mark').toEqual(['ÅSE sang'])
  })

  it('are found by topic in any case and by alias, in their keeper only', async () => {
    const ownReflection = await write('a', { topic: 'Father' })
    await write('b', { topic: 'Garden' })
    const [topic] = await app.services.db
      .selectFrom('entry_topics')
      .select('topic_id')
      .where('entity_id', '=', ownReflection.id)
      .execute()
    const alias = { keeper_id: keeper.id, alias: 'Dad', alias_folded: 'dad', topic_id: topic?.topic_id ?? '' }
    await app.services.db.insertInto('topic_aliases').values(alias).execute()
    expect(await findTexts({ topic: ' FATHER' })).toEqual(['a'])
    expect(await findTexts({ topic: 'dad' })).toEqual(['a'])
    expect(await findTexts({ topic: 'nobody' })).toEqual([])
    keeper = await createTestKeeper(ada)
    expect(await findTexts({ topic: 'Father' })).toEqual([])
  })

  it('trashed reflections are hidden and locked, and can be restored', async () => {
    const reflection = await write('trashed')
    app.passTime(25 * hourMs)
    await ada.call(reflections.remove, { params: { id: reflection.id } })
    expect({ list: (await list()).data, suggestions: await listSuggestions() }).toEqual({
      list: [],
      suggestions: [],
    })
    const responses = [
      await put(reflection.id, { content: 'x' }),
      await promote(reflection.id),
      await setResting(reflection.id),
    ]
    expect(responses.map(({ status }) => status)).toEqual([404, 404, 404])
    expect(await loadCards(reflection.id)).toEqual([])
    await ada.call(entries.restore, { params: { entity: 'reflection', id: reflection.id } })
    expect(await listSuggestions()).toEqual(['trashed'])
  })

  it('other people’s reflections respond like unknown ids in every call', async () => {
    const reflection = await write('private')
    const sendEntryCalls = (id: string) => [
      ben.call(reflections.show, { params: { id } }),
      ben.call(reflections.update, { params: { id }, body: { content: 'x' } }),
      ben.call(reflections.remove, { params: { id } }),
      promote(id, ben),
      ben.call(reflections.rest, { params: { id }, body: {} }),
    ]
    const sendKeeperCalls = (id: string) => [
      ben.call(reflections.list, { params: { id } }),
      ben.call(reflections.suggestions, { params: { id } }),
      post({ content: 'x' }, ben, id),
    ]
    const foreign = await Promise.all([...sendEntryCalls(reflection.id), ...sendKeeperCalls(keeper.id)])
    const unknown = await Promise.all([...sendEntryCalls(unknownId), ...sendKeeperCalls(unknownId)])
    expect(foreign.map(({ status }) => status)).toEqual(foreign.map(() => 404))
    expect(foreign.map(({ text }) => removeRequestId(text))).toEqual(unknown.map(({ text }) => removeRequestId(text)))
    expect(await show(reflection.id)).toEqual(reflection)
  })
})
