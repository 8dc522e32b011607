import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { entries } from '#contract/keepers/entries.ts'
import { keepers } from '#contract/keepers/keepers.ts'
import { keeperMedia } from '#contract/keepers/media.ts'
import { sources } from '#contract/keepers/sources.ts'
import { sweepMedia } from '#server/media/sweep-media.ts'
import { exportKeeper, importArchive } from '#tests/archives.ts'
import { createSource } from '#tests/create-source.ts'
import { createTestKeeper } from '#tests/create-test-keeper.ts'
import { engines } from '#tests/engines.ts'
import { keepDocument } from '#tests/keep-document.ts'
import { type Actor, createTestApp, type TestApp } from '#tests/test-app.ts'
import { purgeTrash } from '../entries/purge-trash.ts'

const day = 24 * 60 * 60 * 1000
const parts = [
  { text: 'The lamp turns once in ten seconds.', page: 1 },
  { text: '  ', page: 2 },
  { text: 'The lens floats\non mercury.', page: 3 },
]

describe.each(engines)('documents on the server, on %s', (engine) => {
  let app: TestApp
  let ada: Actor
  let ben: Actor
  let keeperId: string
  beforeAll(async () => {
    app = await createTestApp(engine)
    ada = await app.as('ada')
    ben = await app.as('ben')
  })
  afterAll(() => app.close())
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
  const keep = (mediaId: string, more: object = {}) =>
    ada.call(sources.keepDocument, {
      params: { id: keeperId },
      body: { mediaId, title: 'Manual', parts, agentsMayQuote: false, ...more },
    })

  it('are shown with their pages and their original', async () => {
    const { id } = await keepDocument(ada, keeperId, { parts, agentsMayQuote: false })
    const { data } = await show(id)
    expect(data).toMatchObject({
      ...{ kind: 'document', title: 'The lighthouse manual', agentsMayQuote: false, messageCount: 2 },
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

  it('are kept once, also when the answer was lost', async () => {
    const { data: file } = await uploadFile('%PDF-1.7 once')
    const id = '0'.repeat(32)
    const [first, again] = [await keep(file.id, { id }), await keep(file.id, { id })]
    expect([first.data.id, again.data.id]).toEqual([id, id])
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
    const { data: bens } = await ben.call(keeperMedia.upload, {
      params: { id: (await createTestKeeper(ben)).id },
      bytes: { mime: 'application/pdf', data: new Uint8Array(Buffer.from('%PDF-1.7 of Ben')) },
    })
    expect((await keep(bens.id)).status).toBe(400)
    expect(await listStored()).toHaveLength(1)
  })

  it.each([
    ['too many characters', [{ text: 'x'.repeat(3_000_001) }]],
    ['too many parts', Array.from({ length: 5_001 }, () => ({ text: 'x' }))],
    ['no page', [{ text: 'x', page: 0 }]],
  ])('are refused with %s', async (_, tooMuch) => {
    const { data: file } = await uploadFile('%PDF-1.7 large')
    expect((await keep(file.id, { parts: tooMuch })).status).toBe(400)
    expect(await listStored()).toEqual([])
  })

  it('of the longest text are taken', async () => {
    const { data: file } = await uploadFile('%PDF-1.7 long')
    const long = Array.from({ length: 5_000 }, (_, page) => ({ text: '漢'.repeat(600), page: page + 1 }))
    expect((await keep(file.id, { parts: long, agentsMayQuote: true })).data).toMatchObject({ messageCount: 5_000 })
  })

  it('take the permission back and give it, by revision', async () => {
    const { id, rev } = await keepDocument(ada, keeperId, { parts, agentsMayQuote: false })
    const change = (agentsMayQuote: boolean, ifMatch: number) =>
      ada.call(sources.update, { params: { id }, body: { agentsMayQuote }, ifMatch })
    expect((await change(true, rev)).data).toMatchObject({ agentsMayQuote: true, title: 'The lighthouse manual' })
    expect((await change(false, rev)).status).toBe(409)
    expect((await change(false, rev + 1)).data.agentsMayQuote).toBe(false)
  })

  it('without a readable text and conversations are never quoted', async () => {
    const unreadable = await keepDocument(ada, keeperId, { parts: [], agentsMayQuote: true })
    expect(unreadable).toMatchObject({ agentsMayQuote: false, messageCount: 0 })
    const owner = { id: keeperId, owner_id: ada.id }
    const chat = await createSource(app.services, owner, { messages: [{ id: 'q', role: 'person', text: 'Hello' }] })
    for (const id of [unreadable.id, chat]) {
      const refused = await ada.call(sources.update, { params: { id }, body: { agentsMayQuote: true } })
      expect([refused.status, refused.body.fields]).toEqual([400, { agentsMayQuote: expect.any(String) }])
    }
  })

  it('are private to their owner', async () => {
    const { id } = await keepDocument(ada, keeperId, { parts })
    const { file } = (await show(id)).data
    const replies = [
      await show(id, ben),
      await ben.call(sources.update, { params: { id }, body: { agentsMayQuote: false } }),
      await ben.call(sources.remove, { params: { id } }),
      await ben.fetch(`/api/keeper/media/${file?.id}`),
      await ben.call(sources.keepDocument, {
        params: { id: keeperId },
        body: { mediaId: file?.id ?? '', title: 'Mine', parts, agentsMayQuote: true },
      }),
    ]
    expect(replies.map(({ status }) => status)).toEqual([404, 404, 404, 404, 404])
    expect(await listStored(ben)).toEqual([])
  })

  it('go to the bin with their file, come back with it, and are purged with it', async () => {
    const { id } = await keepDocument(ada, keeperId, { parts })
    await ada.call(sources.remove, { params: { id } })
    expect([await listStored(), await countFiles()]).toEqual([[], 1])
    await ada.call(entries.restore, { params: { entity: 'source', id } })
    expect((await show(id)).data.file).not.toBeNull()
    await ada.call(sources.remove, { params: { id } })
    await app.services.db
      .updateTable('sources')
      .set({ deleted_at: app.services.now().getTime() - 31 * day })
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
      .set({ deleted_at: app.services.now().getTime() - 31 * day })
      .execute()
    await purgeTrash(app.services)
    expect(await countFiles()).toBe(0)
  })

  it('are exported and imported with file, pages and permission', async () => {
    const { id } = await keepDocument(ada, keeperId, { parts })
    const before = (await show(id)).data
    const zip = await exportKeeper(ada, keeperId)
    await app.services.db.deleteFrom('keepers').execute()
    await importArchive(ben, zip)
    const [stored] = await listStored(ben)
    const after = (await show(stored?.id ?? '', ben)).data
    expect(after).toMatchObject({
      ...{ title: before.title, messages: before.messages, agentsMayQuote: true, sourceKind: 'library' },
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
