import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openDatabase } from '#server/db/database.ts'
import { createReflectionArchive } from './archives.ts'
import { createFreshDatabase, engines } from './engines.ts'
import { eventually } from './eventually.ts'
import { startBucket } from './fakes/bucket.ts'
import { type ProviderFake, startProviderFake } from './fakes/model-providers/start-provider-fake.ts'
import { createTempFolder, type SpawnedKeeper, startKeeperProcess } from './keeper-process.ts'
import { startSlowCreate } from './slow-create.ts'
import { parseEvents } from './test-app.ts'

it('a Keeper marks its bucket on startup and reports one owned by another', async () => {
  const bucket = await startBucket()
  const readMark = () => bucket.objects.get('of-keeper/media/installation')?.bytes.toString()
  const first = startKeeperProcess(createTempFolder(), bucket.environment)
  await first.address
  const firstMark = await eventually(() => expect(readMark()).toMatch(/^Keeper of 20/)).then(readMark)
  const second = startKeeperProcess(createTempFolder(), bucket.environment)
  await second.address
  await eventually(() => expect(bucket.requests.filter((request) => request.startsWith('GET'))).toHaveLength(3))
  for (const keeper of [first, second]) keeper.child.kill('SIGTERM')
  expect((await first.exited).stdout).not.toContain('another Keeper')
  expect((await second.exited).stdout).toContain('the bucket belongs to another Keeper')
  expect(readMark()).toBe(firstMark)
  await bucket.close()
})

describe('a database writer that dies', () => {
  const register = (address: string, name: string) =>
    fetch(`${address}/api/kam/auth/register`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ name, email: `${name}@willowbrook.example`, password: 'harbour-lamp-41' }),
    }).then(
      ({ status }) => status,
      () => 'cut',
    )

  it('ends the process with a log line and an exit code, without losing data', async () => {
    const directory = createTempFolder()
    const plantedCode = `if (JSON.stringify(jobs).includes('last-straw')) throw new Error('planted'); `
    const accept = 'queue.accept(unpacker.unpack(jobs))'
    const planted = { file: 'server/db/serve-writes.ts', from: accept, to: `{ ${plantedCode}${accept} }` }
    const keeper = startKeeperProcess(directory, {}, planted)
    const address = await keeper.address
    expect(await register(address, 'before')).toBe(200)
    expect(await register(address, 'last-straw')).not.toBe(200)
    const { code, stdout, stderr } = await keeper.exited
    expect({ code, stderr }).toEqual({ code: 1, stderr: '' })
    const fatal = stdout.split('\n').filter((line) => line.includes('"level":"fatal"'))
    expect(fatal).toEqual([expect.stringContaining('the database can no longer be written')])
    expect(fatal[0]).toContain('planted')
    expect(stdout).not.toContain('last-straw')

    const restarted = startKeeperProcess(directory)
    const login = await fetch(`${await restarted.address}/api/kam/auth/login`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ email: 'before@willowbrook.example', password: 'harbour-lamp-41' }),
    })
    expect(login.status).toBe(200)
    restarted.child.kill('SIGTERM')
    expect((await restarted.exited).code).toBe(0)
  }, 30_000)
})

describe.each(engines)('a process on %s', (engine) => {
  let fake: ProviderFake
  let environment: Record<string, string>
  let directory: string
  let drop = async () => {}
  beforeAll(async () => {
    fake = await startProviderFake({ provider: 'openai', keyless: true, wordDelayMs: 60 })
    directory = createTempFolder()
    environment = { OPENAI_BASE_URL: fake.baseUrl, KEEPER_LOG_LEVEL: 'warn' }
    if (engine === 'postgres') {
      const { db, databaseUrl = '', close } = await createFreshDatabase(engine)
      await db.close()
      drop = close
      environment.DATABASE_URL = databaseUrl
    }
  })
  afterAll(async () => {
    await fake.close()
    await drop()
  })

  const post = (address: string, path: string, body: object, headers: Record<string, string> = {}) =>
    fetch(`${address}${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify(body),
    })
  /** Returns the authorization header. */
  const signInAda = async (address: string): Promise<string> => {
    const ada = { email: 'ada@willowbrook.example', password: 'harbour-lamp-41' }
    const { data } = (await (await post(address, '/api/kam/auth/login', ada)).json()) as { data: { token: string } }
    return `Bearer ${data.token}`
  }
  const findSetupLink = (stdout: string) => /\/register\?setup=(\S+)/.exec(stdout)?.[1]
  const stopKeeper = async (keeper: SpawnedKeeper) => {
    keeper.child.kill('SIGTERM')
    return keeper.exited
  }

  it('prints a setup link until an administrator exists, and finishes runs on stop', async () => {
    const first = startKeeperProcess(directory, environment)
    await first.address
    const firstLink = findSetupLink((await stopKeeper(first)).stdout)
    expect(firstLink).toMatch(/^kpr_/)

    const second = startKeeperProcess(directory, environment)
    const address = await second.address
    const person = { email: 'ada@willowbrook.example', password: 'harbour-lamp-41' }
    expect(
      (await post(address, '/api/kam/auth/register', { ...person, setupToken: firstLink })).status,
      'a newer link invalidates the older',
    ).toBe(403)
    let output = ''
    second.child.stdout?.on('data', (bytes) => (output += bytes))
    const registered = await post(address, '/api/kam/auth/register', person)
    expect(registered.headers.get('keep-alive'), 'longer than a proxy keeps connections').toBe('timeout=75')
    const { data } = (await registered.json()) as { data: { token: string } }
    const authorization = { authorization: `Bearer ${data.token}` }
    const created = await post(
      address,
      '/api/kip/agents',
      { name: 'Slow', purpose: 'p', memory_enabled: true },
      authorization,
    )
    expect(created.status).toBe(200)

    const streams = await Promise.all(
      Array.from({ length: 5 }, () =>
        post(
          address,
          '/api/kip/agents',
          { action: 'run', agentId: 'slow', input: 'hello' },
          { ...authorization, accept: 'text/event-stream' },
        ),
      ),
    )
    const unstreamedRun = post(
      address,
      '/api/kip/agents',
      { action: 'run', agentId: 'slow', input: 'hello' },
      authorization,
    )
    const liveEvents = await fetch(`${address}/api/events`, { headers: authorization })
    const liveEventsEnd = liveEvents.text().catch(() => 'cut')
    await eventually(() => expect(fake.requests).toHaveLength(6))
    second.child.kill('SIGTERM')
    await new Promise((resolve) => setTimeout(resolve, 100))
    const pingResult = await fetch(`${address}/ping`).then(
      (answer) => answer.status,
      () => 'no connection',
    )
    expect([503, 'no connection']).toContain(pingResult)

    const runIds = new Set<string>()
    for (const stream of streams) {
      const events = parseEvents(await stream.text())
      expect(events.filter(({ event }) => event === 'done' || event === 'error').map(({ event }) => event)).toEqual([
        'done',
      ])
      runIds.add(String(events[0]?.data.run_id))
    }
    expect((await unstreamedRun).status).toBe(200)
    await liveEventsEnd
    const { code, stderr } = await second.exited
    expect({ code, stderr, hasLoggedToken: output.includes(data.token) }).toEqual({
      code: 0,
      stderr: '',
      hasLoggedToken: false,
    })

    const db = await openDatabase({ dataDir: join(directory, 'data'), databaseUrl: environment.DATABASE_URL })
    const runs = await db.selectFrom('runs').select(['id', 'status']).execute()
    const answers = await db.selectFrom('messages').select('content').where('sender', '=', 'agent').execute()
    await db.close()
    expect(runs.map((run) => run.status)).toEqual(Array.from({ length: 6 }, () => 'success'))
    for (const id of runIds) expect(runs.filter((run) => run.id === id)).toHaveLength(1)
    expect(answers.every(({ content }) => content.includes('one small step'))).toBe(true)

    const thirdServer = startKeeperProcess(directory, environment)
    const thirdAddress = await thirdServer.address
    const session = await fetch(`${thirdAddress}/api/kam/auth/session`, { headers: authorization })
    expect(session.status, 'sessions are still signed in').toBe(200)
    const setupToken = findSetupLink((await stopKeeper(thirdServer)).stdout)
    expect(setupToken).toBeDefined()

    const fourth = startKeeperProcess(directory, environment)
    const fourthOutput = new Promise<string>((resolve) =>
      fourth.child.stdout?.once('data', (bytes) => resolve(String(bytes))),
    )
    const currentLink = findSetupLink(await fourthOutput)
    const admin = await post(await fourth.address, '/api/kam/auth/register', {
      ...person,
      email: 'cleo@willowbrook.example',
      setupToken: currentLink,
    })
    expect(admin.status).toBe(200)
    await stopKeeper(fourth)
    const fifth = startKeeperProcess(directory, environment)
    await fifth.address
    expect((await stopKeeper(fifth)).stdout).not.toContain('setup=')
  }, 60_000)

  it('answers pending requests on stop and accepts no new ones', async () => {
    const keeper = startKeeperProcess(directory, environment)
    const address = await keeper.address
    const authorization = await signInAda(address)
    const liveEvents = await fetch(`${address}/api/events`, { headers: { authorization } })
    const liveEventsEnd = liveEvents.text().catch(() => 'cut')
    const slowCreates = await Promise.all(
      Array.from({ length: 12 }, (_, index) => startSlowCreate(address, authorization, `Late ${index}`)),
    )
    keeper.child.kill('SIGTERM')
    await eventually(async () => {
      const answer = await fetch(`${address}/ping`).then(
        ({ status }) => status,
        () => 'no connection',
      )
      expect(answer).toBe('no connection')
    })
    const answers = await Promise.all(slowCreates.map((create) => create.finish()))
    expect(answers).toEqual(answers.map(() => ({ status: 200, connection: 'close' })))
    expect((await keeper.exited).code).toBe(0)
    await liveEventsEnd
    const db = await openDatabase({ dataDir: join(directory, 'data'), databaseUrl: environment.DATABASE_URL })
    const created = await db.selectFrom('agents').select('name').where('name', 'like', 'Late %').execute()
    await db.close()
    expect(created).toHaveLength(12)
  }, 30_000)

  it('pauses a running import on stop and resumes it at the next start', async () => {
    const first = startKeeperProcess(directory, environment)
    const address = await first.address
    const authorization = await signInAda(address)
    const archive = await createReflectionArchive(3000)
    const uploaded = await fetch(`${address}/api/keeper/imports?fileName=many.zip`, {
      method: 'POST',
      headers: { authorization, 'content-type': 'application/zip' },
      body: new Uint8Array(archive),
    })
    const { id } = ((await uploaded.json()) as { data: { id: string } }).data
    const fetchJob = async (serverAddress: string) => {
      const answer = await fetch(`${serverAddress}/api/keeper/imports/${id}`, { headers: { authorization } })
      return ((await answer.json()) as { data: { state: string; done: number; keeperId: string } }).data
    }
    await eventually(async () => expect((await fetchJob(address)).state).toBe('previewed'))
    await post(address, `/api/keeper/imports/${id}/begin`, {}, { authorization })
    await eventually(async () => expect((await fetchJob(address)).done).toBeGreaterThan(0))
    const { code, stdout, stderr } = await stopKeeper(first)
    expect({
      code,
      stderr,
      otherOutput: stdout.replace(/^.*(Data is in|Keeper is at|register\?setup=).*$/gm, '').trim(),
    }).toEqual({
      code: 0,
      stderr: '',
      otherOutput: '',
    })

    const db = await openDatabase({ dataDir: join(directory, 'data'), databaseUrl: environment.DATABASE_URL })
    const job = await db.selectFrom('import_jobs').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
    await db.close()
    expect(job).toMatchObject({ state: 'running', lease_until: 0 })
    expect(job.done).toBeLessThan(job.total)

    let resumed = startKeeperProcess(directory, environment)
    if (engine === 'sqlite') {
      const resumedAddress = await resumed.address
      await eventually(async () => expect((await fetchJob(resumedAddress)).done).toBeGreaterThan(job.done))
      resumed.child.kill('SIGKILL')
      await resumed.exited
      // No other process uses this SQLite file, so its lease can be taken over right away.
      resumed = startKeeperProcess(directory, environment)
    }
    const lastAddress = await resumed.address
    await eventually(async () => expect((await fetchJob(lastAddress)).state).toBe('done'))
    expect((await stopKeeper(resumed)).stdout).not.toContain('"level"')
    const reopened = await openDatabase({ dataDir: join(directory, 'data'), databaseUrl: environment.DATABASE_URL })
    const reflections = await reopened.selectFrom('reflections').select('content').execute()
    await reopened.close()
    expect({
      reflectionCount: reflections.length,
      distinctCount: new Set(reflections.map(({ content }) => content)).size,
    }).toEqual({ reflectionCount: 3000, distinctCount: 3000 })
  }, 120_000)

  if (engine === 'sqlite')
    it('does not wait forever for a stalled request on stop', async () => {
      const keeper = startKeeperProcess(directory, environment)
      const address = await keeper.address
      const authorization = await signInAda(address)
      const stalledCreate = await startSlowCreate(address, authorization, 'Never')
      keeper.child.kill('SIGTERM')
      expect((await keeper.exited).code).toBe(0)
      await expect(stalledCreate.answer).rejects.toThrow()
    }, 30_000)

  it('exits right away on a second signal', async () => {
    const keeper = startKeeperProcess(directory, environment)
    const address = await keeper.address
    const authorization = await signInAda(address)
    const headers = { authorization, accept: 'text/event-stream' }
    fake.script(['silent-mid'])
    const stream = await post(address, '/api/kip/agents', { action: 'run', agentId: 'slow', input: 'hello' }, headers)
    const text = stream.text().catch(() => 'cut')
    keeper.child.kill('SIGTERM')
    await new Promise((resolve) => setTimeout(resolve, 300))
    expect(keeper.child.exitCode, 'the shutdown waits for the run').toBeNull()
    keeper.child.kill('SIGTERM')
    expect((await keeper.exited).code).toBe(1)
    await text
  }, 30_000)
})
