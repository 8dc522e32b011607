import { beforeEach, describe, expect, it } from 'vitest'
import { entries } from '#contract/keepers/entries.ts'
import { memoryCards } from '#contract/keepers/memory-cards.ts'
import { moments } from '#contract/keepers/moments.ts'
import { reflections } from '#contract/keepers/reflections.ts'
import { sources } from '#contract/keepers/sources.ts'
import { createSource } from '#tests/create-source.ts'
import { createTestKeeper } from '#tests/create-test-keeper.ts'
import { engines } from '#tests/engines.ts'
import { useTestApp } from '#tests/use-test-app.ts'

const question = { id: 'q', role: 'person', text: 'How does the light turn?' } as const
const answer = {
  id: 'a',
  role: 'assistant',
  at: '2026-03-01T08:01:00.000Z',
  model: 'gpt-5',
  text: 'It **floats** on [mercury](https://example.org/hg), without friction.\n\nThat is all.',
} as const
const tool = { id: 't', role: 'tool', text: 'secret result', hidden: true } as const

describe.each(engines)('sources, on %s', (engine) => {
  const { app, ada } = useTestApp(engine, ['ada'])
  let keeper: { id: string; owner_id: string }
  beforeEach(async () => {
    await app.services.db.deleteFrom('keepers').execute()
    keeper = { id: (await createTestKeeper(ada)).id, owner_id: ada.id }
  })

  const create = (more: Partial<Parameters<typeof createSource>[2]> = {}) =>
    createSource(app.services, keeper, { messages: [question, tool, answer], ...more })
  const list = async (query: Record<string, string> = {}) =>
    ada.call(sources.list, { params: { id: keeper.id }, query })
  const show = async (id: string) => ada.call(sources.show, { params: { id } })
  const keep = (id: string, body: object) =>
    ada.call(sources.keepQuote, {
      params: { id },
      body: { messageId: 'a', quote: 'floats on mercury', as: 'reflection', ...body } as never,
    })

  it('are listed newest first, page by page, with their first words', async () => {
    const old = await create({ occurredAt: Date.UTC(2020, 1, 1), title: '' })
    const newer = await create()
    const first = await list({ limit: '1' })
    expect(first.data).toMatchObject([
      { id: newer, title: 'The light', messageCount: 2, excerpt: expect.stringContaining('How does the light turn?') },
    ])
    const second = await list({ limit: '1', cursor: first.body.next_cursor ?? '' })
    expect(second.data.map(({ id }) => id)).toEqual([old])
    expect(second.body.next_cursor).toBeNull()
  })

  it.each([
    ['light mercury', 1],
    ['MERCURY', 1],
    ['secret', 0],
    ['parentId', 0],
    ['100%', 0],
  ])('are found by the words shown (%s)', async (q, count) => {
    await create()
    expect((await list({ q })).data).toHaveLength(count)
  })

  it('show no hidden message', async () => {
    const { data, text } = await show(await create())
    expect(data.messages.map(({ id, parentId }) => [id, parentId])).toEqual([
      ['q', null],
      ['a', 'q'],
    ])
    expect(text).not.toContain('secret result')
    const hiddenEnd = await show(await create({ messages: [question, answer, tool] }))
    expect(hiddenEnd.data.currentMessageId).toBe('a')
  })

  it('can be renamed, deleted and restored', async () => {
    const id = await create()
    const renamed = await ada.call(sources.update, { params: { id }, body: { title: '  The lamp\n' }, ifMatch: 1 })
    expect(renamed.data).toMatchObject({ title: 'The lamp', rev: 2 })
    const late = await ada.call(sources.update, { params: { id }, body: { title: 'Late' }, ifMatch: 1 })
    expect(late.status).toBe(409)
    await ada.call(sources.remove, { params: { id } })
    expect((await show(id)).status).toBe(404)
    const bin = await ada.call(entries.trash, { query: {} })
    expect(bin.data).toMatchObject([{ entity: 'source', id, title: 'The lamp' }])
    await ada.call(entries.restore, { params: { entity: 'source', id } })
    expect((await show(id)).data.title).toBe('The lamp')
  })

  it('keep a quote as a reflection with a link back', async () => {
    const id = await create({ title: 'Light [and] *sea*' })
    const { data } = await keep(id, {})
    const reflection = await ada.call(reflections.show, { params: { id: data.id } })
    expect(data).toEqual({ entity: 'reflection', id: reflection.data.id, keeperId: keeper.id })
    expect(reflection.data).toMatchObject({
      content: `> floats on mercury\n\nChatGPT in [Light \\[and\\] \\*sea\\*](/keeper/${keeper.id}/sources?source=${id}&message=a), Mar 1, 2026`,
      promotedToMemoryCard: false,
    })
    expect((await ada.call(memoryCards.list, { params: { id: keeper.id } })).data).toEqual([])
  })

  it('keep the person’s words as a moment of that time, once', async () => {
    const id = await create()
    const body = { id: '0'.repeat(32), messageId: 'q', quote: question.text, as: 'moment' }
    const [first, again] = [await keep(id, body), await keep(id, body)]
    expect([first.data.id, again.data.id]).toEqual([body.id, body.id])
    const { items } = (await ada.call(moments.list, { params: { id: keeper.id } })).data
    expect(items).toHaveLength(1)
    expect(items[0]).toMatchObject({ occurredAt: '2026-03-01T08:00:00.000Z' })
    expect(items[0]?.body).toContain('> How does the light turn?\n\nMy words in [The light]')
  })

  it.each([
    ['floats on mercury', 200],
    ['mercury, without friction. That is all.', 200],
    ['It **floats**', 200],
    ['It flies on mercury', 400],
    ['How does the light turn?', 400],
    ['…', 400],
    ['   ', 400],
  ])('keep only words of the message (%s: %i)', async (quote, status) => {
    expect((await keep(await create(), { quote })).status).toBe(status)
  })

  it('keep nothing hidden, unknown or not to be remembered', async () => {
    const id = await create()
    for (const messageId of ['t', 'x'])
      expect((await keep(id, { messageId, quote: 'secret' })).body.fields).toHaveProperty('messageId')
    const refused = await keep(await create({ keepable: false }), {})
    expect(refused.status).toBe(409)
    expect((await ada.call(reflections.list, { params: { id: keeper.id } })).data).toEqual([])
  })

  it('stay when a quote is kept, and the quote stays when they are deleted', async () => {
    const id = await create()
    const { data } = await keep(id, {})
    await ada.call(sources.remove, { params: { id } })
    expect((await ada.call(reflections.show, { params: { id: data.id } })).status).toBe(200)
  })

  it('are private to their owner', async () => {
    const ben = await app.as('ben')
    const id = await create()
    const bens = await createTestKeeper(ben)
    const replies = [
      await ben.call(sources.list, { params: { id: keeper.id } }),
      await ben.call(sources.show, { params: { id } }),
      await ben.call(sources.update, { params: { id }, body: { title: 'x' } }),
      await ben.call(sources.remove, { params: { id } }),
      await ben.call(sources.keepQuote, { params: { id }, body: { messageId: 'q', quote: 'light', as: 'moment' } }),
    ]
    expect(replies.map(({ status }) => status)).toEqual([404, 404, 404, 404, 404])
    expect((await ben.call(sources.list, { params: { id: bens.id } })).data).toEqual([])
  })

  it('count as text of the person', async () => {
    const measure = async () => {
      await app.services.usage.count(ada.id)
      return (await app.services.usage.getUsage(ada.id)).bytes
    }
    const before = await measure()
    await create({ messages: [{ ...question, text: 'light '.repeat(10_000) }] })
    expect((await measure()) - before).toBeGreaterThan(60_000)
  })
})
