import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { expect, test } from 'vitest'
import { readSettings } from '#server/settings/settings.ts'
import { describeExternalServices, developmentSettings, findRealProviders } from './development-settings.ts'
import { root } from './fingerprint.ts'

const productionSettings = {
  DATABASE_URL: 'postgres://keeper@db.example.org/keeper',
  SMTP_URL: 'smtps://mail.example.org',
  S3_BUCKET: 'keeper-media',
  S3_ENDPOINT: 'https://s3.example.org',
  S3_REGION: 'eu-north-1',
  S3_PREFIX: 'keeper/',
  S3_ACCESS_KEY_ID: 'key',
  S3_SECRET_ACCESS_KEY: 'secret',
  CUSTOM_DOMAIN_DRIVER: 'vercel',
  VERCEL_TOKEN: 'token',
  VERCEL_PROJECT_ID: 'project',
  VERCEL_TEAM_ID: 'team',
  KEEPER_MCP_SERVERS: '{"notes": {"url": "https://tools.example.org", "headers": {"Authorization": "Bearer secret"}}}',
  KEEPER_OIDC_ISSUER: 'https://id.example.org',
  KEEPER_OIDC_CLIENT_ID: 'keeper',
  KEEPER_FETCH_HOSTS: 'wiki.example.org',
  KEEPER_IMPORT_HOSTS: 'memos.example.org',
}
const getSharedServices = (settings: ReturnType<typeof readSettings>) => {
  const { databaseUrl, smtpUrl, bucket, mcpServers, fetchHosts, importHosts, oidc } = settings
  const { driver, vercel } = settings.customDomains
  return { databaseUrl, smtpUrl, bucket, driver, vercel, mcpServers, fetchHosts, importHosts, oidc }
}

test('development with a production .env reaches none of its services', () => {
  const { bucket, mcpServers, fetchHosts } = readSettings(productionSettings)
  expect({ bucket: bucket?.bucket, mcpServerCount: mcpServers.length, fetchHosts }).toEqual({
    bucket: 'keeper-media',
    mcpServerCount: 1,
    fetchHosts: ['wiki.example.org'],
  })
  expect(getSharedServices(readSettings({ ...productionSettings, ...developmentSettings }))).toEqual(
    getSharedServices(readSettings({})),
  )
})

test.each(Object.keys(productionSettings))('development overrides %s', (name) => {
  expect(Object.keys(developmentSettings)).toContain(name)
})

test('development names the providers that are called for real, and no others', () => {
  const real = findRealProviders({
    ...productionSettings,
    OPENAI_API_KEY: 'sk-secret',
    TOGETHER_BASE_URL: 'http://127.0.0.1:1234/v1',
  })
  expect(real).toEqual(['openai', 'together'])
  const startMessage = describeExternalServices(real)
  expect(startMessage).toContain(', except OpenAI and Together AI:')
  expect(startMessage).not.toMatch(/Anthropic|sk-secret|127/)
  expect(describeExternalServices(findRealProviders({ ...productionSettings, OPENAI_API_KEY: ' ' }))).toBe(
    'All external services are fakes here.',
  )
})

test('the restore drill of the guide reaches no production service', () => {
  const guide = readFileSync(join(root, 'docs/operating.md'), 'utf8').replaceAll(/\\\n\s*/g, '')
  const commands = [...guide.matchAll(/((?:[A-Z0-9_]+=\S* )+)npm (start|run restore|run backup)/g)].filter(
    ([command]) => command.includes('./drill'),
  )
  expect(commands.map(([, , verb]) => verb)).toEqual(['run restore', 'start', 'run backup'])
  for (const [, settings = '', verb] of commands) {
    const drillSettings = Object.fromEntries(
      settings
        .trim()
        .split(' ')
        .map((assignment) => assignment.split('=')),
    )
    const read = readSettings({ ...productionSettings, ...drillSettings })
    expect(read.dataDir).toBe(resolve('drill'))
    expect(read.databaseUrl).toBeNull()
    if (verb === 'start')
      expect(getSharedServices(read)).toEqual({
        ...getSharedServices(readSettings({})),
        vercel: read.customDomains.vercel,
      })
  }
})
