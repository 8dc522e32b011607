import { setTimeout as delay } from 'node:timers/promises'
import { report } from '../bench/measure.ts'
import { createMediaStore } from '../server/media/bucket-media.ts'
import { readSettings } from '../server/settings/settings.ts'
import { engines, startEnginesWithoutRunner } from '../tests/engines.ts'
import { startBucket } from '../tests/fakes/bucket.ts'
import { restoreDamaged, restoreWithoutChecksums } from './backups/damage.ts'
import { backUpUnderLoad, createFullDatabase, isConsistent, readLoadState, startWriting } from './backups/under-load.ts'

const readNumberOption = (word: string, defaultValue: number) =>
  Number(process.argv.find((argument) => argument.startsWith(`--${word}=`))?.split('=')[1] ?? defaultValue)
const backupCount = readNumberOption('backups', 5)
const damageCount = readNumberOption('damages', 100)
const pauseMs = 500

const runtime = { fetch: globalThis.fetch, sleep: async (ms: number) => void (await delay(ms)) }
const stopEngines = await startEnginesWithoutRunner()

for (const engine of engines)
  for (const mediaLocation of ['folder', 'bucket'] as const) {
    const source = await createFullDatabase(engine)
    const bucketFake = mediaLocation === 'bucket' ? await startBucket() : undefined
    const settings = readSettings({ KEEPER_DATA_DIR: source.dataDir, ...bucketFake?.environment })
    const media = createMediaStore(settings, runtime)
    const startedAt = performance.now()
    const load = startWriting(source.db, media)
    const problems: string[] = []
    let path = ''
    let writesDuringBackups = 0
    for (let number = 1; number <= backupCount; number++) {
      await delay(pauseMs)
      const outcome = await backUpUnderLoad(engine, source, load, bucketFake && media)
      problems.push(...outcome.problems.map((text) => `backup ${number} ${text}`))
      path = outcome.path
      writesDuringBackups += outcome.writesDuring
    }
    const writesPerSecond = (load.acknowledged / (performance.now() - startedAt)) * 1000
    report(
      `${engine}, media in a ${mediaLocation}: a backup under load restores a consistent state`,
      problems.length === 0
        ? `${backupCount} backups at ${writesPerSecond.toFixed(0)} writes/s, ${writesDuringBackups} writes during them, each with the checksum of its rebuilt state`
        : problems.slice(0, 5).join('; '),
      'canonical dump identical, every file present',
      problems.length === 0,
    )

    if (mediaLocation === 'folder') {
      const firstState = await readLoadState(source.db)
      const countBefore = load.acknowledged
      while (load.acknowledged < countBefore + 5) await delay(20)
      const inconsistent = { ...(await readLoadState(source.db)), rows: firstState.rows }
      report(
        `control: ${engine}, a backup that reads its tables at two moments`,
        isConsistent(inconsistent) ? 'not noticed' : 'noticed',
        'must be noticed',
        !isConsistent(inconsistent) && isConsistent(firstState),
      )
      await load.stop()
      const acceptedDamages = await restoreDamaged(engine, path, damageCount)
      report(
        `${engine}: a damaged, truncated or foreign backup is refused without changes`,
        acceptedDamages.length === 0 ? `${damageCount + 1} refused` : acceptedDamages.slice(0, 5).join('; '),
        'all refused, nothing touched',
        acceptedDamages.length === 0,
      )
      const acceptedWithoutChecksums = await restoreDamaged(engine, path, 10, restoreWithoutChecksums)
      report(
        `control: ${engine}, a restore that ignores checksums`,
        acceptedWithoutChecksums.length > 0 ? `noticed: ${acceptedWithoutChecksums.length} of 11` : 'not noticed',
        'must be noticed',
        acceptedWithoutChecksums.length > 0,
      )
    }
    await load.stop()
    await source.close()
    await bucketFake?.close()
  }
await stopEngines()
