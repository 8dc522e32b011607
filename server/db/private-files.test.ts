import {
  chmodSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { readModes } from '../../quality/file-modes/open-paths.ts'
import { restrictDataFolder, restrictFilesBelow } from './private-files.ts'

let parent: string
let dataDir: string
beforeEach(() => {
  parent = mkdtempSync(join(tmpdir(), 'keeper-private-'))
  dataDir = join(parent, 'data')
})
afterEach(() => rmSync(parent, { recursive: true, force: true }))

function create(paths: Record<string, number>): void {
  for (const path of Object.keys(paths)) {
    if (path.endsWith('/')) mkdirSync(join(dataDir, path), { recursive: true })
    else writeFileSync(join(dataDir, path), 'text')
  }
  for (const [path, mode] of Object.entries(paths).toReversed()) chmodSync(join(dataDir, path), mode)
}

const modeAt = (path: string) => (statSync(join(dataDir, path)).mode & 0o7777).toString(8)

test.skipIf(process.platform === 'win32')(
  'starting on an open folder closes everything to others',
  async () => {
    const { openPaths, pathCount: visited, changed, warningCount } = await readModes()
    expect(openPaths).toEqual([])
    expect(visited).toBeGreaterThan(10)
    expect(changed).toEqual([])
    expect(warningCount).toBe(1)
  },
  60_000,
)

test.skipIf(process.platform === 'win32')('Keeper’s files lose access for others and keep their owner’s', async () => {
  create({
    '/': 0o2775,
    'data.db': 0o664,
    'data.db-wal': 0o644,
    'keeper.lock': 0o666,
    'master.key': 0o440,
    'master.key.before-20260101T000000000Z': 0o644,
    'media/': 0o755,
    'media/ab/': 0o775,
    'media/ab/file': 0o604,
    'backups/': 0o755,
    'backups/before-0021-x.db': 0o644,
    'backups/mine.txt': 0o644,
    'notes.txt': 0o644,
    'dev/': 0o755,
  })
  const top = restrictDataFolder(dataDir)
  expect(top).toEqual({ wasFolderOpen: true, restrictedCount: 8, unrestricted: [] })
  expect(modeAt('media/ab/file')).toBe('604')
  expect(await restrictFilesBelow(dataDir)).toEqual({ wasFolderOpen: false, restrictedCount: 3, unrestricted: [] })
  const modes = ['/', 'data.db', 'data.db-wal', 'keeper.lock', 'master.key', 'media/', 'media/ab/', 'media/ab/file']
  expect(modes.map(modeAt)).toEqual(['2700', '600', '600', '600', '400', '700', '700', '600'])
  expect(modeAt('backups/before-0021-x.db')).toBe('600')
  expect(['backups/mine.txt', 'notes.txt', 'dev/'].map(modeAt)).toEqual(['644', '644', '755'])
  expect(restrictDataFolder(dataDir)).toEqual({ wasFolderOpen: false, restrictedCount: 0, unrestricted: [] })
})

test.skipIf(process.platform === 'win32')('a link is not followed, and one to an open place is reported', async () => {
  create({ '/': 0o700, 'media/': 0o700, 'media/ab/': 0o700 })
  mkdirSync(join(parent, 'elsewhere'))
  writeFileSync(join(parent, 'elsewhere', 'file'), 'text')
  chmodSync(join(parent, 'elsewhere'), 0o755)
  symlinkSync(join(parent, 'elsewhere'), join(dataDir, 'backups'))
  symlinkSync(join(parent, 'elsewhere', 'file'), join(dataDir, 'media/ab/link'))
  symlinkSync(join(parent, 'nowhere'), join(dataDir, 'admin.sock'))
  const { restrictedCount, unrestricted } = restrictDataFolder(dataDir)
  expect({ restrictedCount, paths: unrestricted.map(({ path }) => path) }).toEqual({
    restrictedCount: 0,
    paths: [join(dataDir, 'backups')],
  })
  expect(await restrictFilesBelow(dataDir)).toMatchObject({ restrictedCount: 0, unrestricted: [] })
  expect(statSync(join(parent, 'elsewhere')).mode & 0o777).toBe(0o755)
  expect(statSync(join(parent, 'elsewhere', 'file')).mode & 0o777).toBe(0o644)
  expect(readdirSync(parent).map((name) => lstatSync(join(parent, name)).isDirectory())).toEqual([true, true])
})

test.skipIf(process.platform === 'win32')(
  'a folder with the sticky bit stays open and is reported; its contents are closed',
  () => {
    create({ '/': 0o1777, 'data.db': 0o644 })
    expect(restrictDataFolder(dataDir)).toMatchObject({
      wasFolderOpen: true,
      restrictedCount: 1,
      unrestricted: [{ path: dataDir }],
    })
    expect(modeAt('/')).toBe('1777')
    expect(modeAt('data.db')).toBe('600')
  },
)

test('a missing folder is ignored', async () => {
  expect(restrictDataFolder(dataDir)).toEqual({ wasFolderOpen: false, restrictedCount: 0, unrestricted: [] })
  expect(await restrictFilesBelow(dataDir)).toEqual({ wasFolderOpen: false, restrictedCount: 0, unrestricted: [] })
})
