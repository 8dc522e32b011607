import { setTimeout as later } from 'node:timers/promises'
import { createMediaStore } from '#server/media/create-media-store.ts'
import { readSettings } from '#server/settings.ts'
import { engines, startEnginesWithoutRunner } from '#tests/engines.ts'
import { startBucket } from '#tests/fakes/bucket.ts'
import { report } from '../bench/measure.ts'
import { damage, restoreWithoutChecksums } from './backups/damage.ts'
import { backUpUnderLoad, createFullDatabase, isOneMoment, readLoad, writeWithoutPause } from './backups/under-load.ts'

const readNumberOption = (word: string, usual: number) =>
  Number(process.argv.find((argument) => argument.startsWith(`--${word}=`))?.split('=')[1] ?? usual)
const backups = readNumberOption('backups', 5)
const damages = readNumberOption('damages', 100)
const betweenMs = 500

const runtime = { fetch: globalThis.fetch, sleep: async (ms: number) => void (await later(ms)) }
const remove = await startEnginesWithoutRunner()

for (const engine of engines)
  for (const where of ['folder', 'bucket'] as const) {
    const source = await createFullDatabase(engine)
    const bucketFake = where === 'bucket' ? await startBucket() : undefined
    const settings = readSettings({ KEEPER_DATA_DIR: source.dataDir, ...bucketFake?.environment })
    const media = createMediaStore(settings, runtime)
    const since = performance.now()
    const load = writeWithoutPause(source.db, media)
    const wrong: string[] = []
    let path = ''
    let during = 0
    for (let number = 1; number <= backups; number++) {
      await later(betweenMs)
      const outcome = await backUpUnderLoad(engine, source, load, bucketFake && media)
      wrong.push(...outcome.wrong.map((text) => `backup ${number} ${text}`))
      path = outcome.path
      during += outcome.during
    }
    const perSecond = (load.acknowledged / (performance.now() - since)) * 1000
    report(
      `${engine}, media in a ${where}: a backup under load restores a consistent state`,
      wrong.length === 0
        ? `${backups} backups at ${perSecond.toFixed(0)} writes/s, ${during} writes during them, each with the checksum of its rebuilt state`
        : wrong.slice(0, 5).join('; '),
      'canonical dump identical, every file present',
      wrong.length === 0,
    )

    if (where === 'folder') {
      const first = await readLoad(source.db)
      const written = load.acknowledged
      while (load.acknowledged < written + 5) await later(20)
      const inconsistent = { ...(await readLoad(source.db)), rows: first.rows }
      report(
        `control: ${engine}, a backup that reads its tables at two moments`,
        isOneMoment(inconsistent) ? 'not noticed' : 'noticed',
        'must be noticed',
        !isOneMoment(inconsistent) && isOneMoment(first),
      )
      await load.stop()
      const accepted = await damage(engine, path, damages)
      report(
        `${engine}: a damaged, truncated or foreign backup is refused without changes`,
        accepted.length === 0 ? `${damages + 1} refused` : accepted.slice(0, 5).join('; '),
        'all refused, nothing touched',
        accepted.length === 0,
      )
      const noticed = await damage(engine, path, 10, restoreWithoutChecksums)
      report(
        `control: ${engine}, a restore that ignores checksums`,
        noticed.length > 0 ? `noticed: ${noticed.length} of 11` : 'not noticed',
        'must be noticed',
        noticed.length > 0,
      )
    }
    await load.stop()
    await source.close()
    await bucketFake?.close()
  }
await remove()
