import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { diagnostics } from '#contract/diagnostics/diagnostics.ts'
import { keepers } from '#contract/keepers/keepers.ts'
import { openDatabase } from '#server/db/database.ts'
import { createMediaLinker } from '#server/db/media-for-backup.ts'
import { migrations } from '#server/db/migrations/index.ts'
import { restoreBackup } from '#server/db/restore.ts'
import { FolderMedia, getMediaPath } from '#server/media/folder-media.ts'
import { hourMs, minuteMs } from '#server/values/time-units.ts'
import { engines } from '#tests/engines.ts'
import { eventually } from '#tests/eventually.ts'
import { type Actor, createTestApp, type TestApp, type TestAppOptions } from '#tests/test-app.ts'

const recording = Buffer.alloc(100_000, 'a voice')

let app: TestApp
let ada: Actor
let backupsDir: string
afterEach(() => app.close())

async function startApp(options?: TestAppOptions): Promise<void> {
  app = await createTestApp('sqlite', { startHour: 12, ...options })
  ada = await app.as('ada')
  backupsDir = join(app.services.settings.dataDir, 'backups')
}

/** Advances to the next time the local clock shows these hours. */
function passUntil(hours: number, minutes = 0): void {
  const now = app.services.now()
  const target = new Date(now)
  target.setHours(hours, minutes, 0, 0)
  if (target <= now) target.setDate(target.getDate() + 1)
  app.passTime(target.getTime() - now.getTime())
}

const createIfDue = () => app.services.backups.createIfDue()
const showBackups = async () => (await ada.call(diagnostics.backups)).data
const listNames = (kind: string) => readdirSync(backupsDir).filter((name) => name.startsWith(kind))
const findLogLines = (part: string) => app.logLines.filter((line) => line.includes(part))

describe('with the embedded database', () => {
  beforeEach(() => startApp())

  it('the first backup is made after ten minutes, then one a night; seven stay', async () => {
    expect(await showBackups()).toEqual({ engine: 'sqlite', nightly: 7, last: null, warning: null })
    app.passTime(9 * minuteMs)
    expect(await createIfDue()).toBe(false)
    app.passTime(2 * minuteMs)
    expect(await createIfDue()).toBe(true)
    expect(await createIfDue()).toBe(false)
    const byHand = ['keeper-20200101T000000Z', 'before-0011-budget-holds-20200101T000000Z', 'mine']
    for (const name of byHand) mkdirSync(join(backupsDir, name))
    passUntil(1, 59)
    expect(await createIfDue()).toBe(false)
    for (let night = 0; night < 9; night++) {
      passUntil(3)
      expect(await createIfDue()).toBe(true)
      app.passTime(hourMs)
      expect(await createIfDue(), 'once per night').toBe(false)
      passUntil(14)
      expect(await createIfDue(), 'by day').toBe(false)
    }
    expect(listNames('nightly-')).toHaveLength(7)
    expect(readdirSync(backupsDir)).toHaveLength(7 + byHand.length)
  })

  it("a backup made in the evening doesn't replace the nightly one", async () => {
    passUntil(22)
    expect(await createIfDue()).toBe(true)
    passUntil(2, 30)
    expect(await createIfDue()).toBe(true)
  })

  it('a missed nightly backup is made during the day', async () => {
    app.passTime(11 * minuteMs)
    await createIfDue()
    app.passTime(27 * hourMs)
    passUntil(12)
    expect(await createIfDue()).toBe(true)
    expect(listNames('nightly-')).toHaveLength(2)
  })

  it('anyone signed in sees the last backup, and a warning after two days', async () => {
    app.passTime(11 * minuteMs)
    await createIfDue()
    const { last, warning } = await showBackups()
    expect(warning).toBeNull()
    expect(Date.parse(last?.made_at ?? '')).toBeCloseTo(app.services.now().getTime(), -4)
    expect(last?.bytes).toBeGreaterThan(100_000)
    const { text } = await ada.call(diagnostics.backups)
    expect(text).not.toMatch(/nightly-|[/\\]/)
    expect((await app.visitor().call(diagnostics.backups)).status).toBe(401)
    app.passTime(47 * hourMs)
    expect((await showBackups()).warning).toBeNull()
    app.passTime(2 * hourMs)
    expect((await showBackups()).warning).toBe('old')
    expect((await ada.call(diagnostics.health)).status).toBe(200)
  })

  it("a backup dated in the future doesn't count as the last one", async () => {
    const futureName = 'nightly-20990101T030000Z'
    mkdirSync(join(backupsDir, futureName), { recursive: true })
    writeFileSync(join(backupsDir, futureName, 'manifest.json'), JSON.stringify({ files: {} }))
    expect((await showBackups()).last).toBeNull()
    app.passTime(11 * minuteMs)
    expect(await createIfDue()).toBe(true)
    passUntil(3)
    expect(await createIfDue()).toBe(true)
    expect(Date.parse((await showBackups()).last?.made_at ?? '')).toBeLessThanOrEqual(app.services.now().getTime())
  })

  it("backups dated by a wrong clock don't displace later ones", async () => {
    for (let day = 1; day <= 7; day++) mkdirSync(join(backupsDir, `nightly-2099010${day}T030000Z`), { recursive: true })
    app.passTime(11 * minuteMs)
    expect(await createIfDue()).toBe(true)
    app.passTime(minuteMs)
    expect(await createIfDue(), 'the backup exists').toBe(false)
    expect(listNames('nightly-')).toHaveLength(8)
  })

  it('a clock set back while running stops no backup', async () => {
    app.passTime(11 * minuteMs)
    expect(await createIfDue()).toBe(true)
    app.passTime(-400 * 24 * hourMs)
    expect(await createIfDue()).toBe(true)
    passUntil(3)
    expect(await createIfDue()).toBe(true)
  })

  it("repeated views don't read the list of files again", async () => {
    app.passTime(11 * minuteMs)
    await createIfDue()
    const first = await showBackups()
    const [name = ''] = listNames('nightly-')
    writeFileSync(join(backupsDir, name, 'manifest.json'), JSON.stringify({ files: { 'media/x': { bytes: 1 } } }))
    expect(await showBackups()).toEqual(first)
  })

  it('a backup restores completely, and its pictures take disk space only once', async () => {
    const { data } = await ada.call(keepers.create, {
      body: { title: 'Garden', purpose: 'p', keeperType: 'Journal', keeperTypeId: 'system-journal' },
    })
    const { dataDir } = app.services.settings
    const { sha256 } = await new FolderMedia(dataDir).write([recording], app.services.now())
    writeFileSync(join(dataDir, 'media/readme'), 'not a picture')
    app.passTime(11 * minuteMs)
    await createIfDue()
    passUntil(3)
    await createIfDue()
    const inode = statSync(getMediaPath(dataDir, sha256)).ino
    const copies = listNames('nightly-').map((name) => getMediaPath(join(backupsDir, name), sha256))
    expect(copies.map((path) => statSync(path).ino)).toEqual([inode, inode])
    const [first = ''] = listNames('nightly-')
    expect(statSync(join(backupsDir, first, 'media/readme')).ino).not.toBe(statSync(join(dataDir, 'media/readme')).ino)

    rmSync(getMediaPath(dataDir, sha256))
    const restoredDir = join(dataDir, 'restored')
    await restoreBackup(
      join(backupsDir, first),
      { dataDir: restoredDir },
      { migrations, now: new Date(), keyFingerprint: null },
    )
    expect(readFileSync(getMediaPath(restoredDir, sha256)).equals(recording)).toBe(true)
    expect(statSync(getMediaPath(restoredDir, sha256)).ino).not.toBe(inode)
    const db = await openDatabase({ dataDir: restoredDir })
    const rows = await db.selectFrom('keepers').select('title').where('id', '=', data.id).execute()
    await db.close()
    expect(rows).toEqual([{ title: 'Garden' }])
  })

  it('a damaged recording is logged by name and backed up unchanged', async () => {
    const { dataDir } = app.services.settings
    const { sha256 } = await new FolderMedia(dataDir).write([recording], app.services.now())
    app.passTime(11 * minuteMs)
    await createIfDue()
    expect(findLogLines('are damaged')).toEqual([])
    writeFileSync(getMediaPath(dataDir, sha256), 'noise')
    passUntil(3)
    expect(await createIfDue()).toBe(true)
    expect(findLogLines('are damaged')).toEqual([expect.stringContaining(sha256)])
  })

  it('no backup is made without space, and the log and the page say so', async () => {
    app.services.backups.getFreeBytes = async () => 1_000_000
    app.passTime(11 * minuteMs)
    for (let check = 0; check < 5; check++) {
      expect(await createIfDue()).toBe(false)
      app.passTime(minuteMs)
    }
    expect(findLogLines('not enough free space')).toHaveLength(1)
    expect(await showBackups()).toMatchObject({ last: null, warning: 'no-room' })
  })

  it('a failure is logged and shown, and the next attempt recovers', async () => {
    writeFileSync(backupsDir, 'a file where the folder should be')
    app.passTime(11 * minuteMs)
    expect(await createIfDue()).toBe(false)
    app.passTime(minuteMs)
    expect(await createIfDue()).toBe(false)
    expect(findLogLines('the scheduled backup failed')).toHaveLength(1)
    rmSync(backupsDir)
    expect(await showBackups()).toMatchObject({ last: null, warning: 'failed' })
    app.passTime(6 * hourMs)
    expect(await createIfDue()).toBe(true)
    expect((await showBackups()).warning).toBeNull()
  })

  it('a failure is logged even if its remains can’t be removed', async () => {
    const getFreeBytes = async () => {
      symlinkSync(backupsDir, backupsDir)
      return Number.POSITIVE_INFINITY
    }
    app.services.backups.getFreeBytes = getFreeBytes
    app.passTime(11 * minuteMs)
    expect(await createIfDue()).toBe(false)
    expect(findLogLines('the scheduled backup failed')).toEqual([expect.stringContaining('Worker')])
    expect(findLogLines('an unfinished backup could not be removed')).toEqual([expect.stringContaining('scandir')])
  })

  it('an interrupted backup leaves no unfinished files', async () => {
    const stop = app.services.backups.start()
    app.passTime(11 * minuteMs)
    mkdirSync(join(app.services.settings.dataDir, 'media'), { recursive: true })
    writeFileSync(join(app.services.settings.dataDir, 'media/long'), Buffer.alloc(50_000_000))
    const creation = createIfDue()
    await eventually(() => expect(listNames('nightly-')).toHaveLength(1))
    await stop()
    expect(await creation).toBe(false)
    expect(listNames('nightly-')).toEqual([])
    expect(await createIfDue()).toBe(false)
    expect(findLogLines('failed')).toEqual([])
  })
})

it('disabled backups create nothing, and the page says so', async () => {
  await startApp({ environment: { KEEPER_NIGHTLY_BACKUPS: '0' } })
  app.passTime(50 * hourMs)
  expect(await createIfDue()).toBe(false)
  expect(await showBackups()).toEqual({ engine: 'sqlite', nightly: 0, last: null, warning: 'none' })
})

it.runIf(engines.includes('postgres'))('PostgreSQL has its own backups, without a warning', async () => {
  app = await createTestApp('postgres')
  ada = await app.as('ada')
  app.passTime(50 * hourMs)
  expect(await createIfDue()).toBe(false)
  expect(await showBackups()).toEqual({ engine: 'postgres', nightly: 0, last: null, warning: null })
})

it('without hard links pictures are copied if the disk has space', async () => {
  await startApp()
  const { dataDir } = app.services.settings
  const { sha256 } = await new FolderMedia(dataDir).write([recording], new Date())
  const linkFile = () => Promise.reject(Object.assign(new Error('no hard links'), { code: 'EPERM' }))
  const to = join(dataDir, 'copy')
  const createLinker = (freeBytes: number) =>
    createMediaLinker(1_000, { linkFile, getFreeBytes: async () => freeBytes })
  await expect(createLinker(recording.length + 999)(getMediaPath(dataDir, sha256), to)).rejects.toMatchObject({
    name: 'DiskFull',
  })
  expect(await createLinker(recording.length + 1_000)(getMediaPath(dataDir, sha256), to)).toEqual({
    bytes: recording.length,
    sha256,
  })
  expect(readFileSync(to).equals(recording)).toBe(true)
})
