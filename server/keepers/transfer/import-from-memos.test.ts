import { readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type Moment, moments } from '#contract/keepers/moments.ts'
import { type ImportJob, transfer } from '#contract/keepers/transfer.ts'
import { fetchImportJob, waitForImportJob } from '#tests/archives.ts'
import { createTestKeeper } from '#tests/create-test-keeper.ts'
import { png } from '#tests/create-zip.ts'
import { dumpDatabase } from '#tests/dump-database.ts'
import { engines } from '#tests/engines.ts'
import { eventually } from '#tests/eventually.ts'
import { type MemosFake, memosToken, memosVersions, ownMemoCount, startMemosFake } from '#tests/fakes/memos-server.ts'
import { useTestApp } from '#tests/use-test-app.ts'
import { executeImport } from './execute-import.ts'

describe.each(engines)('memos of a server, on %s', (engine) => {
  const { app, ben } = useTestApp(engine, ['ben'], { egress: { resolve: async () => ['127.0.0.1'] } })
  let fake: MemosFake
  beforeEach(async () => {
    await app.services.db.deleteFrom('import_jobs').execute()
    rmSync(join(app.services.settings.dataDir, 'imports'), { recursive: true, force: true })
    fake = await startMemosFake('0.30')
    app.services.settings.importHosts = [fake.host, `bucket.example:${fake.host.split(':')[1]}`]
  })
  afterEach(() => fake.close())

  const send = (body: { address: string; token: string }) => ben.call(transfer.readMemos, { body })
  const startImport = async (address = fake.url): Promise<ImportJob> =>
    (await send({ address, token: memosToken })).data as ImportJob
  async function sendRefused(address: string, token = memosToken) {
    const { status, body } = await send({ address, token })
    return { status, fields: body.fields as Record<string, string> | undefined }
  }
  async function listMoments(id: string) {
    const items: Moment[] = []
    for (let cursor: string | null | undefined; cursor !== null; ) {
      const { data } = await ben.call(moments.list, { params: { id }, query: { ...(cursor && { cursor }) } })
      items.push(...data.items)
      cursor = data.next_cursor
    }
    return items
  }
  const listFiles = () => readdirSync(join(app.services.settings.dataDir, 'imports'))

  it.each(memosVersions)(
    'version %s imports the person’s own memos once and stores no token',
    async (version) => {
      const server = await startMemosFake(version)
      app.services.settings.importHosts = [server.host, `bucket.example:${server.host.split(':')[1]}`]
      const { id: keeperId } = await createTestKeeper(ben)
      const { id, fileName } = await startImport(`${server.url}/`)
      expect(fileName).toBe(server.host)
      await waitForImportJob(ben, id, 'previewed')
      await ben.call(transfer.chooseKeeper, { params: { jobId: id }, body: { keeperId } })
      const { preview, kind } = await waitForImportJob(ben, id, 'previewed')
      expect({ kind, preview }).toMatchObject({
        kind: 'memos',
        preview: { entries: ownMemoCount, duplicates: 0, media: 3, missingMedia: 1 },
      })
      await ben.call(transfer.begin, { params: { jobId: id }, body: {} })
      expect(await waitForImportJob(ben, id, 'done', 'failed')).toMatchObject({ state: 'done', done: ownMemoCount })
      const items = await listMoments(keeperId)
      const texts = items.map(({ body }) => body)
      expect(new Set(texts).size).toBe(ownMemoCount)
      expect(texts).toEqual(
        expect.arrayContaining(['At the sea. #sea', 'Put away.', expect.stringContaining('My comment.')]),
      )
      expect(texts.join()).not.toContain('Ben')
      expect(items.find(({ body }) => body.startsWith('At the sea'))?.media).toMatchObject([
        { name: 'gull & sea.png', bytes: png.length },
        { name: 'big.png', bytes: png.length + 3 },
      ])
      expect(server.bucketHeaders, 'the token stays with its server').toEqual([undefined])

      const secondJob = await startImport(server.url)
      await waitForImportJob(ben, secondJob.id, 'previewed')
      await ben.call(transfer.chooseKeeper, { params: { jobId: secondJob.id }, body: { keeperId } })
      expect((await waitForImportJob(ben, secondJob.id, 'previewed')).preview).toMatchObject({
        duplicates: ownMemoCount,
      })
      await ben.call(transfer.cancel, { params: { jobId: secondJob.id } })

      const databaseText = JSON.stringify(await dumpDatabase(app.services.db))
      expect(databaseText).not.toContain(memosToken)
      expect(app.logLines.join('\n')).not.toContain(memosToken)
      expect(JSON.stringify(secondJob)).not.toContain(memosToken)
      expect(listFiles()).toEqual([])
      await server.close()
    },
    60_000,
  )

  it('a wrong address or token is refused at its field, and nothing is stored', async () => {
    const address = (message: unknown) => ({ status: 400, fields: { address: message } })
    expect(await sendRefused(fake.url, 'memos_pat_wrong')).toEqual({
      status: 400,
      fields: {
        token: `${fake.host} refused this access token. Create a new one in memos, under Settings, and paste it here.`,
      },
    })
    expect(await sendRefused(fake.url, 'two words')).toMatchObject({
      status: 400,
      fields: { token: expect.any(String) },
    })
    expect(await sendRefused('memos.example')).toEqual(address('Use an address starting with https:// or http://.'))
    fake.intercept = (_, response) => !!response.writeHead(200, { 'content-type': 'text/html' }).end('<html>')
    expect(await sendRefused(fake.url)).toEqual(
      address(expect.stringContaining('There is no memos server at this address.')),
    )
    fake.intercept = (_, response) => !!response.writeHead(200).end('{"user":{"name":"users/1"}}')
    expect(await sendRefused(fake.url), 'an answer in another form').toMatchObject({ status: 400 })
    fake.intercept = (_, response) => !!response.writeHead(302, { location: 'https://memos.example/login' }).end()
    expect(await sendRefused(fake.url)).toEqual(
      address(`${fake.host} redirects to https://memos.example. If that is your memos server, enter that address.`),
    )
    fake.intercept = (_, response) => !!response.writeHead(502).end('bad gateway')
    expect(await sendRefused(fake.url)).toEqual(address(`${fake.host} responded with status 502. Try again later.`))
    fake.intercept = (_, response) => !!response.destroy()
    expect(await sendRefused(fake.url)).toEqual(
      address(`${fake.host} couldn’t be reached. Check the address, then try again.`),
    )
    expect(await app.services.db.selectFrom('import_jobs').select('id').execute()).toEqual([])
  })

  it('only hosts that an administrator allows are reached', async () => {
    const { settings } = app.services
    settings.importHosts = []
    const fetchFieldProblem = async (address: string) => (await sendRefused(address)).fields?.address
    expect(await fetchFieldProblem(fake.url)).toContain('KEEPER_FETCH_HOSTS')
    settings.fetchHosts = ['*']
    expect(await fetchFieldProblem(fake.url)).toContain('Only ports 80 and 443')
    expect(await fetchFieldProblem('http://127.0.0.1')).toContain('isn’t a public host')
    settings.importHosts = ['127.0.0.1:1', '169.254.169.254']
    expect(await fetchFieldProblem('http://169.254.169.254/latest'), 'where clouds keep credentials').toContain(
      'isn’t a public host',
    )
    expect(await fetchFieldProblem(fake.url), 'another port').toContain('Only ports 80 and 443')
    settings.fetchHosts = []
    expect(fake.requests).toEqual([])
  })

  it('a file behind a redirect to a host that is not allowed is missing', async () => {
    app.services.settings.importHosts = [fake.host]
    const { id } = await startImport()
    const { preview } = await waitForImportJob(ben, id, 'previewed')
    expect(preview).toMatchObject({ media: 3, missingMedia: 2 })
    expect(fake.bucketHeaders).toEqual([])
  })

  it('a server that fails halfway ends the import with its reason and without a file', async () => {
    fake.intercept = (path, response) => path.includes('pageToken=100') && !!response.destroy()
    const { id } = await startImport()
    expect(await waitForImportJob(ben, id, 'cancelled', 'failed', 'previewed')).toMatchObject({
      state: 'cancelled',
      error: `${fake.host} couldn’t be reached. Check the address, then try again.`,
    })
    expect(listFiles()).toEqual([])
  })

  it('stopping ends the requests, and a restart says that the rest is missing', async () => {
    fake.intercept = (path) => path.startsWith('/file/')
    const { id } = await startImport()
    await eventually(async () => expect(fake.requests.some((path) => path.startsWith('/file/'))).toBe(true))
    await ben.call(transfer.cancel, { params: { jobId: id } })
    await eventually(async () => expect(listFiles()).toEqual([]))
    expect((await fetchImportJob(ben, id)).state).toBe('cancelled')

    await app.services.db.updateTable('import_jobs').set({ state: 'reading', lease_until: 0 }).execute()
    await executeImport(app.services, id)
    expect(await fetchImportJob(ben, id)).toMatchObject({
      state: 'cancelled',
      error: 'Keeper was restarted before it could read everything. Start this import again.',
    })
  })
})
