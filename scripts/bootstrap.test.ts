import { spawnSync } from 'node:child_process'
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { minNodeVersion } from '#server/start/require-node.ts'
import { root } from './fingerprint.ts'

const fakeNpmSource = `
const fs = require('fs')
fs.appendFileSync('called', process.argv.slice(2).join(' ') + '\\n')
fs.mkdirSync('node_modules/one', { recursive: true })
fs.writeFileSync('node_modules/one/package.json', '{"version":"2.0.0"}')
`

let projectFolder: string
beforeEach(() => {
  projectFolder = mkdtempSync(join(tmpdir(), 'keeper-bootstrap-'))
  mkdirSync(join(projectFolder, 'scripts'))
  copyFileSync(join(root, 'scripts/bootstrap.cjs'), join(projectFolder, 'scripts/bootstrap.cjs'))
  writeFileSync(join(projectFolder, 'package-lock.json'), '{"packages":{"":{},"node_modules/one":{"version":"2.0.0"}}}')
  writeFileSync(join(projectFolder, 'npm-cli.js'), fakeNpmSource)
})
afterEach(() => rmSync(projectFolder, { recursive: true }))

function readNpmCalls(command: string): string[] {
  const { status, stderr } = spawnSync(process.execPath, ['scripts/bootstrap.cjs'], {
    cwd: projectFolder,
    encoding: 'utf8',
    env: { npm_lifecycle_event: `pre${command}`, npm_execpath: join(projectFolder, 'npm-cli.js') },
  })
  expect(stderr).toBe('')
  expect(status).toBe(0)
  const called = join(projectFolder, 'called')
  return existsSync(called) ? readFileSync(called, 'utf8').trim().split('\n') : []
}
function installEarlierVersion(): void {
  mkdirSync(join(projectFolder, 'node_modules/one'), { recursive: true })
  writeFileSync(join(projectFolder, 'node_modules/one/package.json'), '{"version":"1.0.0"}')
  writeFileSync(join(projectFolder, 'node_modules/.keeper-stamp'), 'of another lock runtime\n')
}

describe.each(['backup', 'restore', 'admin'])('npm run %s', (command) => {
  test('starts with the bootstrap script', () => {
    const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
    expect(scripts[`pre${command}`]).toBe('node scripts/bootstrap.cjs')
  })

  test('installs the runtime packages on a new machine, once', () => {
    expect(readNpmCalls(command)).toEqual([expect.stringMatching(/^ci --omit=dev /)])
    expect(readNpmCalls(command)).toHaveLength(1)
  })

  test('keeps installed packages, which a running Keeper may use', () => {
    installEarlierVersion()
    expect(readNpmCalls(command)).toEqual([])
    expect(readNpmCalls('start')).toEqual([expect.stringMatching(/^ci --omit=dev /)])
  })
})

describe('on a read-only file system', () => {
  const readOnlyFsSource = `
const fs = require('fs')
for (const name of ['writeFileSync', 'symlinkSync', 'mkdirSync', 'unlinkSync'])
  fs[name] = path => { throw Object.assign(new Error('EROFS: ' + path), { code: 'EROFS' }) }
`
  test.each(['start', 'backup', 'restore', 'admin'])('npm run %s continues without a stamp', (command) => {
    mkdirSync(join(projectFolder, 'node_modules/one'), { recursive: true })
    writeFileSync(join(projectFolder, 'node_modules/one/package.json'), '{"version":"2.0.0"}')
    writeFileSync(join(projectFolder, 'read-only.cjs'), readOnlyFsSource)
    const { status, stderr, stdout } = spawnSync(
      process.execPath,
      ['--require', './read-only.cjs', 'scripts/bootstrap.cjs'],
      { cwd: projectFolder, encoding: 'utf8', env: { npm_lifecycle_event: `pre${command}` } },
    )
    expect({ status, stderr, stdout }).toEqual({ status: 0, stderr: '', stdout: '' })
    expect(existsSync(join(projectFolder, 'node_modules/.keeper-stamp'))).toBe(false)
  })
})

test('bootstrap requires the same Node version as the server', () => {
  const [, major, minor] = /neededNode = \[(\d+), (\d+)\]/.exec(read('scripts/bootstrap.cjs')) ?? []
  expect(minNodeVersion).toBe(`${major}.${minor}.0`)
})

const read = (file: string) => readFileSync(join(root, file), 'utf8')
