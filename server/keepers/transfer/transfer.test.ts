import { Buffer } from 'node:buffer'
import { PassThrough } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { ZipFile } from 'yazl'
import { echoes } from '#contract/keepers/echoes.ts'
import { journeys } from '#contract/keepers/journeys.ts'
import { keepers } from '#contract/keepers/keepers.ts'
import { logbook } from '#contract/keepers/logbook.ts'
import { memoryCards } from '#contract/keepers/memory-cards.ts'
import { moments } from '#contract/keepers/moments.ts'
import { reflections } from '#contract/keepers/reflections.ts'
import { sole } from '#contract/keepers/sole.ts'
import { topics } from '#contract/keepers/topics.ts'
import { transfer } from '#contract/keepers/transfer.ts'
import { voice } from '#contract/keepers/voice.ts'
import { engines } from '#tests/engines.ts'
import { eventually } from '#tests/eventually.ts'
import { keeperOf } from '#tests/keeper-of.ts'
import { type Actor, type TestApp, testApp } from '#tests/test-app.ts'
import { unzipped } from '#tests/unzipped.ts'
import type { Archive } from './archive-format.ts'
import { carryOutImport } from './carry-out-import.ts'

const png = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)

async function zipped(files: Record<string, string | Buffer>): Promise<Buffer> {
  const zip = new ZipFile()
  for (const [name, content] of Object.entries(files)) zip.addBuffer(Buffer.from(content as string), name)
  zip.end()
  return buffer(zip.outputStream.pipe(new PassThrough()))
}

describe.each(engines)('taking out and bringing in, on %s', (engine) => {
  let app: TestApp
  let ada: Actor
  let ben: Actor
  beforeAll(async () => {
    app = await testApp(engine)
    ada = await app.as('ada')
    ben = await app.as('ben')
  })
  afterAll(() => app.close())
  beforeEach(async () => {
    await app.services.db.deleteFrom('keepers').execute()
    await app.services.db.deleteFrom('import_jobs').execute()
  })

  async function exported(who: Actor, id: string) {
    const response = await who.fetch(`/api/keeper/keepers/${id}/export`)
    expect(response.status).toBe(200)
    const files = await unzipped(Buffer.from(await response.arrayBuffer()))
    const archive = JSON.parse(String(files.get('keeper.json'))) as Archive
    return { files, archive, keeper: archive.keepers[0] as Archive['keepers'][number] }
  }
  const upload = (who: Actor, bytes: Buffer, query = '') =>
    who.fetch(`/api/keeper/imports?fileName=a.zip${query}`, {
      method: 'POST',
      headers: { 'content-type': 'application/zip' },
      body: new Uint8Array(bytes),
    })
  const jobOf = async (who: Actor, jobId: string) => (await who.call(transfer.show, { params: { jobId } })).data
  async function looked(who: Actor, bytes: Buffer, query = '') {
    const response = await upload(who, bytes, query)
    const { data } = (await response.json()) as { data: { id: string } }
    return eventually(async () => {
      const job = await jobOf(who, data.id)
      expect(['previewed', 'failed']).toContain(job.state)
      return job
    })
  }
  async function imported(who: Actor, bytes: Buffer, body: { keeperId?: string } = {}) {
    const { id } = await looked(who, bytes)
    await who.call(transfer.begin, { params: { jobId: id }, body })
    return eventually(async () => {
      const job = await jobOf(who, id)
      expect(job.state).toBe('done')
      return job
    })
  }
  const zipOf = (files: Map<string, Buffer>) => zipped(Object.fromEntries(files))

  /** One of everything. */
  async function fullKeeper() {
    const { id } = await keeperOf(ada)
    const params = { id }
    const picture = (await (
      await ada.fetch(`/api/keeper/keepers/${id}/media?name=buns.png&alt=Buns`, {
        method: 'POST',
        headers: { 'content-type': 'image/png' },
        body: new Uint8Array(png),
      })
    ).json()) as { data: { id: string } }
    const journey = (await ada.call(journeys.create, { params, body: { title: 'Leaving the city', color: 'madder' } }))
      .data
    const moment = (
      await ada.call(moments.create, {
        params,
        body: {
          body: 'The ferry was late.\n\n*Cardamom* buns.  ',
          occurredAt: '2024-11-20T18:05:00Z',
          timezone: 'Europe/Oslo',
          mood: { score: 2, label: 'light' },
          place: { name: 'The quay' },
          topics: ['Per', 'Bergen'],
          mediaIds: [picture.data.id],
          journeyId: journey.id,
          pinned: true,
        },
      })
    ).data
    const [path] = (await ada.call(journeys.paths, { params: { id: journey.id } })).data
    await ada.call(journeys.updatePath, {
      params: { id: path?.id ?? '' },
      body: { waypoints: [{ title: 'Sell the desk', momentIds: [moment.id] }] },
    })
    const kept = (await ada.call(reflections.create, { params, body: { content: 'I stay.', topic: 'Per' } })).data
    await ada.call(reflections.promote, { params: { id: kept.id } })
    await ada.call(reflections.create, {
      params,
      body: { content: `Not for machines. ${'On and on. '.repeat(45_000)}`, aiVisible: false },
    })
    await ada.call(voice.create, { params, body: { label: 'Sea', belief: 'The tide forgives.', strength: 4 } })
    await ada.call(echoes.create, {
      params,
      body: { message: 'sealed-canary', sealed: true, triggerDate: '2040-01-01' },
    })
    await ada.call(logbook.create, {
      params,
      body: { entry: 'Sailed alone.', label: 'Boat', category: 'Sea', tags: ['boat'], momentId: moment.id },
    })
    await ada.call(sole.submitDraft, {
      params,
      body: { statements: [{ text: 'I stay.', sources: [{ entity: 'reflection', id: kept.id, quote: 'I stay.' }] }] },
    })
    await ada.call(sole.approve, { params, body: {} })
    const binned = (await ada.call(reflections.create, { params, body: { content: 'binned-canary' } })).data
    await ada.call(reflections.remove, { params: { id: binned.id } })
    return { id, momentId: moment.id }
  }

  it('brings in the same content that was taken out, and takes it out the same again', async () => {
    const { id } = await fullKeeper()
    const first = await exported(ada, id)
    expect(first.keeper.contentHash).toMatch(/^[0-9a-f]{64}$/)
    const job = await imported(ben, await zipOf(first.files))
    const { entryCount } = (await ada.call(keepers.show, { params: { id } })).data
    expect(job).toMatchObject({ kind: 'keeper-zip', error: null, preview: { entries: entryCount } })
    expect(job.preview?.notes).toContainEqual(expect.stringMatching(/: one journey comes along\.$/))
    expect((await ben.call(keepers.show, { params: { id: job.keeperId ?? '' } })).data.entryCount).toBe(entryCount)
    expect(job.done).toBe(job.total)
    const second = await exported(ben, job.keeperId ?? '')
    expect(second.keeper.contentHash).toBe(first.keeper.contentHash)
    const { id: _, sole: versions, contentHash: __, isPublic: ___, ...content } = second.keeper
    expect(first.keeper).toMatchObject(content)
    expect(versions).toMatchObject([{ status: 'draft', decidedAt: null }])
    const [name] = [...first.files.keys()].filter((file) => file.startsWith('media/'))
    expect(second.files.get(name ?? '')).toEqual(png)
  })

  it('brings in ordinary entries: found, drawn on the road, shown with their pictures', async () => {
    const { id } = await fullKeeper()
    const { files } = await exported(ada, id)
    const { keeperId } = await imported(ben, await zipOf(files))
    const params = { id: keeperId ?? '' }
    const [moment] = (await ben.call(moments.list, { params })).data.items
    expect(moment).toMatchObject({ localDate: '2024-11-20', pinned: true, mood: { score: 2, label: 'light' } })
    expect(moment?.topics.map(({ name }) => name)).toEqual(['Bergen', 'Per'])
    const bytes = await ben.fetch(`/api/keeper/media/${moment?.media[0]?.id}`)
    expect(Buffer.from(await bytes.arrayBuffer())).toEqual(png)
    const found = await ben.call(memoryCards.search, { params, query: { query: 'stay' } })
    expect(found.data).toMatchObject([{ card: { content: 'I stay.', state: 'active' } }])
    const [journey] = (await ben.call(journeys.list, { params })).data
    const [path] = (await ben.call(journeys.paths, { params: { id: journey?.id ?? '' } })).data
    expect(path?.waypoints).toMatchObject([{ title: 'Sell the desk', momentIds: [moment?.id] }])
    expect((await ben.call(topics.list, { params })).data.map(({ name, total }) => [name, total])).toContainEqual([
      'Per',
      3,
    ])
    expect((await ben.call(keepers.show, { params })).data).toMatchObject({ sole: null, soleDraft: { version: 1 } })
  })

  it('leaves out the bin, and lets nobody read a sealed echo in passing', async () => {
    const { id } = await fullKeeper()
    const { files, keeper } = await exported(ada, id)
    for (const [name, content] of files) {
      expect(String(content), name).not.toContain('binned-canary')
      expect(String(content), name).not.toContain('sealed-canary')
    }
    const { keeperId } = await imported(ben, await zipOf(files))
    const { message } = await app.services.db
      .selectFrom('echoes')
      .select('message')
      .where('keeper_id', '=', keeperId)
      .executeTakeFirstOrThrow()
    expect(message).toBe('sealed-canary')
    expect(keeper.echoes[0]).toMatchObject({ message: '', sealed: true })
  })

  it('memories that an AI wrote arrive as drafts', async () => {
    const { id } = await keeperOf(ada)
    const written = await ada.call(reflections.create, {
      params: { id },
      body: { content: 'An agent said.', agentId: 'some-agent' },
    })
    await ada.call(reflections.promote, { params: { id: written.data.id } })
    const { files } = await exported(ada, id)
    const preview = (await looked(ben, await zipOf(files))).preview
    expect(preview).toMatchObject({ drafts: 1, entries: 2 })
    await app.services.db.deleteFrom('import_jobs').execute()
    const { keeperId } = await imported(ben, await zipOf(files))
    const cards = (await ben.call(memoryCards.list, { params: { id: keeperId ?? '' } })).data
    expect(cards).toMatchObject([{ content: 'An agent said.', state: 'draft' }])
  })

  it('leaves out an entry that cannot be read and says so; the rest comes in', async () => {
    const { id } = await fullKeeper()
    const { files, archive } = await exported(ada, id)
    const [moment] = archive.keepers[0]?.moments ?? []
    if (moment) moment.localDate = 'soon'
    files.set('keeper.json', Buffer.from(JSON.stringify(archive)))
    const job = await imported(ben, await zipOf(files))
    expect(job.preview?.notes.join()).toContain('localDate is not a day')
    expect((await ben.call(moments.list, { params: { id: job.keeperId ?? '' } })).data.items).toEqual([])
  })

  it.each([
    ['no zip', Buffer.from('hello'), 'no zip'],
    ['a zip of something else', { 'a.txt': 'hello' }, 'neither an archive'],
  ] as const)('refuses %s', async (_, given, words) => {
    const response = await upload(ben, Buffer.isBuffer(given) ? given : await zipped(given as Record<string, string>))
    expect([response.status, await response.text()]).toEqual([422, expect.stringContaining(words)])
    expect((await ben.call(transfer.list)).data).toEqual([])
  })

  it.each([
    ['that is no JSON', '{', 'no JSON'],
    ['of a newer Keeper', '{"format":"keeper","version":9}', 'newer Keeper'],
    [
      'of another shape',
      '{"format":"keeper","version":1,"exportedAt":"2026-01-01T00:00:00Z","keepers":[{"id":1}]}',
      'does not fit',
    ],
  ])('fails on a keeper.json %s, in words', async (_, content, words) => {
    const job = await looked(ben, await zipped({ 'keeper.json': content }))
    expect(job).toMatchObject({ state: 'failed', error: expect.stringContaining(words) })
  })

  it('stops in words when its files do not fit into what everybody has, and goes on once there is room', async () => {
    const full = await fullKeeper()
    const job = await looked(ben, await zipOf((await exported(ada, full.id)).files))
    const { limits } = app.services.settings
    const before = limits.mediaBytesPerPerson
    limits.mediaBytesPerPerson = png.length - 1
    const begun = async () => (await ben.call(transfer.begin, { params: { jobId: job.id }, body: {} })).status
    expect(await begun()).toBe(200)
    const stopped = await eventually(async () => {
      const now = await jobOf(ben, job.id)
      expect(now.state).toBe('failed')
      return now
    })
    expect(stopped.error).toMatch(/0 MB of the 1 MB that everybody has here, and this one does not fit/)
    limits.mediaBytesPerPerson = before
    expect(await begun()).toBe(200)
    const done = await eventually(async () => {
      const now = await jobOf(ben, job.id)
      expect(now.state).toBe('done')
      return now
    })
    const { items } = (await ben.call(moments.list, { params: { id: done.keeperId ?? '' } })).data
    expect(items.flatMap(({ media }) => media).length).toBe(1)
  })

  it('goes on where it was when the process died, and brings nothing twice', async () => {
    const { id } = await keeperOf(ada)
    for (let n = 0; n < 120; n++)
      await ada.call(reflections.create, { params: { id }, body: { content: `Number ${n}` } })
    const job = await looked(ben, await zipOf((await exported(ada, id)).files))
    const { db } = app.services
    let steps = 0
    const dying = new Proxy(db, {
      get(target, name) {
        if (name === 'batch') {
          steps += 1
          if (steps === 2) throw new Error('killed')
        }
        const member = Reflect.get(target, name, target)
        return typeof member === 'function' ? member.bind(target) : member
      },
    })
    const failing = { ...app.services, db: dying }
    await db.updateTable('import_jobs').set({ state: 'running', lease_until: 0 }).where('id', '=', job.id).execute()
    await carryOutImport(failing, job.id)
    expect(app.logLines.at(-1)).toContain('an import failed')
    const half = await jobOf(ben, job.id)
    expect([half.state, half.done]).toEqual(['failed', 50])
    await ben.call(transfer.begin, { params: { jobId: job.id }, body: {} })
    const done = await eventually(async () => {
      const now = await jobOf(ben, job.id)
      expect(now.state).toBe('done')
      return now
    })
    const texts = (await ben.call(reflections.list, { params: { id: done.keeperId ?? '' } })).data.map(
      ({ content }) => content,
    )
    expect([texts.length, new Set(texts).size]).toEqual([120, 120])
  })

  it('is cancelled with its file; what is over stays over; others know nothing of it', async () => {
    const { id } = await keeperOf(ada)
    const job = await looked(ben, await zipOf((await exported(ada, id)).files))
    const params = { jobId: job.id }
    const tried = [
      await ada.call(transfer.show, { params }),
      await ada.call(transfer.cancel, { params }),
      await ada.call(transfer.begin, { params, body: {} }),
    ]
    expect(tried.map(({ status }) => status)).toEqual([404, 404, 404])
    expect((await ben.call(transfer.cancel, { params })).data.state).toBe('cancelled')
    const again = await ben.call(transfer.begin, { params, body: {} })
    expect([again.status, again.body.error]).toEqual([409, expect.stringContaining('cancelled')])
    expect((await ada.fetch(`/api/keeper/keepers/${'f'.repeat(32)}/export`)).status).toBe(404)
    expect((await ben.fetch(`/api/keeper/keepers/${id}/export`)).status).toBe(404)
  })

  describe('of Day One', () => {
    const md5 = 'a'.repeat(32)
    const entry = (uuid: string, more: object = {}) => ({
      uuid,
      creationDate: '2019-03-02T23:30:00Z',
      timeZone: 'Asia/Tokyo',
      text: 'Snow\\.\n\n![](dayone-moment://ABC)\nStill.',
      ...more,
    })
    const dayOne = (entries: object[], files: Record<string, Buffer> = {}) =>
      zipped({ 'Journal.json': JSON.stringify({ metadata: { version: '1.0' }, entries }), ...files })

    it('an entry becomes a moment on the day it was lived, with tags, place, weather and picture', async () => {
      const { id } = await keeperOf(ben)
      const bytes = await dayOne(
        [
          entry('U1', {
            starred: true,
            tags: ['Snow', 'SNOW'],
            location: {
              placeName: 'Ueno Park',
              localityName: 'Tokyo',
              country: 'Japan',
              latitude: 35.7,
              longitude: 139.7,
            },
            weather: { temperatureCelsius: -1.5, conditionsDescription: 'Snow' },
            photos: [
              { md5, type: 'png', width: 0, height: 0, orderInEntry: 0 },
              { md5: 'b'.repeat(32), type: 'jpeg' },
            ],
          }),
        ],
        { [`photos/${md5}.png`]: png },
      )
      const preview = (await looked(ben, bytes, `&keeperId=${id}`)).preview
      expect(preview).toMatchObject({
        entries: 1,
        duplicates: 0,
        media: 2,
        missingMedia: 1,
        parts: [{ title: 'Journal' }],
      })
      await imported(ben, bytes, { keeperId: id })
      const [moment] = (await ben.call(moments.list, { params: { id } })).data.items
      expect(moment).toMatchObject({
        body: 'Snow\\.\n\nStill.',
        localDate: '2019-03-03',
        timezone: 'Asia/Tokyo',
        pinned: true,
        place: { name: 'Ueno Park, Tokyo, Japan', lat: 35.7 },
        weather: { tempC: -1.5, condition: 'Snow' },
        topics: [{ name: 'snow' }],
        media: [{ mime: 'image/png', width: null }],
      })
    })

    it('the same export again brings only what is new, and not what was thrown away', async () => {
      const { id } = await keeperOf(ben)
      await imported(ben, await dayOne([entry('U1'), entry('U2')]), { keeperId: id })
      const [moment] = (await ben.call(moments.list, { params: { id } })).data.items
      await ben.call(moments.remove, { params: { id: moment?.id ?? '' } })
      const more = await dayOne([entry('U1'), entry('U2'), entry('U3')])
      expect((await looked(ben, more, `&keeperId=${id}`)).preview).toMatchObject({ entries: 3, duplicates: 2 })
      await app.services.db.deleteFrom('import_jobs').execute()
      await imported(ben, more, { keeperId: id })
      expect((await ben.call(moments.list, { params: { id } })).data.items).toHaveLength(2)
    })

    it('strange entries are counted and left out; without a keeper it does not begin', async () => {
      const { id } = await keeperOf(ben)
      const bytes = await dayOne([
        entry('U1'),
        { uuid: 'U2' },
        entry('U3', { text: '' }),
        entry('U4', { text: 'a\u0000' }),
      ])
      const job = await looked(ben, bytes)
      expect(job.preview).toMatchObject({ entries: 1, notes: [expect.stringContaining('3 entries cannot be read')] })
      const refused = await ben.call(transfer.begin, { params: { jobId: job.id }, body: {} })
      expect([refused.status, refused.body.fields]).toEqual([400, { keeperId: expect.any(String) }])
      await ben.call(transfer.begin, { params: { jobId: job.id }, body: { keeperId: id } })
      await eventually(async () => expect((await jobOf(ben, job.id)).state).toBe('done'))
      expect((await ben.call(moments.list, { params: { id } })).data.items).toHaveLength(1)
    })

    it('goes into nobody else’s keeper', async () => {
      const { id } = await keeperOf(ada)
      const bytes = await dayOne([entry('U1')])
      expect((await upload(ben, bytes, `&keeperId=${id}`)).status).toBe(404)
      const job = await looked(ben, bytes)
      expect((await ben.call(transfer.begin, { params: { jobId: job.id }, body: { keeperId: id } })).status).toBe(404)
      // Nor where the row of the import names one by a fault.
      await app.services.db
        .updateTable('import_jobs')
        .set({ state: 'running', keeper_id: id, lease_until: 0 })
        .where('id', '=', job.id)
        .execute()
      await carryOutImport(app.services, job.id)
      expect((await jobOf(ben, job.id)).state).toBe('failed')
      expect((await ada.call(moments.list, { params: { id } })).data.items).toEqual([])
    })

    it('five that wait are as many as one may have, and those of others are not counted', async () => {
      await app.services.db.deleteFrom('import_jobs').execute()
      const bytes = await dayOne([entry('U1')])
      for (let time = 0; time < 5; time++) await looked(ben, bytes)
      expect((await upload(ben, bytes)).status).toBe(409)
      expect((await upload(ada, bytes)).status).toBe(200)
    })
  })
})
