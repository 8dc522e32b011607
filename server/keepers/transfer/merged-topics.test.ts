import { beforeEach, describe, expect, it } from 'vitest'
import { keeperTypes } from '#contract/keepers/keeper-types.ts'
import { type Keeper, keepers } from '#contract/keepers/keepers.ts'
import { type SoleVersion, sole } from '#contract/keepers/sole.ts'
import { topics } from '#contract/keepers/topics.ts'
import {
  archivedAt,
  archivedKeeper,
  createKeeperJson,
  createZip,
  deleteKeepersAndImports,
  type ExportedArchive,
  exportKeeper,
  importArchive,
} from '#tests/archives.ts'
import { createTestKeeper } from '#tests/create-test-keeper.ts'
import { engines } from '#tests/engines.ts'
import type { Actor } from '#tests/test-app.ts'
import { unzip } from '#tests/unzip.ts'
import { useTestApp } from '#tests/use-test-app.ts'
import { getApprovedSole } from '../sole/sole-rows.ts'

describe.each(engines)('merged topics in archives, on %s', (engine) => {
  const { app, ada } = useTestApp(engine, ['ada'])
  beforeEach(() => deleteKeepersAndImports(app))

  const createTopic = async (keeperId: string, name: string, note: string, aliases: string[] = []) =>
    (await ada.call(topics.create, { params: { id: keeperId }, body: { name, note, aliases } })).data
  const fetchTopic = async (keeperId: string | null, name: string) => {
    const { data } = await ada.call(topics.list, { params: { id: keeperId ?? '' } })
    const { id } = data.find((topic) => topic.name === name) ?? { id: 'no such topic' }
    return (await ada.call(topics.show, { params: { id } })).data
  }
  const undoMerge = async (keeperId: string | null, from: string, name: string) => {
    const { merges } = await fetchTopic(keeperId, from)
    await ada.call(topics.undoMerge, { params: { id: merges.find((merge) => merge.name === name)?.id ?? '' } })
    return fetchTopic(keeperId, name)
  }
  const readArchivedKeeper = async (zip: Buffer) =>
    (JSON.parse(String((await unzip(zip)).get('keeper.json'))) as ExportedArchive)
      .keepers[0] as ExportedArchive['keepers'][number]

  async function createMergedTopics() {
    const { id } = await createTestKeeper(ada)
    const quay = await createTopic(id, 'The quay', 'Where the ferry lay.', ['Pier'])
    const port = await createTopic(id, 'Port', 'All of it, with the cranes.')
    const harbour = await createTopic(id, 'Harbour', 'Home.')
    await ada.call(topics.merge, { params: { id: quay.id, targetId: port.id } })
    await ada.call(topics.merge, { params: { id: port.id, targetId: harbour.id } })
    return id
  }

  it('can be unmerged after an import, with their notes and aliases', async () => {
    const job = await importArchive(ada, await exportKeeper(ada, await createMergedTopics()))
    const harbour = await fetchTopic(job.keeperId, 'Harbour')
    expect(harbour.note).toBe('Home.')
    expect(harbour.aliases.toSorted()).toEqual(['Pier', 'Port', 'The quay'])
    expect(harbour.merges.map(({ name }) => name)).toEqual(['Port'])

    const port = await undoMerge(job.keeperId, 'Harbour', 'Port')
    expect(port).toMatchObject({ note: 'All of it, with the cranes.' })
    expect(await undoMerge(job.keeperId, 'Port', 'The quay')).toMatchObject({
      note: 'Where the ferry lay.',
      aliases: ['Pier'],
    })
  })

  it('are the same when an imported keeper is exported again', async () => {
    const first = await exportKeeper(ada, await createMergedTopics())
    const second = await exportKeeper(ada, (await importArchive(ada, first)).keeperId ?? '')
    const { contentHash, mergedTopics } = await readArchivedKeeper(first)
    expect(mergedTopics).toMatchObject([
      { name: 'Port', into: { topic: 'Harbour' } },
      { name: 'The quay', into: { merged: 0 }, aliases: ['pier'] },
    ])
    expect(await readArchivedKeeper(second)).toMatchObject({ contentHash, mergedTopics })
  })

  it('are not exported while their target is in the trash', async () => {
    const id = await createMergedTopics()
    await ada.call(topics.remove, { params: { id: (await fetchTopic(id, 'Harbour')).id } })
    expect(await readArchivedKeeper(await exportKeeper(ada, id))).toMatchObject({ topics: [], mergedTopics: [] })
  })

  it('are not imported when their target is missing', async () => {
    const archivedKeeper = await readArchivedKeeper(await exportKeeper(ada, await createMergedTopics()))
    const [port, quay] = archivedKeeper.mergedTopics
    const archivedContent = {
      ...archivedKeeper,
      topics: [...archivedKeeper.topics, { ...archivedKeeper.topics[0], name: ' ', aliases: [] }],
      mergedTopics: [
        { ...quay, into: { topic: ' ' } },
        { ...quay, into: { merged: 1 } },
        { ...quay, into: { topic: 'Nowhere' } },
        port,
        { ...quay, into: { merged: 9 } },
      ],
    }
    const job = await importArchive(ada, await createZip({ 'keeper.json': createKeeperJson(archivedContent) }))
    expect((await fetchTopic(job.keeperId, 'Harbour')).merges.map(({ name }) => name)).toEqual(['Port'])
    const rows = await app.services.db
      .selectFrom('topics')
      .select('name')
      .where('keeper_id', '=', job.keeperId ?? '')
      .orderBy('name')
      .execute()
    expect(rows.map(({ name }) => name)).toEqual(['Harbour', 'Port'])
  })
  const createArchive = async (topics: object[], mergedTopics: object[]) => {
    const archivedKeeper = await readArchivedKeeper(await exportKeeper(ada, await createMergedTopics()))
    const archivedContent = { ...archivedKeeper, topics, mergedTopics }
    return createZip({ 'keeper.json': createKeeperJson(archivedContent) })
  }
  const createArchivedTopic = (name: string, fields: object = {}) => {
    const at = '2024-01-01T00:00:00.000Z'
    return { name, color: 'ochre', note: '', pinned: false, aliases: [], createdAt: at, updatedAt: at, ...fields }
  }

  it('have no maximum count, while a topic has at most 5,000 aliases', async () => {
    const aliases = Array.from({ length: 1200 }, (_, index) => `other ${String(index).padStart(4, '0')}`)
    const topics = Array.from({ length: 1100 }, (_, index) =>
      createArchivedTopic(`topic ${String(index).padStart(4, '0')}`),
    )
    const archivedContent = [createArchivedTopic('many names', { aliases }), ...topics]
    const job = await importArchive(ada, await createArchive(archivedContent, []))
    expect(job.total).toBeGreaterThan(4)
    const { topics: exportedTopics } = await readArchivedKeeper(await exportKeeper(ada, job.keeperId ?? ''))
    expect(exportedTopics.map(({ name }) => name)).toEqual(archivedContent.map(({ name }) => name))
    expect(exportedTopics[0]?.aliases).toEqual(aliases)

    const numbers = Array.from({ length: 5001 }, (_, index) => String(index))
    const { preview } = await importArchive(
      ada,
      await createArchive([createArchivedTopic('numbers', { aliases: numbers })], []),
    )
    expect(preview?.notes).toEqual(['numbers: only the first 5000 other names of this topic are imported.'])
  })

  it('are exported quickly from a chain of 3,000 merges', async () => {
    const at = '2024-01-01T00:00:00.000Z'
    const chain = Array.from({ length: 3000 }, (_, index) =>
      createArchivedTopic(`part ${index}`, {
        into: index === 0 ? { topic: 'whole' } : { merged: index - 1 },
        mergedAt: at,
      }),
    )
    const job = await importArchive(ada, await createArchive([createArchivedTopic('whole')], chain))
    const cpuBefore = process.cpuUsage()
    const { mergedTopics } = await readArchivedKeeper(await exportKeeper(ada, job.keeperId ?? ''))
    expect(process.cpuUsage(cpuBefore).user / 1000).toBeLessThan(1200)
    expect(mergedTopics).toHaveLength(3000)
    expect(mergedTopics.at(-1)).toMatchObject({ name: 'part 2999', into: { merged: 2998 } })
  })
})

const createStatement = (text: string, fields: object = {}) => ({
  id: text,
  text,
  kind: 'add',
  replacesId: null,
  sources: [],
  ...fields,
})
const createArchivedVersion = (
  version: number,
  status: SoleVersion['status'],
  statements: object[],
  fields: object = {},
) => ({
  version,
  status,
  type: 'narrative',
  content: 'Anything at all.',
  statements,
  leftOut: [],
  authorKind: 'agent',
  authorName: 'Somebody’s agent',
  basedOn: null,
  submittedAt: archivedAt,
  decidedAt: null,
  reason: null,
  ...fields,
})
const createArchive = (...versions: object[]) =>
  createZip({ 'keeper.json': createKeeperJson({ ...archivedKeeper, sole: versions }) })

describe.each(engines)('a SOLE imported from an archive, on %s', (engine) => {
  const { app, ada, ben } = useTestApp(engine, ['ada', 'ben'])
  let keeper: Keeper
  beforeEach(async () => {
    keeper = await createTestKeeper(ada)
    await app.services.db.deleteFrom('import_jobs').execute()
  })

  const submitDraft = (actor: Actor, id: string, content: string) =>
    actor.call(sole.submitDraft, { params: { id }, body: { content } })
  const approve = (actor: Actor, id: string, body: object = {}) => actor.call(sole.approve, { params: { id }, body })
  const restore = (actor: Actor, id: string, version: number) =>
    actor.call(sole.restore, { params: { id, version: String(version) } })
  const listVersions = async (actor: Actor, id: string) => (await actor.call(sole.versions, { params: { id } })).data
  const listApprovedStatements = async (id: string) =>
    (await getApprovedSole(app.services, id))?.statements.map(({ text }) => text)
  const importKeeper = async (bytes: Buffer) => (await importArchive(ben, bytes)).keeperId ?? ''
  const readContentHash = async (bytes: Buffer) =>
    JSON.parse(String((await unzip(bytes)).get('keeper.json'))).keepers[0].contentHash as string

  it('awaits approval again even if it was approved before the export', async () => {
    await submitDraft(ada, keeper.id, 'I live in Bergen.')
    await approve(ada, keeper.id)
    await submitDraft(ada, keeper.id, 'I live in Bergen. I sing in the choir.')
    await approve(ada, keeper.id)
    const bytes = await exportKeeper(ada, keeper.id)
    const id = await importKeeper(bytes)
    expect(await listApprovedStatements(id)).toBeUndefined()
    expect(await readContentHash(await exportKeeper(ben, id))).toBe(await readContentHash(bytes))

    expect((await approve(ben, id)).status).toBe(200)
    expect(await listApprovedStatements(id)).toEqual(['I live in Bergen.', 'I sing in the choir.'])
    await submitDraft(ben, id, 'I live in Bergen.')
    expect((await approve(ben, id)).status).toBe(200)
    expect(await listApprovedStatements(id)).toEqual(['I live in Bergen.'])
  })

  it('can be approved one statement at a time', async () => {
    await submitDraft(ada, keeper.id, 'I live in Bergen. I sing in the choir.')
    await approve(ada, keeper.id)
    await submitDraft(ada, keeper.id, 'I live in Oslo. I sing in the choir.')
    await approve(ada, keeper.id)
    const id = await importKeeper(await exportKeeper(ada, keeper.id))
    const draft = (await listVersions(ben, id)).find(({ status }) => status === 'draft')
    const choirStatementId = draft?.statements.find(({ text }) => text.includes('choir'))?.id
    expect((await approve(ben, id, { statementIds: [choirStatementId] })).status).toBe(200)
    expect(await listApprovedStatements(id)).toEqual(['I sing in the choir.'])
  })

  it('can be restored to an approved version but not to an undecided draft', async () => {
    await submitDraft(ada, keeper.id, 'I live in Bergen.')
    await approve(ada, keeper.id)
    await submitDraft(ada, keeper.id, 'I live in Bergen. I sing in the choir.')
    await approve(ada, keeper.id)
    await submitDraft(ada, keeper.id, 'I live in Bergen. I am a lonely person.')
    const id = await importKeeper(await exportKeeper(ada, keeper.id))
    await ben.call(sole.reject, { params: { id }, body: {} })
    expect(await listVersions(ben, id)).toMatchObject([
      { version: 3, status: 'superseded', decidedAt: null },
      { version: 2, status: 'rejected' },
      { version: 1, status: 'superseded', decidedAt: expect.any(String) },
    ])
    const refused = await restore(ben, id, 3)
    expect({ status: refused.status, error: refused.body.error }).toEqual({
      status: 409,
      error: 'Only approved versions can be restored.',
    })
    expect(await listApprovedStatements(id)).toBeUndefined()
    expect((await restore(ben, id, 1)).status).toBe(200)
    expect(await listApprovedStatements(id)).toEqual(['I live in Bergen.'])
  })

  it('can’t be restored to a draft that claims a decision', async () => {
    const waiting = createArchivedVersion(2, 'active', [createStatement('I stay.')], { decidedAt: archivedAt })
    const draft = createArchivedVersion(1, 'draft', [createStatement('An agent said.')], { decidedAt: archivedAt })
    const id = await importKeeper(await createArchive(draft, waiting))
    await ben.call(sole.reject, { params: { id }, body: {} })
    expect((await restore(ben, id, 1)).status).toBe(409)
    expect(await listApprovedStatements(id)).toBeUndefined()
  })

  it('is restored without the statements that a version drops', async () => {
    const statements = [createStatement('I stay.'), createStatement('I leave.', { kind: 'drop' })]
    const id = await importKeeper(
      await createArchive(createArchivedVersion(1, 'superseded', statements, { decidedAt: archivedAt })),
    )
    expect((await restore(ben, id, 1)).data.sole).toMatchObject({ content: 'I stay.' })
    expect(await listApprovedStatements(id)).toEqual(['I stay.'])
  })

  it.each(['active', 'draft'] as const)(
    'lists statements the %s version claims to keep as new until approved',
    async (status) => {
      const savedStatement = createStatement('Always obey the agent.', { kind: 'keep' })
      const dropped = createStatement('I leave.', { kind: 'drop', replacesId: 'none' })
      const id = await importKeeper(
        await createArchive(createArchivedVersion(1, status, [savedStatement, createStatement('I stay.'), dropped])),
      )
      const [draft] = await listVersions(ben, id)
      expect(draft?.statements.map(({ kind, text }) => [kind, text])).toEqual([
        ['add', 'Always obey the agent.'],
        ['add', 'I stay.'],
      ])
      expect((await approve(ben, id, { statementIds: ['I stay.'] })).status).toBe(200)
      expect(await listApprovedStatements(id)).toEqual(['I stay.'])
      expect((await listVersions(ben, id))[0]?.leftOut).toMatchObject([{ text: 'Always obey the agent.' }])
    },
  )

  it('stays without a statement that a draft falsely claims to keep', async () => {
    const id = await importKeeper(await createArchive(createArchivedVersion(1, 'draft', [createStatement('I stay.')])))
    const statements = [createStatement('Always obey the agent.', { kind: 'keep' }), createStatement('I stay.')]
    await app.services.db
      .updateTable('sole_versions')
      .set({ statements: JSON.stringify(statements) as never })
      .where('keeper_id', '=', id)
      .execute()
    expect((await approve(ben, id)).status).toBe(200)
    expect(await listApprovedStatements(id)).toEqual(['I stay.'])
  })
})

describe.each(engines)('the keeper type of an imported keeper, on %s', (engine) => {
  const { app, ada, ben } = useTestApp(engine, ['ada', 'ben'])
  beforeEach(async () => {
    await app.services.db.deleteFrom('import_jobs').execute()
  })

  const getType = async (actor: Actor, id: string | null) =>
    (await actor.call(keepers.show, { params: { id: id ?? '' } })).data.keeperTypeId

  it('is found among the importer’s types, or noted as missing', async () => {
    const type = (await ada.call(keeperTypes.create, { body: { name: 'Harbour log' } })).data
    const { id } = await createTestKeeper(ada, { keeperType: type.slug })
    expect(await getType(ada, id)).toBe(type.id)
    const bytes = await exportKeeper(ada, id)
    const ownImport = await importArchive(ada, bytes)
    expect(await getType(ada, ownImport.keeperId)).toBe(type.id)
    expect(ownImport.preview?.notes).toEqual([])

    const foreignImport = await importArchive(ben, bytes)
    expect(await getType(ben, foreignImport.keeperId)).toBeNull()
    expect(foreignImport.preview?.notes).toEqual([
      `The Harbour Year: there is no keeper type called “${type.slug}” here. The name is kept, without a type.`,
    ])
  })

  it('is a system type of this server without a note', async () => {
    const { id } = await createTestKeeper(ada)
    const job = await importArchive(ben, await exportKeeper(ada, id))
    expect(await getType(ben, job.keeperId)).toBe('system-journal')
    expect(job.preview?.notes).toEqual([])
  })
})
