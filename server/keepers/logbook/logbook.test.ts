import { beforeEach, describe, expect, it } from 'vitest'
import { type LogbookEntry, logbook } from '#contract/keepers/logbook.ts'
import { moments } from '#contract/keepers/moments.ts'
import { createTestKeeper } from '#tests/create-test-keeper.ts'
import { engines } from '#tests/engines.ts'
import { useTestApp } from '#tests/use-test-app.ts'

describe.each(engines)('the identity logbook, on %s', (engine) => {
  const { app, ada } = useTestApp(engine, ['ada'], { perTest: true })
  let keeperId: string
  beforeEach(async () => {
    keeperId = (await createTestKeeper(ada)).id
  })

  const getKeeperParams = () => ({ params: { id: keeperId } })
  const send = (body: object) => ada.call(logbook.create, { ...getKeeperParams(), body: body as never })
  const write = async (fields: object = {}): Promise<LogbookEntry> => {
    const { status, data, text } = await send({
      entry: 'I kept the light.',
      label: 'Light',
      category: 'Work',
      ...fields,
    })
    expect(status, text).toBe(200)
    return data
  }
  const change = (id: string, body: object, ifMatch?: number) =>
    ada.call(logbook.update, { params: { id }, body, ...(ifMatch !== undefined && { ifMatch }) })
  const list = async () => (await ada.call(logbook.list, getKeeperParams())).data
  const listCategories = async () => (await ada.call(logbook.categories, getKeeperParams())).data
  const listTags = async () => (await ada.call(logbook.tags, getKeeperParams())).data
  const rename = (kind: string, from: string, to: string) =>
    ada.call(logbook.renameWord, { ...getKeeperParams(), body: { kind, from, to } as never })
  const loadTopics = async (id: string) => {
    const { db } = app.services
    const links = db.selectFrom('entry_topics').innerJoin('topics', 'topics.id', 'entry_topics.topic_id')
    return (await links.select('name').where('entity_id', '=', id).orderBy('name').execute()).map(({ name }) => name)
  }

  it.each(['entry', 'label', 'category'])('requires a %s and says so', async (field) => {
    const validEntry = { entry: 'e', label: 'l', category: 'c' }
    const { status, body } = await send({ ...validEntry, [field]: '   ' })
    expect({ status, fields: body.fields }).toEqual({
      status: 400,
      fields: { [field]: 'Entry, label, and category are required' },
    })
    expect(await list()).toEqual([])
  })

  it('trims and dedupes tags, each of which is a topic', async () => {
    const { id, tags: storedTags } = await write({ tags: [' Sea ', 'Sea', '', '  ', 'Night'] })
    expect(storedTags).toEqual(['Sea', 'Night'])
    expect(await loadTopics(id)).toEqual(['Night', 'Sea'])
    await change(id, { tags: ['Sea'] })
    expect(await loadTopics(id)).toEqual(['Sea'])
    await change(id, { label: 'Other' })
    expect(await loadTopics(id)).toEqual(['Sea'])
  })

  it('lists categories and tags in use alphabetically', async () => {
    await write({ category: 'Work', tags: ['Zeal', 'courage'] })
    await write({ category: 'Family', tags: ['Élan'] })
    const { id } = await write({ category: 'Deleted', tags: ['deleted'] })
    await ada.call(logbook.remove, { params: { id } })
    expect(await listCategories()).toEqual(['Family', 'Work'])
    expect(await listTags()).toEqual(['courage', 'Élan', 'Zeal'])
    expect(await list()).toHaveLength(2)
  })

  it('shows pinned entries first, then by day', async () => {
    await write({ label: 'old', occurredOn: '2020-05-01' })
    await write({ label: 'new', occurredOn: '2026-05-01' })
    await write({ label: 'pinned', occurredOn: '2019-05-01', pinned: true })
    expect((await list()).map(({ label }) => label)).toEqual(['pinned', 'new', 'old'])
  })

  it('renames a category in every entry, with history, merging duplicates', async () => {
    const one = await write({ category: 'Work' })
    const two = await write({ category: 'Work' })
    const three = await write({ category: 'Craft' })
    expect((await rename('category', 'Work', 'Craft')).data).toEqual({ changed: 2 })
    expect(await listCategories()).toEqual(['Craft'])
    expect((await list()).map(({ rev }) => rev).sort()).toEqual([1, 2, 2])
    const history = await app.services.db.selectFrom('entry_history').select(['entity_id', 'snapshot']).execute()
    expect(history.map(({ entity_id }) => entity_id).sort()).toEqual([one.id, two.id].sort())
    expect(history.map(({ snapshot }) => snapshot.category)).toEqual(['Work', 'Work'])
    expect(history.map(({ entity_id }) => entity_id)).not.toContain(three.id)
  })

  it('merges two tags with their topics', async () => {
    const both = await write({ tags: ['sea', 'harbour', 'night'] })
    const one = await write({ tags: ['sea'] })
    expect((await rename('tag', 'sea', 'harbour')).data).toEqual({ changed: 2 })
    expect(await listTags()).toEqual(['harbour', 'night'])
    expect(await loadTopics(both.id)).toEqual(['harbour', 'night'])
    expect(await loadTopics(one.id)).toEqual(['harbour'])
    expect((await rename('tag', 'harbour', 'harbour')).data).toEqual({ changed: 0 })
    const unknown = await rename('tag', 'sea', 'x')
    expect({ status: unknown.status, fields: unknown.body.fields }).toEqual({
      status: 400,
      fields: { from: 'No entry has the tag “sea”.' },
    })
  })

  it('dates an entry by its writing, not its arrival', async () => {
    const createdAt = new Date(app.services.now().getTime() - 40 * 60 * 60 * 1000).toISOString()
    expect((await write({ createdAt })).occurredOn).toBe(createdAt.slice(0, 10))
  })

  it('renames concurrently with saves without losing either', async () => {
    const { id } = await write({ category: 'Work' })
    const [renamed, saved] = await Promise.all([rename('category', 'Work', 'Craft'), change(id, { entry: 'Saved.' })])
    expect(renamed.status).toBe(200)
    expect(saved.status).toBe(200)
    expect((await list())[0]).toMatchObject({ category: 'Craft', entry: 'Saved.', rev: 3 })
  })

  it('rejects a stale save with both versions', async () => {
    const { id } = await write({ tags: ['a'] })
    await change(id, { entry: 'mine' }, 1)
    const { status, body } = await change(id, { entry: 'theirs', tags: ['b'] }, 1)
    expect(status).toBe(409)
    expect(body.data).toMatchObject({
      yours: { entry: 'theirs', tags: ['b'] },
      current: { entry: 'mine', tags: ['a'] },
    })
  })

  it('links only to moments and journeys of its keeper', async () => {
    const refused = await send({ entry: 'e', label: 'l', category: 'c', momentId: 'nowhere' })
    expect({ status: refused.status, fields: refused.body.fields }).toEqual({
      status: 400,
      fields: { momentId: 'Choose a moment in this keeper.' },
    })
    const other = await createTestKeeper(ada, { title: 'Another' })
    const { data: foreignMoment } = await ada.call(moments.create, { params: { id: other.id }, body: { body: 'm' } })
    const refusedForeign = await send({ entry: 'e', label: 'l', category: 'c', momentId: foreignMoment.id })
    expect(refusedForeign.body.fields).toEqual({ momentId: 'Choose a moment in this keeper.' })
    const { id } = await write()
    expect((await change(id, { journeyId: 'nowhere' })).body.fields).toEqual({
      journeyId: 'Choose a journey in this keeper.',
    })
    expect((await change(id, { journeyId: null })).status).toBe(200)
  })

  it('exports by year and category with unchanged texts', async () => {
    await write({
      entry: 'Second *line*\n\nof it.',
      label: 'B',
      category: 'Work',
      occurredOn: '2025-03-02',
      tags: ['sea'],
    })
    await write({ entry: 'First.', label: 'A', category: 'Family', occurredOn: '2025-09-01' })
    await write({ entry: 'Earlier.', label: 'C', category: 'Work', occurredOn: '2024-01-01' })
    const markdownResponse = await ada.fetch(`/api/keeper/keepers/${keeperId}/logbook-entries/export?format=md`)
    expect(markdownResponse.headers.get('content-disposition')).toContain('attachment')
    expect(await markdownResponse.text()).toBe(
      [
        '# The Harbour Year - Identity Logbook',
        '## 2024',
        '### Who I was: Work',
        '#### 2024-01-01 C',
        'Earlier.',
        '## 2025',
        '### Who I was: Family',
        '#### 2025-09-01 A',
        'First.',
        '### Who I was: Work',
        '#### 2025-03-02 B',
        'Second *line*\n\nof it.',
        'Tags: sea\n',
      ].join('\n\n'),
    )
    const jsonResponse = await ada.fetch(`/api/keeper/keepers/${keeperId}/logbook-entries/export?format=json`)
    const { entries } = (await jsonResponse.json()) as { entries: LogbookEntry[] }
    expect(entries.map(({ label }) => label)).toEqual(['C', 'B', 'A'])
  })

  it('is private to its owner in every call', async () => {
    const { id } = await write()
    const ben = await app.as('ben')
    const foreignResponses = [
      await ben.call(logbook.list, getKeeperParams()),
      await ben.call(logbook.exportEntries, { ...getKeeperParams(), query: { format: 'md' } }),
      await ben.call(logbook.renameWord, { ...getKeeperParams(), body: { kind: 'category', from: 'Work', to: 'X' } }),
      await ben.call(logbook.update, { params: { id }, body: { entry: 'x' } }),
      await ben.call(logbook.remove, { params: { id } }),
    ]
    expect(foreignResponses.map(({ status }) => status)).toEqual([404, 404, 404, 404, 404])
    expect((await list())[0]?.entry).toBe('I kept the light.')
  })
})
