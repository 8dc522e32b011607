import { beforeEach, describe, expect, it } from 'vitest'
import { engagementTemplates } from '#contract/keepers/engagement-templates.ts'
import { journeys } from '#contract/keepers/journeys.ts'
import { logbook } from '#contract/keepers/logbook.ts'
import { type MemoryCard, memoryCards } from '#contract/keepers/memory-cards.ts'
import { moments } from '#contract/keepers/moments.ts'
import { reflections } from '#contract/keepers/reflections.ts'
import { topics } from '#contract/keepers/topics.ts'
import { createTestKeeper } from '#tests/create-test-keeper.ts'
import { engines } from '#tests/engines.ts'
import { useTestApp } from '#tests/use-test-app.ts'

describe.each(engines)('lists of long texts, on %s', (engine) => {
  const { app, ada } = useTestApp(engine, ['ada'], { perTest: true })
  let keeperId: string
  beforeEach(async () => {
    keeperId = (await createTestKeeper(ada)).id
  })

  it('are paged by size without gaps or repeats', async () => {
    const cards: string[] = []
    for (let n = 0; n < 18; n++) {
      app.passTime(1000)
      const body = { content: `Number ${n} ${'word '.repeat(96_000)}`, topic: `Topic ${n % 3}` }
      const { data } = await ada.call(reflections.create, { params: { id: keeperId }, body })
      cards.push((await ada.call(reflections.promote, { params: { id: data.id } })).data.id)
    }
    expect(await readPages(memoryCards.list)).toEqual(cards.toReversed())
    expect((await readPages(memoryCards.byTopic)).sort()).toEqual(cards.toSorted())
    const written = await readPages(reflections.list)
    expect({ writtenCount: written.length, set: new Set(written).size }).toEqual({ writtenCount: 18, set: 18 })
  }, 60_000)

  it('of moments and logbook entries are paged by size', async () => {
    const [momentIds, entryIds]: [string[], string[]] = [[], []]
    for (let n = 0; n < 22; n++) {
      app.passTime(1000)
      const body = { body: `${n} ${'日'.repeat(150_000)}` }
      momentIds.push((await ada.call(moments.create, { params: { id: keeperId }, body })).data.id)
    }
    for (let n = 0; n < 62; n++) {
      app.passTime(1000)
      const body = { entry: `${n} ${'日'.repeat(49_000)}`, label: 'Long', category: 'work' }
      entryIds.push((await ada.call(logbook.create, { params: { id: keeperId }, body })).data.id)
    }
    expect(await readPages(moments.list, { limit: '100' })).toEqual(momentIds.toReversed())
    expect(await readPages(moments.list, { limit: '100', q: '日' })).toEqual(momentIds.toReversed())
    expect(await readPages(logbook.list)).toEqual(entryIds.toReversed())
  }, 60_000)

  it('of topics are paged by size and stay in order', async () => {
    const ids: string[] = []
    for (let n = 0; n < 75; n++) {
      const aliases = Array.from({ length: 500 }, (_, at) => `${'日'.repeat(73)}${n} ${at}`)
      const body = { name: `Topic ${n} ${'日'.repeat(70)}`, note: '日'.repeat(5000), aliases, pinned: n % 15 === 0 }
      ids.push((await ada.call(topics.create, { params: { id: keeperId }, body })).data.id)
    }
    await ada.call(moments.create, {
      params: { id: keeperId },
      body: { body: 'Said.', topics: [`Topic 33 ${'日'.repeat(70)}`] },
    })
    const read = await readPages(topics.list)
    expect(read.slice(0, 5)).toEqual([0, 15, 30, 45, 60].map((n) => ids[n]))
    expect(read[5]).toBe(ids[33])
    expect({ readCount: read.length, read: read.toSorted() }).toEqual({ readCount: 75, read: ids.toSorted() })
    const wrong = await ada.call(topics.list, { params: { id: keeperId }, query: { cursor: 'x' } })
    expect(wrong.status).toBe(400)
  }, 60_000)

  it('of paths are paged by size, also within a journey', async () => {
    const { data: journey } = await ada.call(journeys.create, { params: { id: keeperId }, body: { title: 'Long' } })
    const { data: moment } = await ada.call(moments.create, { params: { id: keeperId }, body: { body: 'Lived.' } })
    const params = { id: journey.id }
    const [{ id: first = '' } = {}] = (await ada.call(journeys.paths, { params })).data
    const paths = [first]
    let waypointId: string | undefined
    for (let n = 0; n < 12; n++) {
      const waypoints = Array.from({ length: 60 }, (_, at) => ({
        title: `Waypoint ${at}`,
        note: '日'.repeat(5000),
        momentIds: n === 11 && at === 0 ? [moment.id] : [],
      }))
      const { data } = await ada.call(journeys.createPath, { params, body: { title: `Path ${n}`, waypoints } })
      paths.push(data.id)
      waypointId = data.waypoints[0]?.id
    }
    expect(await readPages(journeys.paths, {}, journey.id)).toEqual(paths)
    const { data, text } = await ada.call(journeys.show, { params })
    expect(Buffer.byteLength(text)).toBeLessThan(9 * 1024 * 1024)
    expect(data.paths.map(({ id }) => id)).toEqual(paths.slice(0, data.paths.length))
    expect(await readPages(journeys.paths, { cursor: data.paths_cursor ?? '' }, journey.id)).toEqual(
      paths.slice(data.paths.length),
    )
    expect(data.beads.map((item) => [item.id, item.waypointId])).toEqual([[moment.id, waypointId]])
  }, 60_000)

  it('of templates with long steps are paged by size', async () => {
    const step = { prompt: '日'.repeat(2000), contentTypeId: null, agentSlug: null, waitHours: null }
    const steps = Array.from({ length: 30 }, (_, at) => ({ title: `Step ${at}`, ...step }))
    const ids: string[] = []
    for (let n = 0; n < 60; n++) {
      app.passTime(1000)
      const body = { kind: 'process', label: `Template ${n}`, steps }
      const { data } = await ada.call(engagementTemplates.create, { body })
      ids.push(data.id)
    }
    const read = await readPages(engagementTemplates.list)
    expect(read.filter((id) => ids.includes(id))).toEqual(ids)
  }, 60_000)

  const readPages = async (call: object, filter: Record<string, string> = {}, id = keeperId) => {
    const ids: string[] = []
    for (let cursor: string | null = ''; cursor !== null; ) {
      const query = { ...filter, ...(cursor !== '' && { cursor }) }
      const { data, body, text } = await ada.call(call as typeof memoryCards.list, { params: { id: id }, query })
      expect(Buffer.byteLength(text)).toBeLessThan(9 * 1024 * 1024)
      const { items = data, next_cursor } = data as unknown as { items?: unknown[]; next_cursor?: string | null }
      for (const item of items as (MemoryCard | { cards: MemoryCard[] })[])
        ids.push(...('cards' in item ? item.cards.map(({ id }) => id) : [item.id]))
      cursor = (next_cursor ?? body.next_cursor ?? null) as string | null
    }
    return ids
  }
})
