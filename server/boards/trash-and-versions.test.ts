import { describe, expect, it, vi } from 'vitest'
import { type Board, boards } from '#contract/boards/boards.ts'
import { acceptsFrame, isFrameType } from '#contract/boards/frame-types.ts'
import { overlaps } from '#contract/boards/free-positions.ts'
import { json } from '#server/db/database.ts'
import { dayMs } from '#server/values/time-units.ts'
import { copyRow } from '#tests/copy-row.ts'
import { engines } from '#tests/engines.ts'
import { createFrameInput } from '#tests/frame-input.ts'
import { insertBoardShare } from '#tests/insert-board-share.ts'
import { insertDomain } from '#tests/insert-domain.ts'
import type { Actor } from '#tests/test-app.ts'
import { useTestApp } from '#tests/use-test-app.ts'
import { sweepBoards } from './board-trash.ts'
import { maxBoardTemplates } from './templates/board-templates.ts'

describe.each(engines)('trash, versions and templates of boards, on %s', (engine) => {
  const { app, ada, ben } = useTestApp(engine, ['ada', 'ben'])

  const createBoard = async (body: Record<string, unknown> = {}) => (await ada.call(boards.create, { body })).data
  const saveBoard = (id: string, body: unknown, ifMatch?: number) =>
    ada.call(boards.save, { params: { id }, body, ...(ifMatch !== undefined && { ifMatch }) })
  const listVersions = async (id: string, query = {}) =>
    (await ada.call(boards.versions, { params: { id }, query })).data

  describe('versions', () => {
    it('every save keeps the previous state with its author, newest first', async () => {
      const board = await createBoard({ name: 'One' })
      await saveBoard(board.id, { name: 'Two', frames: [] })
      await saveBoard(board.id, { name: 'Three' })
      const first = await listVersions(board.id, { limit: 1 })
      expect(first.items).toMatchObject([
        { rev: 2, name: 'Two', frameCount: 0, by: { id: ada.id, name: 'Ada Lindqvist' } },
      ])
      const second = await listVersions(board.id, { limit: 1, cursor: first.next_cursor })
      expect(second).toMatchObject({ items: [{ name: 'One', frameCount: 2 }], next_cursor: null })
      const showVersion = (rev: number) => ada.call(boards.version, { params: { id: board.id, rev: String(rev) } })
      expect((await showVersion(1)).data).toEqual({ config: board.config, frames: board.frames })
      expect((await showVersion(3)).data.config.name).toBe('Three')
      expect((await showVersion(4)).status).toBe(404)
      const badCursor = await ada.call(boards.versions, { params: { id: board.id }, query: { cursor: 'x' } })
      expect(badCursor.status).toBe(400)
    })

    it('a version can be restored, which keeps the replaced state', async () => {
      const board = await createBoard({ name: 'Once' })
      await saveBoard(board.id, { name: 'Now', frames: [createFrameInput('dialog')], config: { animation: 'scale' } })
      const restore = (rev: number, ifMatch?: number) =>
        ada.call(boards.restoreVersion, {
          params: { id: board.id, rev: String(rev) },
          ...(ifMatch !== undefined && { ifMatch }),
        })
      expect((await restore(1, 1)).status).toBe(409)
      const { data } = await restore(1, 2)
      expect(data).toMatchObject({ name: 'Once', rev: 3, config: board.config })
      expect(data.frames.map(({ id, data }) => [id, data])).toEqual(board.frames.map(({ id, data }) => [id, data]))
      expect((await listVersions(board.id)).items.map(({ name }) => name)).toEqual(['Now', 'Once'])
      expect((await restore(9)).status).toBe(404)
    })

    it('only the newest 200 versions are stored', async () => {
      const board = await createBoard()
      await saveBoard(board.id, { name: 'Second' })
      const { db } = app.services
      const [version] = await db.selectFrom('board_versions').selectAll().where('board_id', '=', board.id).execute()
      if (!version) throw new Error('no version')
      const copies = Array.from({ length: 201 }, (_, index) => ({
        ...version,
        rev: index + 2,
        snapshot: json(version.snapshot),
      }))
      await db.insertInto('board_versions').values(copies).execute()
      await db.updateTable('boards').set({ rev: 203 }).where('id', '=', board.id).execute()
      await saveBoard(board.id, { name: 'Last' })
      const rows = await app.services.db
        .selectFrom('board_versions')
        .select('rev')
        .where('board_id', '=', board.id)
        .orderBy('rev')
        .execute()
      expect(rows.map(({ rev }) => rev)).toEqual(Array.from({ length: 200 }, (_, index) => index + 4))
    })
  })

  describe('templates', () => {
    const listTemplates = async (actor = ada) => (await actor.call(boards.templates)).data

    it('all five system templates make valid boards without overlapping frames', async () => {
      const shipped = (await listTemplates(ben)).filter(({ system }) => system)
      expect(shipped.map(({ name }) => name)).toEqual([
        'Evening routine',
        'Family journey',
        'Agent workbench',
        'Project plan',
        'Code and prompts',
      ])
      for (const { id, name, frameCount, frameTypes } of shipped) {
        const board = await createBoard({ templateId: id })
        expect(board).toMatchObject({ name, frameCount, frames: { length: frameCount } })
        expect(board.frames.map(({ data }) => data.frameType)).toEqual(frameTypes)
        expect(frameTypes.every(isFrameType)).toBe(true)
        for (const frame of board.frames) {
          expect(acceptsFrame(frame.FrameConfig.engagementMode, frame.data.frameType)).toBe(true)
          expect(Object.values({ ...frame.data.position, ...frame.data.size }).every((value) => value % 20 === 0)).toBe(
            true,
          )
        }
        const boxes = board.frames.map(({ data: { position, size } }) => ({ ...position, ...size }))
        const isOverlapping = boxes.some((one, index) => boxes.slice(index + 1).some((other) => overlaps(one, other)))
        expect(isOverlapping, name).toBe(false)
        const moved = board.frames.map((frame) => ({ ...frame, data: { ...frame.data, description: 'Checked' } }))
        expect((await saveBoard(board.id, { frames: moved })).status).toBe(200)
        const again = await createBoard({ templateId: id, name: 'Mine' })
        expect(again.name).toBe('Mine')
        expect(again.frames.some((frame) => board.frames.some((other) => other.id === frame.id))).toBe(false)
      }
    })

    it("people's own are listed with ordered types, without blocking the server", async () => {
      const board = await createBoard({ name: 'Long' })
      const frames = ['preview', 'media_card', 'preview'].map((frameType, index) =>
        createFrameInput(frameType, { slug: `f${index}`, x: index * 400 }),
      )
      await saveBoard(board.id, { frames })
      const { data } = await ada.call(boards.saveTemplate, { body: { boardId: board.id, name: 'Saved long' } })
      const read = vi.spyOn(app.services.db.engineDriver, 'read')
      const listed = (await listTemplates()).find(({ id }) => id === data.id)
      const templateReads = read.mock.calls.filter(([statement]) => statement.sql.includes('board_templates'))
      read.mockRestore()
      expect(listed).toEqual(data)
      expect(listed).toMatchObject({ frameCount: 3, frameTypes: ['preview', 'media_card', 'preview'] })
      // PostgreSQL reads concurrently anyway.
      if (engine === 'sqlite') expect(templateReads).toEqual([])
      await ada.call(boards.removeTemplate, { params: { id: data.id } })
    })

    it('a board can be saved as a private template without pictures or references', async () => {
      const board = await createBoard({ name: 'Rich' })
      const frames = [
        createFrameInput('media_card', { slug: 'a', content: { mediaId: 'picture-canary', title: 'Quay' } }),
        createFrameInput('dialog', { slug: 'b', content: { agentId: 'agent-canary', sessionId: 'chat-canary' } }),
        createFrameInput('agent_preview', {
          slug: 'c',
          content: { agentId: 'agent-canary', runId: 'run-canary', input: 'Hi' },
        }),
        { ...createFrameInput('process_frame', { slug: 'd' }), entityType: 'agent', entityId: 'entity-canary' },
      ]
      await saveBoard(board.id, { frames })
      const savedTemplate = await ada.call(boards.saveTemplate, { body: { boardId: board.id, name: 'My way' } })
      expect(savedTemplate.data).toMatchObject({ name: 'My way', system: false, frameCount: 4 })
      expect((await listTemplates()).at(-1)).toEqual(savedTemplate.data)
      const createdBoard = await createBoard({ templateId: savedTemplate.data.id })
      expect(JSON.stringify(createdBoard)).not.toContain('canary')
      expect(createdBoard.frames.map(({ data }) => data.content)).toMatchObject([
        { mediaId: null, title: 'Quay' },
        { agentId: null, sessionId: null },
        { agentId: null, runId: null, input: 'Hi' },
        { steps: [] },
      ])
      expect((await listTemplates(ben)).every(({ system }) => system)).toBe(true)
      expect((await ben.call(boards.create, { body: { templateId: savedTemplate.data.id } })).status).toBe(404)
      const removeTemplate = (actor: Actor, id: string) => actor.call(boards.removeTemplate, { params: { id } })
      expect((await removeTemplate(ben, savedTemplate.data.id)).status).toBe(404)
      expect((await removeTemplate(ada, savedTemplate.data.id)).status).toBe(200)
      expect((await removeTemplate(ada, savedTemplate.data.id)).status).toBe(404)
      expect((await removeTemplate(ada, 'board-template-evening-round')).status).toBe(403)
      expect((await ben.call(boards.saveTemplate, { body: { boardId: board.id, name: 'Stolen' } })).status).toBe(404)
    })
  })

  it('templates per person are limited, even for concurrent saves', async () => {
    const { db } = app.services
    const board = await createBoard({ name: 'Saved often' })
    const saveTemplate = () => ada.call(boards.saveTemplate, { body: { boardId: board.id, name: 'Saved often' } })
    const { data: first } = await saveTemplate()
    const ownTemplates = db.selectFrom('board_templates').selectAll().where('owner_id', '=', ada.id)
    const row = await ownTemplates.where('id', '=', first.id).executeTakeFirstOrThrow()
    const { length } = await ownTemplates.execute()
    await copyRow(db, 'board_templates', row, {
      count: maxBoardTemplates - 1 - length,
      values: (at) => ({ id: `template-${at}` }),
    })
    const responses = await Promise.all([saveTemplate(), saveTemplate(), saveTemplate()])
    expect(await ownTemplates.execute(), 'one of them gets the last slot').toHaveLength(maxBoardTemplates)
    expect(responses.map(({ status }) => status).toSorted()).toEqual([200, 422, 422])
    const refused = responses.find(({ status }) => status === 422)
    expect(refused?.body.fields).toEqual({
      name: expect.stringMatching(/^You’ve reached the limit of 200 templates.*Delete one/),
    })
    const { data: boardOfBen } = await ben.call(boards.create, { body: { name: 'Ben’s' } })
    const savedByBen = await ben.call(boards.saveTemplate, { body: { boardId: boardOfBen.id, name: 'Ben’s' } })
    expect(savedByBen.status).toBe(200)
    await ada.call(boards.removeTemplate, { params: { id: first.id } })
    expect((await saveTemplate()).status).toBe(200)
    await db.deleteFrom('board_templates').execute()
  })

  describe('the trash', () => {
    it('keeps a board inaccessible for 30 days and restores it unchanged', async () => {
      const board = await createBoard({ name: 'Trashed' })
      await insertBoardShare(app, board.id, await insertDomain(app, ada, [[ben, 'friend']]), { friend: 'edit' })
      const shared = (await ada.call(boards.show, { params: { id: board.id } })).data
      expect((await ada.call(boards.remove, { params: { id: board.id } })).status).toBe(200)
      for (const actor of [ada, ben]) {
        expect((await actor.call(boards.show, { params: { id: board.id } })).status).toBe(404)
        expect((await actor.call(boards.save, { params: { id: board.id }, body: {} })).status).toBe(404)
        expect((await actor.call(boards.list)).data.some(({ id }) => id === board.id)).toBe(false)
      }
      const [trashedBoard] = (await ada.call(boards.trash)).data
      expect(trashedBoard).toMatchObject({ id: board.id, name: 'Trashed', frameCount: 2 })
      expect(Date.parse(trashedBoard?.goneAt ?? '') - Date.parse(trashedBoard?.deletedAt ?? '')).toBe(30 * dayMs)
      expect((await ben.call(boards.trash)).data).toEqual([])
      expect((await ben.call(boards.restore, { params: { id: board.id } })).status).toBe(404)
      expect((await ada.call(boards.restore, { params: { id: board.id } })).data).toEqual(shared)
      expect((await ada.call(boards.restore, { params: { id: board.id } })).status).toBe(200)
      expect((await ben.call(boards.show, { params: { id: board.id } })).status).toBe(200)
    })

    it('purges a board with its frames and versions after 30 days', async () => {
      const [old, newer] = [await createBoard(), await createBoard()]
      await saveBoard(old.id, { name: 'Old' })
      await ada.call(boards.remove, { params: { id: old.id } })
      app.passTime(29 * dayMs)
      await ada.call(boards.remove, { params: { id: newer.id } })
      expect(await sweepBoards(app.services)).toBe(0)
      app.passTime(dayMs + 1000)
      expect((await ada.call(boards.restore, { params: { id: old.id } })).status).toBe(404)
      expect(await sweepBoards(app.services)).toBe(1)
      for (const table of ['board_frames', 'board_versions'] as const)
        expect(await app.services.db.selectFrom(table).selectAll().where('board_id', '=', old.id).execute()).toEqual([])
      expect((await ada.call(boards.restore, { params: { id: newer.id } })).status).toBe(200)
    })
  })
})

const longText = 'The content of this frame is long, and a version stores it once. '.repeat(300)

describe.each(engines)('states of board versions, on %s', (engine) => {
  const { app, ada } = useTestApp(engine, ['ada'])

  const saveBoard = async (id: string, body: unknown) => {
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
  const createLargeFrames = (count: number) =>
    Array.from({ length: count }, (_, index) =>
      createFrameInput('from-newer-release', {
        slug: `f${index}`,
        x: index * 400,
        content: { words: `${index} ${longText}` },
      }),
    )
  const createLargeBoard = async (count = 5) => {
    const { id } = (await ada.call(boards.create, { body: { name: 'Large' } })).data
    return saveBoard(id, { frames: createLargeFrames(count) })
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
    for (let index = 1; index <= 25; index++) states.push(await saveBoard(id, { name: `Name ${index}` }))
    expect((await countBytes(id)) - previousBytes).toBeLessThan(25 * 100)
    await expectStates(states)
  })

  it('moving a frame stores its position, not its content', async () => {
    const first = await createLargeBoard()
    const previousBytes = await countBytes(first.id)
    app.passTime(1000)
    const moved = first.frames.map(({ data: { content, ...data }, ...frame }, index) => ({
      ...frame,
      data: index === 2 ? { ...data, position: { x: 4000, y: 200 } } : data,
    }))
    const second = await saveBoard(first.id, { frames: moved })
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
    const saveFrames = async (frames: unknown) => {
      app.passTime(1000)
      states.push(await saveBoard(id, { frames }))
    }
    const getLastFrames = () => states.at(-1)?.frames ?? []
    await saveFrames(getLastFrames().toReversed())
    await saveFrames([...getLastFrames().slice(1), createFrameInput('preview', { slug: 'new', x: 9000 })])
    await saveFrames(
      getLastFrames().map((frame, index) => ({
        ...frame,
        data: { ...frame.data, content: { at: index, list: [1, { a: 'b' }] } },
      })),
    )
    await saveFrames(
      getLastFrames().map((frame) => ({ ...frame, FrameConfig: { ...frame.FrameConfig, theme: 'ink' } })),
    )
    await saveFrames([])
    await saveFrames(createLargeFrames(2))
    states.push(
      await saveBoard(id, { config: { animation: 'slide', theme: { ...first.config.theme, accentColor: '#123456' } } }),
    )
    await expectStates(states)
  })

  it('emptying and restoring a board repeatedly stores its content once', async () => {
    const full = await createLargeBoard()
    const { id } = full
    await saveBoard(id, { frames: [] })
    const previousBytes = await countBytes(id)
    const states: Board[] = []
    let { rev } = full
    for (let index = 0; index < 4; index++) {
      app.passTime(1000)
      const restored = await restore(id, rev)
      states.push(restored, await saveBoard(id, { frames: [] }))
      rev = index % 2 === 0 ? restored.rev : full.rev
    }
    expect((await countBytes(id)) - previousBytes).toBeLessThan(10_000)
    await expectStates([full, ...states])
    expect((await restore(id, full.rev)).frames.map(({ data }) => data)).toEqual(full.frames.map(({ data }) => data))
  })

  it('whole versions of older releases can be shown, restored and diffed', async () => {
    const first = await createLargeBoard(2)
    const { id } = first
    const second = await saveBoard(id, { name: 'Second' })
    const third = await saveBoard(id, { name: 'Third', frames: [] })
    const completeSnapshot = json({ config: second.config, frames: second.frames })
    await app.services.db
      .updateTable('board_versions')
      .set({ snapshot: completeSnapshot })
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
    for (let index = 1; index <= 6; index++)
      states.push(index === 3 ? await restore(id, first.rev) : await saveBoard(id, { name: `N ${index}` }))
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
    const loser = await saveBoard(first.id, { name: 'Loser', frames: createLargeFrames(1) })
    app.passTime(1000)
    await saveBoard(first.id, { name: 'Winner', frames: first.frames })
    await expectStates([first, loser])
  })
})
