import { execFileSync, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { report, root } from '../bench/measure.ts'
import type { Defect } from './faults/planted-defect.ts'
import { startServer } from './faults/server-process.ts'
import { createLoadWorld, requireData, sendRequest } from './faults/writers.ts'

// On a real exFAT image, without hard links, sockets and modes: everything that touches the data folder works.

const promise = 'On exFAT: start, write, back up, rotate the secret and restore'
const tools = ['mkfs.exfat', 'mount.exfat-fuse', 'losetup']
const missing = tools.filter((tool) => spawnSync('sh', ['-c', `command -v ${tool}`]).status !== 0)
if (missing.length > 0 || process.getuid?.() !== 0 || !existsSync('/dev/fuse')) {
  const reason =
    missing.length > 0 ? `${missing.join(', ')} missing (Debian: exfatprogs, exfat-fuse)` : 'needs root and /dev/fuse'
  report(promise, `not measured: ${reason}`, 'installed', false)
  process.exit()
}

const folder = mkdtempSync(join(tmpdir(), 'keeper-exfat-'))
const disk = join(folder, 'disk')
const image = join(folder, 'image')
mkdirSync(disk)
execFileSync('truncate', ['-s', '600M', image])
execFileSync('mkfs.exfat', [image])
const device = execFileSync('losetup', ['-f', '--show', image], { encoding: 'utf8' }).trim()

async function runNode(args: string[], dataDir: string, environment: Record<string, string> = {}) {
  const env = { PATH: process.env.PATH ?? '', KEEPER_DATA_DIR: dataDir, DATABASE_URL: '', ...environment }
  const child = spawn(process.execPath, args, { cwd: root, env })
  const [stdout, stderr, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')])
  return { output: `${stdout}${stderr}`.trim(), code: code as number | null }
}

async function countKeys(dataDir: string): Promise<number> {
  const script = `import { readMasterSecret } from './server/keys/master-key.ts'
    console.log(await readMasterSecret(null, ${JSON.stringify(dataDir)}))`
  const runs = Array.from({ length: 6 }, () => runNode(['--input-type=module', '-e', script], dataDir))
  return new Set((await Promise.all(runs)).map(({ output }) => output)).size
}

async function runEverything(defect?: Defect): Promise<string[]> {
  const problems: string[] = []
  const check = (isMet: boolean, description: string) => {
    if (!isMet) problems.push(description)
  }
  const dataDir = join(disk, defect ? 'control' : 'data')
  const options = { dataDir, environment: { KEEPER_LOG_LEVEL: 'warn' }, ...(defect && { defect }) }
  const server = await startServer(options).catch((error: Error) => error.message)
  if (typeof server === 'string') return [server]
  const world = await createLoadWorld(server.address, server.setupToken)
  const picture = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 1, 2, 3])
  for (let upload = 0; upload < 2; upload++)
    requireData(
      await sendRequest(server.address, world.token, 'POST', `/api/keeper/keepers/${world.keeperId}/media`, picture),
    )
  check(server.stdout().split('can’t hold a socket').length === 2, 'no single warning about the socket')
  check(server.stdout().includes('network or FUSE file system'), 'no warning about the file system')
  const busy = await runNode(['scripts/admin.ts', 'list'], dataDir)
  check(
    busy.code === 1 && busy.output.includes('Stop Keeper, repeat the command'),
    `admin while running: ${busy.output}`,
  )
  const backup = await runNode(['scripts/backup.ts'], dataDir)
  check(backup.code === 0, `backup: ${backup.output}`)
  await server.end('SIGTERM')
  for (const scriptArguments of [
    ['scripts/admin.ts', 'list'],
    ['scripts/admin.ts', 'rotate-secret'],
  ]) {
    const { code, output } = await runNode(scriptArguments, dataDir)
    check(code === 0, `${scriptArguments.join(' ')}: ${output}`)
  }
  const [name = 'none'] = existsSync(join(dataDir, 'backups')) ? readdirSync(join(dataDir, 'backups')) : []
  const restored = await runNode(['scripts/restore.ts', join(dataDir, 'backups', name), '--other-key'], dataDir)
  check(restored.code === 0, `restore: ${restored.output}`)
  const withSecret = await startServer({
    ...options,
    environment: { KEEPER_SECRET: 'a secret of the gates, long enough for it' },
  }).catch((error: Error) => error.message)
  if (typeof withSecret === 'string') return [...problems, withSecret]
  const health = (await sendRequest(withSecret.address, undefined, 'GET', '/health')).status
  check(health === 200, `health is ${health}`)
  await withSecret.end('SIGTERM')
  return problems
}

try {
  execFileSync('mount.exfat-fuse', [device, disk])
  const keyCounts = []
  for (let round = 0; round < 3; round++) keyCounts.push(await countKeys(join(disk, `keys-${round}`)))
  const problems = await runEverything()
  for (const line of problems) console.log(`  ${line}`)
  report(
    promise,
    `${problems.length} failures; ${keyCounts.join(', ')} keys of six processes at once`,
    '0; 1, 1, 1',
    problems.length === 0 && keyCounts.every((count) => count === 1),
  )
  const failures = await runEverything({
    file: 'server/keys/master-key.ts',
    from: "if (syscall !== 'link') throw error",
    to: 'throw error',
  })
  report(
    'control: a start that needs hard links is found',
    `${failures.length} failures`,
    'at least 1',
    failures.length > 0,
  )
} finally {
  spawnSync('umount', ['-l', disk])
  spawnSync('losetup', ['-d', device])
  rmSync(folder, { recursive: true, force: true })
}
process.exit()
