import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { moments } from '#contract/keepers/moments.ts'
import type { ForeignImportKind } from '#contract/keepers/transfer.ts'
import { createZip, exportKeeper, importArchive, png, previewArchive } from '#tests/archives.ts'
import { createTestKeeper } from '#tests/create-test-keeper.ts'
import { dumpDatabase } from '#tests/dump-database.ts'
import { engines } from '#tests/engines.ts'
import { type Actor, createTestApp, type TestApp } from '#tests/test-app.ts'

const pin = '471147'

const page = (day: string, text: string) =>
  `<p><span><div class='pageContainer'><div class="pageHeader">${day}</div><div class="assetGrid"><div id="P1" class="gridItem assetType_photo"><img src="../Resources/P1.heic"></div></div><div class='title'></span><span>By the sea</span><span></div><div class='bodyText'></span></p><p class="p2">${text}</p>`

/** The smallest export of each app with a file, a mood, a place or tags. */
const archives: [ForeignImportKind, Record<string, string | Buffer>, number][] = [
  [
    'apple-journal',
    {
      'index.html': '<a href="Entries/a.html">',
      'Entries/2024-11-03.html': page('Sunday, 3 November 2024', 'One'),
      'Entries/2024-11-04.html': page('lundi 4 novembre 2024', 'Two'),
      'Resources/P1.heic': png,
    },
    2,
  ],
  [
    'journiv',
    {
      'data.json': JSON.stringify({
        ...{ export_version: '1.0', app_version: '1', user_email: `${pin}@b.example` },
        journals: [
          {
            title: 'Travel',
            entries: [
              {
                ...{ title: 'A day', content: 'Hi *you*', entry_datetime_utc: '2026-01-02T22:30:00', tags: ['sea'] },
                ...{ entry_timezone: 'Asia/Tokyo', location: 'Ueno', latitude: 35.7, longitude: 139.7 },
                media: [{ filename: 'sea.png', file_path: 'e/m_sea.png' }],
              },
            ],
          },
        ],
      }),
      'media/e/m_sea.png': png,
    },
    1,
  ],
  [
    'daylio',
    {
      'backup.daylio': Buffer.from(
        JSON.stringify({
          pin,
          customMoods: [{ id: 1, custom_name: '', predefined_name_id: 1, mood_group_id: 1 }],
          tags: [{ id: 7, name: 'reading' }],
          assets: [{ id: 1, checksum: 'abc', type: 1 }],
          dayEntries: [
            {
              id: 1,
              year: 2023,
              month: 10,
              day: 19,
              hour: 10,
              minute: 45,
              datetime: 1,
              timeZoneOffset: -18_000_000,
              mood: 1,
              note: 'Hi<br>you',
              tags: [7],
              assets: [1],
            },
            {
              id: 2,
              year: 2023,
              month: 10,
              day: 20,
              hour: 1,
              minute: 0,
              datetime: 2,
              timeZoneOffset: 3_600_000,
              mood: 1,
              note: '',
              tags: [7],
              assets: [],
            },
          ],
        }),
      ).toString('base64'),
      'assets/photos/2023/11/abc': png,
    },
    2,
  ],
  [
    'diarium',
    {
      'Diarium.json': JSON.stringify([
        { date: '2010-10-26T15:47:53.4882800', heading: 'A day', html: '<p>Hi</p>', rating: 5, location: [40, -83] },
        { date: '2010-10-27T15:47:53', heading: '', html: '<p>Ho</p>', rating: 0 },
      ]),
      'media/2010-10-26_154753488/a.png': png,
    },
    2,
  ],
]

describe.each(engines)('exports of other apps, on %s', (engine) => {
  let app: TestApp
  let ben: Actor
  beforeAll(async () => {
    app = await createTestApp(engine)
    ben = await app.as('ben')
  })
  afterAll(() => app.close())

  const listMoments = async (keeperId: string) =>
    (await ben.call(moments.list, { params: { id: keeperId } })).data.items.toReversed()

  it.each(archives)(
    '%s is imported once, whole, and can leave again',
    async (kind, files, count) => {
      const { id: keeperId } = await createTestKeeper(ben)
      await app.services.db.deleteFrom('import_jobs').execute()
      const job = await importArchive(ben, await createZip(files), { keeperId })
      expect(job).toMatchObject({ kind, total: count, done: count, preview: { entries: count, duplicates: 0 } })
      const media = job.preview?.media ?? 0
      expect(media).toBeGreaterThan(0)
      const imported = await listMoments(keeperId)
      expect(imported).toHaveLength(count)
      expect(imported.flatMap((moment) => moment.media)).toHaveLength(media)

      // As a Mac repacks it.
      const repacked = await createZip({
        ...Object.fromEntries(Object.entries(files).map(([name, content]) => [`Export 2024/${name}`, content])),
        '__MACOSX/Export 2024/._x': Buffer.from([0, 5, 22, 7]),
      })
      const again = await previewArchive(ben, repacked, `&keeperId=${keeperId}`)
      expect(again).toMatchObject({ kind, total: 0, preview: { entries: count, duplicates: count } })

      for (const { id: momentId, rev, title, place, weather, mood, body } of imported) {
        const saved = await ben.call(moments.update, {
          params: { id: momentId },
          body: { title, place, weather, mood, body },
          ifMatch: rev,
        } as never)
        expect(saved.status).toBe(200)
      }

      await importArchive(ben, await exportKeeper(ben, keeperId))
      const keepers = await app.services.db.selectFrom('keepers').select('id').where('id', '!=', keeperId).execute()
      const copies = await Promise.all(keepers.map(({ id: other }) => listMoments(other)))
      const texts = (items: typeof imported) =>
        items.map(({ title, body, localDate, media }) => [title, body, localDate, media.length])
      expect(copies.map(texts)).toContainEqual(texts(imported))
    },
    90_000,
  )

  it('the PIN of a backup is in no row and no line of the log, even when it can not be read', async () => {
    const backup = Buffer.from(`{"pin": "${pin}" "dayEntries": []}`).toString('base64')
    const { error } = await previewArchive(ben, await createZip({ 'backup.daylio': backup }))
    expect(error).toBe("backup.daylio in this zip isn't valid JSON, or it's damaged.")
    expect(JSON.stringify(await dumpDatabase(app.services.db))).not.toContain(pin)
    expect(app.logLines.join('\n')).not.toContain(pin)
  })
})
