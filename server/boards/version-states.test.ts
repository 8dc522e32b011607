import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Board, boards } from '#contract/boards/boards.ts'
import { json } from '#server/db/database.ts'
import { engines } from '#tests/engines.ts'
import { createFrameInput } from '#tests/frame-input.ts'
import { type Actor, createTestApp, type TestApp } from '#tests/test-app.ts'

const longText = 'What this frame holds is long, and a version keeps it once. '.repeat(300)

describe.each(engines)('states of board versions, on %s', (engine) => {
  let app: TestApp
  let ada: Actor
  beforeAll(async () => {
    app = await createTestApp(engine)
    ada = await app.as('ada')
  })
  afterAll(() => app.close())

  const save = async (id: string, body: unknown) => {
    const answer = await ada.call(boards.save, { params: { id }, body })
    expect(answer.status).toBe(200)
    return answer.data
  }
  const restore = async (id: string, rev: number) =>
    (await ada.call(boards.restoreVersion, { params: { id, rev: String(rev) } })).data
  const showVersion = (id: string, rev: number) => ada.call(boards.version, { params: { id, rev: String(rev) } })
  const listRows = (id: string) =>
    app.services.db
      .selectFrom('board_versions')
      .select(['rev', 'snapshot'])
      .where('board_id', '=', id)
      .orderBy('rev')
      .execute()
  const countBytes = async (id: string) =>
    (await listRows(id)).reduce((total, row) => total + JSON.stringify(row.snapshot).length, 0)
  const largeFrames = (count: number) =>
    Array.from({ length: count }, (_, at) =>
      createFrameInput('from-elsewhere', { slug: `f${at}`, x: at * 400, content: { words: `${at} ${longText}` } }),
    )
  const createLargeBoard = async (count = 5) => {
    const { id } = (await ada.call(boards.create, { body: { name: 'Large' } })).data
    return save(id, { frames: largeFrames(count) })
  }
  /** Every state must read back as it was when saved. */
  const expectStates = async (states: readonly Board[]) => {
    for (const { id, rev, config, frames } of states)
      expect((await showVersion(id, rev)).body).toMatchObject({ data: { config, frames } })
  }

  it('renaming a large board 25 times stores only the names', async () => {
    const first = await createLargeBoard()
    const states = [first]
    const { id } = first
    const previousBytes = await countBytes(id)
    for (let n = 1; n <= 25; n++) states.push(await save(id, { name: `Name ${n}` }))
    expect((await countBytes(id)) - previousBytes).toBeLessThan(25 * 100)
    await expectStates(states)
  })

  it('moving a frame stores its position, not its content', async () => {
    const first = await createLargeBoard()
    const previousBytes = await countBytes(first.id)
    app.passTime(1000)
    const moved = first.frames.map(({ data: { content, ...data }, ...frame }, at) => ({
      ...frame,
      data: at === 2 ? { ...data, position: { x: 4000, y: 200 } } : data,
    }))
    const second = await save(first.id, { frames: moved })
    expect(second.frames[2]?.data).toMatchObject({
      position: { x: 4000, y: 200 },
      content: { words: `2 ${longText}` },
    })
    expect((await countBytes(first.id)) - previousBytes).toBeLessThan(300)
    await expectStates([first, second])
  })

  it('adding, removing, changing and reordering frames reads back everywhere', async () => {
    const first = await createLargeBoard(4)
    const states = [first]
    const { id } = first
    const step = async (frames: unknown) => {
      app.passTime(1000)
      states.push(await save(id, { frames }))
    }
    const present = () => states.at(-1)?.frames ?? []
    await step(present().toReversed())
    await step([...present().slice(1), createFrameInput('preview', { slug: 'new', x: 9000 })])
    await step(
      present().map((frame, at) => ({ ...frame, data: { ...frame.data, content: { at, list: [1, { a: 'b' }] } } })),
    )
    await step(present().map((frame) => ({ ...frame, FrameConfig: { ...frame.FrameConfig, theme: 'ink' } })))
    await step([])
    await step(largeFrames(2))
    states.push(
      await save(id, { config: { animation: 'slide', theme: { ...first.config.theme, accentColor: '#123456' } } }),
    )
    await expectStates(states)
  })

  it('emptying and restoring a board repeatedly stores its content once', async () => {
    const full = await createLargeBoard()
    const { id } = full
    await save(id, { frames: [] })
    const previousBytes = await countBytes(id)
    const states: Board[] = []
    let { rev } = full
    for (let n = 0; n < 4; n++) {
      app.passTime(1000)
      const restored = await restore(id, rev)
      states.push(restored, await save(id, { frames: [] }))
      rev = n % 2 === 0 ? restored.rev : full.rev
    }
    expect((await countBytes(id)) - previousBytes).toBeLessThan(10_000)
    await expectStates([full, ...states])
    expect((await restore(id, full.rev)).frames.map(({ data }) => data)).toEqual(full.frames.map(({ data }) => data))
  })

  it('whole versions of older releases can be shown, restored and diffed', async () => {
    const first = await createLargeBoard(2)
    const { id } = first
    const second = await save(id, { name: 'Second' })
    const third = await save(id, { name: 'Third', frames: [] })
    const whole = json({ config: second.config, frames: second.frames })
    await app.services.db
      .updateTable('board_versions')
      .set({ snapshot: whole })
      .where('board_id', '=', id)
      .where('rev', '=', second.rev)
      .execute()
    await expectStates([first, second, third])
    const restored = await restore(id, second.rev)
    expect(restored.config).toEqual(second.config)
    expect(restored.frames.map(({ data }) => data)).toEqual(second.frames.map(({ data }) => data))
    await expectStates([first, second, third, restored])
  })

  it('the oldest versions can be dropped without breaking newer ones', async () => {
    const first = await createLargeBoard(1)
    const states = [first]
    const { id } = first
    for (let n = 1; n <= 6; n++)
      states.push(n === 3 ? await restore(id, first.rev) : await save(id, { name: `N ${n}` }))
    await app.services.db
      .deleteFrom('board_versions')
      .where('board_id', '=', id)
      .where('rev', '<=', first.rev + 2)
      .execute()
    await expectStates(states.slice(3))
    expect((await showVersion(id, first.rev)).status).toBe(404)
  })

  it('a save without If-Match that overwrites another keeps the loser', async () => {
    const first = await createLargeBoard(1)
    app.passTime(1000)
    const loser = await save(first.id, { name: 'Loser', frames: largeFrames(1) })
    app.passTime(1000)
    await save(first.id, { name: 'Winner', frames: first.frames })
    await expectStates([first, loser])
  })
})
