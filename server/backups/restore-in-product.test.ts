import { cpSync, readdirSync, writeFileSync } from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import { join } from 'node:path'
import { beforeAll, describe, expect, it, vi } from 'vitest'
import type { BackupJob, BackupOverview } from '#contract/administration/backups.ts'
import { createTempFolder, type SpawnedKeeper, startKeeperProcess } from '#tests/keeper-process.ts'
import type { Defect } from '../../quality/faults/planted-defect.ts'

const killProcess = "process.kill(process.pid, 'SIGKILL'); "
const stepTimeoutMs = 60_000
/** Longer than usual, because each step starts a process or a thread of low priority. */
const eventually = <T>(check: () => T | Promise<T>) => vi.waitFor(check, { timeout: stepTimeoutMs, interval: 50 })
const credentials = { email: 'cleo@willowbrook.example', password: 'harbour-lamp-41' }

async function findFreePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  await new Promise((resolve) => server.close(resolve))
  return port
}

/** A Keeper process with its own data folder. */
class Scene {
  readonly directory = createTempFolder()
  readonly dataDir = join(this.directory, 'data')
  address = ''
  token = ''
  output = ''
  keeper!: SpawnedKeeper

  async start(defect?: Defect): Promise<void> {
    const environment = { PORT: String(await findFreePort()), HOST: '127.0.0.1', KEEPER_DATA_DIR: this.dataDir }
    this.keeper = startKeeperProcess(this.directory, environment, defect)
    this.keeper.child.stdout?.on('data', (bytes) => {
      this.output += bytes
    })
    this.address = await this.keeper.address
  }

  async call<T>(
    method: string,
    path: string,
    body?: object,
  ): Promise<{ status: number; data: T; body: Record<string, unknown> }> {
    const response = await fetch(`${this.address}${path}`, {
      method,
      headers: {
        ...(this.token && { authorization: `Bearer ${this.token}` }),
        ...(body && { 'content-type': 'application/json' }),
        connection: 'close',
      },
      ...(body && { body: JSON.stringify(body) }),
    })
    const answer = await response.json()
    return { status: response.status, data: answer.data, body: answer }
  }

  async register(setupToken?: string): Promise<void> {
    const body = { name: 'Cleo', ...credentials, ...(setupToken && { setupToken }) }
    this.token = (await this.call<{ token: string }>('POST', '/api/kam/auth/register', body)).data.token
  }

  async signIn(): Promise<void> {
    this.token = (await this.call<{ token: string }>('POST', '/api/kam/auth/login', credentials)).data.token
  }

  createKeeper = (title: string) =>
    this.call('POST', '/api/keeper/keepers', {
      title,
      purpose: 'p',
      keeperType: 'Journal',
      keeperTypeId: 'system-journal',
    })

  async listTitles(): Promise<string[]> {
    const { data } = await this.call<{ title: string }[]>('GET', '/api/keeper/keepers')
    return data.map(({ title }) => title).toSorted()
  }

  fetchOverview = async () => (await this.call<BackupOverview>('GET', '/api/admin/backups')).data

  async finishJob(started: { data: BackupJob; status: number }): Promise<BackupJob> {
    expect(started.status).toBe(200)
    return eventually(async () => {
      const job = (await this.fetchOverview()).recent.find(({ id }) => id === started.data.id)
      expect(job).toBeDefined()
      return job as BackupJob
    })
  }

  /** A backup without the keeper created after it, in a stopped Keeper, so that its folder can be copied. */
  async createPrepared(): Promise<{ dataDir: string; token: string; backupId: string }> {
    await this.start()
    const setupToken = await eventually(() => {
      const [, token] = /setup=(\S+)/.exec(this.output) ?? []
      expect(token).toBeDefined()
      return token
    })
    await this.register(setupToken)
    await this.createKeeper('Before backup')
    const { backup_id } = await this.finishJob(await this.call('POST', '/api/admin/backups'))
    await this.createKeeper('After backup')
    await this.finishJob(await this.call('POST', `/api/admin/backups/${backup_id}/check`))
    this.keeper.child.kill('SIGTERM')
    await this.keeper.exited
    return { dataDir: this.dataDir, token: this.token, backupId: backup_id }
  }

  /** Starts a copy of `prepared`. Returns the ID of its backup. */
  async prepare(defect?: Defect): Promise<string> {
    cpSync(prepared.dataDir, this.dataDir, { recursive: true, preserveTimestamps: true })
    this.token = prepared.token
    await this.start(defect)
    return prepared.backupId
  }

  restore = (id: string) =>
    this.call<BackupJob>('POST', `/api/admin/backups/${id}/restore`, { host: new URL(this.address).host })

  /** Until the process answers again as ready. */
  waitUntilReady = () =>
    eventually(async () => {
      const response = await fetch(`${this.address}/health`, { headers: { connection: 'close' } })
      expect(response.status).toBe(200)
    })

  listLeftovers(): string[] {
    const inside = readdirSync(this.dataDir).filter((name) => /restor/.test(name))
    const siblings = readdirSync(this.directory).filter((name) => name.startsWith('data.'))
    return [
      ...inside,
      ...siblings,
      ...readdirSync(join(this.dataDir, 'backups')).filter((name) => name.endsWith('.unfinished')),
    ]
  }
}

let prepared: Awaited<ReturnType<Scene['createPrepared']>>
beforeAll(async () => {
  prepared = await new Scene().createPrepared()
}, stepTimeoutMs)

const inRestore = 'server/db/restore.ts'
const inPlan = 'server/backups/restore-plan.ts'

/** KEEPER_RESTORE_KILLS=all tries each, else every second. */
const killPoints: [string, Defect][] = [
  [
    'before the present data is backed up',
    {
      file: 'server/backups/restore-backup.ts',
      from: 'const safetyBackup = await backups.createSafetyBackup(',
      to: `${killProcess}const safetyBackup = await backups.createSafetyBackup(`,
    },
  ],
  [
    'once the present data is backed up',
    { file: inRestore, from: 'await stageBackup(', to: `${killProcess}await stageBackup(` },
  ],
  [
    'before the data is replaced',
    {
      file: inRestore,
      from: 'const oldDataPath = await swapData(',
      to: `${killProcess}const oldDataPath = await swapData(`,
    },
  ],
  [
    'when the old data is moved',
    {
      file: inRestore,
      from: 'for (const name of names) await move(join(stagingDir',
      to: `${killProcess}for (const name of names) await move(join(stagingDir`,
    },
  ],
  [
    'when half of the new data is moved',
    { file: inRestore, from: 'await syncFolder(oldDataPath)', to: `${killProcess}await syncFolder(oldDataPath)` },
  ],
]

describe('a restore from the product', () => {
  it(
    'brings the data back, signs everyone out, and leaves a backup of the previous data',
    async () => {
      const scene = new Scene()
      const from = 'await stageBackup('
      const to = `await new Promise((resolve) => setTimeout(resolve, 3_000)); ${from}`
      const id = await scene.prepare({ file: inRestore, from, to })
      const tokenBefore = scene.token
      const { pid } = scene.keeper.child
      expect((await scene.restore(id)).status).toBe(200)
      const refused = await scene.call('GET', '/api/keeper/keepers')
      expect(refused).toMatchObject({ status: 503, body: { code: 'restoring' } })
      expect((await fetch(`${scene.address}/health`)).status).toBe(503)
      await scene.waitUntilReady()
      expect(scene.keeper.child.pid).toBe(pid)
      scene.token = tokenBefore
      expect((await scene.call('GET', '/api/keeper/keepers')).status).toBe(401)
      await scene.signIn()
      expect(await scene.listTitles()).toEqual(['Before backup'])
      const { backups, recent, running } = await scene.fetchOverview()
      expect(running).toBeNull()
      expect(recent[0]).toMatchObject({ kind: 'restore', status: 'done', backup_id: id })
      expect(backups.map(({ kind }) => kind).toSorted()).toEqual(['before-restore', 'manual'])
      const { data } = await scene.call<{ items: { action: string }[] }>('GET', '/api/admin/audit')
      expect(data.items.map(({ action }) => action)).toContain('backup-restored')
      expect(scene.listLeftovers()).toEqual([])

      const safety = backups.find(({ kind }) => kind === 'before-restore')?.id ?? ''
      await scene.finishJob(await scene.call('POST', `/api/admin/backups/${safety}/check`))
      expect((await scene.restore(safety)).status).toBe(200)
      await eventually(async () => expect((await scene.call('GET', '/api/keeper/keepers')).status).toBe(401))
      await scene.signIn()
      expect(await scene.listTitles()).toEqual(['After backup', 'Before backup'])
    },
    4 * stepTimeoutMs,
  )

  it.each(process.env.KEEPER_RESTORE_KILLS === 'all' ? killPoints : killPoints.filter((_, index) => index % 2 === 0))(
    'killed %s, the old data is back untouched',
    async (_, defect) => {
      const scene = new Scene()
      const id = await scene.prepare(defect)
      expect((await scene.restore(id)).status).toBe(200)
      await scene.keeper.exited
      await scene.start()
      expect(await scene.listTitles()).toEqual(['After backup', 'Before backup'])
      const { recent, running } = await scene.fetchOverview()
      expect(running).toBeNull()
      expect(recent[0]).toMatchObject({ kind: 'restore', status: 'failed', problem: 'failed' })
      expect(scene.listLeftovers()).toEqual([])
      const { data } = await scene.call<{ items: { action: string }[] }>('GET', '/api/admin/audit')
      expect(data.items.map(({ action }) => action)).toContain('backup-restore-failed')
    },
    60_000,
  )

  it(
    'killed when the data is replaced, the next start finishes it',
    async () => {
      const scene = new Scene()
      const to = `${killProcess}const isRecorded = await db.exists(`
      const id = await scene.prepare({ file: inPlan, from: 'const isRecorded = await db.exists(', to })
      expect((await scene.restore(id)).status).toBe(200)
      await scene.keeper.exited
      await scene.start()
      expect((await scene.call('GET', '/api/keeper/keepers')).status).toBe(401)
      await scene.signIn()
      expect(await scene.listTitles()).toEqual(['Before backup'])
      expect(scene.listLeftovers()).toEqual([])
    },
    4 * stepTimeoutMs,
  )

  it(
    'restored data that can’t be opened gives way to the old',
    async () => {
      const scene = new Scene()
      const from = 'const { applied, backup } = await migrate('
      const planted = `if (process.env.KEEPER_DATA_DIR && existsSync(process.env.KEEPER_DATA_DIR + '/restore-plan.json') && !globalThis.planted) { globalThis.planted = true; throw new Error('planted') }\n${from}`
      const id = await scene.prepare({ file: 'server/main.ts', from, to: planted })
      expect((await scene.restore(id)).status).toBe(200)
      await eventually(() => expect(scene.output).toContain('the previous data is put back'))
      await scene.waitUntilReady()
      expect(await scene.listTitles()).toEqual(['After backup', 'Before backup'])
      expect((await scene.fetchOverview()).recent[0]).toMatchObject({ kind: 'restore', status: 'failed' })
      expect(scene.listLeftovers()).toEqual([])
    },
    4 * stepTimeoutMs,
  )

  it(
    'a backup damaged after its check is refused, and Keeper goes on',
    async () => {
      const scene = new Scene()
      const id = await scene.prepare()
      writeFileSync(join(scene.dataDir, 'backups', id, 'data.db'), 'noise')
      expect((await scene.restore(id)).status).toBe(200)
      await eventually(async () =>
        expect((await scene.fetchOverview()).recent[0]).toMatchObject({ status: 'failed', problem: 'damaged' }),
      )
      expect(await scene.listTitles()).toEqual(['After backup', 'Before backup'])
      expect(scene.listLeftovers()).toEqual([])
    },
    4 * stepTimeoutMs,
  )
})

describe('a backup from the product', () => {
  it(
    'killed while it is made, leaves nothing, and the next start says so',
    async () => {
      const scene = new Scene()
      await scene.prepare()
      await scene.keeper.child.kill('SIGKILL')
      await scene.keeper.exited
      const defect = {
        file: 'server/db/backup.ts',
        from: 'await writeManifest(',
        to: `${killProcess}await writeManifest(`,
      }
      await scene.start(defect)
      await scene.call('POST', '/api/admin/backups')
      await scene.keeper.exited
      await scene.start()
      const { running, recent, backups } = await scene.fetchOverview()
      expect({ running, recent: recent[0]?.status, backups: backups.length }).toEqual({
        running: null,
        recent: 'interrupted',
        backups: 1,
      })
      expect(scene.listLeftovers()).toEqual([])
    },
    4 * stepTimeoutMs,
  )
})
