import { beforeEach, describe, expect, it } from 'vitest'
import { entries } from '#contract/keepers/entries.ts'
import { journeys } from '#contract/keepers/journeys.ts'
import { keepers } from '#contract/keepers/keepers.ts'
import type { Media } from '#contract/keepers/media.ts'
import { type Moment, moments } from '#contract/keepers/moments.ts'
import { useTestApp } from '#tests/use-test-app.ts'
import { createTestKeeper } from '../../../tests/create-test-keeper.ts'
import { engines } from '../../../tests/engines.ts'

const png = Buffer.concat([Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]), Buffer.alloc(20, 7)])

describe.each(engines)('moments, on %s', (engine) => {
  const { app, ada } = useTestApp(engine, ['ada'], { perTest: true })
  let keeperId: string
  beforeEach(async () => {
    keeperId = (await createTestKeeper(ada)).id
  })

  const create = (body: object, actor = ada, id = keeperId) => actor.call(moments.create, { params: { id }, body })
  const createMoment = async (body: object): Promise<Moment> => {
    const { status, data, text } = await create(body)
    if (status !== 200) throw new Error(text)
    return data
  }
  const list = async (query: Record<string, string | number> = {}) =>
    (await ada.call(moments.list, { params: { id: keeperId }, query })).data
  const listBodies = async (query: Record<string, string | number> = {}) =>
    (await list(query)).items.map(({ body }) => body)
  const change = (id: string, body: object, ifMatch?: number) =>
    ada.call(moments.update, { params: { id }, body, ...(ifMatch !== undefined && { ifMatch }) })
  const upload = async (actor = ada, id = keeperId) => {
    const init = { method: 'POST', body: png, headers: { 'content-type': 'image/png' } }
    const response = await actor.fetch(`/api/keeper/keepers/${id}/media`, init)
    return ((await response.json()) as { data: Media }).data.id
  }

  it('are stored byte for byte with all their fields', async () => {
    const body = '  # Ä\r\n\tx\u00a0\n\n\n- é e\u0301 🜁  \n'
    const pictureId = await upload()
    const input = {
      body,
      title: 'Quay',
      occurredAt: '2026-11-20T14:30:00.000Z',
      timezone: 'Asia/Tokyo',
      mood: { score: -2, label: 'rough' },
      place: { name: 'Yokohama', lat: 35.44, lng: 139.64 },
      weather: { tempC: 4.5, condition: 'Light rain', source: 'me' },
      topics: ['Per', ' per ', 'Bergen'],
      mediaIds: [pictureId],
      pinned: true,
      aiVisible: false,
      promptId: 'p1',
    }
    const moment = await createMoment(input)
    const { topics: _, mediaIds: __, ...expectedFields } = input
    expect(moment).toMatchObject({ ...expectedFields, localDate: '2026-11-20', keeperId, rev: 1, journeyId: null })
    expect(moment.topics.map(({ name }) => name)).toEqual(['Bergen', 'Per'])
    expect(moment.media.map(({ id }) => id)).toEqual([pictureId])
    const fetched = await ada.call(moments.show, { params: { id: moment.id } })
    expect(fetched.data).toEqual(moment)
    expect((await list()).items).toEqual([moment])
  })

  it('return a changed place and weather as stored, also in a conflict', async () => {
    const { id } = await createMoment({ body: 'x', place: { name: 'Yokohama' } })
    const input = { place: { name: 'Bergen', lat: 60.39 }, weather: { tempC: null, condition: 'Sleet', source: 'me' } }
    const expectedFields = { ...input, place: { ...input.place, lng: null } }
    const { status, data } = await change(id, input)
    expect({ status, data }).toEqual({ status: 200, data: expect.objectContaining(expectedFields) })
    expect((await ada.call(moments.show, { params: { id } })).data).toEqual(data)
    const stale = await change(id, { place: { name: 'Oslo' }, weather: null }, 1)
    expect(stale.status).toBe(409)
    expect(stale.data).toMatchObject({
      yours: { place: { name: 'Oslo', lat: null, lng: null }, weather: null },
      current: expectedFields,
    })
    expect((await change(id, { place: null })).data.place).toBeNull()
  })

  it('keep the order of their files', async () => {
    const a = await upload()
    const b = await upload()
    const c = await upload()
    const moment = await createMoment({ body: '', mediaIds: [b, c, a] })
    expect(moment.media.map(({ id }) => id)).toEqual([b, c, a])
    expect((await change(moment.id, { mediaIds: [a, b] })).data.media.map(({ id }) => id)).toEqual([a, b])
  })

  it('keep their local day when the time or time zone changes', async () => {
    const late = { body: 'late', occurredAt: '2026-11-20T14:30:00Z' }
    expect((await createMoment({ ...late, timezone: 'Asia/Tokyo' })).localDate).toBe('2026-11-20')
    expect((await createMoment({ ...late, timezone: 'Pacific/Auckland' })).localDate).toBe('2026-11-21')
    const moment = await createMoment({ ...late, timezone: 'Asia/Tokyo', localDate: '2026-11-19' })
    expect(moment.localDate).toBe('2026-11-19')
    const moved = await change(moment.id, { timezone: 'America/New_York', occurredAt: '2026-11-22T03:00:00Z' })
    expect(moved.data).toMatchObject({ localDate: '2026-11-19', timezone: 'America/New_York' })
    expect((await change(moment.id, { localDate: '2026-11-21' })).data.localDate).toBe('2026-11-21')
  })

  it('keep their day across clock changes, and accept a day alone', async () => {
    const berlin = { body: 'night', timezone: 'Europe/Berlin' }
    expect((await createMoment({ ...berlin, occurredAt: '2026-10-24T22:30:00Z' })).localDate).toBe('2026-10-25')
    expect((await createMoment({ ...berlin, occurredAt: '2026-10-25T22:30:00Z' })).localDate).toBe('2026-10-25')
    expect((await createMoment({ ...berlin, occurredAt: '2026-10-25T23:00:00Z' })).localDate).toBe('2026-10-26')
    const backdated = await createMoment({ ...berlin, localDate: '2019-07-01' })
    expect(backdated.localDate).toBe('2019-07-01')
    const formatBerlinTime = (iso: string) =>
      new Intl.DateTimeFormat('en-GB', { timeZone: 'Europe/Berlin', dateStyle: 'short', timeStyle: 'short' }).format(
        new Date(iso),
      )
    expect(formatBerlinTime(backdated.occurredAt)).toBe(
      `01/07/2019, ${formatBerlinTime(app.services.now().toISOString()).slice(-5)}`,
    )
  })

  it('need text or a file, also after a change', async () => {
    for (const body of [{ body: '' }, { body: ' \n\t' }, { body: '', mediaIds: [] }]) {
      const { status, body: response } = await create(body)
      expect({ status, fields: response.fields }).toEqual({
        status: 400,
        fields: { body: 'Write something, or add a picture or a recording.' },
      })
    }
    const moment = await createMoment({ body: '', mediaIds: [await upload()] })
    expect((await change(moment.id, { mediaIds: [] })).status).toBe(400)
    expect((await change(moment.id, { mediaIds: [], body: 'words' })).status).toBe(200)
    expect((await change(moment.id, { body: '  ' })).status).toBe(400)
  })

  it.each([
    ['a mood beyond the scale', { mood: { score: 3 } }, 'mood.score'],
    ['a fractional mood', { mood: { score: 0.5 } }, 'mood.score'],
    ['an unknown time zone', { timezone: 'Mars/Olympus' }, 'timezone'],
    ['an invalid day', { localDate: '2026-02-30' }, 'localDate'],
    ['an invalid time', { occurredAt: 'yesterday' }, 'occurredAt'],
    ['a place off the globe', { place: { name: 'x', lat: 91 } }, 'place.lat'],
    ['an invalid id', { id: 'mine' }, 'id'],
  ])('reject %s and name the field', async (_, input, field) => {
    const { status, body } = await create({ body: 'a', ...input })
    expect({ status, fields: Object.keys(body.fields ?? {}) }).toEqual({ status: 400, fields: [field] })
    expect((await list()).items).toEqual([])
  })

  it('are created once per id, with files and topics', async () => {
    const body = { id: 'c'.repeat(32), body: 'once', topics: ['Per'], mediaIds: [await upload()] }
    const [first, second] = await Promise.all([create(body), create(body)])
    expect(first.status).toBe(200)
    expect(second.status).toBe(200)
    expect(second.data).toEqual(first.data)
    expect((await create(body)).data.media).toHaveLength(1)
    expect(await listBodies()).toEqual(['once'])
    const ben = await app.as('ben')
    const bensKeeper = await createTestKeeper(ben)
    expect((await create({ ...body, mediaIds: [] }, ben, bensKeeper.id)).status).toBe(409)
  })

  it('accept only unattached files of the same keeper', async () => {
    const mediaId = await upload()
    const holder = await createMoment({ body: 'holds it', mediaIds: [mediaId] })
    const other = await createTestKeeper(ada, { title: 'Work' })
    const ben = await app.as('ben')
    const bensKeeper = await createTestKeeper(ben)
    const refused = [
      await create({ body: 'a', mediaIds: [mediaId] }),
      await create({ body: 'a', mediaIds: [await upload()] }, ada, other.id),
      await create({ body: 'a', mediaIds: [await upload(ben, bensKeeper.id)] }),
      await create({ body: 'a', mediaIds: [mediaId] }, ben, bensKeeper.id),
      await create({ body: 'a', mediaIds: ['f'.repeat(32)] }),
      await change((await createMoment({ body: 'wants it' })).id, { mediaIds: [mediaId] }),
    ]
    expect(refused.map(({ status }) => status)).toEqual([400, 400, 400, 400, 400, 400])
    expect(new Set(refused.map(({ body }) => JSON.stringify(body.fields))).size).toBe(1)
    expect((await ada.call(moments.show, { params: { id: holder.id } })).data.media).toHaveLength(1)
  })

  it('compete for a file, and the loser isn’t created', async () => {
    const mediaId = await upload()
    const responses = await Promise.all([1, 2].map((index) => create({ body: `${index}`, mediaIds: [mediaId] })))
    expect(responses.map(({ status }) => status).toSorted()).toEqual([200, 400])
    expect(await listBodies()).toHaveLength(1)
  })

  it('accept only journeys of their keeper', async () => {
    const other = await createTestKeeper(ada, { title: 'Work' })
    const createJourneyIn = async (id: string) =>
      (await ada.call(journeys.create, { params: { id }, body: { title: 'Leaving' } })).data.id
    const ownJourneyId = await createJourneyIn(keeperId)
    const otherJourneyId = await createJourneyIn(other.id)
    const moment = await createMoment({ body: 'on the way', journeyId: ownJourneyId })
    await createMoment({ body: 'at home' })
    expect(await listBodies({ journeyId: ownJourneyId })).toEqual(['on the way'])
    expect(await listBodies({ journeyId: otherJourneyId })).toEqual([])
    for (const refused of [
      await create({ body: 'a', journeyId: otherJourneyId }),
      await change(moment.id, { journeyId: 'x' }),
    ])
      expect({ status: refused.status, fields: refused.body.fields }).toEqual({
        status: 400,
        fields: { journeyId: 'Choose a journey in this keeper.' },
      })
    expect((await change(moment.id, { journeyId: null })).data.journeyId).toBeNull()
  })

  it('are private to their owner in every call', async () => {
    const moment = await createMoment({ body: 'mine', topics: ['Secret'] })
    const ben = await app.as('ben')
    const unknownId = '0'.repeat(32)
    for (const [endpoint, body] of [
      [moments.show, undefined],
      [moments.update, { body: 'Ben’s' }],
      [moments.remove, undefined],
      [moments.reflect, undefined],
    ] as const) {
      const callAsBen = async (id: string) => {
        const response = await ben.call(endpoint, { params: { id }, ...(body && { body }) })
        return { status: response.status, error: response.body.error }
      }
      expect(await callAsBen(moment.id)).toEqual(await callAsBen(unknownId))
      expect((await callAsBen(moment.id)).status).toBe(404)
    }
    const days = { from: '2026-01-01', to: '2026-12-31', date: '2026-11-21' }
    for (const endpoint of [moments.list, moments.calendar, moments.onThisDay])
      expect((await ben.call(endpoint, { params: { id: keeperId }, query: days })).status).toBe(404)
    expect((await create({ body: 'Ben’s' }, ben)).status).toBe(404)
    expect((await ada.call(moments.show, { params: { id: moment.id } })).data).toEqual(moment)
    await ada.call(keepers.remove, { params: { id: keeperId } })
    expect((await ada.call(moments.show, { params: { id: moment.id } })).status).toBe(404)
  })

  it('reject a stale change with both versions, topics and files', async () => {
    const moment = await createMoment({ body: 'first', topics: ['Per'], mediaIds: [await upload()] })
    expect((await change(moment.id, { body: 'second', topics: ['Ida'] }, 1)).status).toBe(200)
    const late = await change(moment.id, { body: 'late', topics: ['Bo'], mediaIds: [] }, 1)
    expect({ status: late.status, code: late.body.code }).toEqual({ status: 409, code: 'stale' })
    const { yours: clientVersion, current } = late.body.data as unknown as { yours: Moment; current: Moment }
    expect(clientVersion.body).toBe('late')
    expect(clientVersion.topics[0]?.name).toBe('Bo')
    expect(clientVersion.media).toEqual([])
    expect(current.body).toBe('second')
    expect(current.topics[0]?.name).toBe('Ida')
    expect(current.media).toHaveLength(1)
    expect(current.rev).toBe(2)
    expect((await ada.call(moments.show, { params: { id: moment.id } })).data).toEqual(current)
    const { data } = await ada.call(entries.history, { params: { entity: 'moment', id: moment.id } })
    expect(data[0]?.snapshot).toMatchObject({ body: 'first', topics: [{ name: 'Per' }] })
  })

  it('trashed moments appear in no list, calendar or anniversary', async () => {
    const moment = await createMoment({ body: 'deleted', localDate: '2024-11-20' })
    await ada.call(moments.remove, { params: { id: moment.id } })
    expect(await listBodies()).toEqual([])
    const days = { from: '2024-11-01', to: '2024-11-30' }
    expect((await ada.call(moments.calendar, { params: { id: keeperId }, query: days })).data).toEqual([])
    const query = { date: '2026-11-20' }
    expect((await ada.call(moments.onThisDay, { params: { id: keeperId }, query })).data).toEqual([])
  })

  it('become a reflection that quotes them and keeps "not for AI"', async () => {
    const moment = await createMoment({
      body: 'One\r\n\r\nTwo  \n\n',
      title: 'Buns',
      topics: ['Per'],
      aiVisible: false,
    })
    const { data } = await ada.call(moments.reflect, { params: { id: moment.id } })
    expect(data).toMatchObject({ momentId: moment.id, keeperId, topic: 'Per', aiVisible: false })
    expect(data.content).toBe('> **Buns**\n>\n> One\n>\n> Two\n\n')
    const withoutText = await createMoment({
      body: '',
      mediaIds: [await upload()],
      localDate: '2026-11-20',
      place: { name: 'Quay' },
    })
    const about = await ada.call(moments.reflect, { params: { id: withoutText.id } })
    expect(about.data.content).toBe('> 2026-11-20, Quay\n\n')
  })
})
