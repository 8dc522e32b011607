import { chmodSync, existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as later } from 'node:timers/promises'
import { startServerProcess } from '#tests/several-processes-world.ts'
import { report } from '../bench/measure.ts'
import { openPaths, readModes } from './file-modes/open-paths.ts'

// No other account can read the data folder (docs/decisions/0028-the-data-folder-is-private-to-its-account.md).

const minute = 60_000
const samplingMs = 20

const built = await readModes({})
report(
  'starting in a 0755 folder under umask 022 leaves nothing open to others, during and after',
  built.open.length === 0 ? `0 of ${built.pathCount} paths` : built.open.slice(0, 10).join('; '),
  '0',
  built.open.length === 0 && built.pathCount > 10,
)
report(
  'foreign files and link targets keep their mode, and the log reports the change once',
  `${built.changed.length} changed, ${built.logged} line`,
  '0, 1',
  built.changed.length === 0 && built.logged === 1,
)

const nightly = await nightlyModes()
report(
  'the nightly backup is closed to others',
  nightly.open.length === 0 ? `0 of ${nightly.pathCount} paths` : nightly.open.join('; '),
  '0, with a backup',
  nightly.open.length === 0 && nightly.hasBackup,
)

for (const [description, defect] of [
  [
    'writes under the umask of its shell',
    { file: 'server/db/private-files.ts', from: 'process.umask(groupAndOtherBits)', to: 'void 0' },
  ],
  [
    'leaves existing files open',
    { file: 'server/db/private-files.ts', from: 'chmodSync(path, mode & 0o7777 & ~groupAndOtherBits)', to: 'void 0' },
  ],
] as const) {
  const { open } = await readModes({ defect })
  report(
    `control: a Keeper that ${description}`,
    open.length > 0 ? `noticed: ${open.slice(0, 3).join('; ')}` : 'not noticed',
    'must be noticed',
    open.length > 0,
  )
}

/** After ten minutes by its clock, the next check creates a backup, within a minute of real time. */
async function nightlyModes() {
  process.umask(0o022)
  const dataDir = mkdtempSync(join(tmpdir(), 'keeper-modes-'))
  chmodSync(dataDir, 0o755)
  const server = await startServerProcess({}, { KEEPER_DATA_DIR: dataDir })
  server.setAhead(30 * minute)
  const backups = join(dataDir, 'backups')
  const hasNightly = () => existsSync(backups) && readdirSync(backups).some((name) => /^nightly-\w+$/.test(name))
  const everOpen = new Set<string>()
  for (let waited = 0; waited < 2 * minute && !hasNightly(); waited += samplingMs) {
    for (const [path, mode] of openPaths(dataDir).open) everOpen.add(`${path} ${mode}`)
    await later(samplingMs)
  }
  const { open, pathCount } = openPaths(dataDir)
  for (const [path, mode] of open) everOpen.add(`${path} ${mode}`)
  const hasBackup = hasNightly()
  await server.end('SIGTERM')
  rmSync(dataDir, { recursive: true, force: true })
  return { open: [...everOpen], pathCount, hasBackup }
}
