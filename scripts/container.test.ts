import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { readSettings } from '#server/settings/settings.ts'
import { minNodeVersion } from '#server/start/require-node.ts'
import { root } from './fingerprint.ts'
import { readDockerfile, readImage } from './read-dockerfile.ts'

const read = (file: string) => readFileSync(join(root, file), 'utf8')
/** Running answers get up to 30 seconds to finish. */
const graceSeconds = 35
const { version } = JSON.parse(read('package.json')) as { version: string }

describe('the Dockerfile', () => {
  const image = readImage(read('Dockerfile'))

  test('runs without rights or a shell, and stops on the signal the server expects', () => {
    expect(image.user).toBe('1000:1000')
    expect(image.command).toEqual(['node', 'keeper.js', 'start', '--require-mount'])
    expect(image.stopSignal).toBe('SIGTERM')
  })

  test('has one data folder and no volume that Docker would create without a name', () => {
    expect(image.environment.KEEPER_DATA_DIR).toBe('/data')
    expect(image.instructions).not.toContain('VOLUME')
  })

  test('gives a named volume to the account that runs it', () => {
    expect(image.copies).toContainEqual(['--from=build', `--chown=${image.user}`, '/data', '/data'])
  })

  test('listens on every address, and checks its health without a shell', () => {
    expect(image.environment.HOST).toBe('0.0.0.0')
    expect(image.healthCheck.slice(0, 2)).toEqual(['node', '-e'])
    expect(image.healthCheck[2]).toContain('/ping')
  })

  test('sets only settings that exist', () => {
    expect(readSettings(image.environment).notes).toEqual([])
  })

  test('builds with and runs on a supported Node version', () => {
    for (const [from] of readDockerfile(read('Dockerfile')))
      expect(from?.text).toMatch(new RegExp(`(^| )node:${minNodeVersion.split('.')[0]}-slim( AS build)?$`))
  })

  test('builds once for every processor', () => {
    const [build] = readDockerfile(read('Dockerfile'))
    expect(build?.[0]?.text).toMatch(/^--platform=\$BUILDPLATFORM /)
    expect(image.base).not.toContain('--platform')
  })

  test('has labels for title, version, revision and license', () => {
    for (const label of ['title', 'version', 'revision', 'licenses'])
      expect(image.labels).toContain(`org.opencontainers.image.${label}=`)
    expect(read('Dockerfile')).toContain(`ARG VERSION=${version}\n`)
  })
})

test('a command in shell form is refused', () => {
  const source = read('Dockerfile').replace(/^CMD .*$/m, 'CMD npm start')
  expect(() => readImage(source)).toThrow()
})

describe('.dockerignore', () => {
  const ignored = read('.dockerignore').trim().split('\n')

  test('is an allowlist, so that data, settings and history stay out', () => {
    expect(ignored[0]).toBe('*')
    for (const path of ['.env', '.git', 'data', 'node_modules', 'dist']) expect(ignored).not.toContain(`!${path}`)
  })

  test('allows every part of a release', () => {
    const needed = [
      'contract',
      'server',
      'web',
      'scripts',
      'deploy',
      'docs',
      'package.json',
      'package-lock.json',
      'tsconfig.base.json',
      'LICENSE',
      'README.md',
    ]
    for (const path of needed) expect(ignored).toContain(`!${path}`)
  })
})

test('the systemd unit lets V8 compile and the server list its addresses', () => {
  const unit = read('deploy/keeper.service')
  expect(unit).not.toMatch(/^MemoryDenyWriteExecute=/m)
  expect(unit).toMatch(/^RestrictAddressFamilies=.*\bAF_NETLINK\b/m)
  expect(Number(/^TimeoutStopSec=(\d+)$/m.exec(unit)?.[1])).toBeGreaterThanOrEqual(graceSeconds)
})

interface Service {
  image: string
  user?: string
  read_only?: boolean
  tmpfs?: string[]
  cap_drop?: string[]
  security_opt?: string[]
  stop_grace_period?: string
  ports?: unknown[]
  volumes?: unknown[]
  profiles?: string[]
  environment?: Record<string, string>
  depends_on?: Record<string, { condition: string; required: boolean }>
}
const readServices = (file: string) => (parse(read(file)) as { services: Record<string, Service> }).services

describe('compose.yaml', () => {
  const { keeper, db } = readServices('compose.yaml')

  test('limits Keeper to its data folder, without extra rights', () => {
    expect(keeper).toMatchObject({
      image: `keeper:${version}`,
      user: '1000:1000',
      read_only: true,
      tmpfs: ['/tmp'],
      cap_drop: ['ALL'],
      security_opt: ['no-new-privileges:true'],
      volumes: ['./data:/data'],
    })
  })

  test('publishes its port to this machine only, and no database port', () => {
    expect(keeper?.ports).toEqual(['127.0.0.1:3000:3000'])
    expect(db?.ports).toBeUndefined()
  })

  test('starts the database only with its profile, and waits for it', () => {
    expect(db?.profiles).toEqual(['postgres'])
    expect(db?.image).toMatch(/^postgres:\d+$/)
    expect(keeper?.depends_on).toEqual({ db: { condition: 'service_healthy', required: false } })
  })
})

describe.each([
  ['compose.yaml', 'keeper'],
  ['deploy/umbrel/docker-compose.yml', 'server'],
  ['deploy/casaos/docker-compose.yml', 'keeper'],
])('%s', (file, name) => {
  const service = readServices(file)[name]

  test('gives answers time to finish', () => {
    expect(Number.parseInt(service?.stop_grace_period ?? '', 10)).toBeGreaterThanOrEqual(graceSeconds)
  })

  test('mounts the data folder, is read-only otherwise and runs as the image’s account', () => {
    expect(service).toMatchObject({ user: '1000:1000', read_only: true, tmpfs: ['/tmp'] })
    expect(JSON.stringify(service?.volumes)).toContain('/data')
    expect(service?.image).toContain(`keeper:${version}`)
  })

  test('sets only settings that exist', () => {
    const environment = Object.entries(service?.environment ?? {}).map(([setting, value]) => [
      setting,
      value.replace('${DEVICE_DOMAIN_NAME}', 'umbrel.local').replace('$TZ', 'Europe/Berlin'),
    ])
    expect(readSettings(Object.fromEntries(environment)).notes).toEqual([])
  })
})

test('the store manifests name the same version, port and service', () => {
  const umbrel = parse(read('deploy/umbrel/umbrel-app.yml')) as Record<string, unknown>
  expect(umbrel).toMatchObject({ id: 'keeper', version, port: 3000, manifestVersion: 1 })
  expect(read('deploy/umbrel/docker-compose.yml')).toMatch(/APP_HOST: keeper_server_1\n\s+APP_PORT: 3000/)
  const casaos = parse(read('deploy/casaos/docker-compose.yml')) as { 'x-casaos': Record<string, unknown> }
  expect(casaos['x-casaos']).toMatchObject({ main: 'keeper', port_map: '3000', architectures: ['amd64', 'arm64'] })
})
