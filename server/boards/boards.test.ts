import { describe, expect, it } from 'vitest'
import { type Board, boards } from '#contract/boards/boards.ts'
import { domains } from '#contract/domains/domains.ts'
import { engines } from '#tests/engines.ts'
import { createFrameInput } from '#tests/frame-input.ts'
import { insertBoardShare } from '#tests/insert-board-share.ts'
import { insertDomain } from '#tests/insert-domain.ts'
import type { Actor } from '#tests/test-app.ts'
import { useTestApp } from '#tests/use-test-app.ts'

describe.each(engines)('boards, on %s', (engine) => {
  const { app, ada, ben } = useTestApp(engine, ['ada', 'ben'])

  const createBoard = async (body: Record<string, unknown> = {}, actor = ada) =>
    (await actor.call(boards.create, { body })).data
  const showBoard = (id: string, actor = ada) => actor.call(boards.show, { params: { id } })
  const saveBoard = (id: string, body: unknown, options: { ifMatch?: number; actor?: Actor } = {}) =>
    (options.actor ?? ada).call(boards.save, {
      params: { id },
      body,
      ...(options.ifMatch !== undefined && { ifMatch: options.ifMatch }),
    })

  describe('creating', () => {
    it('starts with a cover and a settings frame, in one transaction', async () => {
      const board = await createBoard()
      expect(board).toMatchObject({
        name: 'New Board',
        description: 'A new custom board',
        type: 'custom_board',
        engagementMode: 'dialogic',
        frameCount: 2,
        may: 'owner',
        rev: 1,
        isShared: false,
        owner: { id: ada.id, name: 'Ada Lindqvist', isMe: true },
        config: { theme: { primaryColor: '#334155', backgroundColor: '#E2E8F0' } },
      })
      expect(
        board.frames.map(({ data, FrameConfig }) => [data.name, data.frameType, data.slug, FrameConfig.engagementMode]),
      ).toEqual([
        ['Cover', 'media_card', 'cover', 'focus'],
        ['Settings', 'config_panel', 'settings', 'form'],
      ])
      expect((await showBoard(board.id)).body).toEqual(board)
    })

    it('uses the primary domain for demo or no domain', async () => {
      const { data } = await ada.call(domains.mine)
      const primary = data.find(({ isPrimary }) => isPrimary)?.id
      expect((await createBoard({ domainId: 'demo' })).domainId).toBe(primary)
      expect((await createBoard()).domainId).toBe(primary)
      const primaryOfBen = (await ben.call(domains.mine)).data.find(({ isPrimary }) => isPrimary)?.id
      expect((await createBoard({}, ben)).domainId).toBe(primaryOfBen)
    })

    it('a blank name becomes Untitled Board, now and later', async () => {
      const board = await createBoard({ name: '  ' })
      expect(board.name).toBe('Untitled Board')
      await saveBoard(board.id, { name: 'Named' })
      expect((await saveBoard(board.id, { config: { name: ' ' } })).data.name).toBe('Untitled Board')
    })

    it('only accepts domains of the person, and answers alike for unknown ones', async () => {
      const domainOfBen = await insertDomain(app, ben)
      const requestBoard = (domainId: string) => ada.call(boards.create, { body: { domainId } })
      const [foreignResponse, unknown] = [await requestBoard(domainOfBen), await requestBoard('0'.repeat(32))]
      expect(foreignResponse).toMatchObject({ status: 404, body: { error: unknown.body.error } })
      const shared = await insertDomain(app, ben, [[ada, 'friend']])
      expect((await requestBoard(shared)).data.domainId).toBe(shared)
      // A platform admin sees this domain, but can't put a board into it.
      const cleo = await app.as('cleo', ['super-admin'])
      expect((await cleo.call(boards.create, { body: { domainId: domainOfBen } })).status).toBe(404)
    })

    it("is idempotent for a client's id, and refuses an id of others", async () => {
      const id = app.services.newId()
      const [one, two] = await Promise.all([createBoard({ id, name: 'Once' }), createBoard({ id, name: 'Once' })])
      expect(one).toMatchObject({ id, frames: { length: 2 } })
      expect(two).toMatchObject({ id, frames: one.frames.map((frame) => ({ id: frame.id })) })
      const taken = await ben.call(boards.create, { body: { id } })
      expect(taken.status).toBe(409)
      expect(taken.text).not.toContain('Once')
    })

    it("ignores fields it doesn't offer", async () => {
      const board = await createBoard({ ownerId: ben.id, owner_id: ben.id, rev: 99, linkHash: 'x', frames: [] })
      expect(board).toMatchObject({ owner: { id: ada.id }, rev: 1, frameCount: 2 })
    })
  })

  describe('saving', () => {
    it('stores config and frames, counts them, and raises the revision', async () => {
      const board = await createBoard()
      const frames = [...board.frames, createFrameInput('code_snippet', { slug: 'prompt', content: { code: 'let x' } })]
      const { status, data } = await saveBoard(
        board.id,
        { ...board, config: { ...board.config, name: 'Harbour', layout: 'column', animation: 'fade' }, frames },
        { ifMatch: 1 },
      )
      expect(status).toBe(200)
      expect(data).toMatchObject({
        name: 'Harbour',
        frameCount: 3,
        rev: 2,
        config: { layout: 'column', animation: 'fade' },
      })
      expect(data.frames[2]?.data.content).toEqual({ code: 'let x', language: 'text' })
      expect((await showBoard(board.id)).body).toEqual(data)
      const listed = (await ada.call(boards.list)).data.find(({ id }) => id === board.id)
      expect(listed).toMatchObject({ name: 'Harbour', frameCount: 3, rev: 2 })
    })

    it('only changed frames are written and get a new date', async () => {
      const board = await createBoard()
      app.passTime(60_000)
      const [cover, settings] = board.frames as [Board['frames'][0], Board['frames'][0]]
      const moved = { ...cover, data: { ...cover.data, position: { x: 200, y: 120 } } }
      const { data } = await saveBoard(board.id, { frames: [moved, settings] })
      expect(data.frames[0]?.updatedAt).toBe(data.updatedAt)
      expect(data.frames[0]?.createdAt).toBe(board.createdAt)
      expect(data.frames[1]).toEqual(settings)
      const swapped = await saveBoard(board.id, { frames: [settings, moved] })
      expect(swapped.data.frames.map(({ id }) => id)).toEqual([settings.id, cover.id])
      expect(swapped.data.frames.map(({ updatedAt }) => updatedAt)).toEqual([settings.updatedAt, data.updatedAt])
    })

    it('an unchanged board gets no revision and no version', async () => {
      const board = await createBoard()
      const same = await saveBoard(board.id, board, { ifMatch: 1 })
      expect(same.data).toEqual(board)
      expect((await ada.call(boards.versions, { params: { id: board.id } })).data.items).toEqual([])
    })

    it('a stale save returns both whole boards and writes nothing', async () => {
      const board = await createBoard({ name: 'First' })
      await saveBoard(board.id, { name: 'Second' }, { ifMatch: 1 })
      const stale = await saveBoard(board.id, { name: 'Mine', frames: [] }, { ifMatch: 1 })
      expect(stale).toMatchObject({ status: 409, body: { code: 'stale' } })
      expect(stale.body.data).toMatchObject({
        yours: { name: 'Mine', frames: [], rev: 1 },
        current: { name: 'Second', frames: { length: 2 }, rev: 2 },
      })
      expect((await showBoard(board.id)).data).toMatchObject({ name: 'Second', rev: 2 })
    })

    it('one of two concurrent saves wins with If-Match; else a version keeps the other', async () => {
      const board = await createBoard()
      const conditional = await Promise.all(['One', 'Two'].map((name) => saveBoard(board.id, { name }, { ifMatch: 1 })))
      expect(conditional.map(({ status }) => status).sort()).toEqual([200, 409])
      const unconditional = await Promise.all(['Three', 'Four', 'Five'].map((name) => saveBoard(board.id, { name })))
      expect(unconditional.map(({ status }) => status)).toEqual([200, 200, 200])
      const { data } = await showBoard(board.id)
      expect(data.rev).toBe(5)
      const { items } = (await ada.call(boards.versions, { params: { id: board.id } })).data
      const names = [data.name, ...items.map(({ name }) => name)]
      expect(names.slice(0, 3).sort()).toEqual(['Five', 'Four', 'Three'])
      expect(new Set(names).size).toBe(5)
    })

    it("a frame that doesn't fit its pattern is refused unless already there", async () => {
      const board = await createBoard()
      const dialog = createFrameInput('dialog', { slug: 'talk', name: 'Talk', pattern: 'gallery' })
      const refused = await saveBoard(board.id, { frames: [...board.frames, dialog] })
      expect(refused.status).toBe(400)
      expect(refused.body.fields).toEqual({
        'frames.2.FrameConfig.engagementMode':
          '“Talk” can’t be saved. Dialog Frame doesn’t work in gallery. Choose dialogic or canvas.',
      })
      await app.services.db
        .updateTable('board_frames')
        .set({ engagement_mode: 'gallery' })
        .where('board_id', '=', board.id)
        .where('position', '=', 1)
        .execute()
      const { frames } = (await showBoard(board.id)).data
      expect((await saveBoard(board.id, { frames, name: 'Saved' })).status).toBe(200)
    })

    it.each([
      [
        'two slugs alike',
        [createFrameInput('dialog', { slug: 'a' }), createFrameInput('dialog', { slug: 'a' })],
        'frames.1.data.slug',
      ],
      ['an invalid slug', [createFrameInput('dialog', { slug: 'A b' })], 'frames.0.data.slug'],
      ['half a pixel', [createFrameInput('dialog', { x: 0.5 })], 'frames.0.data.position.x'],
      ['no name', [createFrameInput('dialog', { name: ' ' })], 'frames.0.data.name'],
      [
        'an unknown language',
        [createFrameInput('code_snippet', { content: { language: 'klingon' } })],
        'frames.0.data.content.language',
      ],
      [
        'too much code',
        [createFrameInput('code_snippet', { content: { code: 'x'.repeat(20_001) } })],
        'frames.0.data.content.code',
      ],
      [
        'too much unknown content',
        [createFrameInput('dream', { content: { a: 'x'.repeat(50_000) } })],
        'frames.0.data.content',
      ],
      [
        '1,001 frames',
        Array.from({ length: 1001 }, (_, index) => createFrameInput('dialog', { slug: `s${index}` })),
        'frames',
      ],
    ])('%s: refused, naming the field, and nothing is written', async (_, frames, field) => {
      const board = await createBoard()
      const { status, body } = await saveBoard(board.id, { frames })
      expect({ status, fields: Object.keys(body.fields ?? {}) }).toEqual({ status: 400, fields: [field] })
      expect((await showBoard(board.id)).data).toEqual(board)
    })

    it('a duplicate id is refused', async () => {
      const board = await createBoard()
      const frame = createFrameInput('dialog', { slug: 'a' })
      const twice = [frame, { ...frame, data: { ...frame.data, slug: 'b' } }]
      expect((await saveBoard(board.id, { frames: twice })).body.fields).toEqual({ 'frames.1.id': expect.any(String) })
    })

    it('an unknown type keeps its content, whatever its pattern', async () => {
      const board = await createBoard()
      const content = { of: { the: ['future', 3, null] } }
      const { data } = await saveBoard(board.id, {
        frames: [createFrameInput('time_machine', { content, pattern: 'gallery' })],
      })
      expect(data.frames[0]?.data.content).toEqual(content)
    })

    it('unknown fields of known types are dropped, and prototype keys refused', async () => {
      const board = await createBoard()
      const frame = createFrameInput('process_frame', { content: { steps: [], secret: 1 } })
      const sent = { frames: [{ ...frame, createdAt: 'x', evil: 1, data: { ...frame.data, evil: 1 } }] }
      const [storedFrame] = (await saveBoard(board.id, sent)).data.frames
      expect(storedFrame?.data.content).toEqual({ steps: [] })
      expect(JSON.stringify(storedFrame)).not.toContain('evil')
      const previous = await showBoard(board.id)
      for (const key of ['__proto__', 'constructor', 'prototype']) {
        const hostile = JSON.stringify({ frames: [frame] }).replace('"steps"', `"${key}"`)
        const init = { method: 'PATCH', body: hostile, headers: { 'content-type': 'application/json' } }
        expect((await ada.fetch(`/api/boards/${board.id}`, init)).status).toBe(400)
      }
      expect(Object.keys(Object.prototype)).toEqual([])
      expect((await showBoard(board.id)).body).toEqual(previous.body)
    })

    it('1,000 frames can be saved in one request', async () => {
      const board = await createBoard()
      const frames = Array.from({ length: 1000 }, (_, index) =>
        createFrameInput('process_frame', {
          slug: `frame-${index}`,
          x: (index % 40) * 320,
          y: Math.floor(index / 40) * 200,
          content: { steps: [{ id: 'a', title: `Step ${index}`, state: 'todo' }] },
        }),
      )
      const { status, data } = await saveBoard(board.id, { frames })
      expect(status).toBe(200)
      expect(data.frameCount).toBe(1000)
      expect(data.frames.map(({ id }) => id)).toEqual(frames.map(({ id }) => id))
      expect((await saveBoard(board.id, { frames: frames.slice(0, 1) })).data.frameCount).toBe(1)
    })
  })

  describe('boards of others', () => {
    it('every verb answers like for an unknown id', async () => {
      const board = await createBoard({ name: 'Canary board' })
      await saveBoard(board.id, { name: 'Canary again' })
      const unknownId = app.services.newId()
      for (const call of [
        boards.show,
        boards.save,
        boards.remove,
        boards.restore,
        boards.versions,
        boards.version,
        boards.restoreVersion,
      ]) {
        const requestBoard = (id: string) =>
          ben.call(call, { params: { id, rev: '1' }, ...(call === boards.save && { body: {} }) })
        const [foreignResponse, unknown] = [await requestBoard(board.id), await requestBoard(unknownId)]
        expect(foreignResponse).toMatchObject({ status: 404, body: { error: unknown.body.error } })
        expect(foreignResponse.text).not.toContain('Canary')
      }
      expect((await ben.call(boards.list)).text).not.toContain('Canary')
      expect((await ben.call(boards.list, { query: { domainId: board.domainId ?? '' } })).text).not.toContain('Canary')
    })

    it.each(['admin', 'user', 'friend', 'connection'] as const)(
      'a %s has the rights of their role while both belong to the domain',
      async (role) => {
        const board = await createBoard({ name: `For ${role}` })
        const domainId = await insertDomain(app, ada, [[ben, role]])
        const findListed = async () => (await ben.call(boards.list)).data.find(({ id }) => id === board.id)
        await insertBoardShare(app, board.id, domainId, { [role]: 'view' })
        expect(await findListed()).toMatchObject({
          may: 'view',
          domainId: null,
          isShared: true,
          owner: { id: ada.id, isMe: false },
        })
        expect((await ben.call(boards.list, { query: { domainId } })).data.map(({ id }) => id)).toEqual([board.id])
        expect((await showBoard(board.id, ben)).data.may).toBe('view')
        expect((await saveBoard(board.id, { name: 'x' }, { actor: ben })).status).toBe(403)
        expect((await ben.call(boards.versions, { params: { id: board.id } })).status).toBe(403)
        await insertBoardShare(app, board.id, domainId, { [role]: 'edit' })
        const saved = await saveBoard(board.id, { description: 'By Ben' }, { actor: ben })
        expect(saved.data).toMatchObject({ description: 'By Ben', may: 'edit' })
        expect((await ben.call(boards.remove, { params: { id: board.id } })).status).toBe(403)
        const { items } = (await ada.call(boards.versions, { params: { id: board.id } })).data
        expect(items.map(({ by }) => by?.id)).toEqual([ada.id])
        await insertBoardShare(app, board.id, domainId, {})
        expect(await findListed()).toBeUndefined()
        expect((await showBoard(board.id, ben)).status).toBe(404)
      },
    )

    it("a domain's owner gets the best right while the sharer is an active member", async () => {
      const domainId = await insertDomain(app, ben, [[ada, 'friend']])
      const board = await createBoard()
      await insertBoardShare(app, board.id, domainId, { connection: 'edit', admin: 'view' })
      expect((await showBoard(board.id, ben)).data.may).toBe('edit')
      const setDeactivated = (at: number | null) =>
        app.services.db.updateTable('people').set({ deactivated_at: at }).where('id', '=', ada.id).execute()
      await setDeactivated(1)
      expect((await showBoard(board.id, ben)).status).toBe(404)
      expect((await ben.call(boards.list)).data.some(({ id }) => id === board.id)).toBe(false)
      await setDeactivated(null)
      await app.services.db.deleteFrom('domain_members').where('domain_id', '=', domainId).execute()
      expect((await showBoard(board.id, ben)).status).toBe(404)
      expect((await ben.call(boards.list)).data.some(({ id }) => id === board.id)).toBe(false)
    })
  })

  describe('the list', () => {
    it('is newest change first, filters by domain, and has at most 1,000', async () => {
      const dot = await app.as('dot')
      const domainId = await insertDomain(app, dot)
      const [one, two] = [await createBoard({ name: 'One' }, dot), await createBoard({ name: 'Two', domainId }, dot)]
      app.passTime(1000)
      await saveBoard(one.id, { name: 'One again' }, { actor: dot })
      const listNames = async (query = {}) => (await dot.call(boards.list, { query })).data.map(({ name }) => name)
      expect(await listNames()).toEqual(['One again', 'Two'])
      expect(await listNames({ domainId: 'demo' })).toEqual(['One again'])
      await app.services.db.updateTable('boards').set({ domain_id: null }).where('id', '=', one.id).execute()
      expect(await listNames({ domainId: 'demo' }), 'a board whose domain was deleted').toEqual(['One again'])
      expect(await listNames({ domainId })).toEqual(['Two'])
      expect(await listNames({ domainId: 'nowhere' })).toEqual([])
      const [row] = await app.services.db.selectFrom('boards').selectAll().where('id', '=', two.id).execute()
      if (!row) throw new Error('no board')
      const copies = Array.from({ length: 1005 }, (_, index) => ({
        ...row,
        id: `copy-${index}`,
        theme: 'null' as never,
        updated_at: index,
      }))
      for (let from = 0; from < copies.length; from += 200)
        await app.services.db
          .insertInto('boards')
          .values(copies.slice(from, from + 200))
          .execute()
      expect(await listNames()).toHaveLength(1000)
      // Invisible boards take no space in the list.
      const cleo = await app.as('cleo')
      await createBoard({ name: 'Cleo’s' }, cleo)
      await app.services.db.updateTable('boards').set({ updated_at: 0 }).where('owner_id', '=', cleo.id).execute()
      const sharedDomainId = await insertDomain(app, dot, [[cleo, 'friend']])
      const none = { admin_may: 'none', user_may: 'none', friend_may: 'none', connection_may: 'none' } as const
      const sharedRow = { ...none, domain_id: sharedDomainId, owner_id: dot.id, shared_at: 1 }
      for (let from = 0; from < copies.length; from += 200)
        await app.services.db
          .insertInto('domain_boards')
          .values(copies.slice(from, from + 200).map(({ id }) => ({ ...sharedRow, board_id: id })))
          .execute()
      expect((await cleo.call(boards.list)).data.map(({ name }) => name)).toEqual(['Cleo’s'])
      expect((await listNames()).slice(0, 1)).toEqual(['One again'])
    })

    it('filtered by domain it has shared boards, not others the owner lists there', async () => {
      const ownDomain = await insertDomain(app, ada, [[ben, 'friend']])
      const sharedIn = await insertDomain(app, ada, [[ben, 'friend']])
      const board = await createBoard({ domainId: ownDomain })
      await insertBoardShare(app, board.id, sharedIn, { friend: 'view' })
      const listIds = async (domainId: string, actor = ben) =>
        (await actor.call(boards.list, { query: { domainId } })).data.map(({ id }) => id)
      expect(await listIds(sharedIn)).toEqual([board.id])
      expect(await listIds(ownDomain)).toEqual([])
      expect(await listIds(ownDomain, ada)).toEqual([board.id])
    })

    it('a board without a theme gets default colors', async () => {
      const board = await createBoard()
      await app.services.db
        .updateTable('boards')
        .set({ theme: 'null' as never })
        .where('id', '=', board.id)
        .execute()
      expect((await showBoard(board.id)).data.config.theme).toMatchObject({
        primaryColor: '#3B82F6',
        backgroundColor: '#F8FAFC',
      })
      const { data } = await saveBoard(board.id, { name: 'Renamed' })
      expect(data.config.theme.primaryColor).toBe('#3B82F6')
    })
  })
})
