import { beforeAll, describe, expect, it } from 'vitest'
import { echoes } from '#contract/keepers/echoes.ts'
import { entries } from '#contract/keepers/entries.ts'
import { journeys } from '#contract/keepers/journeys.ts'
import type { Entity } from '#contract/keepers/keeper-fields.ts'
import { keepers } from '#contract/keepers/keepers.ts'
import { logbook } from '#contract/keepers/logbook.ts'
import { moments } from '#contract/keepers/moments.ts'
import { topics } from '#contract/keepers/topics.ts'
import { json } from '#server/db/database.ts'
import { minuteMs } from '#server/values/time-units.ts'
import { createTestKeeper } from '#tests/create-test-keeper.ts'
import { engines } from '#tests/engines.ts'
import { fetchAllPages } from '#tests/fetch-all-pages.ts'
import { useTestApp } from '#tests/use-test-app.ts'

const sampleText = 'The harbour was quiet, and the lamps were lit one after the other. '
const longBody = sampleText.repeat(2900)

describe.each(engines)('earlier states of entries, on %s', (engine) => {
  const { app, ada } = useTestApp(engine, ['ada'])
  let keeperId: string
  beforeAll(async () => {
    keeperId = (await createTestKeeper(ada)).id
  })

  const fetchHistory = async (entity: Entity, id: string) =>
    (await ada.call(entries.history, { params: { entity, id } })).data
  const fetchWholeHistory = async (entity: Entity, id: string) =>
    (await fetchAllPages(ada, entries.history, { entity, id })).flat()
  const countStoredBytes = async (entity: Entity, id: string) => {
    const { db } = app.services
    const query = db
      .selectFrom('entry_history')
      .select('snapshot')
      .where('entity', '=', entity)
      .where('entity_id', '=', id)
    return (await query.execute()).reduce((total, { snapshot }) => total + JSON.stringify(snapshot).length, 0)
  }
  const writeMoment = async (body: object) => (await ada.call(moments.create, { params: { id: keeperId }, body })).data
  const changeMoment = async (id: string, body: object, ifMatch?: number) => {
    const response = await ada.call(moments.update, { params: { id }, body, ...(ifMatch !== undefined && { ifMatch }) })
    expect(response.status).toBe(200)
    return response.data
  }

  it('pinning a moment doesn’t store its text again', async () => {
    const moment = await writeMoment({ body: longBody })
    const states = [moment]
    for (let index = 0; index < 8; index++) states.unshift(await changeMoment(moment.id, { pinned: index % 2 === 0 }))
    expect(await countStoredBytes('moment', moment.id)).toBeLessThan(8 * 1000)
    const history = await fetchWholeHistory('moment', moment.id)
    expect(history.map(({ rev, snapshot }) => [rev, snapshot])).toEqual(
      states.slice(1).map((state) => [state.rev, state]),
    )
  })

  it('include a replaced text on every page', async () => {
    const moment = await writeMoment({ body: longBody })
    const states = [moment]
    const change = async (body: object) => states.unshift(await changeMoment(moment.id, body))
    for (let index = 0; index < 8; index++) await change({ pinned: index % 2 === 0 })
    await change({ body: `Changed. ${longBody}` })
    for (let index = 0; index < 16; index++) await change({ pinned: index % 2 === 0 })
    await change({ body: 'Short.' })
    await change({ pinned: true })
    const all = await fetchWholeHistory('moment', moment.id)
    expect((await fetchHistory('moment', moment.id)).length).toBeLessThan(all.length)
    expect(all.map(({ snapshot }) => snapshot)).toEqual(states.slice(1))
    expect(await countStoredBytes('moment', moment.id)).toBeLessThan(2 * longBody.length + 60_000)
  })

  it('keep a text that only the previous state references', async () => {
    const moment = await writeMoment({ body: longBody })
    const pinned = await changeMoment(moment.id, { pinned: true })
    app.passTime(minuteMs)
    const added = await changeMoment(moment.id, { body: `${longBody}More.` }, pinned.rev)
    app.passTime(minuteMs)
    await changeMoment(moment.id, { body: `${longBody}More and more.` }, added.rev)
    const history = await fetchHistory('moment', moment.id)
    expect(history.find(({ rev }) => rev === moment.rev)?.snapshot).toEqual(moment)
    expect(history.find(({ rev }) => rev === pinned.rev)?.snapshot).toEqual(pinned)
  })

  it('store many topics once, under their names at that time', async () => {
    const names = Array.from({ length: 30 }, (_, index) => `Topic ${index} ${sampleText}`.slice(0, 80))
    let current = await writeMoment({ body: 'Many topics.', topics: names })
    const states = [current]
    const pin = async (pinned: boolean) => {
      current = await changeMoment(current.id, { pinned })
      states.unshift(current)
    }
    await pin(true)
    await pin(false)
    const bytesBefore = await countStoredBytes('moment', current.id)
    for (let index = 0; index < 10; index++) await pin(index % 2 === 0)
    expect((await countStoredBytes('moment', current.id)) - bytesBefore).toBeLessThan(10 * 1000)
    const [topic] = current.topics
    await ada.call(topics.update, { params: { id: topic?.id ?? '' }, body: { name: 'Another name' } })
    expect((await fetchHistory('moment', current.id)).map(({ snapshot }) => snapshot)).toEqual(states.slice(1))
    const renamed = (await ada.call(moments.show, { params: { id: current.id } })).data
    await pin(true)
    await pin(false)
    expect((await fetchHistory('moment', current.id))[1]?.snapshot).toEqual(renamed)
    expect((await countStoredBytes('moment', current.id)) - bytesBefore).toBeLessThan(14 * 1000)
  })

  it('store only the changed one of 200 waypoints', async () => {
    const journey = (await ada.call(journeys.create, { params: { id: keeperId }, body: { title: 'Around the bay' } }))
      .data
    const waypoints = Array.from({ length: 200 }, (_, index) => ({
      title: `Stop ${index}`,
      note: sampleText.repeat(3),
    }))
    const path = (
      await ada.call(journeys.createPath, { params: { id: journey.id }, body: { title: 'By boat', waypoints } })
    ).data
    const states = [path]
    const complete = async (index: number) => {
      const params = { id: path.id, waypointId: path.waypoints[index]?.id ?? '' }
      states.unshift((await ada.call(journeys.completeWaypoint, { params, body: {} })).data)
    }
    await complete(0)
    const bytesBefore = await countStoredBytes('path', path.id)
    for (let index = 1; index <= 20; index++) await complete(index)
    expect((await countStoredBytes('path', path.id)) - bytesBefore).toBeLessThan(20 * 2500)
    const history = (await fetchHistory('path', path.id)).map(({ snapshot }) => snapshot)
    expect(history).toEqual(states.slice(1))
  })

  it('are not stored again when a category is renamed', async () => {
    const body = { entry: sampleText.repeat(700), label: 'Day', category: 'Weather', occurredOn: '2026-03-01' }
    const entry = (await ada.call(logbook.create, { params: { id: keeperId }, body })).data
    const rename = (from: string, to: string) =>
      ada.call(logbook.renameWord, { params: { id: keeperId }, body: { kind: 'category', from, to } })
    expect((await rename('Weather', 'Sky')).status).toBe(200)
    expect((await rename('Sky', 'Weather')).status).toBe(200)
    expect(await countStoredBytes('logbook', entry.id)).toBeLessThan(2 * 1000)
    const history = await fetchHistory('logbook', entry.id)
    expect(history.map(({ snapshot }) => [snapshot.category, snapshot.entry])).toEqual([
      ['Sky', entry.entry],
      ['Weather', entry.entry],
    ])
  })

  it('never contain the text of a sealed echo', async () => {
    const message = `Secret. ${sampleText.repeat(20)}`
    const body = { message, sealed: false, triggerDate: '2031-01-01T00:00:00.000Z' }
    const echo = (await ada.call(echoes.create, { params: { id: keeperId }, body })).data
    const change = async (body: object) => {
      app.passTime(minuteMs)
      expect((await ada.call(echoes.update, { params: { id: echo.id }, body })).status).toBe(200)
    }
    await change({ triggerDate: '2032-01-01T00:00:00.000Z' })
    await change({ message: message.replace('quiet', 'whispering') })
    await change({ triggerDate: '2033-01-01T00:00:00.000Z' })
    await change({ sealed: true })
    const rows = await app.services.db
      .selectFrom('entry_history')
      .select('snapshot')
      .where('entity_id', '=', echo.id)
      .execute()
    expect(rows.length).toBeGreaterThan(2)
    for (const text of ['Secret', 'harbour', 'whispering']) expect(JSON.stringify(rows)).not.toContain(text)
    expect((await fetchHistory('echo', echo.id)).every(({ snapshot }) => snapshot.message === '')).toBe(true)
  })

  it('complete states stored by older releases stay readable', async () => {
    const moment = await writeMoment({ body: longBody })
    const pinned = await changeMoment(moment.id, { pinned: true })
    await app.services.db
      .updateTable('entry_history')
      .set({ snapshot: json({ ...moment }) })
      .where('entity_id', '=', moment.id)
      .execute()
    await changeMoment(moment.id, { body: 'Another.' })
    expect((await fetchHistory('moment', moment.id)).map(({ snapshot }) => snapshot)).toEqual([pinned, moment])
  })

  it('all states of a keeper include its purpose', async () => {
    const purpose = sampleText.repeat(20)
    const { id } = await createTestKeeper(ada, { purpose })
    for (const title of ['Two', 'Three']) await ada.call(keepers.update, { params: { id }, body: { title } })
    await ada.call(keepers.update, { params: { id }, body: { purpose: 'Short.' } })
    const history = await fetchHistory('keeper', id)
    expect(history.map(({ snapshot }) => snapshot.purpose)).toEqual([purpose.trim(), purpose.trim(), purpose.trim()])
    expect(await countStoredBytes('keeper', id)).toBeLessThan(2 * purpose.length)
  })
})
