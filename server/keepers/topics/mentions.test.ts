import { beforeEach, describe, expect, it } from 'vitest'
import { reflections } from '#contract/keepers/reflections.ts'
import { type Mention, topics } from '#contract/keepers/topics.ts'
import { createTestKeeper } from '#tests/create-test-keeper.ts'
import { engines } from '#tests/engines.ts'
import { insertMomentRows } from '#tests/insert-moment-rows.ts'
import { useTestApp } from '#tests/use-test-app.ts'

const ofMoments = 1500
const ofReflections = 800

describe.each(engines)('mentions of a topic beyond one page, on %s', (engine) => {
  const { app, ada } = useTestApp(engine, ['ada'], { perTest: true })
  let topicId: string
  beforeEach(async () => {
    const keeperId = (await createTestKeeper(ada)).id
    await ada.call(reflections.create, { params: { id: keeperId }, body: { content: 'Of the sea.', topic: 'Sea' } })
    const { db } = app.services
    const link = await db.selectFrom('entry_topics').selectAll().executeTakeFirstOrThrow()
    const reflection = await db.selectFrom('reflections').selectAll().executeTakeFirstOrThrow()
    topicId = link.topic_id
    const moments = Array.from({ length: ofMoments }, (_, at) => ({ id: `m${at}`, keeperId, ownerId: ada.id }))
    await insertMomentRows(app.services, moments)
    const copies = Array.from({ length: ofReflections - 1 }, (_, at) => ({ ...reflection, id: `r${at}` }))
    // Many at the same instant across page boundaries, ordered by kind and id only.
    const links = [
      ...moments.map(({ id }, at) => ({ ...link, entity: 'moment' as const, entity_id: id, said_at: at % 5 })),
      ...copies.map(({ id }, at) => ({ ...link, entity_id: id, said_at: at % 5 })),
    ]
    for (let at = 0; at < copies.length; at += 500)
      await db
        .insertInto('reflections')
        .values(copies.slice(at, at + 500))
        .execute()
    for (let at = 0; at < links.length; at += 500)
      await db
        .insertInto('entry_topics')
        .values(links.slice(at, at + 500))
        .execute()
  })

  const show = (cursor: string | null) =>
    ada.call(topics.show, { params: { id: topicId }, query: { ...(cursor && { cursor }) } })

  it('are listed and counted once each, newest first', async () => {
    const pages: Mention[][] = []
    for (let cursor: string | null = ''; cursor !== null; ) {
      const { data, body } = await show(cursor)
      expect({ name: data.name, total: data.total }).toEqual({ name: 'Sea', total: ofMoments + ofReflections })
      pages.push(data.mentions)
      cursor = body.next_cursor as string | null
    }
    expect(pages.map(({ length }) => length)).toEqual([1000, 1000, 300])
    const all = pages.flat()
    expect(new Set(all.map(({ entity, id }) => `${entity} ${id}`)).size).toBe(ofMoments + ofReflections)
    expect(all.map(({ at }) => at)).toEqual(
      all
        .map(({ at }) => at)
        .toSorted()
        .toReversed(),
    )
  })

  it('exclude deleted entries', async () => {
    await app.services.db.updateTable('moments').set({ deleted_at: 1 }).where('id', '!=', 'm7').execute()
    const { data, body } = await show(null)
    expect({
      ids: data.mentions.filter(({ entity }) => entity === 'moment').map(({ id }) => id),
      next_cursor: body.next_cursor,
    }).toEqual({ ids: ['m7'], next_cursor: null })
  })

  it('name an invalid cursor', async () => {
    const { status, body } = await show('x')
    expect({ status, fields: body.fields }).toEqual({
      status: 400,
      fields: { cursor: 'Use the next_cursor of the previous page.' },
    })
  })
})
