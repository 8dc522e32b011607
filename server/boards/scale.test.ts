import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { boards } from '#contract/boards/boards.ts'
import { engines } from '#tests/engines.ts'
import { createFrameInput } from '#tests/frame-input.ts'
import { type Actor, createTestApp, type TestApp } from '#tests/test-app.ts'

describe.each(engines)('many boards, on %s', (engine) => {
  let app: TestApp
  let ada: Actor
  beforeAll(async () => {
    app = await createTestApp(engine)
    ada = await app.as('ada')
  })
  afterAll(() => app.close())

  async function readsOfList() {
    const read = vi.spyOn(app.services.db.getExecutor(), 'executeQuery')
    const { data, text } = await ada.call(boards.list)
    const statements = read.mock.calls.map(([{ sql }]) => sql).filter((sql) => sql.includes('board'))
    read.mockRestore()
    return { data, text, statements }
  }

  it('listing 100 boards takes one statement and reads none of 10,000 frames', async () => {
    await ada.call(boards.create, { body: {} })
    const previous = await readsOfList()
    for (let board = 0; board < 100; board++) {
      const { id } = (await ada.call(boards.create, { body: { name: `Board ${board}` } })).data
      const frames = Array.from({ length: 100 }, (_, i) =>
        createFrameInput('process_frame', { slug: `f-${i}`, name: 'In a frame' }),
      )
      expect((await ada.call(boards.save, { params: { id }, body: { frames } })).status).toBe(200)
    }
    const { count } = await app.services.db
      .selectFrom('board_frames')
      .select(({ fn }) => fn.countAll<number>().as('count'))
      .executeTakeFirstOrThrow()
    expect(Number(count)).toBe(10_002)
    const listed = await readsOfList()
    expect(listed.statements).toEqual(previous.statements)
    expect(listed.statements).toHaveLength(1)
    expect(listed.statements[0]).not.toContain('board_frames')
    expect(listed.data).toHaveLength(101)
    expect(listed.data.reduce((total, { frameCount }) => total + frameCount, 0)).toBe(10_002)
    expect(listed.text).not.toContain('In a frame')
  }, 120_000)
})
