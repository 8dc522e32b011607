import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { type AuditAction, audit } from '#contract/administration/audit.ts'
import { type BackupJob, type BackupOverview, backups } from '#contract/administration/backups.ts'
import { keys } from '#contract/keys/keys.ts'
import { migrations } from '#server/db/migrations/index.ts'
import { restoreBackup } from '#server/db/restore.ts'
import { FolderMedia } from '#server/media/folder-media.ts'
import { hourMs } from '#server/values/time-units.ts'
import { cast } from '#tests/cast.ts'
import { createTestKeeper } from '#tests/create-test-keeper.ts'
import { engines } from '#tests/engines.ts'
import { unzip } from '#tests/unzip.ts'
import { useTestApp } from '#tests/use-test-app.ts'
import { BackupRunner } from './backup-runner.ts'

const daily = { frequency: 'daily', hour: 3, weekday: 0, keep: 2 }

describe.each(engines)('backups in the administration, on %s', (engine) => {
  const { app, ada } = useTestApp(engine, ['ada'], { perTest: true })
  const asAdmin = () => app.as('cleo', ['super-admin'])
  const getFolder = () => join(app.services.settings.dataDir, 'backups')
  const fetchOverview = async (): Promise<BackupOverview> => (await (await asAdmin()).call(backups.overview)).data

  async function createBackup(): Promise<BackupJob> {
    const cleo = await asAdmin()
    const started = await cleo.call(backups.create)
    expect(started.status, started.text).toBe(200)
    await app.services.backups.waitForJobs()
    return started.data
  }
  async function checkBackup(id: string) {
    const cleo = await asAdmin()
    const started = await cleo.call(backups.check, { params: { id } })
    expect(started.status, started.text).toBe(200)
    await app.services.backups.waitForJobs()
  }
  async function listActions(): Promise<[AuditAction, string | null][]> {
    const { data } = await (await asAdmin()).call(audit.list)
    return data.items
      .filter(({ action }) => action.startsWith('backup-'))
      .map(({ action, subject }): [AuditAction, string | null] => [action, subject])
      .toReversed()
  }
  afterEach(() => app.services.backups.waitForJobs())

  it('a backup is made in the background and listed without a path', async () => {
    const cleo = await asAdmin()
    const { sha256 } = await new FolderMedia(app.services.settings.dataDir).write(
      [Buffer.alloc(50_000, 'a')],
      app.services.now(),
    )
    const job = await createBackup()
    expect(job).toMatchObject({ kind: 'create', status: 'running', is_scheduled: false })
    const overview = await cleo.call(backups.overview)
    expect(overview.data).toMatchObject({
      engine,
      total: 1,
      running: null,
      recent: [{ id: job.id, status: 'done', problem: null }],
      backups: [
        {
          id: job.backup_id,
          kind: 'manual',
          engine,
          has_media: true,
          is_current_version: true,
          problem: null,
          check: null,
        },
      ],
    })
    expect(overview.data.backups[0]?.bytes).toBeGreaterThan(50_000)
    expect(overview.text).not.toContain(app.services.settings.dataDir)
    expect(overview.text).not.toContain(sha256)
    expect(await listActions()).toEqual([['backup-made', job.backup_id]])
  })

  it('only one job runs at a time, whichever administrator started it', async () => {
    const cleo = await asAdmin()
    const answers = await Promise.all([1, 2, 3].map(() => cleo.call(backups.create)))
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409])
    await app.services.backups.waitForJobs()
    expect(readdirSync(getFolder()).filter((name) => !name.startsWith('.'))).toHaveLength(1)
    expect(await listActions()).toHaveLength(1)
  })

  it('a job of a killed process frees its slot, and its remains are removed', async () => {
    const { backup_id, id } = await createBackup()
    mkdirSync(join(getFolder(), 'keeper-20250101T000000Z.unfinished'), { recursive: true })
    const stuck = { slot: 1, status: 'running' as const, lease_until: 0, backup: 'keeper-20250101T000000Z' }
    await app.services.db.updateTable('backup_jobs').set(stuck).where('id', '=', id).execute()
    const { running, recent } = await fetchOverview()
    expect({ running, status: recent[0]?.status }).toEqual({ running: null, status: 'interrupted' })
    expect(readdirSync(getFolder()).filter((name) => name.includes('keeper-'))).toEqual([backup_id])
  })

  it("a backup that wouldn't fit is refused with the space it needs", async () => {
    app.services.backups.getFreeBytes = async () => 1000
    const refused = await (await asAdmin()).call(backups.create)
    expect(refused.status).toBe(507)
    expect(refused.body.error).toMatch(/needs [\d,]+ MB free .* 1 MB are free/)
    expect(await listActions()).toEqual([])
    expect((await fetchOverview()).recent).toEqual([])
  })

  it('a check verifies a backup, counts its entries and opens sealed values', async () => {
    const cleo = await asAdmin()
    const key = 'sk-proj-canary-1234567890-abcdefghijklmnop'
    await cleo.call(keys.savePlatform, { body: { provider: 'openai', api_key: key } })
    const { backup_id } = await createBackup()
    await createTestKeeper(ada)
    await checkBackup(backup_id)
    const { status, data, text } = await cleo.call(backups.previewRestore, { params: { id: backup_id } })
    expect(status, text).toBe(200)
    expect(data.sealed).toEqual({ total: 1, readable: 1 })
    expect(data.counts.find(({ entity }) => entity === 'people')).toEqual({
      entity: 'people',
      in_backup: 2,
      now: 2,
      created_since: 0,
    })
    expect(data.counts.find(({ entity }) => entity === 'keepers')).toMatchObject({ in_backup: 0, now: 1 })
    expect(text).not.toContain(key)
    expect((await fetchOverview()).backups[0]?.check).toMatchObject({ problem: null })
  })

  it('a damaged backup fails its check and is never offered for a restore', async () => {
    const cleo = await asAdmin()
    const { backup_id } = await createBackup()
    const file = join(getFolder(), backup_id, engine === 'sqlite' ? 'data.db' : 'rows.jsonl')
    const bytes = readFileSync(file)
    bytes[bytes.length - 9]! ^= 1
    writeFileSync(file, bytes)
    expect((await cleo.call(backups.previewRestore, { params: { id: backup_id } })).status).toBe(409)
    await checkBackup(backup_id)
    expect((await fetchOverview()).backups[0]).toMatchObject({ problem: null, check: { problem: 'damaged' } })
    const refused = await cleo.call(backups.previewRestore, { params: { id: backup_id } })
    expect(refused.body.error).toContain('didn’t pass its check')
    writeFileSync(join(getFolder(), backup_id, 'manifest.json'), '{}')
    expect((await fetchOverview()).backups[0]).toMatchObject({ problem: 'damaged', engine: null })
  })

  it('a download is the whole archive and restores from the command line', async () => {
    const cleo = await asAdmin()
    await createTestKeeper(ada)
    await new FolderMedia(app.services.settings.dataDir).write([Buffer.alloc(50_000, 'a')], app.services.now())
    const { backup_id } = await createBackup()
    const response = await cleo.fetch(`/api/admin/backups/${backup_id}/download`)
    expect(response.headers.get('content-disposition')).toBe(`attachment; filename="${backup_id}.zip"`)
    const files = await unzip(Buffer.from(await response.arrayBuffer()))
    const folder = join(app.services.settings.dataDir, 'downloaded')
    for (const [path, bytes] of files) {
      mkdirSync(join(folder, path, '..'), { recursive: true })
      writeFileSync(join(folder, path), bytes)
    }
    const target = { dataDir: join(app.services.settings.dataDir, 'restored') }
    await restoreBackup(join(folder, backup_id), target, { migrations, now: new Date(), keyFingerprint: null })
    expect(readdirSync(target.dataDir)).toEqual(expect.arrayContaining(['data.db', 'media']))
    expect(await listActions()).toEqual([
      ['backup-made', backup_id],
      ['backup-downloaded', backup_id],
    ])
  })

  it('deleting a backup removes it with its check and is audited', async () => {
    const cleo = await asAdmin()
    const { backup_id: id } = await createBackup()
    await checkBackup(id)
    expect((await cleo.call(backups.remove, { params: { id } })).status).toBe(200)
    expect(readdirSync(getFolder()).filter((name) => name.includes(id))).toEqual([])
    expect(await app.services.db.selectFrom('backup_checks').selectAll().execute()).toEqual([])
    expect((await cleo.call(backups.remove, { params: { id } })).status).toBe(404)
    expect(await listActions()).toEqual([
      ['backup-made', id],
      ['backup-deleted', id],
    ])
  })

  it('no ID reaches out of the backups folder or to a file that isn’t a backup', async () => {
    const cleo = await asAdmin()
    mkdirSync(join(getFolder(), 'mine'), { recursive: true })
    for (const id of [
      'mine',
      '..',
      '..%2F..',
      '.',
      'keeper-1',
      'data.db',
      'keeper-20250101T000000Z',
      'x'.repeat(200),
    ]) {
      for (const [method, path] of [
        ['GET', '/download'],
        ['DELETE', ''],
        ['POST', '/check'],
        ['GET', '/restore'],
      ]) {
        const { status } = await cleo.fetch(`/api/admin/backups/${id}${path}`, { method })
        expect([400, 404, 405], `${method} ${id}${path}`).toContain(status)
      }
    }
    expect(readdirSync(getFolder())).toContain('mine')
    expect(await listActions()).toEqual([])
  })

  it('the schedule is saved, followed and audited; a stale save is refused', async () => {
    const cleo = await asAdmin()
    expect((await fetchOverview()).schedule).toMatchObject(
      engine === 'sqlite'
        ? { frequency: 'daily', hour: 2, keep: 7, rev: 0 }
        : { frequency: 'off', next_at: null, rev: 0 },
    )
    const saved = await cleo.call(backups.saveSchedule, { body: daily, ifMatch: 0 })
    expect(saved.data).toMatchObject({ ...daily, rev: 1 })
    expect(new Date(saved.data.next_at ?? '').getHours()).toBe(3)
    expect((await cleo.call(backups.saveSchedule, { body: daily, ifMatch: 0 })).status).toBe(409)
    for (const invalid of [
      { hour: 24 },
      { hour: 1.5 },
      { weekday: 7 },
      { keep: 0 },
      { keep: 1001 },
      { frequency: 'hourly' },
    ]) {
      const { status, body } = await cleo.call(backups.saveSchedule, { body: { ...daily, ...invalid } })
      expect({ status, fields: Object.keys(body.fields ?? {}) }).toEqual({ status: 400, fields: Object.keys(invalid) })
    }
    app.passTime(30 * 60 * 60_000)
    expect(await app.services.backups.createIfDue()).toBe(true)
    expect(await app.services.backups.createIfDue()).toBe(false)
    const { data } = await cleo.call(backups.overview)
    expect(data.recent).toMatchObject([{ is_scheduled: true, status: 'done' }])
    expect(data.backups).toMatchObject([{ kind: 'scheduled' }])
    await cleo.call(backups.saveSchedule, { body: { ...daily, frequency: 'off' } })
    app.passTime(100 * 60 * 60_000)
    expect(await app.services.backups.createIfDue()).toBe(false)
    expect(await listActions()).toEqual([
      ['backup-schedule-changed', null],
      ['backup-schedule-changed', null],
    ])
  })

  it('one of several processes creates the backup, and retries wait', async () => {
    await (await asAdmin()).call(backups.saveSchedule, { body: daily })
    const { services } = app
    const processes = [services.backups, new BackupRunner(services), new BackupRunner(services)]
    app.passTime(30 * 60 * 60_000)
    for (const runner of processes) runner.getFreeBytes = async () => 0
    expect(await Promise.all(processes.map((runner) => runner.createIfDue()))).toEqual([false, false, false])
    expect((await fetchOverview()).recent).toHaveLength(1)
    for (const runner of processes) runner.getFreeBytes = async () => 1e12
    app.passTime(7 * 60 * 60_000)
    const outcomes = await Promise.all(processes.map((runner) => runner.createIfDue()))
    expect(outcomes.filter(Boolean)).toHaveLength(1)
    expect(await Promise.all(processes.map((runner) => runner.createIfDue()))).toEqual([false, false, false])
    expect((await fetchOverview()).backups).toHaveLength(1)
  })

  it('a weekly backup is made in its week, and the newest are kept', async () => {
    const cleo = await asAdmin()
    await cleo.call(backups.saveSchedule, { body: { frequency: 'weekly', hour: 4, weekday: 3, keep: 2 } })
    const createdAtHours: number[] = []
    for (let passed = 0; passed < 30 * 24; passed += 2) {
      app.passTime(2 * hourMs)
      if (await app.services.backups.createIfDue()) createdAtHours.push(passed)
    }
    expect(createdAtHours.length).toBeGreaterThanOrEqual(4)
    expect(createdAtHours.length).toBeLessThanOrEqual(6)
    expect(readdirSync(getFolder()).filter((name) => name.startsWith('nightly-'))).toHaveLength(2)
  }, 60_000)

  it('a failed scheduled backup is shown, and emailed to super-admins', async () => {
    await (await asAdmin()).call(backups.saveSchedule, { body: daily })
    app.services.backups.getFreeBytes = async () => 0
    app.passTime(30 * 60 * 60_000)
    expect(await app.services.backups.createIfDue()).toBe(false)
    const overview = await fetchOverview()
    expect(overview.recent).toMatchObject([{ is_scheduled: true, status: 'failed', problem: 'no-room' }])
    expect(app.mails.map(({ subject }) => subject)).toEqual(['Keeper couldn’t make its scheduled backup'])
    expect(app.mails[0]?.text).not.toContain(app.services.settings.dataDir)
    expect(app.mails.map(({ to }) => to)).toEqual([cast.cleo.email])
  })

  it('a restore needs the host name, a recent check and a process that can restart', async () => {
    const cleo = await asAdmin()
    const { backup_id: id } = await createBackup()
    const restore = (host: string) => cleo.call(backups.restore, { params: { id }, body: { host } })
    const refused = await restore('localhost')
    expect(refused.status).toBe(422)
    expect(refused.body.error).toContain('npm run restore')
    const started: string[] = []
    app.services.backups.startRestore = (plan) => void started.push(plan.backup)
    const host = 'localhost'
    expect((await restore('other.example')).body.fields).toHaveProperty('host')
    expect((await restore(host)).status).toBe(409)
    await checkBackup(id)
    app.passTime(2 * 60 * 60_000)
    expect((await restore(host)).status, 'the check is outdated').toBe(409)
    await checkBackup(id)
    app.services.backups.getFreeBytes = async () => 1000
    expect((await restore(host)).status).toBe(507)
    expect(started).toEqual([])
    app.services.backups.getFreeBytes = async () => 1e12
    expect((await restore(host.toUpperCase())).status).toBe(200)
    expect(started).toEqual([id])
    expect((await restore(host)).status, 'one at a time').toBe(409)
    expect((await cleo.call(backups.remove, { params: { id } })).status, 'in use').toBe(409)
    expect((await listActions()).at(-1)).toEqual(['backup-restore-started', id])
    rmSync(join(app.services.settings.dataDir, 'restore-plan.json'))
  })

  it('where pictures can’t be linked, a restore needs space for copies of them', async () => {
    const cleo = await asAdmin()
    const { dataDir } = app.services.settings
    const { backup_id: id } = await createBackup()
    await checkBackup(id)
    const mediaBytes = 2e9
    const previewNeededBytes = async () => {
      const { data } = await cleo.call(backups.previewRestore, { params: { id } })
      return data.space.needed_bytes
    }
    const neededWithoutPictures = await previewNeededBytes()
    mkdirSync(join(dataDir, 'backups/.link-probe/in-the-way'), { recursive: true })
    const { id: keeperId } = await createTestKeeper(ada)
    const file = { sha256: 'a'.repeat(64), mime: 'image/png', bytes: mediaBytes }
    await app.services.db
      .insertInto('media')
      .values({ id: 'picture', person_id: ada.id, keeper_id: keeperId, ...file, created_at: 0 })
      .execute()
    expect((await previewNeededBytes()) - neededWithoutPictures).toBeGreaterThanOrEqual(mediaBytes)
    app.services.backups.getFreeBytes = async () => mediaBytes
    await expect(app.services.backups.createSafetyBackup(app.services.now())).rejects.toMatchObject({
      name: 'DiskFull',
    })
    expect(readdirSync(getFolder())).toEqual(expect.not.arrayContaining([expect.stringMatching(/^before-restore/)]))
    app.services.backups.getFreeBytes = async () => 1e12
    await app.services.backups.createSafetyBackup(app.services.now())
  })

  it('people without the permission can see and do nothing', async () => {
    const { backup_id: id } = await createBackup()
    const ben = await app.as('ben', ['admin'])
    for (const actor of [ada, ben])
      for (const [method, path] of [
        ['GET', ''],
        ['POST', ''],
        ['GET', `/${id}/download`],
        ['DELETE', `/${id}`],
        ['GET', `/${id}/restore`],
      ])
        expect((await actor.fetch(`/api/admin/backups${path}`, { method })).status, `${method} ${path}`).toBe(403)
    expect(readdirSync(getFolder())).toContain(id)
  })
})
