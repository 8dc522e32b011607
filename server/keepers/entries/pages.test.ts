import { beforeEach, describe, expect, it, vi } from 'vitest'
import { echoes } from '#contract/keepers/echoes.ts'
import { type Journey, journeys } from '#contract/keepers/journeys.ts'
import { logbook } from '#contract/keepers/logbook.ts'
import { memoryCards } from '#contract/keepers/memory-cards.ts'
import { reflections } from '#contract/keepers/reflections.ts'
import { voice } from '#contract/keepers/voice.ts'
import { createTestKeeper } from '#tests/create-test-keeper.ts'
import { engines } from '#tests/engines.ts'
import { useTestApp } from '#tests/use-test-app.ts'
import type { EntryRow } from './entry-tables.ts'

const written = 2300
const hour = 60 * 60 * 1000

interface Listed {
  id: string
}

describe.each(engines)('lists longer than one page, on %s', (engine) => {
  const { app, ada } = useTestApp(engine, ['ada'], { perTest: true })
  let keeperId: string
  beforeEach(async () => {
    keeperId = (await createTestKeeper(ada)).id
  })

  const list = { voice: voice.list, echoes: echoes.list, logbook: logbook.list, journeys: journeys.list }
  const read = (section: keyof typeof list, cursor?: string) =>
    ada.call(list[section], { params: { id: keeperId }, query: { ...(cursor && { cursor }) } })

  async function pages(section: keyof typeof list, between = async () => {}): Promise<Listed[][]> {
    const all: Listed[][] = []
    for (let cursor: string | undefined; ; await between()) {
      const { status, text, data, body } = await read(section, cursor)
      expect(status, text).toBe(200)
      all.push(data)
      if (body.next_cursor === null) return all
      cursor = String(body.next_cursor)
    }
  }

  /** Copies of one entry, some alike in all but the id. */
  async function fill<Table extends 'voice_entries' | 'echoes' | 'logbook_entries' | 'journeys'>(
    table: Table,
    values: (at: number) => object,
  ): Promise<void> {
    const { db } = app.services
    const row = await db.selectFrom(table).selectAll().executeTakeFirstOrThrow()
    const jsons = Object.fromEntries(
      Object.entries(row).map(([name, value]) => [
        name,
        typeof value === 'object' && value ? JSON.stringify(value) : value,
      ]),
    )
    const rows = Array.from({ length: written - 1 }, (_, at) => ({
      ...jsons,
      id: `e${at}`,
      created_at: Number((row as EntryRow<'voice'>).created_at) - Math.floor(at / 7) * hour,
      ...values(at),
    }))
    for (let at = 0; at < rows.length; at += 500)
      await db
        .insertInto(table)
        .values(rows.slice(at, at + 500) as never)
        .execute()
  }

  const whole = (read: Listed[][]) => {
    const ids = read.flat().map(({ id }) => id)
    expect(read.map(({ length }) => length)).toEqual([1000, 1000, 300])
    expect(new Set(ids).size).toBe(written)
    return ids
  }

  it('contain every voice entry once, in order', async () => {
    await ada.call(voice.create, {
      params: { id: keeperId },
      body: { label: 'Sea', belief: 'It comes back.' } as never,
    })
    await fill('voice_entries', () => ({}))
    const read = await pages('voice')
    whole(read)
    const times = read.flat().map((entry) => (entry as { createdAt: string } & Listed).createdAt)
    expect(times).toEqual(times.toSorted().toReversed())
  })

  it('contain every logbook entry once, pinned first, despite a new one', async () => {
    const body = { entry: 'I kept the light.', label: 'Light', category: 'Work' }
    const write = () => ada.call(logbook.create, { params: { id: keeperId }, body: body as never })
    await write()
    await fill('logbook_entries', (at) => ({
      pinned: at % 3 === 0,
      occurred_on: `20${String(10 + (at % 15)).padStart(2, '0')}-0${1 + (at % 9)}-1${at % 2}`,
    }))
    const read = await pages('logbook', async () => void (await write()))
    whole(read)
    const order = read.flat().map((one) => {
      const { pinned, occurredOn, createdAt } = one as unknown as Record<string, unknown>
      return `${Number(pinned)} ${occurredOn} ${createdAt}`
    })
    expect(order).toEqual(order.toSorted().toReversed())
  })

  it('contain every echo once, ready first, while some become ready', async () => {
    const body = { keeperId, agentId: 'default-agent', message: 'Remember the quay.' }
    await ada.call(echoes.create, { params: { id: keeperId }, body: body as never })
    const now = app.services.now().getTime()
    await fill('echoes', (at) => ({
      trigger_at: at % 4 === 0 ? null : now + (at - 100) * hour,
      delivered_at: at % 5 === 0 ? now - at * 1000 : null,
    }))
    const read = await pages('echoes', async () => app.passTime(50 * hour))
    whole(read)
    const [first] = read
    const isReady = (one: Listed) => (one as { state: string } & Listed).state === 'ready'
    const ready = first?.filter(isReady).length ?? 0
    expect(ready).toBeGreaterThan(50)
    expect(first?.slice(0, ready).every(isReady)).toBe(true)
  })

  it('contain every journey once, in order, despite a new one', async () => {
    const createJourney = () => ada.call(journeys.create, { params: { id: keeperId }, body: { title: 'The crossing' } })
    await createJourney()
    const standings = ['active', 'planned', 'paused', 'completed'] as const
    await fill('journeys', (at) => ({ status: standings[at % 4] }))
    const read = await pages('journeys', async () => void (await createJourney()))
    whole(read)
    const order = read.flat().map((one) => {
      const { status, createdAt } = one as unknown as Journey
      return `${3 - standings.indexOf(status as 'active')} ${createdAt}`
    })
    expect(order).toEqual(order.toSorted().toReversed())
  })

  // PostgreSQL is not in-process.
  if (engine === 'sqlite')
    it('do not block other requests', async () => {
      const driver = app.services.db.engineDriver
      const onMainThread = vi.spyOn(driver, 'read')
      const longReads = vi.spyOn(driver, 'longRead')
      const longTextLists = { ...list, reflections: reflections.list, cards: memoryCards.list }
      for (const section of ['voice', 'echoes', 'logbook', 'reflections', 'cards'] as const) {
        const callsBefore = { read: onMainThread.mock.calls.length, aside: longReads.mock.calls.length }
        await ada.call(longTextLists[section], { params: { id: keeperId } })
        const texts = onMainThread.mock.calls.slice(callsBefore.read).map(([statement]) => statement.sql)
        expect({ section, texts: texts.filter((text) => text.includes('limit 1001')) }).toEqual({ section, texts: [] })
        const pages = longReads.mock.calls.slice(callsBefore.aside).map(([statement]) => statement.sql)
        expect({ section, filterCount: pages.filter((text) => text.includes('limit 1001')).length }).toEqual({
          section,
          filterCount: 1,
        })
      }
    })

  it.each([
    'x',
    'WzFd',
    Buffer.from('["2026","e1"]').toString('base64url'),
    Buffer.from('[1e99,"a"]').toString('base64url'),
  ])('reject the cursor %s', async (cursor) => {
    for (const section of ['voice', 'echoes', 'logbook', 'journeys'] as const) {
      const { status, body } = await read(section, cursor)
      expect({ section, status, fields: body.fields }).toEqual({
        section,
        status: 400,
        fields: { cursor: 'Use the next_cursor of the previous page.' },
      })
    }
  })
})
