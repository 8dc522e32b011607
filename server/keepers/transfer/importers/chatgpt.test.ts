import { beforeEach, describe, expect, it } from 'vitest'
import { moments } from '#contract/keepers/moments.ts'
import { listBranch } from '#contract/keepers/source-tree.ts'
import { sources } from '#contract/keepers/sources.ts'
import { transfer } from '#contract/keepers/transfer.ts'
import {
  createZip,
  deleteKeepersAndImports,
  exportKeeper,
  importArchive,
  previewArchive,
  waitForImportJob,
} from '#tests/archives.ts'
import { createTestKeeper } from '#tests/create-test-keeper.ts'
import { engines } from '#tests/engines.ts'
import { useTestApp } from '#tests/use-test-app.ts'
import { ImportNotes } from '../import-notes.ts'
import { toSourcePart } from '../to-source-part.ts'
import { readConversation } from './chatgpt.ts'

type Node = Record<string, unknown>

const createdAt = 1_730_600_000.25

function createMessage(role: string, parts: unknown[], fields: Node = {}): Node {
  return {
    author: { role, name: null, metadata: {} },
    create_time: createdAt,
    status: 'finished_successfully',
    content: { content_type: 'text', parts },
    metadata: {},
    recipient: 'all',
    ...fields,
  }
}

/** Each node follows the previous one unless it names another parent. */
function createChat(nodes: [id: string, message: Node | null, parent?: string][], fields: Node = {}): Node {
  const mapping = Object.fromEntries(
    nodes.map(([id, content, parent], index) => [
      id,
      { id, message: content && { id, ...content }, parent: parent ?? nodes[index - 1]?.[0] ?? null, children: [] },
    ]),
  )
  return {
    title: 'The harbor light',
    create_time: createdAt,
    update_time: createdAt + 60,
    mapping,
    conversation_id: 'c1',
    current_node: nodes.at(-1)?.[0],
    default_model_slug: 'gpt-5',
    is_archived: false,
    ...fields,
  }
}

const plain = createChat([
  ['root', null],
  ['q', createMessage('user', ['How does the light turn?'])],
  ['a', createMessage('assistant', ['It **floats** on mercury.'], { metadata: { model_slug: 'gpt-4o' } })],
])

describe('reading a ChatGPT conversation', () => {
  it.each<[string, Node, string[]]>([
    ['system', createMessage('system', ['You are helpful.']), []],
    ['tool', createMessage('tool', ['{"result":1}']), []],
    ['to a tool', createMessage('assistant', ['search("x")'], { recipient: 'web' }), []],
    ['hidden', createMessage('user', ['Profile'], { metadata: { is_visually_hidden_from_conversation: true } }), []],
    [
      'thoughts',
      createMessage('assistant', [], { content: { content_type: 'thoughts', thoughts: [{ summary: 'Hm' }] } }),
      [],
    ],
    [
      'context',
      createMessage('user', [], { content: { content_type: 'user_editable_context', user_profile: 'x' } }),
      [],
    ],
    [
      'code',
      createMessage('assistant', [], { content: { content_type: 'code', language: 'python', text: 'a = 1' } }),
      ['```python\na = 1\n```'],
    ],
    ['no metadata', { author: { role: 'user' }, content: { content_type: 'text', parts: ['Hi'] } }, ['Hi']],
    ['brackets', createMessage('assistant', ['Yes【12:3†source】.']), ['Yes.']],
    [
      'drawn',
      createMessage('tool', [], {
        content: { content_type: 'multimodal_text', parts: [{ content_type: 'image_asset_pointer' }] },
        metadata: { image_gen_title: 'A lamp' },
      }),
      ['[Picture: A lamp]'],
    ],
    ['null parts', createMessage('user', [null, '', 'Hi']), ['Hi']],
    [
      'cites',
      createMessage('assistant', [
        'Yes\uE200cite\uE202turn0search1\uE201. \uE203It\uE204 is \uE200entity\uE202["city","Oslo","x"]\uE201',
      ]),
      ['Yes. It is Oslo'],
    ],
    [
      'voice',
      createMessage('user', [], {
        content: {
          content_type: 'multimodal_text',
          parts: [
            { content_type: 'audio_transcription', text: 'Spoken', direction: 'in' },
            { content_type: 'audio_asset_pointer', asset_pointer: 'sediment://file_1' },
          ],
        },
      }),
      ['Spoken\n\n[Recording]'],
    ],
    [
      'picture',
      createMessage('user', [], {
        content: {
          content_type: 'multimodal_text',
          parts: [{ content_type: 'image_asset_pointer', asset_pointer: 'file-service://file-1' }, 'Look'],
        },
        metadata: { attachments: [{ id: 'file-1', name: 'quay.png' }] },
      }),
      ['Look\n\n[File: quay.png]'],
    ],
  ])('shows the text of a message as ChatGPT does: %s', (_, content, expected) => {
    const notes = new ImportNotes()
    const nodes = createChat([
      ['root', null],
      ['x', content],
      ['a', createMessage('assistant', ['The end.'])],
    ])
    const source = readConversation(nodes, notes, '')
    const part = source && toSourcePart(source, { notes, target: { id: '', owner_id: '' } })
    const visible = part?.messages.filter(({ hidden }) => !hidden).map(({ text }) => text)
    expect(visible).toEqual([...expected, 'The end.'])
  })
})

// All formats share one import path, so one engine suffices.
describe.each(engines.slice(0, 1))('ChatGPT conversations, on %s', (engine) => {
  const { app, ben } = useTestApp(engine, ['ben'])
  let keeperId: string
  beforeEach(async () => {
    await deleteKeepersAndImports(app)
    keeperId = (await createTestKeeper(ben)).id
  })

  const listSources = async () => (await ben.call(sources.list, { params: { id: keeperId } })).data
  const showSource = async (id: string) => (await ben.call(sources.show, { params: { id } })).data
  async function importChats(chats: unknown[], files: Record<string, string | Buffer> = {}) {
    const bytes = await createZip({
      'chat.html': '<html>',
      'user.json': '{"email":"person@example.com"}',
      'conversations.json': JSON.stringify(chats),
      ...files,
    })
    const job = await previewArchive(ben, bytes, `&keeperId=${keeperId}`)
    await ben.call(transfer.begin, { params: { jobId: job.id }, body: {} })
    return (await waitForImportJob(ben, job.id, 'done')).preview
  }
  async function importChat(value: unknown) {
    const preview = await importChats([value])
    const [summary] = await listSources()
    const source = await showSource(summary?.id ?? '')
    return { preview, source, texts: source.messages?.map(({ text }) => text) }
  }

  it('become sources, not moments', async () => {
    const { preview, source } = await importChat(plain)
    expect(preview).toMatchObject({ entries: 1, duplicates: 0, media: 0, parts: [{ title: 'ChatGPT', entries: 1 }] })
    expect(source).toMatchObject({
      kind: 'conversation',
      sourceKind: 'chatgpt',
      title: 'The harbor light',
      currentMessageId: 'a',
      occurredAt: '2024-11-03T02:13:20.250Z',
      messageCount: 2,
      keepable: true,
      messages: [
        { id: 'q', parentId: null, role: 'person', text: 'How does the light turn?', model: null },
        { id: 'a', parentId: 'q', role: 'assistant', text: 'It **floats** on mercury.', model: 'gpt-4o' },
      ],
    })
    expect((await ben.call(moments.list, { params: { id: keeperId } })).data.items).toEqual([])
    const [row] = await app.services.db.selectFrom('sources').selectAll().execute()
    expect(row).toMatchObject({ ai_visible: false, source_id: 'c1', source_kind: 'chatgpt' })
    expect(row?.import_id).toHaveLength(32)
  })

  it('are read from split files in folders of any name', async () => {
    const second = { ...plain, conversation_id: 'c2', title: null }
    const bytes = await createZip({
      'export/conversations-000.json': JSON.stringify([plain]),
      'export/conversations-001.json': JSON.stringify([second]),
      'export/shared_conversations.json': '[{"id":"s"}]',
      'export/images/file-1.dat': 'x',
    })
    const { preview } = await importArchive(ben, bytes, { keeperId })
    expect(preview).toMatchObject({ entries: 2 })
    expect((await listSources()).map(({ title }) => title).toSorted()).toEqual(['', 'The harbor light'])
  })

  it('keep all branches and show the current one', async () => {
    const { source } = await importChat(
      createChat([
        ['root', null],
        ['q', createMessage('user', ['First'])],
        ['a1', createMessage('assistant', ['One'])],
        ['a2', createMessage('assistant', ['Two']), 'q'],
        ['q2', createMessage('user', ['Then'])],
      ]),
    )
    expect(source.messages.map(({ id, parentId }) => [id, parentId])).toEqual([
      ['q', null],
      ['a1', 'q'],
      ['a2', 'q'],
      ['q2', 'a2'],
    ])
    expect(listBranch(source.messages, source.currentMessageId).map(({ id }) => id)).toEqual(['q', 'a2', 'q2'])
  })

  it('list messages by time, whatever their order in the file', async () => {
    const ordered = createChat([
      ['root', null],
      ['q', createMessage('user', ['Q'], { create_time: createdAt + 1 })],
      ['a', createMessage('assistant', ['A'], { create_time: null })],
      ['q2', createMessage('user', ['Q2'], { create_time: createdAt + 9 })],
    ])
    const mapping = Object.fromEntries(Object.entries(ordered.mapping as object).reverse())
    expect((await importChat({ ...ordered, mapping })).texts).toEqual(['Q', 'A', 'Q2'])
  })

  it('attach replies to the nearest visible message and store hidden messages', async () => {
    const { source } = await importChat(
      createChat([
        ['root', null],
        ['q', createMessage('user', ['Q'])],
        ['t', createMessage('tool', ['secret result'])],
        ['a', createMessage('assistant', ['A'])],
      ]),
    )
    expect(source.messages[1]).toMatchObject({ id: 'a', parentId: 'q' })
    expect(JSON.stringify(source)).not.toContain('secret result')
    const [row] = await app.services.db.selectFrom('sources').select(['messages', 'text']).execute()
    expect(JSON.stringify(row?.messages)).toContain('secret result')
    expect(row?.text).toBe('Q\n\nA')
  })

  it('follow children where parents are missing, and survive cycles', async () => {
    const broken = createChat([
      ['q', createMessage('user', ['Q'])],
      ['a', createMessage('assistant', ['A'])],
    ])
    const mapping = broken.mapping as Record<string, Node>
    Object.assign(mapping.q ?? {}, { children: ['a'] })
    delete (mapping.a as { parent?: unknown }).parent
    expect((await importChat(broken)).source.messages[1]).toMatchObject({ parentId: 'q' })
    const cycle = {
      ...createChat([
        ['q', createMessage('user', ['Q']), 'a'],
        ['a', createMessage('assistant', ['A'])],
      ]),
      conversation_id: 'c9',
    }
    await importChats([cycle])
    const conversations = await Promise.all((await listSources()).map(({ id }) => showSource(id)))
    expect(conversations.map(({ messages }) => messages.filter(({ parentId }) => parentId === null).length)).toEqual([
      1, 1,
    ])
  })

  it('are imported once and updated when they have new messages', async () => {
    const other = { ...plain, conversation_id: 'c2' }
    await importChats([plain, other])
    const [first] = await listSources()
    await ben.call(sources.update, { params: { id: first?.id ?? '' }, body: { title: 'My title' } })
    expect(await importChats([plain, other])).toMatchObject({ entries: 2, duplicates: 2, notes: [] })
    const ids = (await listSources()).map(({ id }) => id)
    const longerChat = createChat(
      [
        ['root', null],
        ['q', createMessage('user', ['How does the light turn?'])],
        ['a', createMessage('assistant', ['It floats.'])],
        ['q2', createMessage('user', ['Since when?'])],
      ],
      { conversation_id: 'c1', update_time: createdAt + 3600 },
    )
    const preview = await importChats([longerChat, other])
    expect(preview).toMatchObject({
      entries: 2,
      duplicates: 1,
      notes: ['1 conversation or document has changed since the last import and is updated: The harbor light.'],
    })
    expect((await listSources()).map(({ id }) => id)).toEqual(ids)
    const counts = (await listSources()).map(({ messageCount }) => messageCount).toSorted()
    expect(counts).toEqual([2, 3])
    expect((await listSources()).map(({ title }) => title)).toContain('My title')
  })

  it('stay deleted when they are imported again', async () => {
    await importChats([plain])
    const [{ id = '' } = {}] = await listSources()
    await ben.call(sources.remove, { params: { id } })
    expect(await importChats([{ ...plain, update_time: createdAt + 9000 }])).toMatchObject({
      entries: 1,
      duplicates: 1,
    })
    expect(await listSources()).toEqual([])
  })

  it('without ids are imported once each, and not again', async () => {
    const { conversation_id: _, ...anonymous } = plain
    const chats = [anonymous, { ...anonymous, create_time: 1_700_000_000.25 }]
    expect(await importChats(chats)).toMatchObject({ entries: 2, duplicates: 0 })
    expect(await importChats(chats)).toMatchObject({ duplicates: 2 })
  })

  it('are imported next to unreadable conversations, which are reported', async () => {
    const preview = await importChats([
      plain,
      7,
      { title: 'x' },
      { ...plain, conversation_id: 'c2', create_time: null, update_time: 'x', mapping: {} },
    ])
    expect(preview).toMatchObject({ entries: 1 })
    expect(preview?.notes).toEqual([
      '2 conversations can’t be read and are left out: conversations.json, conversation 2; conversations.json, conversation 3.',
      '1 entry has no date that can be read and is left out: ChatGPT, “The harbor light”.',
    ])
  })

  it('keep their counts and texts when exported and imported', async () => {
    await importChats([plain, { ...plain, conversation_id: 'c2', title: null, is_do_not_remember: true }])
    const original = await listSources()
    const bytes = await exportKeeper(ben, keeperId)
    const { preview, keeperId: copyId } = await importArchive(ben, bytes)
    expect(preview).toMatchObject({ entries: 2 })
    const { data: copies } = await ben.call(sources.list, { params: { id: copyId ?? '' } })
    const toContent = async (summary: { id: string }[]) =>
      Promise.all(
        summary.map(async ({ id }) => {
          const { title, messages, sourceKind, occurredAt, keepable, messageCount } = await showSource(id)
          return JSON.stringify({ title, messages, sourceKind, occurredAt, keepable, messageCount })
        }),
      )
    expect((await toContent(copies)).toSorted()).toEqual((await toContent(original)).toSorted())
    keeperId = copyId ?? ''
    expect(await importChats([plain])).toMatchObject({ duplicates: 1 })
  })

  it('are recognized in the preview without a chosen keeper', async () => {
    const bytes = await createZip({ 'conversations.json': JSON.stringify([plain]) })
    expect(await previewArchive(ben, bytes)).toMatchObject({ kind: 'chatgpt', preview: { entries: 1 } })
  })
})
