import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { boardSharing } from '#contract/boards/board-sharing.ts'
import { boards } from '#contract/boards/boards.ts'
import { keeperMedia, type Media } from '#contract/keepers/media.ts'
import { moments } from '#contract/keepers/moments.ts'
import { readMediaQuota } from '#server/media/media-quota.ts'
import { sweepMedia } from '#server/media/sweep-media.ts'
import { createJpeg } from '#tests/picture-files.ts'
import { useTestApp } from '#tests/use-test-app.ts'
import { createTestKeeper } from '../../../tests/create-test-keeper.ts'
import { engines } from '../../../tests/engines.ts'
import { createSmallVersions } from './small-versions.ts'

const minute = 60_000
const day = 24 * 60 * minute

describe.each(engines)('small versions of pictures, on %s', (engine) => {
  let jpeg: Buffer
  let small: Buffer
  const { app, ada } = useTestApp(engine, ['ada'], { perTest: true })
  let keeperId: string
  beforeAll(async () => {
    jpeg = await createJpeg(1600, 900, { noise: 0.4 })
    small = await createJpeg(640, 360)
  })
  beforeEach(async () => {
    keeperId = (await createTestKeeper(ada)).id
  })

  const createAll = () => createSmallVersions(app.services, new AbortController().signal)
  const send = async (method: string, path: string, bytes: Buffer, { by = ada, mime = 'image/jpeg' } = {}) => {
    const response = await by.fetch(path, { method, body: new Uint8Array(bytes), headers: { 'content-type': mime } })
    return { status: response.status, ...((await response.json()) as { data: Media; error: string }) }
  }
  const upload = async (bytes = jpeg, query = '') =>
    (await send('POST', `/api/keeper/keepers/${keeperId}/media${query}`, bytes)).data
  const read = async (path: string, by = ada) => {
    const response = await by.fetch(path)
    const bytes = Buffer.from(await response.arrayBuffer())
    return { status: response.status, mime: response.headers.get('content-type'), bytes }
  }
  const countFiles = () =>
    readdirSync(join(app.services.settings.dataDir, 'media'), { recursive: true, withFileTypes: true }).filter(
      (entry) => entry.isFile(),
    ).length

  it('are made by the server after the browser had its minute, once', async () => {
    const { id } = await upload()
    expect(await createAll()).toBe(0)
    app.passTime(minute)
    expect([await createAll(), await createAll()]).toEqual([1, 0])
    const answer = await read(`/api/keeper/media/${id}?size=small`)
    expect(answer).toMatchObject({ status: 200, mime: 'image/webp' })
    expect(answer.bytes.length).toBeLessThan(jpeg.length / 4)
    expect((await read(`/api/keeper/media/${id}`)).bytes).toEqual(jpeg)
  })

  it('are made at once for a view that needs them, once for many', async () => {
    const { id } = await upload()
    const answers = await Promise.all([1, 2, 3].map(() => read(`/api/keeper/media/${id}?size=small`)))
    expect(answers.map(({ mime }) => mime)).toEqual(Array(3).fill('image/webp'))
    app.passTime(minute)
    expect([await createAll(), countFiles()]).toEqual([0, 2])
  })

  it('can come from the browser, and are then served as they came', async () => {
    const { id } = await upload()
    expect(await send('PUT', `/api/keeper/media/${id}/small`, small)).toMatchObject({ status: 200 })
    app.passTime(minute)
    expect(await createAll()).toBe(0)
    expect(await read(`/api/keeper/media/${id}?size=small`)).toEqual({ status: 200, mime: 'image/jpeg', bytes: small })
  })

  it.each([
    ['a picture of more than 640 px', () => createJpeg(700, 20), 'image/jpeg', 400],
    ['a text', () => Buffer.from('a text'), 'image/webp', 400],
    ['nothing', () => Buffer.alloc(0), 'image/webp', 400],
    ['a GIF', () => Buffer.from('GIF89a'), 'image/gif', 415],
    ['too many bytes', () => Buffer.alloc(1_100_000), 'image/jpeg', 413],
  ])('%s is refused as one', async (_, getBytes, mime, status) => {
    const { id } = await upload()
    expect((await send('PUT', `/api/keeper/media/${id}/small`, await getBytes(), { mime })).status).toBe(status)
    expect(await app.services.db.selectFrom('media').select('small_sha256').execute()).toEqual([{ small_sha256: null }])
  })

  it('belong to the owner alone, and to pictures alone', async () => {
    const { id } = await upload()
    const ben = await app.as('ben')
    expect((await send('PUT', `/api/keeper/media/${id}/small`, small, { by: ben })).status).toBe(404)
    const text = await upload(Buffer.from('a text'))
    expect(text).toMatchObject({ mime: 'text/plain', kind: 'file' })
    expect((await send('PUT', `/api/keeper/media/${text.id}/small`, small)).status).toBe(400)
  })

  it('of files that cannot be shrunk are the originals, and are not tried again', async () => {
    const broken = Buffer.concat([jpeg.subarray(0, 300), Buffer.alloc(90_000, 1)])
    const { id } = await upload(broken)
    app.passTime(minute)
    expect(await createAll()).toBe(0)
    expect((await read(`/api/keeper/media/${id}?size=small`)).bytes).toEqual(broken)
    const { small_due_at } = await app.services.db.selectFrom('media').select('small_due_at').executeTakeFirstOrThrow()
    expect(small_due_at).toBeNull()
  })

  it('whose bytes are missing for now are tried an hour later', async () => {
    await upload()
    app.passTime(minute)
    const { read: readBytes } = app.services.media
    app.services.media.read = () => {
      throw new Error('The bucket cannot be reached')
    }
    expect(await createAll()).toBe(0)
    app.services.media.read = readBytes
    expect(await createAll()).toBe(0)
    app.passTime(60 * minute)
    expect(await createAll()).toBe(1)
  })

  it('count in the quota, and go with the picture', async () => {
    const { id } = await upload()
    const previous = await readMediaQuota(app.services, ada.id)
    await send('PUT', `/api/keeper/media/${id}/small`, small)
    const { bytes, files } = await readMediaQuota(app.services, ada.id)
    expect({ bytes, files }).toEqual({ bytes: previous.bytes + small.length, files: 1 })
    app.passTime(2 * day)
    await sweepMedia(app.services)
    expect(countFiles()).toBe(2)
    await ada.call(keeperMedia.remove, { params: { id } })
    await sweepMedia(app.services)
    expect(countFiles()).toBe(0)
  })

  it('of two pictures with the same bytes share a file', async () => {
    for (const name of ['a', 'b']) await upload(jpeg, `?name=${name}`)
    app.passTime(minute)
    expect(await createAll()).toBe(2)
    expect(countFiles()).toBe(2)
  })

  it('are shown by moments as sizes from the file, whatever was declared', async () => {
    const { id, width, height } = await upload(jpeg, '?width=100&height=4000')
    expect({ width, height }).toEqual({ width: 1600, height: 900 })
    const body = { body: 'The quay', mediaIds: [id] }
    const moment = await ada.call(moments.create, { params: { id: keeperId }, body })
    expect(moment.data.media).toMatchObject([{ id, width: 1600, height: 900 }])
  })

  it('exist for board pictures, for everyone who can open the board', async () => {
    const { data: board } = await ada.call(boards.create, { body: { name: 'Harbour' } })
    const path = `/api/boards/${board.id}/pictures`
    const [one, two] = [await send('POST', path, jpeg), await send('POST', `${path}?name=two`, jpeg)]
    expect(await send('PUT', `${path}/${two.data.id}/small`, small)).toMatchObject({ status: 200 })
    app.passTime(minute)
    expect(await createAll()).toBe(1)
    expect(await read(`${path}/${one.data.id}?size=small`)).toMatchObject({ status: 200, mime: 'image/webp' })
    expect((await read(`${path}/${two.data.id}?size=small`)).bytes).toEqual(small)
    expect((await read(`${path}/${two.data.id}`)).bytes).toEqual(jpeg)
    const { data } = await ada.call(boardSharing.makeLink, { params: { id: board.id } })
    const body = { token: data.link.split('#link=')[1], pictureId: two.data.id, size: 'small' }
    const init = { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }
    const response = await app.visitor().fetch('/api/board-links/picture', init)
    expect(Buffer.from(await response.arrayBuffer())).toEqual(small)
  })
})
