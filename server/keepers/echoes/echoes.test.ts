import { beforeEach, describe, expect, it } from 'vitest'
import { listEndpoints } from '#contract/index.ts'
import { type Echo, echoes } from '#contract/keepers/echoes.ts'
import { entries } from '#contract/keepers/entries.ts'
import { journeys } from '#contract/keepers/journeys.ts'
import { getInstant } from '#contract/keepers/local-time.ts'
import { logbook } from '#contract/keepers/logbook.ts'
import { reflections } from '#contract/keepers/reflections.ts'
import { dayMs } from '#server/values/time-units.ts'
import { copyRow } from '#tests/copy-row.ts'
import { createTestKeeper } from '#tests/create-test-keeper.ts'
import { engines } from '#tests/engines.ts'
import { useTestApp } from '#tests/use-test-app.ts'
import { sweepEchoes } from './check-time-triggers.ts'
import { findNextAnniversary, parseTriggerInstant } from './echo-triggers.ts'

type EchoInput = Partial<
  Record<'triggerDate' | 'triggerTimezone' | 'triggerConditions' | 'sealed' | 'message' | 'id' | 'agentId', unknown>
>

describe.each(engines)('echoes, on %s', (engine) => {
  const { app, ada } = useTestApp(engine, ['ada'], { perTest: true })
  let keeperId: string
  beforeEach(async () => {
    keeperId = (await createTestKeeper(ada)).id
  })

  const getNow = () => app.services.now().getTime()
  const write = async (input: EchoInput = {}) => {
    const { status, data, text } = await ada.call(echoes.create, {
      params: { id: keeperId },
      body: { keeperId, agentId: 'default-agent', message: 'Remember the quay.', ...input },
    })
    expect(status, text).toBe(200)
    return data
  }
  const list = async () => (await ada.call(echoes.list, { params: { id: keeperId } })).data
  const findEcho = async ({ id }: Pick<Echo, 'id'>) => (await list()).find((echo) => echo.id === id) as Echo
  const change = (echo: Pick<Echo, 'id'>, body: object, ifMatch?: number) =>
    ada.call(echoes.update, { params: { id: echo.id }, body, ...(ifMatch !== undefined && { ifMatch }) })
  const deliver = (echo: Pick<Echo, 'id'>, actor = ada) => actor.call(echoes.deliver, { params: { id: echo.id } })
  const mentionTopic = (topic: string) =>
    ada.call(reflections.create, { params: { id: keeperId }, body: { topic, content: `About ${topic}.` } })
  const createJourney = async () => {
    const body = { title: 'The boat', status: 'active' }
    return (await ada.call(journeys.create, { params: { id: keeperId }, body })).data.id
  }

  it('need a text, and are pending without a date', async () => {
    const refused = await ada.call(echoes.create, { params: { id: keeperId }, body: { message: '  ' } })
    expect({ status: refused.status, fields: refused.body.fields }).toEqual({
      status: 400,
      fields: { message: 'Message is required' },
    })
    const echo = await write({ message: '  Call home.  ' })
    expect(echo).toMatchObject({ message: 'Call home.', state: 'pending', delivered: false, triggerDate: null })
    const { status, body } = await deliver(echo)
    expect({ status, error: body.error }).toEqual({ status: 409, error: expect.stringContaining('isn’t ready') })
    expect((await findEcho(echo)).delivered).toBe(false)
  })

  it('are ready exactly at the start of their day in UTC, without a sweep', async () => {
    const date = new Date(getNow() + 2 * dayMs).toISOString().slice(0, 10)
    const echo = await write({ triggerDate: date })
    expect(echo.triggerDate).toBe(`${date}T00:00:00.000Z`)
    app.passTime(Date.parse(date) - getNow() - 5000)
    expect((await findEcho(echo)).state).toBe('pending')
    expect((await deliver(echo)).status).toBe(409)
    app.passTime(5000)
    expect(await findEcho(echo)).toMatchObject({ state: 'ready', readyAt: `${date}T00:00:00.000Z` })
    expect((await deliver(echo)).data).toMatchObject({ state: 'delivered', delivered: true })
  })

  it('start a day in the chosen time zone, also for anniversaries and changes', async () => {
    const date = new Date(getNow() + 2 * dayMs).toISOString().slice(0, 10)
    const triggerTimezone = 'Pacific/Auckland'
    const startOfDay = new Date(getInstant(triggerTimezone, date, '00:00'))
    const yearly = { triggerConditions: { anniversary: date.slice(5) }, triggerTimezone }
    const echo = await write({ triggerDate: date, triggerTimezone })
    const anniversaryEcho = await write(yearly)
    expect(echo).toMatchObject({ triggerDate: startOfDay.toISOString(), triggerTimezone })
    app.passTime(startOfDay.getTime() - getNow() - 5000)
    expect((await findEcho(echo)).state).toBe('pending')
    expect((await findEcho(anniversaryEcho)).state).toBe('pending')
    app.passTime(5000)
    expect((await findEcho(echo)).readyAt).toBe(startOfDay.toISOString())
    expect((await findEcho(anniversaryEcho)).readyAt).toBe(startOfDay.toISOString())
    const newDate = new Date(getNow() + 5 * dayMs).toISOString().slice(0, 10)
    const { data: moved } = await change(echo, { triggerDate: newDate })
    expect(moved.triggerDate).toBe(new Date(getInstant(triggerTimezone, newDate, '00:00')).toISOString())
    const { data: movedToUtc } = await change(moved, { triggerDate: newDate, triggerTimezone: 'UTC' })
    expect(movedToUtc).toMatchObject({
      triggerDate: `${newDate}T00:00:00.000Z`,
      triggerTimezone: 'UTC',
      state: 'pending',
    })
    const { status, body } = await change(movedToUtc, { triggerDate: newDate, triggerTimezone: 'Mars/Base' })
    expect({ status, fields: body.fields }).toEqual({
      status: 400,
      fields: { triggerTimezone: 'Use a time zone like Europe/Berlin.' },
    })
  })

  it('are listed ready first, then by date, undated, and delivered', async () => {
    const formatTimeInDays = (days: number) => new Date(getNow() + days * dayMs).toISOString()
    const undated = await write({ message: 'no day' })
    const late = await write({ message: 'late', triggerDate: formatTimeInDays(9) })
    const soon = await write({ message: 'soon', triggerDate: formatTimeInDays(3) })
    const past = await write({ message: 'past', triggerDate: formatTimeInDays(-3) })
    const deliveredEcho = await write({ message: 'delivered', triggerDate: formatTimeInDays(-4) })
    await deliver(deliveredEcho)
    expect((await list()).map(({ id }) => id)).toEqual([past, soon, late, undated, deliveredEcho].map(({ id }) => id))
  })

  it('are delivered once for five concurrent requests, and then final', async () => {
    const echo = await write({ triggerDate: '2020-01-01' })
    const responses = await Promise.all(Array.from({ length: 5 }, () => deliver(echo)))
    expect(responses.map(({ status }) => status).sort()).toEqual([200, 409, 409, 409, 409])
    expect((await findEcho(echo)).rev).toBe(2)
    const { status, body } = await change(echo, { message: 'Too late.' })
    expect({ status, error: body.error }).toEqual({ status: 409, error: expect.stringContaining('delivered') })
    expect((await findEcho(echo)).message).toBe('Remember the quay.')
  })

  it('become ready once when their topic is mentioned under any name', async () => {
    await mentionTopic('Father')
    const { db } = app.services
    const topic = await db
      .selectFrom('topics')
      .selectAll()
      .where('name_folded', '=', 'father')
      .executeTakeFirstOrThrow()
    await db
      .insertInto('topic_aliases')
      .values({ keeper_id: keeperId, alias: 'Dad', alias_folded: 'dad', topic_id: topic.id })
      .execute()
    const father = await write({ triggerConditions: { topic: ' FATHER ' } })
    const dad = await write({ triggerConditions: { topic: 'dad', colour: 'blue' } })
    const sea = await write({ triggerConditions: { topic: 'Sea' } })
    expect((await list()).map(({ state }) => state)).toEqual(['pending', 'pending', 'pending'])
    await mentionTopic('Garden')
    expect((await findEcho(father)).state).toBe('pending')
    await mentionTopic('dad')
    expect((await findEcho(father)).state).toBe('ready')
    expect(await findEcho(dad)).toMatchObject({
      state: 'ready',
      readyBecause: '“dad” came up again.',
      triggerConditions: { topic: 'dad', colour: 'blue' },
    })
    expect((await findEcho(sea)).state).toBe('pending')
    const { readyAt } = await findEcho(father)
    app.passTime(60_000)
    await mentionTopic('father')
    expect((await findEcho(father)).readyAt).toBe(readyAt)
  })

  it('count a logbook tag as a mention of its topic', async () => {
    const echo = await write({ triggerConditions: { topic: 'courage' } })
    const body = { entry: 'I spoke up.', label: 'Speaking', category: 'Values', tags: ['Courage'] }
    await ada.call(logbook.create, { params: { id: keeperId }, body })
    expect((await findEcho(echo)).state).toBe('ready')
  })

  it('become ready when their journey completes, even after a crash', async () => {
    const id = await createJourney()
    const echo = await write({ triggerConditions: { journeyId: id } })
    const complete = (journeyId: string) => ada.call(journeys.complete, { params: { id: journeyId }, body: {} })
    await complete(await createJourney())
    expect((await findEcho(echo)).state).toBe('pending')
    await complete(id)
    expect(await findEcho(echo)).toMatchObject({ state: 'ready', readyBecause: 'The journey “The boat” is complete.' })

    const secondJourneyId = await createJourney()
    const echoAfterCrash = await write({ triggerConditions: { journeyId: secondJourneyId } })
    await app.services.db
      .updateTable('journeys')
      .set({ completed_at: getNow() })
      .where('id', '=', secondJourneyId)
      .execute()
    await sweepEchoes(app.services)
    expect((await findEcho(echoAfterCrash)).state).toBe('ready')
  })

  it('refuse a journey of another keeper', async () => {
    const id = await createJourney()
    const other = await createTestKeeper(ada, { title: 'Another' })
    const body = { message: 'm', triggerConditions: { journeyId: id } }
    const response = await ada.call(echoes.create, { params: { id: other.id }, body })
    expect({ status: response.status, fields: response.body.fields }).toEqual({
      status: 400,
      fields: { 'triggerConditions.journeyId': 'Choose a journey in this keeper.' },
    })
  })

  it('become ready after quiet days, counted from the last entry', async () => {
    const echo = await write({ triggerConditions: { silentDays: 3 } })
    app.passTime(2 * dayMs)
    await mentionTopic('Sea')
    app.passTime(3 * dayMs - 5000)
    expect((await findEcho(echo)).state).toBe('pending')
    app.passTime(5000)
    expect(await findEcho(echo)).toMatchObject({
      state: 'ready',
      readyBecause: '3 days went by without a word from you.',
    })
  })

  it('become ready on their anniversary, but not on the day of writing', async () => {
    const in3Days = new Date(getNow() + 3 * dayMs).toISOString()
    const soon = await write({ triggerConditions: { anniversary: in3Days.slice(5, 10) } })
    const today = await write({ triggerConditions: { anniversary: new Date(getNow()).toISOString().slice(5, 10) } })
    app.passTime(Date.parse(in3Days.slice(0, 10)) - getNow() - 5000)
    expect((await findEcho(soon)).state).toBe('pending')
    app.passTime(5000)
    expect((await findEcho(soon)).state).toBe('ready')
    expect((await findEcho(today)).state).toBe('pending')
  })

  it('all due ones become ready, across batches', async () => {
    const one = await write()
    const writtenAt = getNow()
    const ids = Array.from({ length: 1201 }, () => app.services.newId())
    await copyRow(app.services.db, 'echoes', one.id, {
      count: ids.length,
      values: (index) => ({ id: ids[index] ?? '', trigger_at: index % 3 === 2 ? writtenAt + dayMs : writtenAt - 1 }),
    })
    await sweepEchoes(app.services)
    const rows = await app.services.db.selectFrom('echoes').select(['id', 'ready_at']).execute()
    const readyIds = rows.filter(({ ready_at }) => ready_at !== null).map(({ id }) => id)
    expect(readyIds.toSorted()).toEqual(ids.filter((_, index) => index % 3 !== 2).toSorted())
    expect(readyIds).toContain(ids.at(-1))
  })

  it('wait again after a new date, and stay ready after a new text', async () => {
    const echo = await write({ triggerDate: '2020-01-01' })
    await list()
    expect((await change(echo, { message: 'Other words.', triggerDate: '2020-01-01' })).data.state).toBe('ready')
    const laterDate = new Date(getNow() + 5 * dayMs).toISOString()
    expect((await change(echo, { triggerDate: laterDate })).data).toMatchObject({ state: 'pending', readyAt: null })
    expect((await change(echo, { triggerConditions: { topic: 'x' } })).data.triggerConditions).toEqual({ topic: 'x' })
    expect((await change(echo, { triggerDate: null, triggerConditions: null })).data).toMatchObject({
      triggerDate: null,
      triggerConditions: null,
    })
  })

  it('reject a stale save with both versions', async () => {
    const echo = await write({ triggerConditions: { topic: 'x' } })
    await change(echo, { message: 'mine' }, 1)
    const { status, body } = await change(echo, { message: 'theirs', triggerConditions: { topic: 'y' } }, 1)
    expect(status).toBe(409)
    expect(body.data).toMatchObject({
      yours: { message: 'theirs', rev: 1, triggerConditions: { topic: 'y' } },
      current: { message: 'mine', rev: 2, triggerConditions: { topic: 'x' } },
    })
  })

  it('become ready and are emailed once by two concurrent sweeps', async () => {
    await write({ triggerDate: '2020-01-01', message: 'The tide turns.' })
    await Promise.all([sweepEchoes(app.services), sweepEchoes(app.services)])
    app.passTime(dayMs)
    await sweepEchoes(app.services)
    expect(app.mails).toHaveLength(1)
    expect(app.mails[0]).toMatchObject({
      to: 'ada@willowbrook.example',
      subject: 'An echo is ready in The Harbour Year',
    })
    expect(app.mails[0]?.text).toContain('The tide turns.')
    expect(app.mails[0]?.text).toContain(`/keeper/${keeperId}/echo-writer`)
  })

  it('retry an email that failed, but not one that was refused', async () => {
    await write({ triggerDate: '2020-01-01', message: 'canary-of-the-log' })
    const { mailer } = app.services
    const send = mailer.send
    mailer.send = () => Promise.reject(Object.assign(new Error('canary-of-the-log'), { code: 'ECONNECTION' }))
    await sweepEchoes(app.services)
    mailer.send = send
    await sweepEchoes(app.services)
    expect(app.mails).toHaveLength(1)

    await write({ triggerDate: '2020-01-02' })
    mailer.send = () =>
      Promise.reject(Object.assign(new Error('no such box'), { code: 'EENVELOPE', responseCode: 550 }))
    await sweepEchoes(app.services)
    mailer.send = send
    await sweepEchoes(app.services)
    expect(app.mails).toHaveLength(1)
    expect(app.logLines.join('\n')).not.toContain('canary-of-the-log')
  })

  it('aren’t marked as emailed without an email server; with one, only undelivered ones are emailed', async () => {
    const { mailer } = app.services
    mailer.isSetUp = false
    const echo = await write({ triggerDate: '2020-01-01' })
    await sweepEchoes(app.services)
    mailer.isSetUp = true
    await deliver(echo)
    await write({ triggerDate: '2020-01-02', message: 'second' })
    await sweepEchoes(app.services)
    expect(app.mails.map(({ text }) => text.includes('second'))).toEqual([true])
  })

  it('echoes in a deleted keeper never become ready', async () => {
    await write({ triggerDate: '2020-01-01' })
    await app.services.db.updateTable('keepers').set({ deleted_at: getNow() }).where('id', '=', keeperId).execute()
    await sweepEchoes(app.services)
    expect(app.mails).toEqual([])
    const { ready_at } = await app.services.db.selectFrom('echoes').select('ready_at').executeTakeFirstOrThrow()
    expect(ready_at).toBeNull()
  })

  it('are listed ready first however many are newer', async () => {
    const old = await write({ triggerDate: '2026-01-01', message: 'From long ago.' })
    const writtenAt = getNow()
    await copyRow(app.services.db, 'echoes', old.id, {
      count: 1001,
      values: (index) => ({
        id: `later-${index}`,
        created_at: writtenAt + index + 1,
        trigger_at: writtenAt + 365 * dayMs,
      }),
    })
    const echoList = await list()
    expect(echoList).toHaveLength(1000)
    expect(echoList[0]?.id).toBe(old.id)
    expect(echoList[0]?.state).toBe('ready')
  })
})

const canary = 'amber-canary-under-seal'

describe.each(engines)('a sealed echo, on %s', (engine) => {
  const { app, ada } = useTestApp(engine, ['ada'], { perTest: true })
  let keeperId: string
  beforeEach(async () => {
    keeperId = (await createTestKeeper(ada)).id
  })

  const write = async (fields: object = {}) => {
    const body = { message: canary, sealed: true, triggerConditions: { topic: 'sea' }, ...fields }
    const { status, data, text } = await ada.call(echoes.create, { params: { id: keeperId }, body })
    expect(status, text).toBe(200)
    return { data, text }
  }
  const change = (id: string, body: object, ifMatch?: number) =>
    ada.call(echoes.update, { params: { id }, body, ...(ifMatch !== undefined && { ifMatch }) })
  const readSnapshots = async () =>
    JSON.stringify(await app.services.db.selectFrom('entry_history').selectAll().execute())

  it('appears in no call, email, history or log until it is delivered', async () => {
    const responseTexts: string[] = []
    const { data, text } = await write({ triggerDate: '2020-01-01' })
    responseTexts.push(text)
    responseTexts.push((await change(data.id, { triggerConditions: { topic: 'quay' } })).text)
    responseTexts.push((await change(data.id, { message: `${canary} again` }, 1)).text)
    await sweepEchoes(app.services)
    for (const { endpoint } of listEndpoints()) {
      const { method, path, canStream } = endpoint
      if (method !== 'GET' || !path.startsWith('/api/keeper') || canStream) continue
      const id = path.includes('/entries/') ? data.id : keeperId
      const days = { date: '2026-11-20', from: '2026-11-01', to: '2026-11-20' }
      const query = new URLSearchParams({ query: 'amber', q: 'amber', format: 'json', keeperId, ...days })
      const response = await ada.fetch(`${path.replace(':entity', 'echo').replace(/:\w+/g, id)}?${query}`)
      responseTexts.push(Buffer.from(await response.arrayBuffer()).toString('latin1'))
    }
    expect(responseTexts.length).toBeGreaterThan(20)
    expect(responseTexts.filter((text) => text.includes(canary))).toEqual([])
    expect(await readSnapshots()).not.toContain(canary)
    expect(app.mails).toHaveLength(1)
    expect(JSON.stringify(app.mails)).not.toContain(canary)
    expect(app.mails[0]?.text).toContain('This echo is sealed')

    const delivered = await ada.call(echoes.deliver, { params: { id: data.id } })
    expect(delivered.data).toMatchObject({ message: canary, state: 'delivered' })
    expect(app.logLines.join('\n')).not.toContain(canary)
  })

  it('is hidden in the trash', async () => {
    const { data } = await write()
    expect((await ada.call(echoes.remove, { params: { id: data.id } })).text).not.toContain(canary)
    const trash = await ada.call(entries.trash)
    expect(trash.text).not.toContain(canary)
    expect(trash.data.map(({ id }) => id)).toEqual([data.id])
    const restored = await ada.call(entries.restore, { params: { entity: 'echo', id: data.id } })
    expect(restored.status).toBe(200)
    expect(restored.text).not.toContain(canary)
  })

  it('can get a new text but cannot be opened', async () => {
    const { data } = await write()
    const opened = await change(data.id, { sealed: false })
    expect({ status: opened.status, error: opened.body.error }).toEqual({
      status: 409,
      error: expect.stringContaining('replace its text'),
    })
    expect((await change(data.id, { message: 'Other words.' })).data).toMatchObject({ message: '', sealed: true })
    expect((await change(data.id, { message: 'New words.', sealed: false })).data).toMatchObject({
      message: 'New words.',
      sealed: false,
    })
    expect(await readSnapshots()).not.toContain(canary)
  })

  it('loses its text in history when it is sealed later', async () => {
    const { data } = await write({ sealed: false })
    expect(data.message).toBe(canary)
    await change(data.id, { message: `${canary} twice` })
    await change(data.id, { sealed: true })
    await change(data.id, { triggerConditions: null })
    expect(await readSnapshots()).not.toContain(canary)
    expect(await app.services.db.selectFrom('entry_history').select('rev').execute()).toHaveLength(3)
  })
})

const parseTime = (text: string) => Date.parse(text)

it.each([
  ['a day later in the year', '11-20', '2026-03-01T10:00:00Z', '2026-11-20T00:00:00Z'],
  ['the current day, which returns next year', '11-20', '2026-11-20T00:00:00Z', '2027-11-20T00:00:00Z'],
  ['the evening before', '11-20', '2026-11-19T23:59:59.999Z', '2026-11-20T00:00:00Z'],
  ['29 February in a leap year', '02-29', '2028-01-05T00:00:00Z', '2028-02-29T00:00:00Z'],
  ['29 February in a common year', '02-29', '2026-01-05T00:00:00Z', '2026-02-28T00:00:00Z'],
  ['29 February after the 28th of a common year', '02-29', '2027-02-28T08:00:00Z', '2028-02-29T00:00:00Z'],
  ['31 April, which does not exist', '04-31', '2026-04-01T00:00:00Z', '2026-04-30T00:00:00Z'],
  ['new year', '01-01', '2026-12-31T23:59:59Z', '2027-01-01T00:00:00Z'],
])('the next anniversary of %s', (_, day, since, next) => {
  expect(findNextAnniversary(day, parseTime(since), 'UTC')).toBe(parseTime(next))
})

it.each([
  ['Europe/Berlin', '11-20', '2026-03-01T10:00:00Z', '2026-11-19T23:00:00Z'],
  ['Europe/Berlin, after a clock change', '07-01', '2026-01-01T10:00:00Z', '2026-06-30T22:00:00Z'],
  ['America/Los_Angeles, written the evening before', '11-20', '2026-11-20T05:00:00Z', '2026-11-20T08:00:00Z'],
  ['America/Los_Angeles, written on that day', '11-20', '2026-11-21T05:00:00Z', '2027-11-20T08:00:00Z'],
  ['Asia/Tokyo, already in the new year', '01-01', '2026-12-31T16:00:00Z', '2027-12-31T15:00:00Z'],
])('an anniversary starts in the writer’s time zone: %s', (caseName, day, since, next) => {
  expect(findNextAnniversary(day, parseTime(since), caseName.split(',')[0] ?? '')).toBe(parseTime(next))
})

it.each([
  ['2026-12-24', '2026-12-24T00:00:00Z'],
  ['2026-12-24T18:30', '2026-12-24T18:30:00Z'],
  ['2026-12-24T18:30:00Z', '2026-12-24T18:30:00Z'],
  ['2026-12-24T18:30:00+02:00', '2026-12-24T16:30:00Z'],
])('%s is read as %s, independent of the server’s time zone', (date, instant) => {
  expect(parseTriggerInstant(date, 'UTC')).toBe(parseTime(instant))
})

it.each([
  ['2026-12-24', '2026-12-24T08:00:00Z'],
  ['2026-07-24', '2026-07-24T07:00:00Z'],
  ['2026-12-24T18:30', '2026-12-25T02:30:00Z'],
  ['2026-12-24T18:30:15.5', '2026-12-25T02:30:15.500Z'],
  ['2026-12-24T18:30:00Z', '2026-12-24T18:30:00Z'],
])('in Los Angeles %s is read as %s', (date, instant) => {
  expect(parseTriggerInstant(date, 'America/Los_Angeles')).toBe(parseTime(instant))
})
