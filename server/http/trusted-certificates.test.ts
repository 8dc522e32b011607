import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { getCACertificates } from 'node:tls'
import { afterAll, expect, it } from 'vitest'
import { BadSetting, readSettings } from '#server/settings/settings.ts'
import { trustCertificates } from './trusted-certificates.ts'

const folder = mkdtempSync(join(tmpdir(), 'keeper-certificates-'))
afterAll(() => rmSync(folder, { recursive: true }))

it.each([
  ['missing.pem', undefined, /^SSL_CERT_FILE names a file that can’t be read: ENOENT/],
  ['empty.pem', '', /^SSL_CERT_FILE must name a PEM file of certificates/],
  ['other.pem', 'a key, perhaps', /^SSL_CERT_FILE must name a PEM file of certificates/],
  [
    'broken.pem',
    '-----BEGIN CERTIFICATE-----\nxxxx\n-----END CERTIFICATE-----\n',
    /^SSL_CERT_FILE must name a PEM file/,
  ],
])('an unusable SSL_CERT_FILE (%s) prevents the start and is named', (name, content, reason) => {
  const path = join(folder, name)
  if (content !== undefined) writeFileSync(path, content)
  const previous = getCACertificates('default')
  const trust = () => trustCertificates(readSettings({ SSL_CERT_FILE: path }).certificates)
  expect(trust).toThrow(BadSetting)
  expect(trust).toThrow(reason)
  expect(getCACertificates('default')).toEqual(previous)
})
