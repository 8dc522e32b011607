import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { crc32 } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { ownAccount } from '#contract/accounts/own-account.ts'
import { boardSharing } from '#contract/boards/board-sharing.ts'
import { boards } from '#contract/boards/boards.ts'
import { getMediaPath } from '#server/media/folder-media.ts'
import { sweepMedia } from '#server/media/sweep-media.ts'
import { dayMs } from '#server/values/time-units.ts'
import { engines } from '#tests/engines.ts'
import { createFrameInput } from '#tests/frame-input.ts'
import { insertBoardShare } from '#tests/insert-board-share.ts'
import { insertDomain } from '#tests/insert-domain.ts'
import type { Actor } from '#tests/test-app.ts'
import { useTestApp } from '#tests/use-test-app.ts'

function createChunk(type: string, body: Buffer): Buffer {
  const named = Buffer.concat([Buffer.from(type, 'latin1'), body])
  const [length, checksum] = [Buffer.alloc(4), Buffer.alloc(4)]
  length.writeUInt32BE(body.length)
  checksum.writeUInt32BE(crc32(named))
  return Buffer.concat([length, named, checksum])
}
const createPng = (...chunks: Buffer[]) =>
  Buffer.concat([
    Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
    ...chunks,
    createChunk('IEND', Buffer.alloc(0)),
  ])
const plainPng = createPng(createChunk('IHDR', Buffer.alloc(13, 1)))

describe.each(engines)('pictures and links of boards, on %s', (engine) => {
  const { app, ada, ben } = useTestApp(engine, ['ada', 'ben'])

  const createBoard = async (name = 'Harbour') => (await ada.call(boards.create, { body: { name } })).data
  const upload = (id: string, data = plainPng, { actor = ada, query = {}, mime = 'image/png' } = {}) =>
    actor.call(boardSharing.upload, { params: { id }, query, bytes: { mime, data: new Uint8Array(data) } })
  const listRows = (boardId: string) =>
    app.services.db.selectFrom('board_pictures').selectAll().where('board_id', '=', boardId).execute()
  const fetchPicture = (id: string, pictureId: string, actor: Actor = ada) =>
    actor.fetch(`/api/boards/${id}/pictures/${pictureId}`)

  describe('a picture', () => {
    it('is served to everyone who can open the board, and to no one else', async () => {
      const board = await createBoard()
      const { status, data } = await upload(board.id, plainPng, { query: { name: ' quay.png ', width: 4, height: 3 } })
      expect({ status, data }).toEqual({
        status: 200,
        data: {
          id: expect.any(String),
          mime: 'image/png',
          bytes: plainPng.length,
          name: 'quay.png',
          width: 4,
          height: 3,
        },
      })
      const answer = await fetchPicture(board.id, data.id)
      expect(Buffer.from(await answer.arrayBuffer())).toEqual(plainPng)
      expect(Object.fromEntries(answer.headers)).toMatchObject({
        'content-type': 'image/png',
        'content-disposition': `attachment; filename="picture-${data.id.slice(-8)}.png"`,
      })
      expect((await fetchPicture(board.id, data.id, ben)).status).toBe(404)
      await insertBoardShare(app, board.id, await insertDomain(app, ada, [[ben, 'friend']]), { friend: 'view' })
      expect((await fetchPicture(board.id, data.id, ben)).status).toBe(200)
      expect((await upload(board.id, plainPng, { actor: ben })).status).toBe(403)
    })

    it("isn't found through another board of the same owner", async () => {
      const [one, two] = [await createBoard(), await createBoard()]
      const { data } = await upload(one.id)
      expect((await fetchPicture(two.id, data.id)).status).toBe(404)
    })

    it('loses its camera metadata before anyone gets it', async () => {
      const board = await createBoard()
      const picture = createPng(
        createChunk('IHDR', Buffer.alloc(13, 1)),
        createChunk('tEXt', Buffer.from('place\0at the canary quay')),
      )
      const { data } = await upload(board.id, picture)
      const bytes = Buffer.from(await (await fetchPicture(board.id, data.id)).arrayBuffer())
      expect(bytes).toEqual(plainPng)
      expect(data.bytes).toBe(plainPng.length)
    })

    it.each([
      ['bytes that are something else', Buffer.from('<svg/>'), 'image/png', 400],
      ['nothing', Buffer.alloc(0), 'image/png', 400],
      ['markup', Buffer.from('<svg/>'), 'image/svg+xml', 415],
    ])('%s is refused and leaves no row', async (_, bytes, mime, status) => {
      const board = await createBoard()
      expect((await upload(board.id, bytes, { mime })).status).toBe(status)
      expect(await listRows(board.id)).toEqual([])
    })

    it('an empty picture is refused, naming the file', async () => {
      const board = await createBoard()
      const { body } = await upload(board.id, Buffer.alloc(0), { query: { name: 'lamp.png' } })
      expect(body.fields).toEqual({ body: 'lamp.png is empty. Choose another file.' })
    })

    it('is stored once per id; an id of another board is refused', async () => {
      const [one, two] = [await createBoard(), await createBoard()]
      const query = { id: app.services.newId() }
      const [first, again] = await Promise.all([
        upload(one.id, plainPng, { query }),
        upload(one.id, plainPng, { query }),
      ])
      expect({ status: first.status, again: again.data }).toEqual({ status: 200, again: first.data })
      expect((await upload(two.id, plainPng, { query })).status).toBe(409)
    })

    it('counts for its uploader and is refused without space', async () => {
      const board = await createBoard()
      expect((await upload(board.id)).status).toBe(200)
      const { limits } = app.services.settings
      const previous = limits.mediaBytesPerPerson
      const { bytes } = (await ada.call(ownAccount.storage)).data
      // The lowered limit is already exceeded today.
      await app.services.db.deleteFrom('throttle_windows').execute()
      limits.mediaBytesPerPerson = bytes + plainPng.length - 1
      const refused = await upload(board.id)
      limits.mediaBytesPerPerson = previous
      expect(refused).toMatchObject({ status: 413, body: { error: expect.stringContaining('each person has here') } })
      expect((await ada.call(ownAccount.storage)).data.bytes).toBe(bytes)
      expect((await upload(board.id)).status).toBe(200)
      expect((await ada.call(ownAccount.storage)).data.bytes).toBe(bytes + plainPng.length)
    })

    it('a board is limited to 200 MB, even for concurrent uploads', async () => {
      const board = await createBoard()
      const { data } = await upload(board.id)
      const setBytes = (bytes: number) =>
        app.services.db.updateTable('board_pictures').set({ bytes }).where('id', '=', data.id).execute()
      await setBytes(200 * 1024 * 1024 - plainPng.length)
      const responses = await Promise.all([upload(board.id), upload(board.id)])
      expect(responses.map(({ status }) => status).sort()).toEqual([200, 413])
      expect(responses.find(({ status }) => status === 413)?.body.error).toMatch(/200 MB of pictures/)
      expect(await listRows(board.id)).toHaveLength(2)
    })

    it('survives the media sweep while the board exists', async () => {
      const board = await createBoard()
      const other = createPng(createChunk('IHDR', Buffer.alloc(13, 7)))
      await upload(board.id, other)
      const [row] = await listRows(board.id)
      const path = getMediaPath(app.services.settings.dataDir, row?.sha256 ?? '')
      app.passTime(2 * dayMs)
      await sweepMedia(app.services)
      expect(await readFile(path)).toEqual(other)
      await app.services.db.deleteFrom('boards').where('id', '=', board.id).execute()
      await sweepMedia(app.services)
      expect(existsSync(path)).toBe(false)
    })
  })

  describe('the link', () => {
    const createLink = async (id: string) => {
      const { data } = await ada.call(boardSharing.makeLink, { params: { id } })
      return { ...data, token: data.link.split('#link=')[1] ?? '' }
    }
    const openLink = (token: string, actor = app.visitor()) => actor.call(boardSharing.openLinked, { body: { token } })
    async function listLinkEvents(boardId: string) {
      const links = await app.services.db
        .selectFrom('audit_events')
        .selectAll()
        .where('action', 'in', ['board-link-made', 'board-link-removed'])
        .execute()
      return links.filter(({ details }) => details.boardId === boardId)
    }

    it('shows a visitor the board without ids of people, entities or runs', async () => {
      const board = await createBoard('Shown')
      const createCanary = (label: string) => `${label}-canary`
      const frames = [
        createFrameInput('agent_preview', {
          slug: 'a',
          content: { agentId: createCanary('agent'), input: 'Hello', runId: createCanary('run') },
        }),
        createFrameInput('dialog', {
          slug: 'b',
          content: { agentId: createCanary('agent'), sessionId: createCanary('chat') },
        }),
        createFrameInput('preview', {
          slug: 'c',
          content: { kind: 'entity', entity: 'keeper', entityId: createCanary('keeper') },
        }),
        createFrameInput('people_overview', { slug: 'd', content: { entityId: createCanary('domain') } }),
        createFrameInput('time_machine', { slug: 'e', content: { deep: { entityId: createCanary('unknown') } } }),
        {
          ...createFrameInput('code_snippet', { slug: 'f', content: { code: 'let x' } }),
          entityType: 'agent',
          entityId: createCanary('of'),
        },
      ]
      await ada.call(boards.save, { params: { id: board.id }, body: { frames } })
      const { link, token } = await createLink(board.id)
      expect(link).toMatch(/\/board-demo#link=kpb_[\w-]{43}$/)
      const { status, data, text } = await openLink(token)
      expect(status).toBe(200)
      expect(data).toMatchObject({ name: 'Shown', frames: { length: 6 } })
      expect(data.frames[5]?.data.content).toEqual({ code: 'let x', language: 'text' })
      expect(data.frames[0]?.data.content).toMatchObject({ agentId: null, runId: null, input: 'Hello' })
      for (const word of ['canary', ada.id, board.domainId ?? 'none', 'Ada']) expect(text).not.toContain(word)
      expect(Object.keys(data)).not.toEqual(expect.arrayContaining(['owner']))
    })

    it('serves pictures of its board only', async () => {
      const [board, other] = [await createBoard(), await createBoard()]
      const [own, foreign] = [await upload(board.id), await upload(other.id)]
      const { token } = await createLink(board.id)
      const fetchLinkedPicture = (pictureId: string) =>
        app.fetch('/api/board-links/picture', {
          method: 'POST',
          body: JSON.stringify({ token, pictureId }),
          headers: { 'content-type': 'application/json' },
        })
      expect(Buffer.from(await (await fetchLinkedPicture(own.data.id)).arrayBuffer())).toEqual(plainPng)
      expect((await fetchLinkedPicture(foreign.data.id)).status).toBe(404)
    })

    it('answers alike for revoked, replaced, trashed, deactivated and unknown', async () => {
      const board = await createBoard('Canary')
      const unknown = await openLink(`kpb_${'x'.repeat(43)}`)
      const expectNotFound = async (token: string) => {
        const answer = await openLink(token)
        expect(answer).toMatchObject({ status: 404, body: { error: unknown.body.error, code: unknown.body.code } })
      }
      const first = await createLink(board.id)
      const second = await createLink(board.id)
      await expectNotFound(first.token)
      expect((await openLink(second.token)).status).toBe(200)
      const setDeactivated = (at: number | null) =>
        app.services.db.updateTable('people').set({ deactivated_at: at }).where('id', '=', ada.id).execute()
      await setDeactivated(1)
      await expectNotFound(second.token)
      await setDeactivated(null)
      await ada.call(boards.remove, { params: { id: board.id } })
      await expectNotFound(second.token)
      await ada.call(boards.restore, { params: { id: board.id } })
      expect((await openLink(second.token)).status).toBe(200)
      expect((await ada.call(boardSharing.removeLink, { params: { id: board.id } })).status).toBe(200)
      await expectNotFound(second.token)
      const third = await createLink(board.id)
      expect(third.token).not.toBe(second.token)
      await expectNotFound(second.token)
    })

    it('two concurrent creations return one link', async () => {
      const board = await createBoard()
      const links = await Promise.all([createLink(board.id), createLink(board.id)])
      // Either of them may be the last.
      const tokens = [...new Set(links.map(({ token }) => token))]
      const statuses = await Promise.all(tokens.map(async (token) => (await openLink(token)).status))
      expect(statuses.toSorted()).toEqual(tokens.length === 1 ? [200] : [200, 404])
    })

    it('creating, replacing and revoking are audited without the token', async () => {
      const board = await createBoard('Canary')
      const params = { id: board.id }
      expect((await ben.call(boardSharing.makeLink, { params })).status).toBe(404)
      expect((await ada.call(boardSharing.removeLink, { params })).status).toBe(200)
      expect(await listLinkEvents(board.id), 'no link was created or revoked').toEqual([])
      const tokens = [await createLink(board.id), await createLink(board.id)].map(({ token }) => token.slice(4))
      expect((await ben.call(boardSharing.removeLink, { params })).status).toBe(404)
      for (let index = 0; index < 2; index++) await ada.call(boardSharing.removeLink, { params })
      const linkEvents = await listLinkEvents(board.id)
      const actions = ['board-link-made', 'board-link-made', 'board-link-removed']
      expect(linkEvents.map(({ action }) => action).toSorted()).toEqual(actions)
      for (const line of linkEvents) {
        expect(line).toMatchObject({ actor_id: ada.id, person_id: null, domain_id: null, subject: null })
        expect(line.details).toEqual({ boardId: board.id })
        for (const secret of [...tokens, 'Canary']) expect(JSON.stringify(line)).not.toContain(secret)
      }
    })

    it("a concurrent second creation changes nothing and isn't audited", async () => {
      const board = await createBoard()
      const { db } = app.services
      const batch = db.batch.bind(db)
      let concurrentToken = ''
      db.batch = async (writes) => {
        db.batch = batch
        concurrentToken = (await createLink(board.id)).token
        return batch(writes)
      }
      expect((await createLink(board.id)).token).toBe(concurrentToken)
      expect(await listLinkEvents(board.id)).toHaveLength(1)
    })

    it('its token is in neither database nor log, and a database copy opens nothing', async () => {
      const board = await createBoard()
      const { token } = await createLink(board.id)
      await openLink(token)
      await openLink(`${token}x`)
      const rows = await app.services.db.selectFrom('boards').selectAll().execute()
      expect(JSON.stringify(rows)).not.toContain(token.slice(4))
      expect(app.logLines.join('\n')).not.toContain(token.slice(4))
      expect(rows.find(({ id }) => id === board.id)?.link_opened_at).toEqual(expect.any(Number))
    })

    it('is created and revoked by the owner only', async () => {
      const board = await createBoard()
      await insertBoardShare(app, board.id, await insertDomain(app, ada, [[ben, 'admin']]), { admin: 'edit' })
      for (const call of [boardSharing.makeLink, boardSharing.removeLink])
        expect((await ben.call(call, { params: { id: board.id } })).status).toBe(403)
    })

    it('many readers behind one address can still read after someone guessed', async () => {
      const { token } = await createLink((await createBoard()).id)
      for (let index = 0; index < 201; index++) await openLink(`kpb_${index}`)
      const statuses = new Set<number>()
      for (let index = 0; index < 220; index++) statuses.add((await openLink(token)).status)
      expect([...statuses]).toEqual([200])
      app.passTime(16 * 60 * 1000)
    })

    it('guessing is throttled', async () => {
      const statuses = new Set<number>()
      for (let index = 0; index < 220; index++) statuses.add((await openLink(`kpb_${index}`)).status)
      expect([...statuses]).toEqual([404, 429])
      app.passTime(16 * 60 * 1000)
    })
  })
})
