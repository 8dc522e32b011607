import { createHash } from 'node:crypto'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeAll, describe, expect, it } from 'vitest'
import { ownAccount } from '#contract/accounts/own-account.ts'
import { agents } from '#contract/agents/agents.ts'
import { type BoardFile, boardFiles, maxBoardFileBytes } from '#contract/boards/board-files.ts'
import { boardSharing } from '#contract/boards/board-sharing.ts'
import { boardBodyLimit, boards } from '#contract/boards/boards.ts'
import { computeDatabaseHash } from '#tests/dump-database.ts'
import { engines } from '#tests/engines.ts'
import { createFrameInput } from '#tests/frame-input.ts'
import { insertBoardShare } from '#tests/insert-board-share.ts'
import { insertDomain } from '#tests/insert-domain.ts'
import type { Actor } from '#tests/test-app.ts'
import { useTestApp } from '#tests/use-test-app.ts'

const noSpace = { status: 413, body: { error: expect.stringContaining('each person has here') } }
type Corrupt = (file: BoardFile) => unknown

const png = Buffer.concat([
  Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
  Buffer.from('0000000049454e44ae426082', 'hex'),
])

describe.each(engines)('board files, on %s', (engine) => {
  const { app, ada, ben } = useTestApp(engine, ['ada', 'ben'])

  let originalLimit = 0
  beforeAll(() => {
    originalLimit = app.services.settings.limits.mediaBytesPerPerson
  })
  afterEach(() => {
    app.services.settings.limits.mediaBytesPerPerson = originalLimit
  })
  /** @returns the bytes that Ben uses */
  async function setFreeSpaceOfBen(freeBytes: number) {
    const { bytes } = (await ben.call(ownAccount.storage)).data
    app.services.settings.limits.mediaBytesPerPerson = bytes + freeBytes
    return bytes
  }

  const exportBoard = async (id: string, actor = ada) =>
    (await actor.call(boardFiles.exportFile, { params: { id } })).data
  const importFile = (file: unknown, body: Record<string, unknown> = {}, actor = ada) =>
    actor.call(boardFiles.importFile, { body: { ...body, file } })

  /** A board with a picture, an agent, a chat, an unknown frame type, its own order and colors. */
  async function createRichBoard() {
    const board = (await ada.call(boards.create, { body: { name: 'Rich' } })).data
    const { data: agent } = await ada.call(agents.create, { body: { name: 'Reader', purpose: 'p' } })
    const bytes = { mime: 'image/png', data: new Uint8Array(png) }
    const { data: picture } = await ada.call(boardSharing.upload, { params: { id: board.id }, bytes })
    await ada.call(boardSharing.upload, { params: { id: board.id }, bytes })
    const frames = [
      createFrameInput('media_card', { slug: 'cover', content: { mediaId: picture.id, title: 'Quay' } }),
      createFrameInput('dialog', { slug: 'talk', content: { agentId: agent.id, sessionId: 'session-canary' } }),
      createFrameInput('agent_preview', { slug: 'run', content: { agentId: agent.id, runId: 'run-canary' } }),
      {
        ...createFrameInput('config_panel', { slug: 'set', content: { entity: 'agent', entityId: agent.id } }),
        entityType: 'agent',
        entityId: agent.id,
      },
      createFrameInput('time_machine', { slug: 'odd', content: { year: 1999 } }),
    ]
    const config = { ...board.config, animation: 'slide', layout: 'grid' }
    const saved = await ada.call(boards.save, { params: { id: board.id }, body: { config, frames } })
    expect(saved.status).toBe(200)
    return { board: saved.data, agent, picture }
  }

  /** Everything that exports and imports preserve, as text for comparison. */
  function normalizeIds(file: BoardFile) {
    const frameOrder = file.board.frames.map(({ id }) => id)
    const pictureOrder = file.manifest.pictures.map(({ id }) => id)
    const text = JSON.stringify({ ...file, manifest: { ...file.manifest, exportedAt: '' } })
    return [...frameOrder, ...pictureOrder].reduce((result, id, index) => result.replaceAll(id, `#${index}`), text)
  }

  it('round-trips with manifest and pictures under new ids, without chats', async () => {
    const { board, agent, picture } = await createRichBoard()
    const file = await exportBoard(board.id)
    expect(file.manifest).toMatchObject({
      name: 'Rich',
      frames: 5,
      frameTypes: { media_card: 1, dialog: 1, agent_preview: 1, config_panel: 1, time_machine: 1 },
      pictures: [{ id: picture.id, mime: 'image/png', bytes: png.length }],
    })
    expect(file.manifest.entities.map(({ kind, id }) => [kind, id])).toEqual(Array(4).fill(['agent', agent.id]))
    expect(Buffer.from(file.pictures[picture.id] ?? '', 'base64')).toEqual(png)
    expect(JSON.stringify(file)).not.toContain('canary')

    const preview = await importFile(file, { preview: true })
    expect(preview.data).toEqual({
      name: 'Rich',
      frames: 5,
      pictures: 1,
      unsupported: ['time_machine'],
      repaired: 0,
      leftOut: 0,
      unlinked: [],
      board: null,
    })
    const { data } = await importFile(file)
    expect(data).toEqual({
      ...preview.data,
      board: expect.objectContaining({ name: 'Rich', frameCount: 5, may: 'owner' }),
    })
    const importedBoard = data.board
    if (!importedBoard) throw new Error('no board was created')
    expect(importedBoard.id).not.toBe(board.id)
    expect(importedBoard.frames.some(({ id }) => board.frames.some((frame) => frame.id === id))).toBe(false)
    const again = await exportBoard(importedBoard.id)
    expect(normalizeIds(again)).toBe(normalizeIds(file))
    const pictureId = again.manifest.pictures[0]?.id ?? ''
    expect((await ada.fetch(`/api/boards/${importedBoard.id}/pictures/${pictureId}`)).status).toBe(200)
  })

  it("a viewer can export a board; entities they can't see are unlinked", async () => {
    const { board, agent } = await createRichBoard()
    expect((await ben.call(boardFiles.exportFile, { params: { id: board.id } })).status).toBe(404)
    await insertBoardShare(app, board.id, await insertDomain(app, ada, [[ben, 'friend']]), { friend: 'view' })
    const { data } = await importFile(await exportBoard(board.id, ben), {}, ben)
    expect(data.unlinked.map(({ kind }) => kind)).toEqual(['agent', 'agent', 'agent', 'agent'])
    expect(JSON.stringify(data.board)).not.toContain(agent.id)
    expect(data.board?.frames[0]?.data.content).toMatchObject({ title: 'Quay', mediaId: expect.any(String) })
  })

  it('a preview creates nothing and is refused like an import', async () => {
    const { board } = await createRichBoard()
    const file = await exportBoard(board.id)
    const previous = await computeDatabaseHash(app.services.db)
    await importFile(file, { preview: true })
    const bensDomainId = await insertDomain(app, ben)
    const current = await computeDatabaseHash(app.services.db)
    expect((await importFile(file, { preview: true, domainId: bensDomainId })).status).toBe(404)
    expect(await computeDatabaseHash(app.services.db)).toBe(current)
    expect(current).not.toBe(previous)
  })

  const changeFile = (file: BoardFile, change: (file: BoardFile) => void): BoardFile => {
    const copy = structuredClone(file)
    change(copy)
    return copy
  }
  const getFirstPicture = (file: BoardFile) => {
    const [picture] = file.manifest.pictures
    if (!picture) throw new Error('no picture')
    return picture
  }
  function setPicture(file: BoardFile, bytes: Buffer, mime = 'image/png') {
    const picture = getFirstPicture(file)
    file.pictures[picture.id] = bytes.toString('base64')
    const sha256 = createHash('sha256').update(bytes).digest('hex')
    Object.assign(picture, { mime, bytes: bytes.length, sha256 })
  }

  const corruptFiles: [string, Corrupt, RegExp][] = [
    ['of a newer version of Keeper', (file) => Object.assign(file, { version: 2 }), /newer version of Keeper/],
    [
      "whose picture doesn't match its checksum",
      (file) => Object.assign(getFirstPicture(file), { sha256: '0'.repeat(64) }),
      /match the file’s manifest/,
    ],
    ['without the bytes of a picture', (file) => Object.assign(file, { pictures: {} }), /missing from the file/],
    [
      'with an invalid picture',
      (file) => setPicture(file, Buffer.from('<script>')),
      /This isn’t a JPEG, PNG, WebP or GIF picture/,
    ],
  ]

  it.each<[string, Corrupt, RegExp]>([
    ...corruptFiles,
    ['of another format', (file) => Object.assign(file, { format: 'zip' }), /isn’t a board exported from Keeper/],
    [
      "whose picture doesn't match its size",
      (file) => Object.assign(getFirstPicture(file), { bytes: 3 }),
      /match the file’s manifest/,
    ],
    [
      'with markup as a picture',
      (file) => setPicture(file, Buffer.from('<svg/>'), 'image/svg+xml'),
      /This isn’t a JPEG, PNG, WebP or GIF picture/,
    ],
    [
      'that declares a huge picture',
      (file) => Object.assign(getFirstPicture(file), { bytes: 2 ** 40 }),
      /larger than 20 MB/,
    ],
    ['with the same picture twice', (file) => file.manifest.pictures.push(getFirstPicture(file)), /the same ID/],
  ])('a file %s is refused with a message and creates nothing', async (_, corrupt, message) => {
    const { board } = await createRichBoard()
    const file = changeFile(await exportBoard(board.id), corrupt)
    const previous = await computeDatabaseHash(app.services.db)
    for (const preview of [true, false]) {
      const answer = await importFile(file, { preview })
      expect(answer).toMatchObject({ status: 400, body: { error: expect.stringMatching(message) } })
    }
    expect(await computeDatabaseHash(app.services.db)).toBe(previous)
  })

  const otherValues = ['a word', 7, true, '', null, {}, [], ['x'], 'x'.repeat(5_000)]
  it('a frame with an unusable field is imported, unless it is the type', async () => {
    const { board } = await createRichBoard()
    const file = await exportBoard(board.id)
    const [frame] = file.board.frames
    if (!frame) throw new Error('no frame')
    const { frameType: _, ...data } = frame.data
    const variants = otherValues.flatMap((value) => [
      ...['id', 'entityType', 'entityId', 'FrameConfig'].map((field) => ({ ...frame, [field]: value })),
      ...Object.keys(data).map((field) => ({ ...frame, data: { ...frame.data, [field]: value } })),
      ...['engagementMode', 'theme'].map((field) => ({
        ...frame,
        FrameConfig: { ...frame.FrameConfig, [field]: value },
      })),
      ...Object.keys(data.content).map((field) => ({
        ...frame,
        data: { ...frame.data, content: { ...data.content, [field]: value } },
      })),
    ])
    const unusable = [7, null, 'frame', {}, { ...frame, data: { ...frame.data, frameType: {} } }]
    const { status, data: imported } = await importFile({
      ...file,
      board: { config: file.board.config, frames: [...variants, ...unusable] },
    })
    expect(status).toBe(200)
    expect(imported).toMatchObject({ frames: variants.length, leftOut: unusable.length })
    expect(imported.repaired).toBeGreaterThan(variants.length / 2)
    expect(new Set(imported.board?.frames.map(({ data: { slug } }) => slug)).size).toBe(variants.length)
    const saved = await ada.call(boards.save, {
      params: { id: imported.board?.id ?? '' },
      body: { frames: imported.board?.frames ?? [] },
    })
    expect(saved.status).toBe(200)
  })

  it('an unusable setting affects nothing else', async () => {
    const { board } = await createRichBoard()
    const file = await exportBoard(board.id)
    for (const field of Object.keys(file.board.config))
      for (const value of otherValues.slice(0, 7)) {
        const config = { ...file.board.config, [field]: value }
        const { data } = await importFile({ ...file, board: { ...file.board, config } }, { preview: true })
        expect(data, `${field}: ${value}`).toMatchObject({ frames: 5, leftOut: 0 })
      }
  })

  it('a frame with a missing picture is imported without it', async () => {
    const { board } = await createRichBoard()
    const file = changeFile(await exportBoard(board.id), (boardFile) =>
      Object.assign(boardFile, { pictures: {}, manifest: { ...boardFile.manifest, pictures: [] } }),
    )
    const { data } = await importFile(file)
    expect(data.board?.frames[0]?.data.content.mediaId).toBeNull()
  })

  const sendWhole = (text: string, query: Record<string, string> = {}, actor = ada) =>
    actor.call(boardFiles.importWhole, {
      query,
      bytes: { mime: 'application/json', data: new TextEncoder().encode(text) },
    })
  const exportText = async (id: string) => (await ada.call(boardFiles.exportFile, { params: { id } })).text

  it('a board with more pictures than a JSON body holds round-trips', async () => {
    const { data: board } = await ada.call(boards.create, { body: { name: 'Album' } })
    const frames = []
    for (let number = 0; number < 2; number++) {
      const data = new Uint8Array(13 * 1024 * 1024).fill(number)
      data.set(Buffer.from('GIF89a'))
      const { data: picture } = await ada.call(boardSharing.upload, {
        params: { id: board.id },
        bytes: { mime: 'image/gif', data },
      })
      frames.push(createFrameInput('media_card', { slug: `card-${number}`, content: { mediaId: picture.id } }))
    }
    await ada.call(boards.save, { params: { id: board.id }, body: { frames } })
    const text = await exportText(board.id)
    expect(text.length).toBeGreaterThan(maxBoardFileBytes)
    const preview = await sendWhole(text, { preview: 'true' })
    expect(preview.data).toMatchObject({ name: 'Album', pictures: 2, board: null, manifest: { frames: 2 } })
    const id = app.services.newId()
    expect((await sendWhole(text, { id })).data.board).toMatchObject({ id, name: 'Album', frameCount: 2 })
    const listChecksums = (file: BoardFile) => file.manifest.pictures.map(({ sha256 }) => sha256)
    expect(listChecksums(await exportBoard(id))).toEqual(listChecksums(JSON.parse(text)))
  }, 60_000)

  it('a streamed file creates the same board as a body, once, in any key order', async () => {
    const { board } = await createRichBoard()
    const file = await exportBoard(board.id)
    const { pictures, ...head } = file
    for (const text of [JSON.stringify(file), JSON.stringify({ pictures, ...head }, null, 2).replaceAll('/', '\\/')]) {
      const id = app.services.newId()
      const [{ data }, again] = [await sendWhole(text, { id }), await sendWhole(text, { id })]
      expect(again.data.board).toEqual(data.board)
      expect(normalizeIds(await exportBoard(id))).toBe(normalizeIds(file))
    }
  })

  it.each<[string, Corrupt, RegExp, number?]>([
    ...corruptFiles,
    [
      'with a picture that is too large',
      (file) => setPicture(file, Buffer.alloc(21 * 1024 * 1024, png)),
      /larger than 20 MB/,
      413,
    ],
    ['cut off', () => undefined, /incomplete|isn’t valid JSON/],
    ['with too much text', (file) => Object.assign(file, { extra: 'x'.repeat(34e6) }), /32 MB/, 413],
  ])(
    'a streamed file %s is refused with a message and creates no board',
    async (name, corrupt, message, status = 400) => {
      const { board } = await createRichBoard()
      const text = JSON.stringify(changeFile(await exportBoard(board.id), corrupt))
      const previous = await computeDatabaseHash(app.services.db, ['throttle_windows'])
      const sent = name === 'cut off' ? text.slice(0, -6) : text
      for (const query of [{ preview: 'true' }, {}] as Record<string, string>[]) {
        const answer = await sendWhole(sent, query)
        expect(answer).toMatchObject({ status, body: { error: expect.stringMatching(message) } })
      }
      expect(await computeDatabaseHash(app.services.db, ['throttle_windows'])).toBe(previous)
    },
  )

  it('more than 1,000 pictures are refused, even under one ID', async () => {
    const { board } = await createRichBoard()
    const text = await exportText(board.id)
    const manyPictures = text.replace('"pictures": {', `"pictures": {${'"again":"AAAA",'.repeat(1_001)}`)
    expect(manyPictures.length).toBeGreaterThan(text.length)
    const answer = await sendWhole(manyPictures)
    expect(answer).toMatchObject({ status: 400, body: { error: expect.stringMatching(/at most 1,000 pictures/) } })
  })

  it('a streamed preview stores nothing and needs no space; an import does', async () => {
    const { board } = await createRichBoard()
    const file = changeFile(await exportBoard(board.id), (boardFile) =>
      setPicture(boardFile, Buffer.concat([png, Buffer.from('preview')])),
    )
    const { sha256 } = getFirstPicture(file)
    const listMediaFiles = () =>
      readdirSync(join(app.services.settings.dataDir, 'media'), { recursive: true }).map(String)
    await setFreeSpaceOfBen(1)
    const preview = await sendWhole(JSON.stringify(file), { preview: 'true' }, ben)
    expect(preview.data).toMatchObject({ pictures: 1, board: null })
    expect(await sendWhole(JSON.stringify(file), {}, ben)).toMatchObject(noSpace)
    expect(listMediaFiles().filter((name) => name.includes(sha256))).toEqual([])
  })

  it('a duplicate contains only visible entities and needs space for pictures', async () => {
    const { board, agent, picture } = await createRichBoard()
    const domainId = await insertDomain(app, ada, [[ben, 'friend']])
    const duplicate = (actor: Actor, body = {}) => actor.call(boardFiles.duplicate, { params: { id: board.id }, body })
    expect((await duplicate(ben)).status).toBe(404)
    await insertBoardShare(app, board.id, domainId, { friend: 'view' })
    const largeBytes = 150 * 1024 * 1024
    await app.services.db
      .updateTable('board_pictures')
      .set({ bytes: largeBytes })
      .where('id', '=', picture.id)
      .execute()

    const id = app.services.newId()
    const [{ data: duplicateBoard }, again] = [
      await duplicate(ada, { id, name: 'Mine too' }),
      await duplicate(ada, { id }),
    ]
    expect(again.data).toEqual(duplicateBoard)
    expect(duplicateBoard).toMatchObject({ id, name: 'Mine too', may: 'owner', rev: 1, config: { layout: 'grid' } })
    const [cover, talk, run, settings, odd] = duplicateBoard.frames
    expect(duplicateBoard.frames.map(({ id: frameId }) => frameId)).not.toContain(board.frames[0]?.id)
    expect(talk?.data.content).toEqual({ agentId: agent.id, sessionId: null })
    expect(run?.data.content).toMatchObject({ agentId: agent.id, runId: null })
    expect(settings).toMatchObject({ entityType: 'agent', entityId: agent.id })
    expect(odd?.data.content).toEqual({ year: 1999 })
    const pictureId = String(cover?.data.content.mediaId)
    expect(pictureId).not.toBe(picture.id)
    expect((await ada.fetch(`/api/boards/${id}/pictures/${pictureId}`)).status).toBe(200)

    await setFreeSpaceOfBen(largeBytes - 1)
    const previousHash = await computeDatabaseHash(app.services.db)
    expect((await duplicate(ben)).status).toBe(413)
    expect(await computeDatabaseHash(app.services.db)).toBe(previousHash)
    const bytes = await setFreeSpaceOfBen(largeBytes)
    const copy = await duplicate(ben)
    expect(copy.data).toMatchObject({ name: 'Rich copy', may: 'owner', owner: { id: ben.id } })
    expect(copy.text, 'an agent that Ben can’t see').not.toContain(agent.id)
    expect((await ben.call(ownAccount.storage)).data.bytes).toBe(bytes + largeBytes)
  })

  it('pictures without space are refused without a board; a preview still works', async () => {
    const file = await exportBoard((await createRichBoard()).board.id)
    await setFreeSpaceOfBen(png.byteLength - 1)
    const previousHash = await computeDatabaseHash(app.services.db)
    expect(await importFile(file, {}, ben)).toMatchObject(noSpace)
    expect((await importFile(file, { preview: true }, ben)).data).toMatchObject({ pictures: 1, board: null })
    expect(await computeDatabaseHash(app.services.db)).toBe(previousHash)
    await setFreeSpaceOfBen(png.byteLength)
    expect((await importFile(file, {}, ben)).status).toBe(200)
  })

  // Last, because every comparison of the database above would read its text.
  it('a board with more text than one save allows round-trips', async () => {
    const { data: board } = await ada.call(boards.create, { body: { name: 'Letters' } })
    const text = JSON.stringify(
      changeFile(await exportBoard(board.id), (file) => {
        const content = { code: 'x'.repeat(18_000) }
        file.board.frames = Array.from({ length: 700 }, (_, index) =>
          createFrameInput('code_snippet', { slug: `letter-${index}`, content }),
        )
        file.manifest.frames = 700
      }),
    )
    expect(text.length).toBeGreaterThan(boardBodyLimit)
    const { data } = await sendWhole(text, { id: app.services.newId() })
    const exportedText = await exportText(data.board?.id ?? '')
    expect((await sendWhole(exportedText, { id: app.services.newId() })).data.board).toMatchObject({ frameCount: 700 })
  }, 60_000)
})
