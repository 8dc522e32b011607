import { beforeEach, describe, expect, it } from 'vitest'
import { type Moment, moments } from '#contract/keepers/moments.ts'
import { json } from '#server/db/database.ts'
import { copyRow } from '#tests/copy-row.ts'
import { createTestKeeper } from '#tests/create-test-keeper.ts'
import { engines } from '#tests/engines.ts'
import { useTestApp } from '#tests/use-test-app.ts'

describe.each(engines)('finding moments, on %s', (engine) => {
  const { app, ada } = useTestApp(engine, ['ada'], { perTest: true })
  let keeperId: string
  beforeEach(async () => {
    keeperId = (await createTestKeeper(ada)).id
  })

  const createMoment = async (body: string, fields: object = {}): Promise<Moment> => {
    const { status, data, text } = await ada.call(moments.create, {
      params: { id: keeperId },
      body: { body, ...fields },
    })
    if (status !== 200) throw new Error(text)
    return data
  }
  const fetchPage = async (query: Record<string, string | number> = {}) => {
    const { status, data, text } = await ada.call(moments.list, { params: { id: keeperId }, query })
    if (status !== 200) throw new Error(text)
    return data
  }
  const listBodies = async (query: Record<string, string | number> = {}) =>
    (await fetchPage(query)).items.map(({ body }) => body)
  const listOnThisDay = async (date: string) =>
    (await ada.call(moments.onThisDay, { params: { id: keeperId }, query: { date } })).data.map(({ body }) => body)

  it('pages without gaps or repeats, at equal instants and during writes', async () => {
    const occurredAt = '2026-11-20T08:00:00Z'
    for (let index = 0; index < 7; index++) await createMoment(`${index}`, { occurredAt })
    await createMoment('older', { occurredAt: '1969-12-31T23:59:59.999Z' })
    const seenBodies: string[] = []
    for (let cursor: string | null = ''; cursor !== null; ) {
      const page = await fetchPage({ limit: 3, ...(cursor && { cursor }) })
      seenBodies.push(...page.items.map(({ body }) => body))
      cursor = page.next_cursor
      await createMoment('newer', { occurredAt: '2026-11-21T08:00:00Z' })
      if (seenBodies.length === 3) await createMoment('older still', { occurredAt: '1969-01-01T00:00:00Z' })
    }
    expect(seenBodies.toSorted()).toEqual(['0', '1', '2', '3', '4', '5', '6', 'older', 'older still'])
    expect(seenBodies.at(-1)).toBe('older still')
  })

  it('pages the moments of a topic the same way, also after a date change', async () => {
    const created: Moment[] = []
    for (let index = 0; index < 5; index++)
      created.push(await createMoment(`${index}`, { topics: ['Per'], occurredAt: `2026-11-0${index + 1}T08:00:00Z` }))
    await createMoment('of another', { topics: ['Ida'], occurredAt: '2026-11-03T09:00:00Z' })
    const body = { occurredAt: '2026-11-09T08:00:00Z' }
    await ada.call(moments.update, { params: { id: created[0]?.id ?? '' }, body })
    const first = await fetchPage({ topic: 'per', limit: 3 })
    expect(first.items.map((moment) => moment.body)).toEqual(['0', '4', '3'])
    const secondPage = await fetchPage({ topic: 'per', limit: 3, cursor: first.next_cursor ?? '' })
    expect(secondPage.items.map((moment) => moment.body)).toEqual(['2', '1'])
    expect(secondPage.next_cursor).toBeNull()
    const other = await createTestKeeper(ada, { title: 'Work' })
    const topicId = created[0]?.topics[0]?.id ?? ''
    expect((await ada.call(moments.list, { params: { id: other.id }, query: { topic: topicId } })).data.items).toEqual(
      [],
    )
  })

  it('respects the limit and rejects an invalid cursor', async () => {
    for (let index = 0; index < 3; index++) await createMoment(`${index}`)
    expect((await fetchPage({ limit: 3 })).next_cursor).toBeNull()
    expect((await fetchPage({ limit: 2 })).items).toHaveLength(2)
    const invalidQueries: Record<string, string>[] = [
      { limit: '0' },
      { limit: '101' },
      { cursor: 'x' },
      { cursor: '1; drop table moments' },
    ]
    for (const query of invalidQueries)
      expect((await ada.call(moments.list, { params: { id: keeperId }, query })).status).toBe(400)
  })

  it('combines text in any case with day, topic, mood and file', async () => {
    const morning = { localDate: '2026-11-01', mood: { score: 2, label: 'clear' }, topics: ['Mornings'] }
    await createMoment('Äpfel and FROST', { ...morning, occurredAt: '2026-11-01T06:00:00Z' })
    const secondDay = { localDate: '2026-11-02', occurredAt: '2026-11-02T06:00:00Z' }
    await createMoment('50% of_it', { ...secondDay, place: { name: 'Bergen' } })
    await createMoment('plain', { localDate: '2026-11-03', occurredAt: '2026-11-03T06:00:00Z', mood: { score: -1 } })
    expect(await listBodies({ q: 'äpfel frost' })).toEqual(['Äpfel and FROST'])
    expect(await listBodies({ q: 'äpfel rust' })).toEqual([])
    expect(await listBodies({ q: '50%' })).toEqual(['50% of_it'])
    expect(await listBodies({ q: '5_%' })).toEqual([])
    expect(await listBodies({ q: 'bergen' })).toEqual(['50% of_it'])
    expect(await listBodies({ q: 'CLEAR' })).toEqual(['Äpfel and FROST'])
    expect(await listBodies({ from: '2026-11-02' })).toEqual(['plain', '50% of_it'])
    expect(await listBodies({ from: '2026-11-01', to: '2026-11-02' })).toEqual(['50% of_it', 'Äpfel and FROST'])
    expect(await listBodies({ from: '2026-11-02', to: '2026-11-02' })).toEqual(['50% of_it'])
    expect(await listBodies({ mood: -1 })).toEqual(['plain'])
    expect(await listBodies({ topic: ' mornings ' })).toEqual(['Äpfel and FROST'])
    expect(await listBodies({ topic: 'evenings' })).toEqual([])
    expect(await listBodies({ withMedia: 'true' })).toEqual([])
    expect(await listBodies({ topic: 'Mornings', mood: 2, q: 'frost', from: '2026-11-01' })).toEqual([
      'Äpfel and FROST',
    ])
    expect(await listBodies({ topic: 'Mornings', mood: 1 })).toEqual([])
  })

  it('finds accents in composed and decomposed form', async () => {
    await createMoment('Le cafe\u0301 noir')
    await createMoment('Le café crème', { place: { name: 'A\u030alesund' } })
    for (const q of ['café', 'cafe\u0301', 'CAFÉ', 'CAFE\u0301'])
      expect((await listBodies({ q })).toSorted(), q).toEqual(['Le cafe\u0301 noir', 'Le café crème'])
    for (const q of ['ålesund', 'Alesund']) expect(await listBodies({ q }), q).toEqual(['Le café crème'])
    expect(await listBodies({ q: 'cafe' })).toHaveLength(2)
  })

  it('finds a topic by its aliases', async () => {
    const { topics } = await createMoment('a letter', { topics: ['Mother'] })
    await app.services.db
      .insertInto('topic_aliases')
      .values({ keeper_id: keeperId, alias: 'Mum', alias_folded: 'mum', topic_id: topics[0]?.id ?? '' })
      .execute()
    expect(await listBodies({ topic: 'MUM' })).toEqual(['a letter'])
    expect(await listBodies({ topic: topics[0]?.id ?? '' })).toEqual(['a letter'])
    const withAlias = await createMoment('said again', { topics: ['mum'] })
    expect(withAlias.topics).toEqual(topics)
  })

  it('counts the moments of each year and names its first day', async () => {
    const listYears = async () => (await ada.call(moments.years, { params: { id: keeperId } })).data
    expect(await listYears()).toEqual([])
    await createMoment('old', { occurredAt: '0850-02-28T10:00:00Z' })
    await createMoment('second', { occurredAt: '2009-12-31T23:30:00Z', timezone: 'UTC' })
    await createMoment('first', { occurredAt: '2009-05-03T10:00:00Z', timezone: 'UTC' })
    await createMoment('next year there', { occurredAt: '2009-12-31T23:30:00Z', timezone: 'Asia/Tokyo' })
    const deleted = await createMoment('deleted', { occurredAt: '2008-05-03T10:00:00Z' })
    await ada.call(moments.remove, { params: { id: deleted.id } })
    expect(await listYears()).toEqual([
      { year: '0850', count: 1, first: '0850-02-28' },
      { year: '2009', count: 2, first: '2009-05-03' },
      { year: '2010', count: 1, first: '2010-01-01' },
    ])
  })

  it('counts each local day in the calendar and averages its moods', async () => {
    const tokyo = { timezone: 'Asia/Tokyo' }
    await createMoment('a', { ...tokyo, occurredAt: '2026-11-20T14:30:00Z', mood: { score: 2 } })
    await createMoment('b', { ...tokyo, occurredAt: '2026-11-20T15:30:00Z', mood: { score: -1 } })
    await createMoment('c', { ...tokyo, occurredAt: '2026-11-20T16:30:00Z', mood: { score: 0 } })
    await createMoment('d', { ...tokyo, occurredAt: '2026-11-20T17:30:00Z' })
    await createMoment('e', { localDate: '2026-11-25' })
    const fetchCalendar = (from: string, to: string) =>
      ada.call(moments.calendar, { params: { id: keeperId }, query: { from, to } })
    expect((await fetchCalendar('2026-11-01', '2026-11-30')).data).toEqual([
      { date: '2026-11-20', count: 1, mood: 2 },
      { date: '2026-11-21', count: 3, mood: -0.5 },
      { date: '2026-11-25', count: 1, mood: null },
    ])
    expect((await fetchCalendar('2026-11-21', '2026-11-21')).data).toHaveLength(1)
    expect((await fetchCalendar('2025-10-18', '2026-11-21')).status).toBe(200)
    expect((await fetchCalendar('2025-10-17', '2026-11-21')).status).toBe(400)
    expect((await fetchCalendar('2026-11-21', '2026-11-20')).status).toBe(400)
  })

  it('lists this day in earlier years, oldest first, with Feb 29 on Feb 28', async () => {
    await createMoment('2024', { localDate: '2024-11-20' })
    await createMoment('1998', { localDate: '1998-11-20' })
    await createMoment('today', { localDate: '2026-11-20' })
    await createMoment('another day', { localDate: '2024-11-21' })
    expect(await listOnThisDay('2026-11-20')).toEqual(['1998', '2024'])
    expect(await listOnThisDay('1998-11-20')).toEqual([])
    await createMoment('leap', { localDate: '2020-02-29' })
    await createMoment('eve', { localDate: '2020-02-28' })
    await createMoment('first', { localDate: '2020-03-01' })
    expect(await listOnThisDay('2027-02-28')).toEqual(['eve', 'leap'])
    expect(await listOnThisDay('2028-02-28')).toEqual(['eve'])
    expect(await listOnThisDay('2028-02-29')).toEqual(['leap'])
    expect(await listOnThisDay('2027-03-01')).toEqual(['first'])
  })

  it('returns nothing for a keeper without moments', async () => {
    expect(await fetchPage()).toEqual({ items: [], next_cursor: null })
    expect(await listOnThisDay('2026-11-20')).toEqual([])
  })

  describe('places', () => {
    const createMomentAt = (localDate: string, place: object | null) => createMoment('.', { localDate, place })
    const listPlaces = async (actor = ada) => (await actor.call(moments.places, { params: { id: keeperId } })).data
    const listDates = async (spot: string) => (await fetchPage({ spot })).items.map(({ localDate }) => localDate)

    it('are ordered by first visit and merged by spot or name', async () => {
      await createMomentAt('2026-05-03', { name: 'The quay', lat: 60.39701, lng: 5.32201 })
      await createMomentAt('2026-04-01', { name: 'Home', lat: 60.4, lng: 5.3 })
      await createMomentAt('2026-04-02', { name: 'Quay', lat: 60.39699, lng: 5.32199 })
      await createMomentAt('2026-06-01', { name: 'Per’s' })
      await createMomentAt('2026-06-03', { name: 'PER’S', lat: 10 })
      await createMomentAt('2026-06-04', null)
      const { places, isWhole } = await listPlaces()
      expect(isWhole).toBe(true)
      expect(
        places.map(({ spot: _, lat, lng, ...place }) => ({ ...place, hasPosition: lat !== null && lng !== null })),
      ).toEqual([
        { name: 'Home', moments: 1, first: '2026-04-01', last: '2026-04-01', hasPosition: true },
        { name: 'Quay', moments: 2, first: '2026-04-02', last: '2026-05-03', hasPosition: true },
        { name: 'Per’s', moments: 2, first: '2026-06-01', last: '2026-06-03', hasPosition: false },
      ])
      expect(places[1]?.lat).toBeCloseTo(60.397, 6)
      expect(places[1]?.lng).toBeCloseTo(5.322, 6)
      expect(await Promise.all(places.map(({ spot }) => listDates(spot)))).toEqual([
        ['2026-04-01'],
        ['2026-05-03', '2026-04-02'],
        ['2026-06-03', '2026-06-01'],
      ])
      expect(await listDates('in nowhere')).toEqual([])
    })

    it('are merged by name in any case and alphabet', async () => {
      for (const [day, name] of [
        ['2026-07-01', 'Ålesund Øst'],
        ['2026-07-02', 'ålesund øst'],
        ['2026-07-03', 'ÅLESUND ØST'],
        // A decomposed ring.
        ['2026-07-04', 'A\u030alesund Øst'],
        ['2026-07-05', 'Åland'],
      ] as const)
        await createMomentAt(day, { name })
      const { places } = await listPlaces()
      expect(places.map(({ name, moments: count, first, last }) => [name, count, first, last])).toEqual([
        ['Ålesund Øst', 4, '2026-07-01', '2026-07-04'],
        ['Åland', 1, '2026-07-05', '2026-07-05'],
      ])
      expect(await listDates(places[0]?.spot ?? '')).toEqual(['2026-07-04', '2026-07-03', '2026-07-02', '2026-07-01'])
      expect(await listDates('in ÅLAND')).toEqual(['2026-07-05'])
    })

    it('are found at the equator, the date line and the poles', async () => {
      const spots = [
        [0.0001, -0.0001],
        [-0.0001, 0.0001],
        [-0.4996, 179.9999],
        [90, -180],
      ]
      for (const [lat, lng] of spots) await createMomentAt('2026-04-01', { name: 'Far', lat, lng })
      const { places } = await listPlaces()
      expect(places.map(({ moments: count }) => count).toSorted()).toEqual([1, 1, 2])
      for (const { spot, moments: count } of places) expect(await listDates(spot)).toHaveLength(count)
    })

    it('exclude deleted moments and are private', async () => {
      const deletedMoment = await createMomentAt('2026-04-01', { name: 'Home' })
      await createMomentAt('2026-04-02', { name: 'The quay' })
      await ada.call(moments.remove, { params: { id: deletedMoment.id } })
      expect((await listPlaces()).places.map(({ name }) => name)).toEqual(['The quay'])
      const ben = await app.as('ben')
      const foreignResponse = await ben.call(moments.places, { params: { id: keeperId } })
      expect(foreignResponse.status).toBe(404)
      expect(foreignResponse.text).not.toContain('quay')
    })

    it('are limited to the thousand most recent, and say so', async () => {
      const one = await createMomentAt('2026-04-01', { name: 'Home' })
      await copyRow(app.services.db, 'moments', one.id, {
        count: 1000,
        values: (index) => ({
          id: `m${index}`,
          local_date: new Date(Date.UTC(2026, 4, 1) + index * 86_400_000).toISOString().slice(0, 10),
          place: json({ name: `Place ${index}`, lat: null, lng: null }),
        }),
      })
      const { places, isWhole } = await listPlaces()
      expect(places).toHaveLength(1000)
      expect(isWhole).toBe(false)
      expect(places[0]?.name).toBe('Place 0')
      expect(places.at(-1)?.name).toBe('Place 999')
    })
  })
})
