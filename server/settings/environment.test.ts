import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, expect, it } from 'vitest'
import { BadSetting, readEnvironment, readSettings } from './settings.ts'

const folder = mkdtempSync(join(tmpdir(), 'keeper-env-'))
afterEach(() => rmSync(join(folder, '.env'), { recursive: true, force: true }))

function read(text: string | Buffer, environment: Record<string, string> = {}) {
  writeFileSync(join(folder, '.env'), text)
  return readSettings(readEnvironment(folder, environment))
}

it.each([
  ['a byte order mark', '\uFEFFPORT=3001\nKEEPER_REGISTRATION=closed\n'],
  ['Windows line ends', 'PORT=3001\r\nKEEPER_REGISTRATION=closed\r\n'],
  ['old Mac line ends', 'PORT=3001\rKEEPER_REGISTRATION=closed\r'],
  ['export', 'export PORT=3001\n  export  KEEPER_REGISTRATION=closed\n'],
  ['quotes and comments', '# mine\nPORT="3001" # the port\nKEEPER_REGISTRATION=\'closed\'\n\n'],
  ['spaces', ' PORT = 3001 \nKEEPER_REGISTRATION= closed # nobody\n'],
])('every line of .env takes effect with %s', (_, text) => {
  expect(read(text)).toMatchObject({ port: 3001, registration: 'closed', notes: [] })
})

it.each([
  ['PORT: 3001\n', 'line 1 of .env has no effect, since it isn’t NAME=value'],
  ['\nexport PORT\n', 'line 2 of .env has no effect, since it isn’t NAME=value'],
  ['PORT=3001\nPORT=3002\n', 'PORT is set more than once in .env; the last value counts'],
  [`KEEPER_SECRET=${'x'.repeat(32)}#rest\n`, 'KEEPER_SECRET in .env is cut at its "#"; put the value in quotes'],
  [
    'KEEPER_DATA_DIR="/srv/keeper\n',
    'KEEPER_DATA_DIR in .env starts with a quote that is never closed, so the quote becomes part of its value',
  ],
  ['KEEPER_DATA_DIR="/srv/my" keeper\n', 'KEEPER_DATA_DIR in .env is cut after its second quote'],
  [
    'KEEPER_DATA_DIR="/srv\nPORT=3001\nTZ="UTC"\n',
    'KEEPER_DATA_DIR in .env includes lines 1 to 3, since its quote ends there; settings in between have no effect',
  ],
  ['PGPASSWORD=w0rd\n', 'PGPASSWORD in .env has no effect; set it in the environment'],
  ['NODE_OPTIONS=--inspect\n', 'NODE_OPTIONS in .env has no effect; set it in the environment'],
  ['DATA_DIR=/srv\n', 'DATA_DIR in .env isn’t a Keeper setting and has no effect; the nearest is KEEPER_DATA_DIR'],
  ['MY_OWN=w0rd\n', 'MY_OWN in .env isn’t a Keeper setting and has no effect'],
  ['keeper-port=3001\n', 'keeper-port isn’t a Keeper setting and has no effect; the nearest is PORT'],
])('%j is named', (text, note) => {
  expect(read(text).notes).toContain(note)
})

it('a value that the environment overrides is named, unless it is the same', () => {
  const { port, notes } = read('PORT=3001\nTZ=UTC\n', { PORT: '3002', TZ: 'UTC' })
  expect(port).toBe(3002)
  expect(notes).toEqual(['PORT in .env has no effect, since the environment sets it to another value'])
})

it('a file that can’t be read as text is refused', () => {
  expect(() => read(Buffer.from('\uFEFFPORT=3001', 'utf16le'))).toThrow(
    new BadSetting('.env must be saved as UTF-8; it looks like UTF-16.'),
  )
  rmSync(join(folder, '.env'))
  mkdirSync(join(folder, '.env'))
  expect(() => readEnvironment(folder, {})).toThrow(/^\.env cannot be read: EISDIR/)
})

it("a missing file isn't a problem", () => {
  expect(readSettings(readEnvironment(folder, { PORT: '3001' }))).toMatchObject({ port: 3001, notes: [] })
})
