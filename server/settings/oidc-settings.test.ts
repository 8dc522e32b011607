import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { readSettings } from './settings.ts'

const basic = {
  KEEPER_PUBLIC_URL: 'https://keeper.example',
  KEEPER_TRUSTED_PROXIES: '1',
  KEEPER_OIDC_ISSUER: 'https://id.example/application/o/keeper/',
  KEEPER_OIDC_CLIENT_ID: 'keeper',
  KEEPER_OIDC_CLIENT_SECRET: 'a secret',
}

it('an issuer keeps its trailing slash, and its host names the button', () => {
  const { oidc, notes } = readSettings(basic)
  expect(oidc).toMatchObject({ issuer: basic.KEEPER_OIDC_ISSUER, label: 'id.example', trustsEmail: false, roles: null })
  expect(notes).toEqual([])
  expect(readSettings({}).oidc).toBeNull()
})

it('the client secret can be read from a file', () => {
  const folder = mkdtempSync(join(tmpdir(), 'keeper-oidc-'))
  writeFileSync(join(folder, 'secret'), 'from a file\n')
  const { KEEPER_OIDC_CLIENT_SECRET: _, ...others } = basic
  const settings = readSettings({ ...others, KEEPER_OIDC_CLIENT_SECRET_FILE: join(folder, 'secret') })
  expect(settings.oidc?.clientSecret).toBe('from a file')
  rmSync(folder, { recursive: true })
})

it.each([
  [{ KEEPER_OIDC_CLIENT_ID: '' }, 'needs KEEPER_OIDC_CLIENT_ID'],
  [{ KEEPER_OIDC_ISSUER: 'id.example' }, 'KEEPER_OIDC_ISSUER must be the address'],
  [{ KEEPER_OIDC_ISSUER: 'https://ada:word@id.example' }, 'without a username'],
  [{ KEEPER_OIDC_ISSUER: 'http://id.lan:9000' }, 'add "id.lan:9000" to KEEPER_OIDC_PRIVATE_HOSTS'],
  [{ KEEPER_OIDC_ISSUER: 'https://id.example/.well-known/openid-configuration' }, 'must be the issuer'],
  [{ KEEPER_OIDC_SCOPES: 'email' }, 'must contain "openid"'],
  [{ KEEPER_OIDC_REQUIRED: 'family' }, 'such as groups=family'],
  [{ KEEPER_OIDC_ROLES_CLAIM: 'groups' }, 'needs KEEPER_OIDC_ROLES'],
  [{ KEEPER_OIDC_ROLES: '{"a": "super-admin"}' }, 'super-admin can’t come from a claim'],
  [{ KEEPER_OIDC_ROLES: '{"a": "owner"}' }, 'a role must be one of admin'],
  [{ KEEPER_OIDC_ROLES: 'a=admin' }, 'not valid JSON'],
  [{ KEEPER_OIDC_TRUST_EMAIL: 'yes' }, 'must be one of on, off'],
])('refuses %j with the remedy, and without the secret', (environment, words) => {
  const read = () => readSettings({ ...basic, ...environment })
  expect(read).toThrow(words)
  expect(read).not.toThrow('a secret')
})

it('settings without effect are reported', () => {
  const { KEEPER_PUBLIC_URL: _, ...withoutUrl } = basic
  expect(readSettings(withoutUrl).notes.join('\n')).toContain(
    'KEEPER_OIDC_ISSUER has no effect without KEEPER_PUBLIC_URL',
  )
  expect(readSettings({ KEEPER_OIDC_LABEL: 'Home' }).notes.join('\n')).toContain('KEEPER_OIDC_LABEL has no effect')
})
