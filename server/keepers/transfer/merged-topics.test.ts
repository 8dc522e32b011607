import { beforeEach, describe, expect, it } from 'vitest'
import { topics } from '#contract/keepers/topics.ts'
import { createZip, type ExportedArchive, exportKeeper, importArchive } from '#tests/archives.ts'
import { createTestKeeper } from '#tests/create-test-keeper.ts'
import { engines } from '#tests/engines.ts'
import { unzip } from '#tests/unzip.ts'
import { useTestApp } from '#tests/use-test-app.ts'

describe.each(engines)('exported and imported merged topics, on %s', (engine) => {
  const { app, ada } = useTestApp(engine, ['ada'])
  beforeEach(async () => {
    await app.services.db.deleteFrom('keepers').execute()
    await app.services.db.deleteFrom('import_jobs').execute()
  })

  const createTopic = async (keeperId: string, name: string, note: string, aliases: string[] = []) =>
    (await ada.call(topics.create, { params: { id: keeperId }, body: { name, note, aliases } })).data
  const named = async (keeperId: string | null, name: string) => {
    const { data } = await ada.call(topics.list, { params: { id: keeperId ?? '' } })
    const { id } = data.find((topic) => topic.name === name) ?? { id: 'no such topic' }
    return (await ada.call(topics.show, { params: { id } })).data
  }
  const undone = async (keeperId: string | null, from: string, name: string) => {
    const { merges } = await named(keeperId, from)
    await ada.call(topics.undoMerge, { params: { id: merges.find((merge) => merge.name === name)?.id ?? '' } })
    return named(keeperId, name)
  }
  const keeperIn = async (zip: Buffer) =>
    (JSON.parse(String((await unzip(zip)).get('keeper.json'))) as ExportedArchive)
      .keepers[0] as ExportedArchive['keepers'][number]

  async function harbours() {
    const { id } = await createTestKeeper(ada)
    const quay = await createTopic(id, 'The quay', 'Where the ferry lay.', ['Pier'])
    const port = await createTopic(id, 'Port', 'All of it, with the cranes.')
    const harbour = await createTopic(id, 'Harbour', 'Home.')
    await ada.call(topics.merge, { params: { id: quay.id, targetId: port.id } })
    await ada.call(topics.merge, { params: { id: port.id, targetId: harbour.id } })
    return id
  }

  it('can each be separated again with their notes', async () => {
    const job = await importArchive(ada, await exportKeeper(ada, await harbours()))
    const harbour = await named(job.keeperId, 'Harbour')
    expect(harbour.note).toBe('Home.')
    expect(harbour.aliases.toSorted()).toEqual(['Pier', 'Port', 'The quay'])
    expect(harbour.merges.map(({ name }) => name)).toEqual(['Port'])

    const port = await undone(job.keeperId, 'Harbour', 'Port')
    expect(port).toMatchObject({ note: 'All of it, with the cranes.' })
    expect(await undone(job.keeperId, 'Port', 'The quay')).toMatchObject({
      note: 'Where the ferry lay.',
      aliases: ['Pier'],
    })
  })

  it('are the same in the next archive', async () => {
    const first = await exportKeeper(ada, await harbours())
    const second = await exportKeeper(ada, (await importArchive(ada, first)).keeperId ?? '')
    const { contentHash, mergedTopics } = await keeperIn(first)
    expect(mergedTopics).toMatchObject([
      { name: 'Port', into: { topic: 'Harbour' } },
      { name: 'The quay', into: { merged: 0 }, aliases: ['pier'] },
    ])
    expect(await keeperIn(second)).toMatchObject({ contentHash, mergedTopics })
  })

  it('stay with a target in the trash', async () => {
    const id = await harbours()
    await ada.call(topics.remove, { params: { id: (await named(id, 'Harbour')).id } })
    expect(await keeperIn(await exportKeeper(ada, id))).toMatchObject({ topics: [], mergedTopics: [] })
  })

  it('are left out when their target is missing', async () => {
    const whole = await keeperIn(await exportKeeper(ada, await harbours()))
    const [port, quay] = whole.mergedTopics
    const archivedContent = {
      ...whole,
      topics: [...whole.topics, { ...whole.topics[0], name: ' ', aliases: [] }],
      mergedTopics: [
        { ...quay, into: { topic: ' ' } },
        { ...quay, into: { merged: 1 } },
        { ...quay, into: { topic: 'Nowhere' } },
        port,
        { ...quay, into: { merged: 9 } },
      ],
    }
    const archive = { format: 'keeper', version: 1, exportedAt: whole.createdAt, keepers: [archivedContent] }
    const job = await importArchive(ada, await createZip({ 'keeper.json': JSON.stringify(archive) }))
    expect((await named(job.keeperId, 'Harbour')).merges.map(({ name }) => name)).toEqual(['Port'])
    const rows = await app.services.db
      .selectFrom('topics')
      .select('name')
      .where('keeper_id', '=', job.keeperId ?? '')
      .orderBy('name')
      .execute()
    expect(rows.map(({ name }) => name)).toEqual(['Harbour', 'Port'])
  })
  const createArchive = async (topics: object[], mergedTopics: object[]) => {
    const whole = await keeperIn(await exportKeeper(ada, await harbours()))
    const archivedContent = { ...whole, topics, mergedTopics }
    return createZip({
      'keeper.json': JSON.stringify({
        format: 'keeper',
        version: 1,
        exportedAt: whole.createdAt,
        keepers: [archivedContent],
      }),
    })
  }
  const topicIn = (name: string, more: object = {}) => {
    const at = '2024-01-01T00:00:00.000Z'
    return { name, color: 'ochre', note: '', pinned: false, aliases: [], createdAt: at, updatedAt: at, ...more }
  }

  it('of any number, with any number of aliases, are imported and exported', async () => {
    const aliases = Array.from({ length: 1200 }, (_, at) => `other ${String(at).padStart(4, '0')}`)
    const topics = Array.from({ length: 1100 }, (_, at) => topicIn(`topic ${String(at).padStart(4, '0')}`))
    const archivedContent = [topicIn('many names', { aliases }), ...topics]
    const job = await importArchive(ada, await createArchive(archivedContent, []))
    expect(job.total).toBeGreaterThan(4)
    const { topics: out } = await keeperIn(await exportKeeper(ada, job.keeperId ?? ''))
    expect(out.map(({ name }) => name)).toEqual(archivedContent.map(({ name }) => name))
    expect(out[0]?.aliases).toEqual(aliases)

    const numbers = Array.from({ length: 5001 }, (_, at) => String(at))
    const { preview } = await importArchive(ada, await createArchive([topicIn('numbers', { aliases: numbers })], []))
    expect(preview?.notes).toEqual(['numbers: only the first 5000 other names of this topic are imported.'])
  })

  it('in a long chain are exported quickly', async () => {
    const at = '2024-01-01T00:00:00.000Z'
    const chain = Array.from({ length: 3000 }, (_, index) =>
      topicIn(`part ${index}`, { into: index === 0 ? { topic: 'whole' } : { merged: index - 1 }, mergedAt: at }),
    )
    const job = await importArchive(ada, await createArchive([topicIn('whole')], chain))
    const started = process.cpuUsage()
    const { mergedTopics } = await keeperIn(await exportKeeper(ada, job.keeperId ?? ''))
    expect(process.cpuUsage(started).user / 1000).toBeLessThan(1200)
    expect(mergedTopics).toHaveLength(3000)
    expect(mergedTopics.at(-1)).toMatchObject({ name: 'part 2999', into: { merged: 2998 } })
  })
})
