import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type BoardParticipant, presenceTimeoutMs } from '#contract/boards/board-live.ts'
import { boards } from '#contract/boards/boards.ts'
import type { Services } from '#server/services.ts'
import { engines } from '#tests/engines.ts'
import { type Actor, createTestApp, type TestApp } from '#tests/test-app.ts'
import { listAllParticipants, recordDeparture, recordParticipant } from './session-sync.ts'

describe.each(engines)('presence across processes, on %s', (engine) => {
  let app: TestApp
  let ada: Actor
  let ben: Actor
  /** Only the rows matter here; no one listens. */
  let services: Services
  beforeAll(async () => {
    app = await createTestApp(engine)
    ;[ada, ben] = [await app.as('ada'), await app.as('ben')]
    services = Object.create(app.services, { bus: { value: { sendInBatch: () => sql`select 1` } } })
  })
  afterAll(() => app.close())

  it('a tab belongs to the person who opened it until it falls silent', async () => {
    const { id } = (await ada.call(boards.create, { body: { name: 'Harbour' } })).data
    const participant = ({ id: personId }: Actor, name: string): BoardParticipant => ({
      tab: 't',
      personId,
      name,
      may: 'edit',
      cursor: null,
      selection: [],
    })
    const there = async () => (await listAllParticipants(services, id)).map(({ personId }) => personId)
    await recordParticipant(services, id, participant(ada, 'Ada'))
    await recordParticipant(services, id, participant(ben, 'Ben'))
    expect(await there()).toEqual([ada.id])
    await recordDeparture(services, id, participant(ben, 'Ben'))
    expect(await there()).toEqual([ada.id])
    app.passTime(presenceTimeoutMs + 1)
    await recordParticipant(services, id, participant(ben, 'Ben'))
    expect(await there()).toEqual([ben.id])
    await recordDeparture(services, id, participant(ben, 'Ben'))
    expect(await there()).toEqual([])
  })

  it("one person's last ten tabs count, without displacing others'", async () => {
    const { id } = (await ada.call(boards.create, { body: { name: 'Quay' } })).data
    const note = (personId: string, tab: string) =>
      recordParticipant(services, id, { tab, personId, name: null, may: 'edit', cursor: null, selection: [] })
    await note(ben.id, 'ben')
    const many = Array.from({ length: 13 }, (_, at) => `ada-${String(at).padStart(2, '0')}`)
    for (const tab of many) {
      app.passTime(10)
      await note(ada.id, tab)
    }
    const there = async () => (await listAllParticipants(services, id)).map(({ tab }) => tab).sort()
    expect(await there()).toEqual([...many.slice(3), 'ben'])
    await note(ben.id, 'ben-too')
    expect(await there(), 'who came later in more tabs takes nobody’s place').toEqual([
      ...many.slice(3),
      'ben',
      'ben-too',
    ])
  })
})
