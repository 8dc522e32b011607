import { chmodSync, existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { report } from '../bench/measure.ts'
import { startServerProcess } from '../tests/several-processes-world.ts'
import { findOpenPaths, readModes } from './file-modes/open-paths.ts'

// No other account can read the data folder (docs/decisions/0028-the-data-folder-is-private-to-its-account.md).

const minuteMs = 60_000
const samplingMs = 20

const builtModes = await readModes()
report(
  'starting in a 0755 folder under umask 022 leaves nothing open to others, during and after',
  builtModes.openPaths.length === 0
    ? `0 of ${builtModes.pathCount} paths`
    : builtModes.openPaths.slice(0, 10).join('; '),
  '0',
  builtModes.openPaths.length === 0 && builtModes.pathCount > 10,
)
report(
  'foreign files and link targets keep their mode, and the log reports the change once',
  `${builtModes.changed.length} changed, ${builtModes.warningCount} line`,
  '0, 1',
  builtModes.changed.length === 0 && builtModes.warningCount === 1,
)

const nightlyResult = await readNightlyModes()
report(
  'the nightly backup is closed to others',
  nightlyResult.openPaths.length === 0 ? `0 of ${nightlyResult.pathCount} paths` : nightlyResult.openPaths.join('; '),
  '0, with a backup',
  nightlyResult.openPaths.length === 0 && nightlyResult.hasBackup,
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
  const { openPaths } = await readModes(defect)
  report(
    `control: a Keeper that ${description}`,
    openPaths.length > 0 ? `noticed: ${openPaths.slice(0, 3).join('; ')}` : 'not noticed',
    'must be noticed',
    openPaths.length > 0,
  )
}

/** Ten minutes after its start by its own clock, the server makes a backup at its next check, within a minute of real time. */
async function readNightlyModes() {
  process.umask(0o022)
  const dataDir = mkdtempSync(join(tmpdir(), 'keeper-modes-'))
  chmodSync(dataDir, 0o755)
  const server = await startServerProcess({}, { KEEPER_DATA_DIR: dataDir })
  server.setClockOffset(30 * minuteMs)
  const backups = join(dataDir, 'backups')
  const hasNightly = () => existsSync(backups) && readdirSync(backups).some((name) => /^nightly-\w+$/.test(name))
  const openModes = new Set<string>()
  for (let waitedMs = 0; waitedMs < 2 * minuteMs && !hasNightly(); waitedMs += samplingMs) {
    for (const [path, mode] of findOpenPaths(dataDir).openPaths) openModes.add(`${path} ${mode}`)
    await delay(samplingMs)
  }
  const { openPaths, pathCount } = findOpenPaths(dataDir)
  for (const [path, mode] of openPaths) openModes.add(`${path} ${mode}`)
  const hasBackup = hasNightly()
  await server.end('SIGTERM')
  rmSync(dataDir, { recursive: true, force: true })
  return { openPaths: [...openModes], pathCount, hasBackup }
}
