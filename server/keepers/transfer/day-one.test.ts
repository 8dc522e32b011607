import { beforeEach, describe, expect, it } from 'vitest'
import { moments } from '#contract/keepers/moments.ts'
import { transfer } from '#contract/keepers/transfer.ts'
import {
  createZip,
  deleteKeepersAndImports,
  fetchImportJob,
  importArchive,
  png,
  previewArchive,
  uploadArchive,
  waitForImportJob,
} from '#tests/archives.ts'
import { createTestKeeper } from '#tests/create-test-keeper.ts'
import { engines } from '#tests/engines.ts'
import { unzip } from '#tests/unzip.ts'
import { useTestApp } from '#tests/use-test-app.ts'
import { executeImport } from './execute-import.ts'

describe.each(engines)('importing from Day One, on %s', (engine) => {
  const { app, ada, ben } = useTestApp(engine, ['ada', 'ben'])
  beforeEach(() => deleteKeepersAndImports(app))

  const md5 = 'a'.repeat(32)
  const createEntry = (uuid: string, fields: object = {}) => ({
    uuid,
    creationDate: '2019-03-02T23:30:00Z',
    timeZone: 'Asia/Tokyo',
    text: 'Snow\\.\n\n![](dayone-moment://ABC)\nStill.',
    ...fields,
  })
  /** The head of an MPEG-4 file. */
  const m4a = Buffer.from('\0\0\0\x14ftypM4A \0\0\0\0M4A ', 'latin1')
  const createDayOneZip = (entries: unknown[], files: Record<string, Buffer> = {}) =>
    createZip({ 'Journal.json': JSON.stringify({ metadata: { version: '1.0' }, entries }), ...files })

  it('refuses a zip of thousands of journals', async () => {
    const { id } = await createTestKeeper(ben)
    const journal = JSON.stringify({ metadata: { version: '1.0' }, entries: [] })
    const names = Array.from({ length: 1001 }, (_, index) => [`${index}.json`, journal])
    const { state, error } = await previewArchive(ben, await createZip(Object.fromEntries(names)), `&keeperId=${id}`)
    expect({ state, error }).toEqual({ state: 'failed', error: 'This zip contains more than 1000 journals.' })
  })

  it('turns an entry into a moment with its day, tags, place, weather and picture', async () => {
    const { id } = await createTestKeeper(ben)
    const bytes = await createDayOneZip(
      [
        createEntry('U1', {
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
    const preview = (await previewArchive(ben, bytes, `&keeperId=${id}`)).preview
    expect(preview).toMatchObject({
      entries: 1,
      duplicates: 0,
      media: 2,
      missingMedia: 1,
      parts: [{ title: 'Journal' }],
    })
    await importArchive(ben, bytes, { keeperId: id })
    const [moment] = (await ben.call(moments.list, { params: { id } })).data.items
    expect(moment).toMatchObject({
      body: 'Snow.\n\nStill.',
      localDate: '2019-03-03',
      timezone: 'Asia/Tokyo',
      pinned: true,
      place: { name: 'Ueno Park, Tokyo, Japan', lat: 35.7 },
      weather: { tempC: -1.5, condition: 'Snow' },
      topics: [{ name: 'Snow' }],
      media: [{ mime: 'image/png', width: 1 }],
    })
    const archive = await ben.fetch(`/api/keeper/keepers/${id}/export`)
    const files = await unzip(Buffer.from(await archive.arrayBuffer()))
    const markdown = [...files].filter(([name]) => name.endsWith('.md')).map(([, text]) => String(text))
    expect(markdown.join('\n')).toContain('at Ueno Park, Tokyo, Japan · −1 °C, Snow · kept')
  })

  it('finds an m4a recording listed as aac and counts the missing one', async () => {
    const { id } = await createTestKeeper(ben)
    const [declared, missing] = ['c'.repeat(32), 'd'.repeat(32)]
    const audios = [
      { md5: declared, format: 'aac', duration: 12.5, orderInEntry: 0 },
      { md5: missing, format: 'aac', orderInEntry: 1 },
    ]
    const bytes = await createDayOneZip([createEntry('U1', { audios })], { [`audios/${declared}.m4a`]: m4a })
    const job = await importArchive(ben, bytes, { keeperId: id })
    expect(job.preview).toMatchObject({ media: 2, missingMedia: 1 })
    const [moment] = (await ben.call(moments.list, { params: { id } })).data.items
    expect(moment?.media).toMatchObject([{ kind: 'audio', mime: 'audio/mp4', durationMs: 12_500 }])
    expect(moment?.media).toHaveLength(1)
  })

  it('keeps weather of zero degrees and drops empty weather', async () => {
    const { id } = await createTestKeeper(ben)
    const frost = createEntry('U1', { weather: { temperatureCelsius: 0 } })
    const unknown = createEntry('U2', { creationDate: '2018-03-02T23:30:00Z', weather: { weatherCode: '' } })
    await importArchive(ben, await createDayOneZip([frost, unknown]), { keeperId: id })
    const { items } = (await ben.call(moments.list, { params: { id } })).data
    expect(items.map(({ weather }) => weather)).toEqual([{ tempC: 0, condition: null, source: 'Day One' }, null])
  })

  it('cuts long values between characters', async () => {
    const { id } = await createTestKeeper(ben)
    const [tag, name, condition] = [79, 199, 79].map((length) => 'a'.repeat(length))
    const cutInShip = {
      tags: [`${tag}🚢`],
      location: { placeName: `${name}🚢` },
      weather: { conditionsDescription: `${condition}🚢` },
    }
    await importArchive(ben, await createDayOneZip([createEntry('U1', cutInShip)]), { keeperId: id })
    const [moment] = (await ben.call(moments.list, { params: { id } })).data.items
    expect(moment).toMatchObject({ topics: [{ name: tag }], place: { name }, weather: { condition } })
  })

  it('skips existing and deleted entries when an export is imported again', async () => {
    const { id } = await createTestKeeper(ben)
    await importArchive(ben, await createDayOneZip([createEntry('U1'), createEntry('U2')]), { keeperId: id })
    const [moment] = (await ben.call(moments.list, { params: { id } })).data.items
    await ben.call(moments.remove, { params: { id: moment?.id ?? '' } })
    const nextExport = await createDayOneZip([createEntry('U1'), createEntry('U2'), createEntry('U3')])
    expect((await previewArchive(ben, nextExport, `&keeperId=${id}`)).preview).toMatchObject({
      entries: 3,
      duplicates: 2,
    })
    await app.services.db.deleteFrom('import_jobs').execute()
    await importArchive(ben, nextExport, { keeperId: id })
    expect((await ben.call(moments.list, { params: { id } })).data.items).toHaveLength(2)
  })

  it('says why entries are left out, and does not start without a keeper', async () => {
    const { id } = await createTestKeeper(ben)
    const bytes = await createDayOneZip([
      createEntry('U1'),
      { uuid: 'U2' },
      createEntry('U3', { text: '' }),
      'no entry',
      createEntry('U5', { creationDate: '2024-02-30' }),
    ])
    const job = await previewArchive(ben, bytes)
    expect(job.preview).toMatchObject({
      entries: 1,
      notes: [
        '2 entries have no date that can be read and are left out: Journal.json, entry 2; Journal.json, entry 5.',
        '1 entry is empty and is left out: Journal, 2019-03-02.',
        '1 entry isn’t an object and is left out: Journal.json, entry 4.',
      ],
    })
    const refused = await ben.call(transfer.begin, { params: { jobId: job.id }, body: {} })
    expect({ status: refused.status, fields: refused.body.fields }).toEqual({
      status: 400,
      fields: { keeperId: expect.any(String) },
    })
    await ben.call(transfer.begin, { params: { jobId: job.id }, body: { keeperId: id } })
    await waitForImportJob(ben, job.id, 'done')
    expect((await ben.call(moments.list, { params: { id } })).data.items).toHaveLength(1)
  })

  it('shows the duplicates of the chosen keeper', async () => {
    const [first, second] = [await createTestKeeper(ben), await createTestKeeper(ben)]
    await importArchive(ben, await createDayOneZip([createEntry('U1'), createEntry('U2')]), { keeperId: first.id })
    const job = await previewArchive(
      ben,
      await createDayOneZip([createEntry('U1'), createEntry('U2'), createEntry('U3')]),
    )
    expect(job.preview).toMatchObject({ entries: 3, duplicates: 0 })
    const choose = async (keeperId: string) => {
      const { data } = await ben.call(transfer.chooseKeeper, { params: { jobId: job.id }, body: { keeperId } })
      expect(data).toMatchObject({ keeperId })
      return (await waitForImportJob(ben, job.id, 'previewed')).preview
    }
    expect(await choose(first.id)).toMatchObject({ entries: 3, duplicates: 2 })
    expect(await choose(second.id)).toMatchObject({ entries: 3, duplicates: 0 })
    await choose(first.id)
    await ben.call(transfer.begin, { params: { jobId: job.id }, body: {} })
    await waitForImportJob(ben, job.id, 'done')
    expect((await ben.call(moments.list, { params: { id: first.id } })).data.items).toHaveLength(3)
    const lateChoice = { params: { jobId: job.id }, body: { keeperId: second.id } }
    const refused = await ben.call(transfer.chooseKeeper, lateChoice)
    expect({ status: refused.status, error: refused.body.error }).toEqual({
      status: 409,
      error: expect.stringContaining('Upload the archive again'),
    })
    expect((await ada.call(transfer.chooseKeeper, lateChoice)).status).toBe(404)
  })

  it('cuts long texts and tags, and continues many files in further moments', async () => {
    const md5s = Array.from({ length: 51 }, (_, index) => index.toString(16).padStart(32, '0'))
    const photos = md5s.map((md5) => ({ md5, type: 'png' }))
    const tags = Array.from({ length: 31 }, (_, index) => `tag ${index}`)
    const long = `${'a'.repeat(199_999)}🚢 and more`
    const files = Object.fromEntries(md5s.map((md5) => [`photos/${md5}.png`, png]))
    const bytes = await createDayOneZip(
      [createEntry('U1', { text: long }), createEntry('U2', { text: long, tags }), createEntry('U3', { photos })],
      files,
    )
    const { preview } = await previewArchive(ben, bytes)
    expect(preview?.notes).toEqual([
      expect.stringMatching(/^2 entries are longer than 200,000 characters; the ends of their texts are left out: /),
      expect.stringMatching(/^1 entry has more than 30 tags; only its first 30 are imported: /),
      expect.stringMatching(/^1 entry has more than 50 files and continues in a second moment: /),
    ])
    const { id } = await createTestKeeper(ben)
    await importArchive(ben, bytes, { keeperId: id })
    const { items } = (await ben.call(moments.list, { params: { id } })).data
    const cutText = 'a'.repeat(199_999)
    expect(items.map(({ body }) => body).sort()).toEqual(['', 'Snow.\n\nStill.', cutText, cutText])
    expect(items.map(({ media }) => media.length).sort()).toEqual([0, 0, 1, 50])
  })

  it('does not import into another person’s keeper', async () => {
    const { id } = await createTestKeeper(ada)
    const bytes = await createDayOneZip([createEntry('U1')])
    expect((await uploadArchive(ben, bytes, `&keeperId=${id}`)).status).toBe(404)
    const job = await previewArchive(ben, bytes)
    expect((await ben.call(transfer.begin, { params: { jobId: job.id }, body: { keeperId: id } })).status).toBe(404)
    // The same holds when the import row wrongly names a keeper of someone else.
    await app.services.db
      .updateTable('import_jobs')
      .set({ state: 'running', keeper_id: id, lease_until: 0 })
      .where('id', '=', job.id)
      .execute()
    await executeImport(app.services, job.id)
    expect((await fetchImportJob(ben, job.id)).state).toBe('failed')
    expect((await ada.call(moments.list, { params: { id } })).data.items).toEqual([])
  })

  it('allows five pending imports per person', async () => {
    await app.services.db.deleteFrom('import_jobs').execute()
    const bytes = await createDayOneZip([createEntry('U1')])
    for (let count = 0; count < 5; count++) await previewArchive(ben, bytes)
    expect((await uploadArchive(ben, bytes)).status).toBe(409)
    expect((await uploadArchive(ada, bytes)).status).toBe(200)
  })
})
