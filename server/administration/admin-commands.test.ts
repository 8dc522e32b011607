import { once } from 'node:events'
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { afterEach, describe, expect, test } from 'vitest'
import { accounts } from '#contract/accounts/accounts.ts'
import type { Person } from '#server/accounts/person.ts'
import { chooseKey } from '#server/keys/choose-key.ts'
import { readMasterSecret } from '#server/keys/master-key.ts'
import { createModelService } from '#server/keys/model-services/save-model-service.ts'
import { savePersonalKey, savePlatformKey, toKeyBinding } from '#server/keys/provider-keys.ts'
import { createSealer, toModelServiceBinding } from '#server/keys/sealer.ts'
import { BucketMedia } from '#server/media/bucket-media.ts'
import { createServices } from '#server/start/create-services.ts'
import { beforeNextBatch } from '#tests/before-next-batch.ts'
import { cast } from '#tests/cast.ts'
import { engines } from '#tests/engines.ts'
import { eventually } from '#tests/eventually.ts'
import { createTestApp, type TestApp } from '#tests/test-app.ts'
import { runAdminCommand } from './admin-commands.ts'
import { getAdminSocketPath, listenForAdmin } from './admin-socket.ts'
import { syncSecret } from './rotate-secret.ts'

let app: TestApp | undefined
const folder = mkdtempSync(join(tmpdir(), 'keeper-admin-'))

afterEach(async () => {
  await app?.close()
  app = undefined
})

const runCommand = (line: string, environment = {}) => {
  if (!app) throw new Error('no app')
  return runAdminCommand(app.services, line.split(' '), environment)
}

test.for(engines)('a role is granted, visible at once, and revoked (%s)', async (engine) => {
  app = await createTestApp(engine)
  const ben = await app.as('ben')
  expect((await ben.call(accounts.session)).data.platformRoles).toEqual([])
  await runCommand(`grant ${cast.ben.email.toUpperCase()} admin`)
  await runCommand(`grant ${cast.ben.email} admin`)
  expect((await ben.call(accounts.session)).data.platformRoles).toEqual(['admin'])
  expect(await runCommand('list')).toMatch(/^ben@\S+\s+admin$/)
  await runCommand(`revoke ${cast.ben.email} admin`)
  expect((await ben.call(accounts.session)).data.platformRoles).toEqual([])
})

test.for(engines)('the last super-admin stays (%s)', async (engine) => {
  app = await createTestApp(engine)
  await app.as('cleo', ['super-admin'])
  await expect(runCommand(`revoke ${cast.cleo.email} super-admin`)).rejects.toThrow('last super-admin')
  expect(await runCommand('list')).toContain('super-admin')
  await app.as('ada', ['super-admin'])
  expect(await runCommand(`revoke ${cast.cleo.email} super-admin`)).toContain('is no longer super-admin')
})

test('a setup link creates a super-admin, and a reset link sets a password', async () => {
  app = await createTestApp('sqlite')
  const setupToken = (await runCommand('setup-link')).split('setup=')[1]
  const registered = await app.visitor().call(accounts.register, { body: { ...cast.cleo, setupToken } })
  expect(registered.status).toBe(200)
  expect(await runCommand('list')).toContain(cast.cleo.email)

  const token = (await runCommand(`reset-link ${cast.cleo.email}`)).split('reset=')[1]
  const newPassword = 'another-lantern-77'
  expect((await app.visitor().call(accounts.completePasswordReset, { body: { token, newPassword } })).status).toBe(200)
  const signIn = { body: { email: cast.cleo.email, password: newPassword } }
  expect((await app.visitor().call(accounts.login, signIn)).status).toBe(200)
})

test('refused commands explain why', async () => {
  app = await createTestApp('sqlite')
  await expect(runCommand('grant nobody@willowbrook.example admin')).rejects.toThrow('No one is registered')
  await expect(runCommand('dance')).rejects.toThrow('Unknown command "dance"')
  await expect(runCommand('toString')).rejects.toThrow('Unknown command')
  await expect(runCommand('grant')).rejects.toThrow('grant <email> <role>')
  await app.as('ben')
  await expect(runCommand(`grant ${cast.ben.email} emperor`)).rejects.toThrow('Unknown role "emperor"')
})

test.for(engines)('a rotated secret opens every key, and the old one none (%s)', async (engine) => {
  const oldSecret = await readMasterSecret(null, folder)
  app = await createTestApp(engine, { settings: (settings) => Object.assign(settings, { dataDir: folder }) })
  const { services } = app
  services.sealer = createSealer(oldSecret)
  await savePlatformKey(services, null, { provider: 'openai', api_key: 'sk-test-0123456789abcdef' })
  const service = { id: 'harbour', name: 'Harbour', base_url: 'http://127.0.0.1:9/v1' }
  const headers = [{ name: 'api-key', value: 'herons' }]
  await createModelService(services, { id: 'nobody' }, { ...service, headers })
  expect(await runCommand('rotate-secret')).toContain('2 keys are re-encrypted')
  const saved = await services.db.selectFrom('model_services').select('sealed').executeTakeFirstOrThrow()
  expect(services.sealer.open(saved.sealed, toModelServiceBinding('harbour'))).toBe('{"api-key":"herons"}')

  const { sealed } = await services.db.selectFrom('provider_keys').select('sealed').executeTakeFirstOrThrow()
  const belongsTo = toKeyBinding('platform', 'openai')
  expect(services.sealer.open(sealed, belongsTo)).toBe('sk-test-0123456789abcdef')
  expect(createSealer(await readMasterSecret(null, folder)).open(sealed, belongsTo)).toBe('sk-test-0123456789abcdef')
  expect(() => createSealer(oldSecret).open(sealed, belongsTo)).toThrow()
  expect(statSync(join(folder, 'master.key')).mode & 0o777).toBe(0o600)
})

test('every rotated secret is kept for its backups, readable by its owner only', async () => {
  const listOldSecrets = () => readdirSync(folder).filter((name) => name.startsWith('master.key.before-'))
  const existingNames = new Set(listOldSecrets())
  const secrets = [await readMasterSecret(null, folder)]
  app = await createTestApp('sqlite', { settings: (settings) => Object.assign(settings, { dataDir: folder }) })
  for (let rotation = 0; rotation < 3; rotation++) {
    app.services.sealer = createSealer(secrets.at(-1) ?? '')
    await runCommand('rotate-secret')
    secrets.push(await readMasterSecret(null, folder))
    app.passTime(1)
  }
  const savedNames = listOldSecrets().filter((name) => !existingNames.has(name))
  expect(savedNames.toSorted().map((name) => readFileSync(join(folder, name), 'utf8').trim())).toEqual(
    secrets.slice(0, 3),
  )
  for (const name of savedNames) expect(statSync(join(folder, name)).mode & 0o777).toBe(0o600)
})

test('an interrupted rotation is finished by the next one', async () => {
  app = await createTestApp('sqlite', { settings: (settings) => Object.assign(settings, { dataDir: folder }) })
  const { services } = app
  const next = 'the secret that was about to be the new one'
  services.sealer = createSealer(next)
  await savePlatformKey(services, null, { provider: 'openai', api_key: 'sk-test-0123456789abcdef' })
  writeFileSync(join(folder, 'master.key.next'), next)
  services.sealer = createSealer(await readMasterSecret(null, folder))
  await runCommand('rotate-secret')
  expect(readFileSync(join(folder, 'master.key'), 'utf8').trim()).toBe(next)
})

test('keys that neither secret opens stay and are reported; others are resealed', async () => {
  app = await createTestApp('sqlite', { settings: (settings) => Object.assign(settings, { dataDir: folder }) })
  const { services } = app
  services.sealer = createSealer('the secret of the Keeper that the backup is of')
  await savePlatformKey(services, null, { provider: 'openai', api_key: 'sk-test-0123456789abcdef' })
  services.sealer = createSealer(await readMasterSecret(null, folder))
  await savePlatformKey(services, null, { provider: 'anthropic', api_key: 'sk-ant-test-0123456789abcdef0123456789' })
  const readSealed = (provider: 'openai' | 'anthropic') =>
    services.db.selectFrom('provider_keys').select('sealed').where('provider', '=', provider).executeTakeFirstOrThrow()
  const unreadable = await readSealed('openai')
  const output = await runCommand('rotate-secret')
  expect(output).toContain('1 key is re-encrypted')
  expect(output).toContain('1 key could not be decrypted')
  expect(await readSealed('openai')).toEqual(unreadable)
  const { sealed: resealed } = await readSealed('anthropic')
  expect(
    createSealer(await readMasterSecret(null, folder)).open(resealed, toKeyBinding('platform', 'anthropic')),
  ).toMatch(/^sk-ant/)
  expect(await runCommand('rotate-secret')).toContain('1 key could not be decrypted')
})

describe.each(engines)('secret rotation, on %s', (engine) => {
  const savedKey = 'sk-test-0123456789abcdef'
  const newerKey = 'sk-test-fedcba9876543210'
  const listFiles = (dataDir: string, name: string) => readdirSync(dataDir).filter((file) => file.startsWith(name))

  test('concurrent rotations in two processes lose no key', async () => {
    app = await createTestApp(engine)
    const { settings, db, log } = app.services
    const { dataDir } = settings
    const first = await readMasterSecret(null, dataDir)
    const createProcess = () => createServices({ db, settings, log, masterSecret: first })
    const [one, two] = [createProcess(), createProcess()]
    const owners = ['platform', (await app.as('ada')).id, (await app.as('ben')).id]
    await savePlatformKey(one, null, { provider: 'openai', api_key: savedKey })
    for (const id of owners.slice(1))
      await savePersonalKey(one, { id } as Person, { provider: 'openai', apiKey: savedKey })
    const output = await Promise.all([one, two].map((services) => runAdminCommand(services, ['rotate-secret'])))
    expect(output).toEqual([
      expect.stringContaining('3 keys are re-encrypted'),
      expect.stringContaining('3 keys are re-encrypted'),
    ])

    const currentSealer = createSealer(await readMasterSecret(null, dataDir))
    const rows = await db.selectFrom('provider_keys').select(['owner', 'sealed']).execute()
    expect(rows).toHaveLength(3)
    for (const { owner, sealed } of rows) {
      expect(currentSealer.open(sealed, toKeyBinding(owner, 'openai'))).toBe(savedKey)
      expect(() => createSealer(first).open(sealed, toKeyBinding(owner, 'openai'))).toThrow()
    }
    expect(listFiles(dataDir, 'master.key.next')).toEqual([])
    const savedSecrets = listFiles(dataDir, 'master.key.before-').map((name) =>
      readFileSync(join(dataDir, name), 'utf8').trim(),
    )
    expect({ savedCount: savedSecrets.length, hasFirst: savedSecrets.includes(first) }).toEqual({
      savedCount: 2,
      hasFirst: true,
    })
  })

  test('two rotations in one millisecond keep both old secrets', async () => {
    app = await createTestApp(engine)
    const { services } = app
    const at = services.now()
    services.now = () => at
    services.sealer = createSealer(await readMasterSecret(null, services.settings.dataDir))
    await Promise.all([runCommand('rotate-secret'), runCommand('rotate-secret')])
    expect(listFiles(services.settings.dataDir, 'master.key.before-')).toHaveLength(2)
  })

  test('an empty secret from an interrupted write is generated again', async () => {
    app = await createTestApp(engine)
    const { dataDir } = app.services.settings
    app.services.sealer = createSealer(await readMasterSecret(null, dataDir))
    writeFileSync(join(dataDir, 'master.key.next'), '')
    await runCommand('rotate-secret')
    expect((await readMasterSecret(null, dataDir)).length).toBeGreaterThan(40)
  })

  /** Another process, such as a command, next to a Keeper that follows the secret. */
  async function startCommandProcess() {
    app = await createTestApp(engine)
    const { services } = app
    const { settings, db, log } = services
    const masterSecret = await readMasterSecret(null, settings.dataDir)
    services.sealer = createSealer(masterSecret)
    await services.bus.open(db, log)
    const stopSync = syncSecret(services)
    const command = createServices({ db, settings, log, masterSecret })
    await command.bus.open(db, log)
    const stop = () => {
      stopSync()
      return Promise.all([services.bus.close(), command.bus.close()])
    }
    return { running: app, services, command, stop }
  }

  if (engine === 'postgres')
    test('a running Keeper adopts a secret rotated by a command', async () => {
      const { services, command, stop } = await startCommandProcess()
      const { settings, db } = services
      await savePlatformKey(services, null, { provider: 'openai', api_key: savedKey })
      await runAdminCommand(command, ['rotate-secret'])
      const readSealed = async () =>
        (await db.selectFrom('provider_keys').select('sealed').executeTakeFirstOrThrow()).sealed
      const row = await readSealed()
      await eventually(() => expect(services.sealer.open(row, toKeyBinding('platform', 'openai'))).toBe(savedKey))
      await savePlatformKey(services, null, { provider: 'openai', api_key: savedKey })
      const currentSealer = createSealer(await readMasterSecret(null, settings.dataDir))
      expect(currentSealer.open(await readSealed(), toKeyBinding('platform', 'openai'))).toBe(savedKey)
      await stop()
    })

  if (engine === 'postgres')
    test("a key saved before a running Keeper adopts the new secret isn't lost", async () => {
      const { running, services, command, stop } = await startCommandProcess()
      const { settings, db } = services
      const { id } = await running.as('ada')
      await savePersonalKey(services, { id } as Person, { provider: 'openai', apiKey: savedKey })
      const { bus } = command
      const { send } = bus
      bus.send = () => undefined
      await runAdminCommand(command, ['rotate-secret'])
      const agent = { owner_id: null, visitors_spend_owner_key: false }
      const chooseKeyFrom = async (which: typeof services) =>
        (await chooseKey(which, { personId: id, agent }, 'openai')).key
      expect(await chooseKeyFrom(services), 'resealed without a message').toBe(savedKey)
      await savePersonalKey(services, { id } as Person, { provider: 'openai', apiKey: newerKey })
      expect(await chooseKeyFrom(command), 'sealed under the old secret during the rotation').toBe(newerKey)
      send.call(bus, { kind: 'secret-changed' })
      const currentSealer = createSealer(await readMasterSecret(null, settings.dataDir))
      await eventually(async () => {
        const { sealed } = await db.selectFrom('provider_keys').select('sealed').executeTakeFirstOrThrow()
        expect(currentSealer.open(sealed, toKeyBinding(id, 'openai'))).toBe(newerKey)
      })
      await stop()
    })

  test('a key written during a rotation ends up under the new secret', async () => {
    app = await createTestApp(engine)
    const { services } = app
    const { db, settings } = services
    services.sealer = createSealer(await readMasterSecret(null, settings.dataDir))
    beforeNextBatch(app, () => runCommand('rotate-secret'))
    await savePlatformKey(services, null, { provider: 'openai', api_key: savedKey })
    const { sealed } = await db.selectFrom('provider_keys').select('sealed').executeTakeFirstOrThrow()
    const currentSealer = createSealer(await readMasterSecret(null, settings.dataDir))
    expect(currentSealer.open(sealed, toKeyBinding('platform', 'openai'))).toBe(savedKey)
  })
})

test('with a secret from the settings, its successor must be passed', async () => {
  const secret = 'a secret that only tests use, long enough'
  app = await createTestApp('sqlite', { environment: { KEEPER_SECRET: secret } })
  await savePlatformKey(app.services, null, { provider: 'openai', api_key: 'sk-test-0123456789abcdef' })
  await expect(runCommand('rotate-secret')).rejects.toThrow('KEEPER_NEW_SECRET')
  await expect(runCommand('rotate-secret', { KEEPER_NEW_SECRET: 'short' })).rejects.toThrow('32 characters')
  const output = await runCommand('rotate-secret', { KEEPER_NEW_SECRET: 'its successor, which is long enough as well' })
  expect(output).toContain('restart every process')
  expect(output).not.toContain('its successor')
})

test.skipIf(process.platform === 'win32')(
  'a running server takes commands on a socket only its owner can open',
  async () => {
    app = await createTestApp('sqlite')
    const path = getAdminSocketPath(folder) ?? ''
    const listening = await listenForAdmin(app.services, path)
    expect(statSync(path).mode & 0o777).toBe(0o600)
    const sendCommand = async (sent: string) => {
      const socket = connect({ path, allowHalfOpen: true })
      socket.end(sent)
      return JSON.parse(await text(socket)) as unknown
    }
    await app.as('ben')
    expect(await sendCommand(JSON.stringify({ words: ['grant', cast.ben.email, 'viewer'], environment: {} }))).toEqual({
      done: true,
      text: `${cast.ben.email} is now viewer.`,
    })
    expect(await sendCommand(JSON.stringify({ words: ['dance'], environment: {} }))).toMatchObject({ done: false })
    expect(await sendCommand('not JSON')).toEqual({
      done: false,
      text: 'The command failed. See the server’s log for the reason.',
    })
    listening?.close()
  },
)

test.skipIf(process.platform === 'win32')('without sockets the server runs, with one warning', async () => {
  app = await createTestApp('sqlite')
  for (const path of [join(folder, 'missing', 'admin.sock'), folder]) {
    const logged = app.logLines.length
    expect(await listenForAdmin(app.services, path)).toBe(null)
    const lines = app.logLines.slice(logged)
    expect(lines).toEqual([expect.stringContaining('npm run admin works only while Keeper is stopped')])
    expect(lines[0]).not.toContain('stack')
  }
  expect(statSync(folder).isDirectory()).toBe(true)
})

test.skipIf(process.platform === 'win32')("a slow command isn't cut off, an incomplete request is", async () => {
  app = await createTestApp('sqlite')
  const path = getAdminSocketPath(folder) ?? ''
  const [started, finished] = [Promise.withResolvers<void>(), Promise.withResolvers<number>()]
  const media = Object.assign(Object.create(BucketMedia.prototype) as BucketMedia, {
    copyFolder() {
      started.resolve()
      return finished.promise
    },
    setOwner: async () => undefined,
  })
  const listening = await listenForAdmin({ ...app.services, media }, path, 500)
  const client = connect({ path, allowHalfOpen: true })
  client.end(JSON.stringify({ words: ['media-to-bucket'], environment: {} }))
  await started.promise
  const silent = connect({ path }).resume()
  silent.write('{"words":')
  await once(silent, 'close')
  finished.resolve(3)
  expect(JSON.parse(await text(client))).toMatchObject({ done: true, text: expect.stringContaining('3 files') })
  listening?.close()
  rmSync(folder, { recursive: true })
})
