import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { expect, test } from 'vitest'
import { readSettings } from '#server/settings.ts'
import { developmentSettings } from './development-settings.ts'
import { root } from './fingerprint.ts'

const inEarnest = {
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
}
/** Of what a Keeper shares with others. */
const shared = ({ databaseUrl, smtpUrl, bucket, customDomains }: ReturnType<typeof readSettings>) => {
  return { databaseUrl, smtpUrl, bucket, driver: customDomains.driver, vercel: customDomains.vercel }
}

test('whoever develops with the .env of a Keeper in earnest reaches no database, bucket, mailbox or host of it', () => {
  expect(readSettings(inEarnest).bucket?.bucket).toBe('keeper-media')
  expect(shared(readSettings({ ...inEarnest, ...developmentSettings }))).toEqual(shared(readSettings({})))
})

test.each(Object.keys(inEarnest))('%s is among what development does without', (name) => {
  expect(Object.keys(developmentSettings)).toContain(name)
})

test('the drill of the guide, beside a Keeper in earnest, reaches nothing of it either', () => {
  const guide = readFileSync(join(root, 'docs/operating.md'), 'utf8')
  const commands = [...guide.matchAll(/`((?:[A-Z0-9_]+=\S* )+)npm (start|run restore|run backup)/g)].filter(
    ([command]) => command.includes('./drill'),
  )
  expect(commands.map(([, , verb]) => verb)).toEqual(['run restore', 'start', 'run backup'])
  for (const [, settings = '', verb] of commands) {
    const given = Object.fromEntries(
      settings
        .trim()
        .split(' ')
        .map((each) => each.split('=')),
    )
    const read = readSettings({ ...inEarnest, ...given })
    expect(read.dataDir).toBe(resolve('drill'))
    expect(read.databaseUrl).toBeNull()
    if (verb === 'start')
      expect(shared(read)).toEqual({ ...shared(readSettings({})), vercel: read.customDomains.vercel })
  }
})
