import * as fc from 'fast-check'
import { beforeEach, describe, expect, it } from 'vitest'
import { dashboards } from '#contract/keepers/dashboard.ts'
import { echoes } from '#contract/keepers/echoes.ts'
import type { Keeper } from '#contract/keepers/keepers.ts'
import { moments } from '#contract/keepers/moments.ts'
import { reflections } from '#contract/keepers/reflections.ts'
import { sole } from '#contract/keepers/sole.ts'
import { dayMs } from '#server/values/time-units.ts'
import { createTestKeeper } from '#tests/create-test-keeper.ts'
import { engines } from '#tests/engines.ts'
import { removeRequestId } from '#tests/remove-request-id.ts'
import { useTestApp } from '#tests/use-test-app.ts'
import { sweepEchoes } from '../echoes/check-time-triggers.ts'
import { calculateStreak, subtractDays } from './show-dashboard.ts'

describe.each(engines)('the dashboard of a keeper, on %s', (engine) => {
  const { app, ada, ben } = useTestApp(engine, ['ada', 'ben'])
  let keeper: Keeper
  let params: { id: string }

  beforeEach(async () => {
    await app.services.db.deleteFrom('keepers').execute()
    keeper = await createTestKeeper(ada)
    params = { id: keeper.id }
  })

  const daysAgo = (days: number) => new Date(app.services.now().getTime() - days * dayMs)
  const createMoment = (occurredAt: Date, fields: object = {}) =>
    ada.call(moments.create, { params, body: { body: 'Seen.', occurredAt: occurredAt.toISOString(), ...fields } })
  const show = async (query: { date?: string; timezone?: string } = {}, actor = ada, id = keeper.id) =>
    actor.call(dashboards.show, { params: { id }, query })

  it('shows zero counts and a question for an empty keeper', async () => {
    const { data } = await show()
    expect(Object.values(data.counts).every((count) => count === 0)).toBe(true)
    expect(data.streak).toMatchObject({ current: 0, longest: 0, graceUsed: false })
    expect(data.streak.days).toHaveLength(42)
    expect(data.today.prompt).toMatch(/\?$/)
    expect({
      pendingSole: data.pendingSole,
      activeSole: data.activeSole,
      recent: data.recent,
      onThisDay: data.onThisDay,
    }).toEqual({ pendingSole: null, activeSole: null, recent: [], onThisDay: [] })
  })

  it('shows today, returning and ready entries, and the streak', async () => {
    await createMoment(daysAgo(0), { pinned: true, mood: { score: 1 } })
    await createMoment(daysAgo(1))
    await createMoment(
      new Date(`${Number(daysAgo(0).toISOString().slice(0, 4)) - 2}${daysAgo(0).toISOString().slice(4)}`),
    )
    await ada.call(reflections.create, { params, body: { content: 'Old.', createdAt: daysAgo(2).toISOString() } })
    await ada.call(echoes.create, { params, body: { message: 'Come back.', triggerDate: daysAgo(1).toISOString() } })
    await ada.call(sole.submitDraft, { params, body: { content: 'I keep watch.' } })
    const { data } = await show()
    expect(data.today.moments).toHaveLength(1)
    expect(data.onThisDay).toHaveLength(1)
    expect(data.streak).toMatchObject({ current: 3, longest: 3 })
    expect(data.streak.days.at(-1)).toMatchObject({ count: 1, kept: true, mood: 1 })
    expect(data.suggestions).toMatchObject([{ content: 'Old.' }])
    expect(data.echoesReady).toMatchObject([{ message: 'Come back.', state: 'ready' }])
    expect(data.pendingSole).toMatchObject({ status: 'draft', content: 'I keep watch.' })
    expect(data.counts).toMatchObject({ moments: 3, reflections: 1, echoesReady: 1 })
  })

  it('ignores a moment dated a year ahead in the streak', async () => {
    await createMoment(daysAgo(0))
    await createMoment(daysAgo(1))
    await createMoment(daysAgo(-365))
    const { data } = await show()
    expect(data.counts.moments).toBe(3)
    expect(data.streak).toMatchObject({ current: 2, longest: 2 })
  })

  it('starts the day in the reader’s time zone', async () => {
    await ada.call(reflections.create, {
      params,
      body: { content: 'Late in Tokyo.', createdAt: '2026-11-19T15:30:00Z' },
    })
    const inTokyo = await show({ date: '2026-11-20', timezone: 'Asia/Tokyo' })
    const inUtc = await show({ date: '2026-11-20', timezone: 'UTC' })
    const listWrittenDays = ({ data }: Awaited<ReturnType<typeof show>>) =>
      data.streak.days.filter(({ count }) => count > 0).map(({ date }) => date)
    expect(listWrittenDays(inTokyo)).toEqual(['2026-11-20'])
    expect(listWrittenDays(inUtc)).toEqual(['2026-11-19'])
  })

  it('lists events without any content', async () => {
    const { data: reflection } = await ada.call(reflections.create, { params, body: { content: 'canary-of-mine' } })
    await ada.call(reflections.promote, { params: { id: reflection.id } })
    await createMoment(daysAgo(0))
    const { data, text } = await ada.call(dashboards.events)
    expect(data.map(({ entity, what: subject }) => `${entity} ${subject}`).sort()).toEqual([
      'card kept',
      'moment written',
      'reflection written',
    ])
    expect(data.every((event) => event.keeperTitle === keeper.title)).toBe(true)
    expect(text).not.toContain('canary-of-mine')
  })

  it('lists the latest events of many keepers, without deleted entries', async () => {
    const listEvents = async (limit: number) =>
      (await ada.call(dashboards.events, { query: { limit } })).data.map(
        ({ keeperTitle, entity, what: subject }) => `${keeperTitle}: ${entity} ${subject}`,
      )
    const keeperList = await Promise.all(['One', 'Two', 'Three'].map((title) => createTestKeeper(ada, { title })))
    const [one = '', two = '', three = ''] = keeperList.map(({ id }) => id)
    const write = async (id: string, createdAt?: Date) =>
      (await ada.call(reflections.create, { params: { id }, body: { content: 'Written.', createdAt } })).data
    expect(await listEvents(2)).toEqual([])
    for (const keeperId of [one, two, three]) await write(keeperId, daysAgo(3))
    const newer = await write(two, daysAgo(1))
    await createMoment(daysAgo(0))
    expect(await listEvents(2)).toEqual([`${keeper.title}: moment written`, 'Two: reflection written'])
    expect(await listEvents(2)).toEqual((await listEvents(100)).slice(0, 2))
    await ada.call(reflections.remove, { params: { id: newer.id } })
    for (const keeperId of [one, three])
      await ada.call(reflections.remove, { params: { id: (await write(keeperId)).id } })
    expect(await listEvents(1)).toEqual([`${keeper.title}: moment written`])
    expect(await listEvents(3)).toEqual((await listEvents(100)).slice(0, 3))
    await ada.call(reflections.promote, { params: { id: (await write(three, daysAgo(2))).id } })
    expect(await listEvents(3)).toEqual((await listEvents(100)).slice(0, 3))
    expect(await listEvents(1)).toEqual(['Three: card kept'])
    const { id } = await createTestKeeper(ben)
    await ben.call(reflections.create, { params: { id }, body: { content: 'Somebody else’s, and later.' } })
    expect(await listEvents(1), 'despite later content of other people').toEqual(['Three: card kept'])
  })

  it('lists a ready echo however many are newer', async () => {
    const write = async (triggerDate: Date) =>
      (await ada.call(echoes.create, { params, body: { message: 'Back.', triggerDate: triggerDate.toISOString() } }))
        .data
    const echo = await write(daysAgo(-2))
    for (let index = 0; index < 15; index++) await write(daysAgo(1))
    app.passTime(3 * dayMs)
    await sweepEchoes(app.services)
    const { recent } = (await show()).data
    expect(recent[0]).toMatchObject({ entity: 'echo', entityId: echo.id, what: 'ready' })
  })

  it('leaves out deleted entries', async () => {
    const { data } = await createMoment(daysAgo(0))
    await ada.call(moments.remove, { params: { id: data.id } })
    const view = await show()
    expect(view.data.counts.moments).toBe(0)
    expect(view.data.today.moments).toEqual([])
    expect(view.data.recent).toEqual([])
    expect(view.data.streak.current).toBe(0)
  })

  it('is private to the keeper’s owner', async () => {
    const foreign = await show({}, ben)
    const unknown = await show({}, ben, 'f'.repeat(32))
    expect(foreign.status).toBe(404)
    expect(unknown.status).toBe(404)
    expect(removeRequestId(foreign.text)).toBe(removeRequestId(unknown.text))
    expect((await ben.call(dashboards.events)).data).toEqual([])
  })
})

const today = '2026-11-20'
/** `x`: a day with entries, `.`: without; the last one is today. */
const listDays = (pattern: string) =>
  [...pattern].flatMap((mark, index) => (mark === 'x' ? subtractDays(today, pattern.length - 1 - index) : []))

describe('a streak', () => {
  it.each([
    ['', 0, 0, false],
    ['x', 1, 1, false],
    ['xxx', 3, 3, false],
    ['xxx.', 3, 3, false],
    ['xxx..', 3, 3, true],
    ['xxx...', 0, 3, false],
    ['xx.xx', 4, 4, true],
    ['xx..xx', 2, 2, false],
    ['xx.xx.xx', 4, 4, true],
    ['xx.xxxxxx.xx', 10, 10, true],
    ['xxxxx...xx', 2, 5, false],
    ['x.', 1, 1, false],
    ['xx.xx..', 2, 4, true],
  ])('the streak of %j is %i long and %i at most', (pattern, current, longest, graceUsed) => {
    expect(calculateStreak(listDays(pattern), today)).toEqual({ current, longest, graceUsed })
  })

  it('counts a day from beyond the date line', () => {
    expect(calculateStreak(['2026-11-21', '2026-11-20'], today).current).toBe(2)
  })

  it('ignores days dated far ahead', () => {
    const writtenDays = listDays('xxx')
    const futureDays = ['2027-03-01', '2027-03-02', '2027-03-03', '2027-03-04']
    expect(calculateStreak([...writtenDays, ...futureDays], today)).toEqual({
      current: 3,
      longest: 3,
      graceUsed: false,
    })
    expect(calculateStreak([...writtenDays, '2026-11-22'], today)).toEqual({ current: 3, longest: 3, graceUsed: false })
    expect(calculateStreak(futureDays, today)).toEqual({ current: 0, longest: 0, graceUsed: false })
  })

  it('never exceeds the number of days, in any order and with duplicates', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: 60 })), (ages) => {
        const writtenDays = ages.map((age) => subtractDays(today, age))
        const { current, longest } = calculateStreak(writtenDays, today)
        expect(current).toBeLessThanOrEqual(longest)
        expect(longest).toBeLessThanOrEqual(new Set(writtenDays).size)
        expect(calculateStreak([...writtenDays].reverse(), today)).toEqual(calculateStreak(writtenDays, today))
      }),
    )
  })
})
