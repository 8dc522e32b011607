import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { DatabaseUnusable } from './database-errors.ts'
import { readPostgresAddress } from './database-url.ts'

const folder = mkdtempSync(join(tmpdir(), 'keeper-ca-'))
const caFile = join(folder, 'ca.pem')
writeFileSync(caFile, '-----BEGIN CERTIFICATE-----\n')
afterAll(() => rmSync(folder, { recursive: true }))

const refuse = (url: string, file?: string) => {
  try {
    readPostgresAddress('DATABASE_URL', url, file)
  } catch (error) {
    expect(error).toBeInstanceOf(DatabaseUnusable)
    return (error as Error).message
  }
  throw new Error('was accepted')
}
const read = (url: string, file?: string) => readPostgresAddress('DATABASE_URL', url, file).config.connectionString

describe('an address', () => {
  test.each([
    ['postgres://app:p@ss/w0rd#1@127.0.0.1:5432/keeper', '“/”. Write it as %2F'],
    ['postgres://app:w0rd#1@db.example.org/keeper', '“#”. Write it as %23'],
    ['postgres://app:w0rd?1@db.example.org/keeper', '“?”. Write it as %3F'],
    ['postgres://w0rd/1:x@db.example.org/keeper', '“/”. Write it as %2F'],
    ['postgres://app:w0rd@db.example.org:99999/keeper', '“@” is written %40'],
    ['postgres://app:w0rd@db.example.org/keeper#1', '“#” %23'],
    ['mysql://w0rd@db.example.org/keeper', 'isn’t an address like postgres://'],
    ['w0rd', 'isn’t an address like postgres://'],
  ])('%s is refused without showing any of it', (url, expected) => {
    const message = refuse(url)
    expect(message).toContain(expected)
    expect(message).not.toMatch(/w0rd|ss\/|example\.org|\n/)
  })

  test.each([
    ['postgres://app:p@ss@db:5432/keeper', 'postgres://app:p%40ss@db:5432/keeper'],
    ['postgres://app:100%@db/keeper', 'postgres://app:100%25@db/keeper'],
    ['postgresql://app:p%2Fss@db/keeper/', 'postgresql://app:p%2Fss@db/keeper'],
    ['postgres://db/keeper?options=a@b', 'postgres://db/keeper?options=a@b'],
    ['postgres:///keeper?host=/var/run', 'postgres:///keeper?host=/var/run'],
  ])('%s is read as %s', (url, expected) => {
    expect(read(url)).toBe(expected)
  })

  test('names host and database for messages, never user or password', () => {
    expect(readPostgresAddress('DATABASE_URL', 'postgres://app:hush@db:5433/keeper?a=b').serverName).toBe(
      'db:5433/keeper',
    )
  })
})

test.each(['schema', 'currentSchema', 'search_path'])('the schema in “%s” isn’t lost', (name) => {
  expect(refuse(`postgres://db/keeper?${name}=notes`)).toBe(
    `DATABASE_URL has the parameter “${name}”, which PostgreSQL doesn’t know. Write options=-c%20search_path%3Dnotes instead.`,
  )
  expect(read(`postgres://db/keeper?${name}=public`)).toContain('postgres://db/keeper')
})

describe('TLS', () => {
  test.each([
    ['prefer', 'sslmode=verify-full'],
    ['require', 'sslmode=verify-full'],
    ['verify-ca', 'sslmode=verify-full'],
    ['verify-full', 'sslmode=verify-full'],
    ['no-verify', 'sslmode=no-verify'],
    ['disable', 'sslmode=disable'],
  ])('sslmode=%s becomes %s, about which the driver doesn’t warn', (mode, expected) => {
    expect(read(`postgres://db/keeper?sslmode=${mode}`)).toBe(`postgres://db/keeper?${expected}`)
  })

  test('a custom authority is verified, and with verify-ca not the name', () => {
    const parameters = (url: string) => Object.fromEntries(new URL(read(url, caFile)!).searchParams)
    expect(parameters('postgres://db/keeper')).toEqual({ sslrootcert: caFile, sslmode: 'verify-full' })
    expect(parameters('postgres://db/keeper?sslmode=require')).toEqual({ sslrootcert: caFile, sslmode: 'verify-full' })
    expect(parameters('postgres://db/keeper?sslmode=disable')).toEqual({ sslmode: 'disable' })
    expect(parameters('postgres://db/keeper?sslmode=verify-ca')).toEqual({
      sslrootcert: caFile,
      sslmode: 'verify-ca',
      uselibpqcompat: 'true',
    })
  })

  test('a missing or useless authority file is refused', () => {
    expect(refuse('postgres://db/keeper', join(folder, 'missing.pem'))).toContain('missing.pem can’t be read (ENOENT)')
    writeFileSync(join(folder, 'key.pem'), 'nothing')
    expect(refuse(`postgres://db/keeper?sslrootcert=${join(folder, 'key.pem')}`)).toContain('has no certificate')
  })
})
