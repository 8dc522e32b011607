import { beforeEach, describe, expect, it } from 'vitest'
import { entries } from '#contract/keepers/entries.ts'
import { keepers } from '#contract/keepers/keepers.ts'
import { keeperMedia } from '#contract/keepers/media.ts'
import { memoryCards } from '#contract/keepers/memory-cards.ts'
import { moments } from '#contract/keepers/moments.ts'
import { reflections } from '#contract/keepers/reflections.ts'
import { sources } from '#contract/keepers/sources.ts'
import { sweepMedia } from '#server/media/sweep-media.ts'
import { dayMs } from '#server/values/time-units.ts'
import { exportKeeper, importArchive } from '#tests/archives.ts'
import { createSource } from '#tests/create-source.ts'
import { createTestKeeper } from '#tests/create-test-keeper.ts'
import { engines } from '#tests/engines.ts'
import { keepDocument } from '#tests/keep-document.ts'
import { createTestApp } from '#tests/test-app.ts'
import { useTestApp } from '#tests/use-test-app.ts'
import { purgeTrash } from '../entries/purge-trash.ts'

const question = { id: 'q', role: 'person', text: 'How does the light turn?' } as const
const answer = {
  id: 'a',
  role: 'assistant',
  at: '2026-03-01T08:01:00.000Z',
  model: 'gpt-5',
  text: 'It **floats** on [mercury](https://example.org/hg), without friction.\n\nThat is all.',
} as const
const hiddenToolMessage = { id: 't', role: 'tool', text: 'secret result', hidden: true } as const

describe.each(engines)('sources, on %s', (engine) => {
  const { app, ada } = useTestApp(engine, ['ada'])
  let keeper: { id: string; owner_id: string }
  beforeEach(async () => {
    await app.services.db.deleteFrom('keepers').execute()
    keeper = { id: (await createTestKeeper(ada)).id, owner_id: ada.id }
  })

  const create = (fields: Partial<Parameters<typeof createSource>[2]> = {}) =>
    createSource(app.services, keeper, { messages: [question, hiddenToolMessage, answer], ...fields })
  const list = async (query: Record<string, string> = {}) =>
    ada.call(sources.list, { params: { id: keeper.id }, query })
  const show = async (id: string) => ada.call(sources.show, { params: { id } })
  const keep = (id: string, body: object) =>
    ada.call(sources.keepQuote, {
      params: { id },
      body: { messageId: 'a', quote: 'floats on mercury', as: 'reflection', ...body } as never,
    })

  it('are listed newest first, page by page, with their first words', async () => {
    const oldId = await create({ occurredAt: Date.UTC(2020, 1, 1), title: '' })
    const newId = await create()
    const first = await list({ limit: '1' })
    expect(first.data).toMatchObject([
      { id: newId, title: 'The light', messageCount: 2, excerpt: expect.stringContaining('How does the light turn?') },
    ])
    const second = await list({ limit: '1', cursor: first.body.next_cursor ?? '' })
    expect(second.data.map(({ id }) => id)).toEqual([oldId])
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
    const withHiddenEnd = await show(await create({ messages: [question, answer, hiddenToolMessage] }))
    expect(withHiddenEnd.data.currentMessageId).toBe('a')
  })

  it('can be renamed, deleted and restored', async () => {
    const id = await create()
    const renamed = await ada.call(sources.update, { params: { id }, body: { title: '  The lamp\n' }, ifMatch: 1 })
    expect(renamed.data).toMatchObject({ title: 'The lamp', rev: 2 })
    const late = await ada.call(sources.update, { params: { id }, body: { title: 'Late' }, ifMatch: 1 })
    expect(late.status).toBe(409)
    await ada.call(sources.remove, { params: { id } })
    expect((await show(id)).status).toBe(404)
    const trash = await ada.call(entries.trash, { query: {} })
    expect(trash.data).toMatchObject([{ entity: 'source', id, title: 'The lamp' }])
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
    const first = await keep(id, body)
    const second = await keep(id, body)
    expect(first.data.id).toBe(body.id)
    expect(second.data.id).toBe(body.id)
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
    const bensKeeper = await createTestKeeper(ben)
    const responses = [
      await ben.call(sources.list, { params: { id: keeper.id } }),
      await ben.call(sources.show, { params: { id } }),
      await ben.call(sources.update, { params: { id }, body: { title: 'x' } }),
      await ben.call(sources.remove, { params: { id } }),
      await ben.call(sources.keepQuote, { params: { id }, body: { messageId: 'q', quote: 'light', as: 'moment' } }),
    ]
    expect(responses.map(({ status }) => status)).toEqual([404, 404, 404, 404, 404])
    expect((await ben.call(sources.list, { params: { id: bensKeeper.id } })).data).toEqual([])
  })

  it('count as text of the person', async () => {
    const measure = async () => {
      await app.services.usage.count(ada.id)
      return (await app.services.usage.getUsage(ada.id)).bytes
    }
    const bytesBefore = await measure()
    await create({ messages: [{ ...question, text: 'light '.repeat(10_000) }] })
    expect((await measure()) - bytesBefore).toBeGreaterThan(60_000)
  })
})

const parts = [
  { text: 'The lamp turns once in ten seconds.', page: 1 },
  { text: '  ', page: 2 },
  { text: 'The lens floats\non mercury.', page: 3 },
]

describe.each(engines)('documents on the server, on %s', (engine) => {
  let keeperId: string
  const { app, ada, ben } = useTestApp(engine, ['ada', 'ben'])
  beforeEach(async () => {
    for (const table of ['keepers', 'media'] as const) await app.services.db.deleteFrom(table).execute()
    keeperId = (await createTestKeeper(ada)).id
  })

  const show = (id: string, actor = ada) => actor.call(sources.show, { params: { id } })
  const listStored = async (actor = ada) => (await actor.call(sources.listDocuments, {})).data
  const countFiles = async () => (await app.services.db.selectFrom('media').select('id').execute()).length
  const uploadFile = (data: string, mime = 'application/pdf') =>
    ada.call(keeperMedia.upload, {
      params: { id: keeperId },
      bytes: { mime, data: new Uint8Array(Buffer.from(data)) },
    })
  const keep = (mediaId: string, fields: object = {}) =>
    ada.call(sources.keepDocument, {
      params: { id: keeperId },
      body: { mediaId, title: 'Manual', parts, agentsMayQuote: false, ...fields },
    })

  it('are shown with their pages and their original', async () => {
    const { id } = await keepDocument(ada, keeperId, { parts, agentsMayQuote: false })
    const { data } = await show(id)
    expect(data).toMatchObject({
      kind: 'document',
      title: 'The lighthouse manual',
      agentsMayQuote: false,
      messageCount: 2,
      file: { name: 'The lighthouse manual.pdf', mime: 'application/pdf', bytes: 16 },
    })
    expect(data.messages.map(({ text, page, role }) => [text, page, role])).toEqual([
      ['The lamp turns once in ten seconds.', 1, 'document'],
      ['The lens floats\non mercury.', 3, 'document'],
    ])
    const original = await ada.fetch(`/api/keeper/media/${data.file?.id}`)
    expect(await original.text()).toBe('%PDF-1.7\nmade up')
    expect(original.headers.get('content-disposition')).toMatch(/^attachment/)
    expect(original.headers.get('x-content-type-options')).toBe('nosniff')
    expect(original.headers.get('content-security-policy')).toContain("default-src 'none'")
    const results = await ada.call(sources.list, { params: { id: keeperId }, query: { q: 'mercury' } })
    expect(results.data).toMatchObject([{ id, agentsMayQuote: false }])
    expect(await listStored()).toMatchObject([{ id, keeperId, sha256: expect.stringMatching(/^[0-9a-f]{64}$/) }])
  })

  it('are kept once, also when the response was lost', async () => {
    const { data: file } = await uploadFile('%PDF-1.7 once')
    const id = '0'.repeat(32)
    const first = await keep(file.id, { id })
    const second = await keep(file.id, { id })
    expect(first.data.id).toBe(id)
    expect(second.data.id).toBe(id)
    expect(await listStored()).toHaveLength(1)
  })

  it('need a PDF or a text that nothing else uses', async () => {
    const { data: gif } = await uploadFile('GIF89a and more', 'image/gif')
    expect((await keep(gif.id)).body.fields).toHaveProperty('mediaId')
    expect((await keep('nothing')).status).toBe(400)
    const { data: file } = await uploadFile('%PDF-1.7 used')
    await keep(file.id)
    expect((await keep(file.id)).status).toBe(400)
    expect((await ada.call(keeperMedia.remove, { params: { id: file.id } })).body.error).toContain('A document uses')
    const { data: bensFile } = await ben.call(keeperMedia.upload, {
      params: { id: (await createTestKeeper(ben)).id },
      bytes: { mime: 'application/pdf', data: new Uint8Array(Buffer.from('%PDF-1.7 of Ben')) },
    })
    expect((await keep(bensFile.id)).status).toBe(400)
    expect(await listStored()).toHaveLength(1)
  })

  it.each([
    ['too many characters', [{ text: 'x'.repeat(3_000_001) }]],
    ['too many parts', Array.from({ length: 5_001 }, () => ({ text: 'x' }))],
    ['no page', [{ text: 'x', page: 0 }]],
  ])('are refused with %s', async (_, invalidParts) => {
    const { data: file } = await uploadFile('%PDF-1.7 large')
    expect((await keep(file.id, { parts: invalidParts })).status).toBe(400)
    expect(await listStored()).toEqual([])
  })

  it('documents of the maximum length are accepted', async () => {
    const { data: file } = await uploadFile('%PDF-1.7 long')
    const maxParts = Array.from({ length: 5_000 }, (_, page) => ({ text: '漢'.repeat(600), page: page + 1 }))
    expect((await keep(file.id, { parts: maxParts, agentsMayQuote: true })).data).toMatchObject({ messageCount: 5_000 })
  })

  it('take the permission back and give it, by revision', async () => {
    const { id, rev } = await keepDocument(ada, keeperId, { parts, agentsMayQuote: false })
    const change = (agentsMayQuote: boolean, ifMatch: number) =>
      ada.call(sources.update, { params: { id }, body: { agentsMayQuote }, ifMatch })
    expect((await change(true, rev)).data).toMatchObject({ agentsMayQuote: true, title: 'The lighthouse manual' })
    expect((await change(false, rev)).status).toBe(409)
    expect((await change(false, rev + 1)).data.agentsMayQuote).toBe(false)
  })

  it('conversations and documents without readable text are never quoted', async () => {
    const unreadable = await keepDocument(ada, keeperId, { parts: [], agentsMayQuote: true })
    expect(unreadable).toMatchObject({ agentsMayQuote: false, messageCount: 0 })
    const owner = { id: keeperId, owner_id: ada.id }
    const conversationId = await createSource(app.services, owner, {
      messages: [{ id: 'q', role: 'person', text: 'Hello' }],
    })
    for (const id of [unreadable.id, conversationId]) {
      const refused = await ada.call(sources.update, { params: { id }, body: { agentsMayQuote: true } })
      expect({ status: refused.status, fields: refused.body.fields }).toEqual({
        status: 400,
        fields: { agentsMayQuote: expect.any(String) },
      })
    }
  })

  it('are private to their owner', async () => {
    const { id } = await keepDocument(ada, keeperId, { parts })
    const { file } = (await show(id)).data
    const responses = [
      await show(id, ben),
      await ben.call(sources.update, { params: { id }, body: { agentsMayQuote: false } }),
      await ben.call(sources.remove, { params: { id } }),
      await ben.fetch(`/api/keeper/media/${file?.id}`),
      await ben.call(sources.keepDocument, {
        params: { id: keeperId },
        body: { mediaId: file?.id ?? '', title: 'Mine', parts, agentsMayQuote: true },
      }),
    ]
    expect(responses.map(({ status }) => status)).toEqual([404, 404, 404, 404, 404])
    expect(await listStored(ben)).toEqual([])
  })

  it('are trashed, restored and purged together with their file', async () => {
    const { id } = await keepDocument(ada, keeperId, { parts })
    await ada.call(sources.remove, { params: { id } })
    expect(await listStored()).toEqual([])
    expect(await countFiles()).toBe(1)
    await ada.call(entries.restore, { params: { entity: 'source', id } })
    expect((await show(id)).data.file).not.toBeNull()
    await ada.call(sources.remove, { params: { id } })
    await app.services.db
      .updateTable('sources')
      .set({ deleted_at: app.services.now().getTime() - 31 * dayMs })
      .execute()
    await purgeTrash(app.services)
    expect(await countFiles()).toBe(0)
  })

  it('keep their file in a sweep, and lose it with their keeper', async () => {
    await keepDocument(ada, keeperId, { parts })
    await sweepMedia(app.services)
    expect(await countFiles()).toBe(1)
    await ada.call(keepers.remove, { params: { id: keeperId } })
    expect(await listStored()).toEqual([])
    await app.services.db
      .updateTable('keepers')
      .set({ deleted_at: app.services.now().getTime() - 31 * dayMs })
      .execute()
    await purgeTrash(app.services)
    expect(await countFiles()).toBe(0)
  })

  it('are exported and imported with file, pages and permission', async () => {
    const { id } = await keepDocument(ada, keeperId, { parts })
    const exported = (await show(id)).data
    const zip = await exportKeeper(ada, keeperId)
    await app.services.db.deleteFrom('keepers').execute()
    await importArchive(ben, zip)
    const [stored] = await listStored(ben)
    const imported = (await show(stored?.id ?? '', ben)).data
    expect(imported).toMatchObject({
      title: exported.title,
      messages: exported.messages,
      agentsMayQuote: true,
      sourceKind: 'library',
      file: { name: 'The lighthouse manual.pdf', mime: 'application/pdf', bytes: 16 },
    })
  })
})

describe.each(engines)('documents and a full storage, on %s', (engine) => {
  it('say that they do not fit, and store nothing', async () => {
    const app = await createTestApp(engine, { environment: { KEEPER_FILES_MB_PER_PERSON: '1' } })
    const ada = await app.as('ada')
    const { id } = await createTestKeeper(ada)
    const data = new Uint8Array(Buffer.alloc(1024 * 1024 + 1, '%PDF-1.7 '))
    const refused = await ada.call(keeperMedia.upload, { params: { id }, bytes: { mime: 'application/pdf', data } })
    expect(refused.status).toBe(413)
    expect(refused.body.error).toContain('this file doesn’t fit')
    expect(await app.services.db.selectFrom('media').select('id').execute()).toEqual([])
    await app.close()
  })
})
