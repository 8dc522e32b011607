import fs, { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it, vi } from 'vitest'
import { secretNames } from './setting-reader.ts'
import { BadSetting, readSettings } from './settings.ts'

it.each([
  ['PORT', '3000.5'],
  ['PORT', '65536'],
  ['PORT', 'NaN'],
  ['KEEPER_TRUSTED_PROXIES', '0.5'],
  ['KEEPER_NIGHTLY_BACKUPS', '7.9'],
  ['KEEPER_RUNS_PER_PERSON', '1e-3'],
])('an invalid %s (%s) is reported as not being a whole number', (name, value) => {
  expect(() => readSettings({ [name]: value })).toThrow(BadSetting)
  expect(() => readSettings({ [name]: value })).toThrow(
    RegExp(`^${name} must be a whole number from \\d+ to \\d+, not "${value}"\\.$`),
  )
})

it.each([
  ['PORT', 'eighty'],
  ['HOST', 'a b'],
  ['KEEPER_SECRET', 'too-short'],
  ['KEEPER_REGISTRATION', 'maybe'],
  ['KEEPER_TRUSTED_PROXIES', '-1'],
  ['DATABASE_URL', 'mysql://localhost/keeper'],
  ['OPENAI_BASE_URL', 'localhost:11434'],
  ['SMTP_URL', 'mail.example'],
])('%s=%s is refused by name', (name, value) => {
  const read = () => readSettings({ [name]: value })
  expect(read).toThrow(BadSetting)
  expect(read).toThrow(name)
  if (name === 'KEEPER_SECRET') expect(read).not.toThrow(value)
})

it.each([
  ['https://home.example/?a=1', 'KEEPER_PUBLIC_URL must be an address without "?".'],
  ['https://home.example/?', 'KEEPER_PUBLIC_URL must be an address without "?".'],
  ['https://home.example#top', 'KEEPER_PUBLIC_URL must be an address without "#".'],
  ['https://ada@home.example', 'KEEPER_PUBLIC_URL must be an address without a user name and password.'],
  ['https://ada:lamp-41@home.example', 'KEEPER_PUBLIC_URL must be an address without a user name and password.'],
  ['https://home.example:84430', 'KEEPER_PUBLIC_URL must have a port from 1 to 65535, after its host and a colon.'],
  ['"https://home.example"', 'KEEPER_PUBLIC_URL has quotes around its value. Leave them out.'],
  ['https://home example', 'KEEPER_PUBLIC_URL must be an address without spaces and line breaks.'],
  [
    'https://home.example/keeper',
    'KEEPER_PUBLIC_URL must end after the host and port: Keeper can’t be served below a path, so give it a host name of its own.',
  ],
  ['http://0.0.0.0:3000', 'KEEPER_PUBLIC_URL must have the host name that people open, not 0.0.0.0, [::] or "*".'],
])('KEEPER_PUBLIC_URL=%s is refused with the rule it breaks', (value, message) => {
  expect(() => readSettings({ KEEPER_PUBLIC_URL: value })).toThrow(new BadSetting(message))
})

it.each([
  ['https://home.example/', 'https://home.example'],
  ['http://192.0.2.1:3000', 'http://192.0.2.1:3000'],
  ['HTTPS://Home.Example:443//', 'https://home.example'],
  ['https://bücher.example', 'https://xn--bcher-kva.example'],
  ['http://[fd00:0::7]:3000', 'http://[fd00::7]:3000'],
])('links for the address %s start with %s', (value, address) => {
  expect(readSettings({ KEEPER_PUBLIC_URL: value }).publicUrl).toBe(address)
})

it.each(['https:home.example', 'home.example', 'ftp://home.example'])(
  'KEEPER_PUBLIC_URL=%s is refused with the required start',
  (value) => {
    expect(() => readSettings({ KEEPER_PUBLIC_URL: value })).toThrow(
      'KEEPER_PUBLIC_URL must be an address starting with http:// or https://.',
    )
  },
)

it('a base address is corrected with a note, or refused by variable name', () => {
  const { providers, notes } = readSettings({
    OPENAI_BASE_URL: 'https://res.openai.azure.com/openai/v1/chat/completions?api-version=preview',
    ANTHROPIC_BASE_URL: 'https://api.anthropic.com',
    TOGETHER_BASE_URL: ' https://api.together.xyz/v1/ ',
  })
  expect(Object.values(providers).map(({ baseUrl }) => baseUrl)).toEqual([
    'https://res.openai.azure.com/openai/v1?api-version=preview',
    'https://api.anthropic.com/v1',
    'https://api.together.xyz/v1',
    null,
    null,
  ])
  expect(notes).toEqual([
    'OPENAI_BASE_URL: /chat/completions at the end was removed, so Keeper calls https://res.openai.azure.com/openai/v1',
    'ANTHROPIC_BASE_URL: /v1 was added, so Keeper calls https://api.anthropic.com/v1',
    'TOGETHER_BASE_URL has spaces around its value, which are left out',
  ])
  expect(() => readSettings({ ELEVENLABS_BASE_URL: 'https://ada:harbour@a.example/v1' })).toThrow(
    new BadSetting(
      'ELEVENLABS_BASE_URL must be an address without a username and password; keys have their own setting.',
    ),
  )
})

it('quotes from a Docker env file are stripped, and unsendable keys refused', () => {
  expect(readSettings({ OPENAI_API_KEY: '"sk-harbour"' }).providers.openai.key).toBe('sk-harbour')
  expect(() => readSettings({ OPENAI_API_KEY: 'Bearer sk-harbour' })).toThrow(
    new BadSetting('OPENAI_API_KEY must contain only letters, digits and symbols, without spaces.'),
  )
})

it('variables without effect are listed, with the setting to use instead', () => {
  expect(
    readSettings({
      KEEPER_PUBLC_URL: 'https://keeper.example',
      KEEPER_NEW_SECRET: 'read by a command',
      KEEPER_DATADIR: '/srv/keeper',
      KEEPER_DATABASE_URL: 'postgres://db.example/keeper',
      keeper_secret: 'x'.repeat(32),
      KEEPER_REGISTRATION_FILE: '/run/secrets/registration',
      DATABASE_URI: 'postgres://db.example/keeper',
      OPENAI_API_BASE: 'http://127.0.0.1:11434/v1',
      XI_API_KEY: 'hidden',
      ELEVENLABS_API_KEY: 'hidden-too',
      LOG_LEVEL: ' ',
      S3_REGION: 'eu-central-1',
      VERCEL_TOKEN: 'hidden',
      TZ: 'Mars/Olympus',
      PATH: '/usr/bin',
      HOSTNAME: 'nas',
    }).notes,
  ).toEqual([
    'S3_REGION has no effect without S3_BUCKET',
    'VERCEL_TOKEN has no effect without CUSTOM_DOMAIN_DRIVER=vercel',
    'TZ isn’t the name of a time zone, such as Europe/Berlin, and has no effect',
    'KEEPER_PUBLC_URL isn’t a Keeper setting and has no effect; the nearest is KEEPER_PUBLIC_URL',
    'KEEPER_DATADIR isn’t a Keeper setting and has no effect; the nearest is KEEPER_DATA_DIR',
    'KEEPER_DATABASE_URL isn’t a Keeper setting and has no effect; the nearest is DATABASE_URL',
    'keeper_secret isn’t a Keeper setting and has no effect; the nearest is KEEPER_SECRET',
    'KEEPER_REGISTRATION_FILE has no effect: KEEPER_REGISTRATION can’t be read from a file, so set KEEPER_REGISTRATION itself',
    'DATABASE_URI isn’t a Keeper setting and has no effect; did you mean DATABASE_URL?',
    'OPENAI_API_BASE has no effect; the setting is called OPENAI_BASE_URL',
  ])
})

it('settings that can’t work together are named', () => {
  const readNotes = (environment: Record<string, string>) => readSettings(environment).notes.join('\n')
  const smtpUrl = 'smtp://me%40mail.example:pw@mail.example'
  expect(readNotes({ HOST: '0.0.0.0', SMTP_URL: smtpUrl })).toMatch(/^SMTP_URL has no effect without KEEPER_PUB/)
  expect(readNotes({ SMTP_URL: smtpUrl })).toBe('')
  expect(readNotes({ KEEPER_PUBLIC_URL: 'https://keeper.example' })).toContain('KEEPER_TRUSTED_PROXIES is 0')
  expect(readNotes({ KEEPER_PUBLIC_URL: 'https://keeper.example', KEEPER_TRUSTED_PROXIES: '1' })).toBe('')
  const service = { url: 'https://api.mistral.ai/v1', apiKey: 'hidden-key' }
  expect(readNotes({ KEEPER_PROVIDERS: JSON.stringify({ mistral: service }) })).toBe(
    'KEEPER_PROVIDERS, mistral: "apiKey" has no effect; a service has name, url, key and headers',
  )
  expect(readNotes({ KEEPER_SECRET: `"${'x'.repeat(32)}"` })).toBe(
    'KEEPER_SECRET has quotes around its value; leave them out',
  )
})

describe('a secret in a file', () => {
  const folder = mkdtempSync(join(tmpdir(), 'keeper-secrets-'))
  afterAll(() => rmSync(folder, { recursive: true }))
  const write = (name: string, text: string) => {
    writeFileSync(join(folder, name), text)
    return join(folder, name)
  }

  it.each([
    ['DATABASE_URL', 'postgres://app:pw@db.example/keeper', 'databaseUrl'],
    ['KEEPER_SECRET', 'x'.repeat(40), 'secret'],
    ['SMTP_URL', 'smtp://me%40mail.example:pw@mail.example', 'smtpUrl'],
  ] as const)('is read by %s_FILE', (name, value, setting) => {
    for (const text of [value, `${value}\n`, `\uFEFF${value}\r\n`]) {
      const settings = readSettings({ [`${name}_FILE`]: write(name, text) })
      expect(settings[setting]).toBe(value)
      expect(settings.notes).toEqual([])
    }
  })

  it('is read for keys and the bucket too', () => {
    const settings = readSettings({
      OPENAI_API_KEY_FILE: write('key', 'sk-harbour\n'),
      S3_BUCKET: 'keeper',
      S3_ACCESS_KEY_ID_FILE: write('id', 'access'),
      S3_SECRET_ACCESS_KEY_FILE: write('secret', 'hidden'),
    })
    expect(settings.providers.openai.key).toBe('sk-harbour')
    expect(settings.bucket).toMatchObject({ accessKeyId: 'access', secretAccessKey: 'hidden' })
  })

  const valuesByName: Record<string, string> = {
    DATABASE_URL: 'postgres://app:pw@db.example/keeper',
    DATABASE_DIRECT_URL: 'postgres://app:pw@direct.example/keeper',
    KEEPER_SECRET: 'x'.repeat(40),
    KEEPER_PROVIDERS: '{"mistral":{"name":"Mistral","url":"https://api.mistral.ai/v1","key":"k"}}',
    KEEPER_MCP_SERVERS: '{"files":{"url":"https://tools.example/mcp"}}',
    SMTP_URL: 'smtp://me%40mail.example:pw@mail.example',
    OTEL_EXPORTER_OTLP_HEADERS: 'authorization=Basic%20abc',
    OTEL_EXPORTER_OTLP_TRACES_HEADERS: 'x-key=abc',
    HTTP_PROXY: 'http://me:pw@proxy.example:3128',
    HTTPS_PROXY: 'http://me:pw@proxy.example:3128',
    ALL_PROXY: 'http://me:pw@proxy.example:3128',
    KEEPER_OIDC_CLIENT_SECRET: 'oidc-secret-of-the-harbour',
  }
  /** Settings without which these wouldn't be read. */
  const requiredSettings = {
    DATABASE_URL: valuesByName.DATABASE_URL,
    S3_BUCKET: 'keeper',
    S3_ACCESS_KEY_ID: 'access',
    S3_SECRET_ACCESS_KEY: 'hidden',
    CUSTOM_DOMAIN_DRIVER: 'vercel',
    VERCEL_TOKEN: 'token',
    VERCEL_PROJECT_ID: 'prj',
    KEEPER_PUBLIC_URL: 'https://keeper.example',
    KEEPER_TRUSTED_PROXIES: '1',
    KEEPER_OIDC_ISSUER: 'https://id.example',
    KEEPER_OIDC_CLIENT_ID: 'keeper',
    OTEL_EXPORTER_OTLP_ENDPOINT: 'https://traces.example',
  }
  const secrets = [...secretNames, 'OPENAI_API_KEY', 'GOOGLE_API_KEY'].filter((name) => name !== 'KEEPER_NEW_SECRET')

  it.each(secrets)('%s reads the same from a file as from the environment', (name) => {
    const value = valuesByName[name] ?? 'a-secret-of-the-harbour'
    const { [name as never]: _, ...remaining } = requiredSettings as Record<string, string | undefined>
    const expected = readSettings({ ...remaining, [name]: value })
    expect(JSON.stringify(expected), 'the setting has an effect').not.toBe(JSON.stringify(readLenient(remaining)))
    for (const text of [value, `${value}\n`, `${value}\r\n`, `\uFEFF${value}\r\n`, `  ${value}\n\n`])
      expect(readSettings({ ...remaining, [`${name}_FILE`]: write('secret', text), [name]: '' })).toEqual(expected)
  })

  const readLenient = (environment: Record<string, string | undefined>) => {
    try {
      return readSettings(environment)
    } catch (error) {
      return String(error)
    }
  }

  it.each(secrets)("%s is refused in one line if its file isn't a secret", (name) => {
    const setting = `${name}_FILE`
    const readRefusal = (path: string) => {
      try {
        readSettings({ ...requiredSettings, [name]: '', [setting]: path })
      } catch (error) {
        expect(error).toBeInstanceOf(BadSetting)
        return (error as Error).message
      }
      return 'accepted'
    }
    const describeFile = (path: string) => `${setting} names ${path}, which`
    const missingPath = join(folder, 'missing')
    expect(readRefusal(missingPath)).toBe(`${describeFile(missingPath)} doesn’t exist.`)
    expect(readRefusal(folder)).toBe(`${describeFile(folder)} is a folder; name the file in it.`)
    for (const text of ['', '\n', '\uFEFF \r\n']) {
      const path = write('empty', text)
      expect(readRefusal(path)).toBe(`${describeFile(path)} is empty.`)
    }
    const path = join(folder, 'binary')
    for (const bytes of [Buffer.from('\uFEFFhidden\r\n', 'utf16le'), Buffer.from([0x68, 0xff, 0xfe])]) {
      writeFileSync(path, bytes)
      expect(readRefusal(path)).toBe(
        `${describeFile(path)} isn’t plain text. Save it as UTF-8, with nothing but the value.`,
      )
    }
    expect(() => readSettings({ ...requiredSettings, [name]: 'hidden', [setting]: path })).toThrow(
      new BadSetting(`${name} and ${setting} are both set. Remove one of them.`),
    )
  })

  it('is refused if another account owns it', () => {
    const path = write('private', 'hidden')
    const { readFileSync: readOriginal } = fs
    const read = vi.spyOn(fs, 'readFileSync').mockImplementation((file, ...options) => {
      if (file === path) throw Object.assign(new Error('EACCES: permission denied'), { code: 'EACCES' })
      return readOriginal(file, ...options)
    })
    syncBuiltinESMExports()
    expect(() => readSettings({ KEEPER_SECRET_FILE: path })).toThrow(
      new BadSetting(`KEEPER_SECRET_FILE names ${path}, which can’t be read by the account that runs Keeper (EACCES).`),
    )
    read.mockRestore()
    syncBuiltinESMExports()
  })

  it('is listed in the guide', () => {
    const guide = readFileSync('docs/operating.md', 'utf8')
    const paragraph = /A setting that holds a secret can be read from a file[\s\S]*?\n\n/.exec(guide)?.[0] ?? ''
    const missing = secretNames.filter((name) => !/_PROXY$/.test(name) && !paragraph.includes(`\`${name}\``))
    expect(missing).toEqual([])
  })
})

describe('a password', () => {
  it.each([
    ['DATABASE_URL', 'postgres://app:p@ss/w0rd#1@127.0.0.1:5432/keeper', '"@" as %40, "/" as %2F, "#" as %23'],
    ['DATABASE_URL', 'postgres://app:w0rd?x@127.0.0.1/keeper', '"?" as %3F'],
    ['DATABASE_URL', 'postgres://app:100%w0rd@127.0.0.1/keeper', '"%" as %25'],
    ['DATABASE_URL', 'postgres://app:w0rd@127.0.0.1/keeper#1', '"#" as %23'],
    ['SMTP_URL', 'smtp://me:w0rd#ss@mail.example:587', '"#" as %23'],
    ['SMTP_URL', 'smtps://me@mail.example:w0/rd@mail.example', '"@" as %40, "/" as %2F'],
    ['HTTPS_PROXY', 'http://me:12#w0rd@proxy.example:3128', '"#" as %23'],
    ['http_proxy', 'me:12/w0rd@proxy.example:3128', '"/" as %2F'],
    ['ALL_PROXY', 'http://me:12/w0rd@proxy.example:3128', '"/" as %2F'],
    ['S3_ENDPOINT', 'https://me:w0/rd@store.example', '"/" as %2F'],
  ])('a password in %s=%s is refused with the characters to encode, and no part of it', (name, value, forms) => {
    const read = () =>
      readSettings({ [name]: value, S3_BUCKET: 'keeper', S3_ACCESS_KEY_ID: 'a', S3_SECRET_ACCESS_KEY: 'b' })
    expect(read).toThrow(
      new BadSetting(`${name} has characters in its user name or password that an address can’t hold. Write ${forms}.`),
    )
  })

  it.each([
    ['DATABASE_URL', 'mysql://app:w0rd@127.0.0.1/keeper'],
    ['DATABASE_URL', 'postgres://app:w0rd@127.0.0.1:port/keeper'],
    ['DATABASE_URL', 'host=db.example password=w0rd'],
    ['DATABASE_URL', 'postgres://app:w0rd@[::1/keeper'],
    ['SMTP_URL', 'app:w0rd@mail.example'],
    ['S3_ENDPOINT', 'https://app:w0rd@store.example'],
    ['VERCEL_API_BASE_URL', 'https://app:w0rd@api.example'],
    ['KEEPER_MCP_SERVERS', '{"docs": {"url": "https://app:w0rd@tools.example"}}'],
    ['KEEPER_PROVIDERS', '{"mistral": {"url": "https://app:w0rd@api.example"}}'],
    ['OPENAI_BASE_URL', 'https://app:w0rd@api.example'],
    ['HOST', 'http://app:w0rd@0.0.0.0'],
    ['PORT', 'app:w0rd@3000'],
    ['S3_BUCKET', 's3://app:w0rd@bucket'],
    ['KEEPER_FETCH_HOSTS', 'https://app:w0rd@site.example'],
    ['KEEPER_IMPORT_HOSTS', 'https://app:w0rd@memos.example'],
    ['KEEPER_DNS_SERVERS', 'app:w0rd@1.1.1.1'],
    ['KEEPER_EDGE_HOST', 'app:w0rd@edge.example'],
    ['KEEPER_EDGE_IPS', 'app:w0rd@192.0.2.1'],
    ['HTTPS_PROXY', 'socks5://app:w0rd@proxy.example:1080'],
    ['KEEPER_REGISTRATION', 'password=w0rd'],
  ])('appears in no message about %s=%s', (name, value) => {
    const environment = { S3_BUCKET: 'keeper', S3_ACCESS_KEY_ID: 'a', S3_SECRET_ACCESS_KEY: 'b', [name]: value }
    const read = () => readSettings(environment)
    expect(read).toThrow(BadSetting)
    expect(read).not.toThrow(/w0rd/)
    expect(read).toThrow(new RegExp(name))
  })

  it.each([
    ['postgres://app:p%40ss%2Fw%23@127.0.0.1:5432/keeper', 'databaseUrl', 'DATABASE_URL'],
    ['postgres://app:p@ss@127.0.0.1/keeper', 'databaseUrl', 'DATABASE_URL'],
    ['postgresql:///keeper?host=/var/run/postgresql', 'databaseUrl', 'DATABASE_URL'],
    ['postgres://app:pw@db.example/keeper?application_name=me@home&sslmode=require', 'databaseUrl', 'DATABASE_URL'],
    ['smtp://me%40mail.example:p%40ss%2Fw%23rd@mail.example:587', 'smtpUrl', 'SMTP_URL'],
  ] as const)('a percent-encoded password is accepted: %s', (value, setting, name) => {
    expect(readSettings({ [name]: value })[setting]).toBe(value)
  })
})

it.each([
  [
    'KEEPER_FETCH_HOSTS',
    '*.Example.com, bücher.example, [::1], site.example., keeper_docs',
    'fetchHosts',
    ['*.example.com', 'xn--bcher-kva.example', '::1', 'site.example', 'keeper_docs'],
  ],
  [
    'KEEPER_IMPORT_HOSTS',
    'Memos.example.com:80, [FD00::7]:5230, bücher.example',
    'importHosts',
    ['memos.example.com', '[fd00::7]:5230', 'xn--bcher-kva.example'],
  ],
  ['HOST', '[::]', 'host', '::'],
] as const)('%s accepts every form of a host: %s', (name, value, setting, hosts) => {
  expect(readSettings({ [name]: value })[setting]).toEqual(hosts)
})
