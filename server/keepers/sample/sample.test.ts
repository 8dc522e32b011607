import { describe, expect, it } from 'vitest'
import { agents } from '#contract/agents/agents.ts'
import { dashboards } from '#contract/keepers/dashboard.ts'
import { echoes } from '#contract/keepers/echoes.ts'
import { entries } from '#contract/keepers/entries.ts'
import { journeys } from '#contract/keepers/journeys.ts'
import { keepers } from '#contract/keepers/keepers.ts'
import { memoryCards } from '#contract/keepers/memory-cards.ts'
import { moments } from '#contract/keepers/moments.ts'
import { reflections } from '#contract/keepers/reflections.ts'
import { getSampleKeeperId, isSampleKeeper, sampleEntryCount, sampleKeeper } from '#contract/keepers/sample-keeper.ts'
import { sole } from '#contract/keepers/sole.ts'
import { topics } from '#contract/keepers/topics.ts'
import { sweepMedia } from '#server/media/sweep-media.ts'
import { createTestKeeper } from '#tests/create-test-keeper.ts'
import { computeDatabaseHash } from '#tests/dump-database.ts'
import { engines } from '#tests/engines.ts'
import { listTables, readRowsAsText } from '#tests/every-table.ts'
import { uploadMedia } from '#tests/upload-media.ts'
import { useTestApp } from '#tests/use-test-app.ts'
import { findReadableKeepers } from '../prompt/readable-keepers.ts'

describe.each(engines)('the sample keeper on %s', (engine) => {
  const { app, ada, ben } = useTestApp(engine, ['ada', 'ben'], { perTest: true })

  const createSample = async (actor = ada) =>
    (await actor.call(sampleKeeper.make, { body: { timezone: 'Europe/Berlin' } })).data
  const getParams = () => ({ id: getSampleKeeperId(ada.id) })
  /** Rows of all tables, including derived ones such as the word index. */
  async function dumpAllRows(): Promise<string> {
    const tables = [...(await listTables(app.services.db)).keys()].filter(
      (name) => name !== 'throttle_windows' && !/_(config|data|idx|docsize)$/.test(name),
    )
    const lines = await Promise.all(
      tables.map(async (name) => [name, (await readRowsAsText(app.services.db, name)).toSorted()]),
    )
    return JSON.stringify(lines)
  }

  it('fills every section and is created once', async () => {
    const sample = await createSample()
    expect(sample).toMatchObject({
      id: getSampleKeeperId(ada.id),
      title: 'Sample: the harbour year',
      keeperTypeId: null,
    })
    expect(isSampleKeeper(sample)).toBe(true)
    expect(sample.sole?.statements).toHaveLength(3)
    expect(sample.entryCount).toBe(sampleEntryCount)
    const { data: dashboard } = await ada.call(dashboards.show, {
      params: getParams(),
      query: { timezone: 'Europe/Berlin' },
    })
    expect(dashboard.counts).toMatchObject({ moments: 9, journeys: 1, paths: 1, reflections: 5, cards: 2, voice: 1 })
    expect(dashboard.counts).toMatchObject({ cardsEmbedded: 2, echoesReady: 1, logbook: 1 })
    expect(dashboard.onThisDay).toHaveLength(1)
    expect(dashboard.suggestions.map(({ topic }) => topic)).toEqual(['The boat', 'Choir'])
    const { data: topicList } = await ada.call(topics.list, { params: getParams() })
    expect(topicList.map(({ name }) => name).toSorted()).toEqual([
      'Choir',
      'Ida',
      'Mornings',
      'Mother',
      'Per',
      'The boat',
    ])
    const { data: journeyList } = await ada.call(journeys.list, { params: getParams() })
    expect(journeyList[0]?._count).toEqual({ Path: 1, Waypoint: 3, WaypointDone: 2, Moment: 2 })
    const { data: matches } = await ada.call(memoryCards.search, { params: getParams(), query: { query: 'goodnight' } })
    expect(matches[0]?.card.content).toContain('goodnight to the house')

    const hashBefore = await computeDatabaseHash(app.services.db)
    expect(await createSample()).toEqual(sample)
    expect(await computeDatabaseHash(app.services.db)).toBe(hashBefore)
  })

  it('quotes its sources literally and accepts a draft', async () => {
    await createSample()
    const { data: cards } = await ada.call(memoryCards.list, { params: getParams() })
    const lampCard = cards.find(({ topic }) => topic === 'Ida')
    const { status, text } = await ada.call(sole.submitDraft, {
      params: getParams(),
      body: {
        statements: [
          {
            text: 'You leave lamps on for others, too.',
            sources: [{ entity: 'card', id: lampCard?.id ?? '', quote: 'The lamp Ida leaves on' }],
          },
        ],
      },
    })
    expect(status, text).toBe(200)
    const { data: approved } = await ada.call(sole.approve, { params: getParams(), body: {} })
    expect(approved.sole?.statements).toHaveLength(4)
    for (const { quote, entity, id } of approved.sole?.statements.flatMap(({ sources }) => sources) ?? []) {
      const [row] = await readRowsAsText(app.services.db, entity === 'card' ? 'memory_cards' : 'voice_entries').then(
        (lines) => lines.filter((line) => line.includes(id)),
      )
      expect(row).toContain(quote)
    }
  })

  it('leaves the database unchanged when it is removed, with its additions', async () => {
    await createTestKeeper(ada)
    // The daily upload count remains.
    const stateBefore = {
      hash: await computeDatabaseHash(app.services.db, ['throttle_windows']),
      rows: await dumpAllRows(),
    }
    await createSample()
    expect(await computeDatabaseHash(app.services.db, ['throttle_windows'])).not.toBe(stateBefore.hash)
    await ada.call(moments.create, {
      params: getParams(),
      body: { body: 'Mine', mediaIds: [await uploadMedia(ada, getParams().id)] },
    })
    const { data: reflection } = await ada.call(reflections.create, {
      params: getParams(),
      body: { content: 'Mine too' },
    })
    await ada.call(reflections.update, { params: { id: reflection.id }, body: { content: 'And changed' } })
    await ada.call(reflections.remove, { params: { id: reflection.id } })
    expect((await ada.call(sampleKeeper.remove)).status).toBe(200)
    expect(await computeDatabaseHash(app.services.db, ['throttle_windows'])).toBe(stateBefore.hash)
    expect(await dumpAllRows()).toBe(stateBefore.rows)
    await sweepMedia(app.services)
    expect((await ada.call(entries.trash)).data).toEqual([])
    expect((await ada.call(keepers.show, { params: getParams() })).status).toBe(404)
    expect((await ada.call(sampleKeeper.remove)).status).toBe(200)
    expect(await computeDatabaseHash(app.services.db, ['throttle_windows'])).toBe(stateBefore.hash)
  })

  it('is created once for concurrent requests', async () => {
    const samples = await Promise.all([createSample(), createSample(), createSample()])
    expect(new Set(samples.map(({ id }) => id)).size).toBe(1)
    expect((await ada.call(keepers.list)).data).toHaveLength(1)
    expect((await ada.call(moments.list, { params: getParams() })).data.items).toHaveLength(9)
  })

  it('belongs to one person', async () => {
    const adasSample = await createSample()
    const bensSample = await createSample(ben)
    expect(bensSample.id).not.toBe(adasSample.id)
    expect((await ben.call(keepers.show, { params: getParams() })).status).toBe(404)
    await ben.call(sampleKeeper.remove)
    expect((await ada.call(keepers.show, { params: getParams() })).data).toEqual(adasSample)
  })

  it('is keeper 1 only without a real keeper, and never the newest', async () => {
    const sample = await createSample()
    const fetchKeeperId = async (id: string) => (await ada.call(keepers.show, { params: { id } })).data.id
    expect(await fetchKeeperId('1')).toBe(sample.id)
    expect(await fetchKeeperId('new-keeper-id')).toBe(sample.id)
    app.passTime(1000)
    const realKeeper = await createTestKeeper(ada)
    await ada.call(sampleKeeper.remove)
    app.passTime(1000)
    await createSample()
    expect(await fetchKeeperId('1')).toBe(realKeeper.id)
    expect(await fetchKeeperId('new-keeper-id')).toBe(realKeeper.id)
    expect((await ada.call(keepers.list)).data.map(({ id }) => id)).toEqual([realKeeper.id, sample.id])
  })

  it('is restored from the trash on request', async () => {
    const sample = await createSample()
    await ada.call(keepers.remove, { params: getParams() })
    expect((await ada.call(keepers.list)).data).toEqual([])
    expect((await createSample()).id).toBe(sample.id)
    expect((await ada.call(entries.trash)).data).toEqual([])
  })

  it('is hidden from agents and sends no email', async () => {
    await createSample()
    const person = { id: ada.id } as never
    const agent = await app.services.db
      .selectFrom('agents')
      .selectAll()
      .where('slug', '=', 'kip')
      .executeTakeFirstOrThrow()
    expect(
      (await findReadableKeepers(app.services, { person }, { agent, callers: [] }, { allIfUntyped: true })).keepers,
    ).toEqual([])
    const realKeeper = await createTestKeeper(ada)
    const readable = await findReadableKeepers(app.services, { person }, { agent, callers: [] }, { allIfUntyped: true })
    expect(readable.keepers.map(({ id }) => id)).toEqual([realKeeper.id])
    const echoRows = await app.services.db.selectFrom('echoes').select('mailed_at').execute()
    expect(echoRows.every(({ mailed_at }) => mailed_at !== null)).toBe(true)
    expect((await ada.call(echoes.list, { params: getParams() })).data).toHaveLength(2)
    expect((await ada.call(agents.logs)).data.logs).toEqual([])
  })
})
