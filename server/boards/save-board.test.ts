import { describe, expect, it, vi } from 'vitest'
import { boards } from '#contract/boards/boards.ts'
import { overlaps } from '#contract/boards/free-positions.ts'
import { engines } from '#tests/engines.ts'
import { createFrameInput } from '#tests/frame-input.ts'
import { useTestApp } from '#tests/use-test-app.ts'

describe.each(engines)('frames of older clients, on %s', (engine) => {
  const { ada } = useTestApp(engine, ['ada'])

  const createBoard = async () => (await ada.call(boards.create, { body: {} })).data
  const saveBoard = (id: string, body: unknown) => ada.call(boards.save, { params: { id }, body })

  it("a partial frame keeps its id and gets its type's defaults and a free spot", async () => {
    const board = await createBoard()
    const data = { frameType: 'dialog', name: 'Talk', description: '', category: 'interaction', icon: 'messages' }
    const id = '7d7f4a2c-0d3e-4b8e-9a55-6f1f6a1c0e11'
    const FrameConfig = { engagementMode: 'dialogic', theme: null }
    const minimalFrame = { id, entityType: null, entityId: null, data: { ...data, slug: 'talk' }, FrameConfig }
    const unknownFrame = {
      ...minimalFrame,
      id: 'Dream_1',
      data: { ...minimalFrame.data, frameType: 'dream', slug: 'dream' },
    }
    const { status, data: saved } = await saveBoard(board.id, { frames: [...board.frames, minimalFrame, unknownFrame] })
    expect(status).toBe(200)
    const [, , talk, dream] = saved.frames
    expect(talk).toMatchObject({ id, data: { ...minimalFrame.data, content: { agentId: null, sessionId: null } } })
    expect(talk?.data.size).toEqual({ width: 320, height: 260 })
    expect(dream).toMatchObject({ id: 'Dream_1', data: { size: { width: 300, height: 200 } } })
    const boxes = saved.frames.map(({ data: { position, size } }) => ({ ...position, ...size }))
    for (const [index, box] of boxes.entries())
      expect(boxes.slice(index + 1).some((other) => overlaps(box, other))).toBe(false)

    const placed = { ...minimalFrame.data, position: { x: 2000, y: 40 }, content: { agentId: 'an-agent' } }
    await saveBoard(board.id, { frames: [{ ...minimalFrame, data: placed }] })
    const renamed = await saveBoard(board.id, {
      frames: [{ ...minimalFrame, data: { ...minimalFrame.data, name: 'Talk on' } }],
    })
    expect(renamed.data.frames[0]?.data, 'omitted fields stay').toMatchObject({ ...placed, name: 'Talk on' })

    for (const invalidId of ['', 'a b', '-a', '__proto__', 'constructor', 'layout', 'x'.repeat(65)]) {
      const refused = await saveBoard(board.id, { frames: [{ ...minimalFrame, id: invalidId }] })
      expect(refused.status, invalidId).toBe(400)
      expect(Object.keys(refused.body.fields ?? {}), invalidId).toEqual(['frames.0.id'])
    }
  })

  it('a frame without a free position is refused, naming the frame', async () => {
    const board = await createBoard()
    const [cover] = board.frames
    const far = { ...cover, data: { ...cover?.data, position: { x: 100_000, y: 100_000 } } }
    const FrameConfig = { engagementMode: 'canvas', theme: null }
    const data = {
      frameType: 'dialog',
      name: 'Talk',
      description: '',
      category: 'interaction',
      icon: 'x',
      slug: 'talk',
    }
    const refused = await saveBoard(board.id, { frames: [far, { id: 'talk', data, FrameConfig }] })
    expect(refused.status).toBe(400)
    expect(refused.body.fields).toEqual({
      'frames.1.data.position': 'There’s no free space for “Talk”. Give it a position.',
    })
  })
})

describe.each(engines)('many boards, on %s', (engine) => {
  const { app, ada } = useTestApp(engine, ['ada'])

  async function listCountingReads() {
    const read = vi.spyOn(app.services.db.getExecutor(), 'executeQuery')
    const { data, text } = await ada.call(boards.list)
    const statements = read.mock.calls.map(([{ sql }]) => sql).filter((sql) => sql.includes('board'))
    read.mockRestore()
    return { data, text, statements }
  }

  it('listing 100 boards takes one statement and reads none of 10,000 frames', async () => {
    await ada.call(boards.create, { body: {} })
    const previous = await listCountingReads()
    for (let boardIndex = 0; boardIndex < 100; boardIndex++) {
      const { id } = (await ada.call(boards.create, { body: { name: `Board ${boardIndex}` } })).data
      const frames = Array.from({ length: 100 }, (_, index) =>
        createFrameInput('process_frame', { slug: `f-${index}`, name: 'In a frame' }),
      )
      expect((await ada.call(boards.save, { params: { id }, body: { frames } })).status).toBe(200)
    }
    const { count } = await app.services.db
      .selectFrom('board_frames')
      .select(({ fn }) => fn.countAll<number>().as('count'))
      .executeTakeFirstOrThrow()
    expect(Number(count)).toBe(10_002)
    const listed = await listCountingReads()
    expect(listed.statements).toEqual(previous.statements)
    expect(listed.statements).toHaveLength(1)
    expect(listed.statements[0]).not.toContain('board_frames')
    expect(listed.data).toHaveLength(101)
    expect(listed.data.reduce((total, { frameCount }) => total + frameCount, 0)).toBe(10_002)
    expect(listed.text).not.toContain('In a frame')
  }, 120_000)
})
