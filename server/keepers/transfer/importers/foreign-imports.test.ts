import { describe, expect, it } from 'vitest'
import { moments } from '#contract/keepers/moments.ts'
import { createZip, exportKeeper, importArchive, previewArchive } from '#tests/archives.ts'
import { createTestKeeper } from '#tests/create-test-keeper.ts'
import { dumpDatabase } from '#tests/dump-database.ts'
import { engines } from '#tests/engines.ts'
import { daylioPin, foreignArchives } from '#tests/foreign-archives.ts'
import { useTestApp } from '#tests/use-test-app.ts'

// All formats share one import path, so one engine suffices.
describe.each(engines.slice(0, 1))('exports of other apps, on %s', (engine) => {
  const { app, ben } = useTestApp(engine, ['ben'])

  const formatAddress = (keeperId: string, id: string) => `/keeper/${keeperId}/moments?moment=${id}`
  const listMoments = async (keeperId: string) =>
    (await ben.call(moments.list, { params: { id: keeperId } })).data.items.toReversed()

  it.each(foreignArchives)(
    'an archive of $app is imported completely, only once, and can be exported',
    async ({ kind, files, entries: count }) => {
      const { id: keeperId } = await createTestKeeper(ben)
      await app.services.db.deleteFrom('import_jobs').execute()
      const job = await importArchive(ben, await createZip(files), { keeperId })
      expect(job).toMatchObject({ kind, total: count, done: count, preview: { entries: count, duplicates: 0 } })
      const media = (job.preview?.media ?? 0) - (job.preview?.missingMedia ?? 0)
      expect(media).toBeGreaterThan(0)
      const importedMoments = await listMoments(keeperId)
      expect(importedMoments).toHaveLength(count)
      expect(importedMoments.flatMap((moment) => moment.media)).toHaveLength(media)

      // macOS adds a folder and metadata files when it repacks a zip.
      const repacked = await createZip({
        ...Object.fromEntries(Object.entries(files).map(([name, content]) => [`Export 2024/${name}`, content])),
        '__MACOSX/Export 2024/._x': Buffer.from([0, 5, 22, 7]),
      })
      const secondPreview = await previewArchive(ben, repacked, `&keeperId=${keeperId}`)
      expect(secondPreview).toMatchObject({ kind, total: 0, preview: { entries: count, duplicates: count } })

      // Imported values also pass the validation of an ordinary save.
      for (const { id: momentId, rev, title, place, weather, mood, body } of importedMoments) {
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
      // Entries with the same time are ordered by id.
      const texts = (items: typeof importedMoments) => {
        const days = new Map(items.map(({ keeperId: home, id, localDate }) => [formatAddress(home, id), localDate]))
        const nameLinks = (body: string) => body.replace(/\/keeper\/[\w/?=]+/g, (link) => days.get(link) ?? link)
        return items
          .map(({ title, body, localDate, media }) => JSON.stringify([title, nameLinks(body), localDate, media.length]))
          .sort()
      }
      expect(copies.map(texts)).toContainEqual(texts(importedMoments))
    },
    90_000,
  )

  it('a backup’s PIN is never stored or logged, even if the backup is unreadable', async () => {
    const backup = Buffer.from(`{"pin": "${daylioPin}" "dayEntries": []}`).toString('base64')
    const { error } = await previewArchive(ben, await createZip({ 'backup.daylio': backup }))
    expect(error).toBe('backup.daylio in this zip isn’t valid JSON, or it’s damaged.')
    expect(JSON.stringify(await dumpDatabase(app.services.db))).not.toContain(daylioPin)
    expect(app.logLines.join('\n')).not.toContain(daylioPin)
  })
})
