import { beforeEach, describe, expect, it } from 'vitest'
import { sources } from '#contract/keepers/sources.ts'
import { transfer } from '#contract/keepers/transfer.ts'
import { createZip, deleteKeepersAndImports, previewArchive, waitForImportJob } from '#tests/archives.ts'
import { createTestKeeper } from '#tests/create-test-keeper.ts'
import { engines } from '#tests/engines.ts'
import { useTestApp } from '#tests/use-test-app.ts'

const createdAt = '2026-03-01T08:00:00.123456Z'
const rootId = '00000000-0000-4000-8000-000000000000'

const human = { uuid: 'm1', sender: 'human', text: 'How do I trim it?', content: [], created_at: createdAt }
const assistant = {
  uuid: 'm2',
  sender: 'assistant',
  text: '',
  created_at: createdAt,
  content: [
    { type: 'thinking', thinking: 'The wick, surely.' },
    { type: 'text', text: 'Trim the **wick**.', citations: [] },
    { type: 'tool_use', name: 'search', input: { q: 'wick' } },
  ],
}
const createChat = (messages: unknown[], fields: object = {}) => ({
  uuid: 'c1',
  name: 'The wick',
  summary: '',
  created_at: createdAt,
  updated_at: '2026-03-01T09:00:00Z',
  account: { uuid: 'x' },
  chat_messages: messages,
  ...fields,
})

// All formats share one import path, so one engine suffices.
describe.each(engines.slice(0, 1))('Claude conversations, on %s', (engine) => {
  const { app, ben } = useTestApp(engine, ['ben'])
  let keeperId: string
  beforeEach(async () => {
    await deleteKeepersAndImports(app)
    keeperId = (await createTestKeeper(ben)).id
  })

  async function importFiles(files: Record<string, unknown>) {
    const texts = Object.entries(files).map(([name, value]) => [name, JSON.stringify(value)])
    const job = await previewArchive(ben, await createZip(Object.fromEntries(texts)), `&keeperId=${keeperId}`)
    await ben.call(transfer.begin, { params: { jobId: job.id }, body: {} })
    const { preview, kind } = await waitForImportJob(ben, job.id, 'done')
    const { data } = await ben.call(sources.list, { params: { id: keeperId } })
    const importedSources = await Promise.all(
      data.map(async ({ id }) => (await ben.call(sources.show, { params: { id } })).data),
    )
    return { preview, kind, importedSources }
  }
  const importChat = async (value: unknown) => (await importFiles({ 'conversations.json': [value] })).importedSources[0]

  it('are read from content blocks, without reasoning and tool calls', async () => {
    const { kind, importedSources } = await importFiles({
      'users.json': [{ uuid: 'x', email_address: 'person@example.com' }],
      'conversations.json': [createChat([human, assistant])],
    })
    expect(kind).toBe('claude')
    expect(importedSources[0]).toMatchObject({
      title: 'The wick',
      sourceKind: 'claude',
      currentMessageId: 'm2',
      messageCount: 2,
      messages: [
        { id: 'm1', parentId: null, role: 'person', text: 'How do I trim it?', at: '2026-03-01T08:00:00.123Z' },
        { id: 'm2', parentId: 'm1', role: 'assistant', text: 'Trim the **wick**.' },
      ],
    })
    const [row] = await app.services.db.selectFrom('sources').select(['messages', 'text']).execute()
    expect(JSON.stringify(row?.messages)).toContain('The wick, surely.')
    expect(row?.text).not.toContain('surely')
  })

  it('keep their branches if the export names parents', async () => {
    const source = await importChat(
      createChat([
        { ...human, parent_message_uuid: rootId },
        { ...assistant, parent_message_uuid: 'm1' },
        { ...assistant, uuid: 'm3', text: 'Again.', content: [], parent_message_uuid: 'm1' },
      ]),
    )
    expect(source?.messages.map(({ id, parentId }) => [id, parentId])).toEqual([
      ['m1', null],
      ['m2', 'm1'],
      ['m3', 'm1'],
    ])
  })

  it('name the model and leave out placeholders for unsupported blocks', async () => {
    const placeholder = 'This block is not supported on your current device yet.'
    const content = [
      { type: 'text', text: placeholder },
      { type: 'text', text: 'Trim it.' },
    ]
    const old = { ...assistant, uuid: 'm3', content: [], text: `Before\n\n\`\`\`\n${placeholder}\n\`\`\`\n\nAfter` }
    const source = await importChat(createChat([human, { ...assistant, content }, old], { model: 'claude-opus' }))
    expect(source?.messages.map(({ text, model }) => [text, model])).toEqual([
      ['How do I trim it?', null],
      ['Trim it.', 'claude-opus'],
      ['Before\n\n\n\nAfter', 'claude-opus'],
    ])
  })

  it('keep pasted texts and file names', async () => {
    const source = await importChat(
      createChat([
        {
          ...human,
          text: '',
          attachments: [{ file_name: '', file_type: 'txt', extracted_content: 'A long\n```\npaste' }],
          files: [{ file_name: 'lamp.png' }],
          files_v2: [{ file_name: 'lamp.png' }],
        },
        assistant,
      ]),
    )
    expect(source?.messages[0]?.text).toBe('````\nA long\n```\npaste\n````\n\n[File: lamp.png]')
  })

  it('are imported with project documents, in either export format', async () => {
    const project = {
      uuid: 'p1',
      name: 'Lighthouse',
      description: 'All about it',
      created_at: createdAt,
      updated_at: createdAt,
      prompt_template: 'Be brief.',
      docs: [
        { uuid: 'd1', filename: 'plan.md', content: '# Plan\n\nTrim the wick.', created_at: createdAt },
        { filename: 'empty.md', content: '' },
      ],
    }
    const { importedSources, preview } = await importFiles({
      'conversations.json': [],
      'projects/p1.json': project,
      'projects.json': [{ ...project, uuid: 'p2', docs: null, prompt_template: '', description: '' }],
    })
    expect(preview).toMatchObject({
      parts: [{ title: 'Lighthouse', entries: 2 }],
      notes: ['The description of 1 project is not imported: Lighthouse.'],
    })
    expect(importedSources.map(({ kind, title }) => [kind, title]).toSorted()).toEqual([
      ['document', 'Lighthouse: instructions'],
      ['document', 'plan.md'],
    ])
  })

  it.each([
    ['an empty name', { name: '' }, { title: '' }],
    ['no dates', { created_at: null, updated_at: null }, { occurredAt: '2026-03-01T08:00:00.123Z' }],
    [
      'odd content',
      { chat_messages: [{ ...human, content: 'As text', text: 7 }, null, 3, assistant] },
      { messageCount: 2 },
    ],
  ])('are imported despite %s', async (_, fields, expected) => {
    expect(await importChat(createChat([human, assistant], fields))).toMatchObject(expected)
  })
})
