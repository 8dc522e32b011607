import { spawn } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, readFileSync, rmdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { report } from '../bench/measure.ts'
import { buildMegabytes } from '../scripts/build-memory.ts'
import { root } from '../scripts/fingerprint.ts'

// A build from nothing fits in 1 GB. The limit is that of a control group (version 1 or 2), so this needs root.

const limitMegabytes = 1000
const samplingMs = 100
const outDir = join(root, 'dist/memory-check')

interface Measurement {
  exitCode: number | null
  /** Peak memory of all processes of the build together; shared pages count once. */
  peakMegabytes: number
  /** Memory of the script's own process after its work, if it prints that. */
  finalMegabytes: number
}

async function measureStep(script: string, megabytes: number): Promise<Measurement> {
  const group = createMemoryGroup(megabytes)
  const child = spawn(
    'sh',
    ['-c', `echo $$ > ${group}/cgroup.procs; exec "$@"`, 'sh', process.execPath, '-e', script],
    {
      cwd: root,
      stdio: ['ignore', 'pipe', 'inherit'],
    },
  )
  let output = ''
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    output += text
    process.stdout.write(text)
  })
  let exitCode: number | null | undefined
  child.once('close', (code) => (exitCode = code))
  let peakMegabytes = 0
  while (exitCode === undefined) {
    peakMegabytes = Math.max(peakMegabytes, readGroupMegabytes(group))
    await delay(samplingMs)
  }
  rmdirSync(group)
  return { exitCode, peakMegabytes, finalMegabytes: Number(/^final (\d+)$/m.exec(output)?.[1] ?? 0) }
}

function createMemoryGroup(megabytes: number): string {
  const isVersion1 = existsSync('/sys/fs/cgroup/memory')
  const group = `/sys/fs/cgroup/${isVersion1 ? 'memory/' : ''}keeper-build-${process.pid}`
  mkdirSync(group, { recursive: true })
  writeFileSync(join(group, isVersion1 ? 'memory.limit_in_bytes' : 'memory.max'), String(megabytes * 1024 * 1024))
  return group
}

function readGroupMegabytes(group: string): number {
  const ids = readFileSync(join(group, 'cgroup.procs'), 'utf8').split('\n').filter(Boolean)
  const kilobytes = ids.map((id) => {
    try {
      return Number(/^Pss:\s+(\d+)/m.exec(readFileSync(`/proc/${id}/smaps_rollup`, 'utf8'))?.[1] ?? 0)
    } catch {
      return 0
    }
  })
  return kilobytes.reduce((total, one) => total + one, 0) / 1024
}

const buildScript = `import('./web/build/build-web.ts').then(({ buildWeb }) => buildWeb(${JSON.stringify(outDir)}, console.log))`
const pages = await measureStep(buildScript, limitMegabytes)
const hasPages = pages.exitCode === 0 && readdirSync(outDir).includes('index.html')
report(
  'building the pages fits in 1 GB',
  `exit ${pages.exitCode}, ${pages.peakMegabytes.toFixed(0)} MB`,
  `0, ${buildMegabytes} MB, which is what npm start asks for`,
  hasPages && pages.peakMegabytes <= buildMegabytes,
)
const maxFinalMegabytes = 150
const printFinal = `.then(() => console.log('final', Math.round(process.memoryUsage.rss() / 1024 / 1024)))`
const serverScript = `import('./scripts/build-process.ts').then(({ runBuildProcess }) =>
  runBuildProcess('server', 'scripts/build-server.ts', [${JSON.stringify(`${outDir}-server`)}]))${printFinal}`
const server = await measureStep(serverScript, limitMegabytes)
report(
  'building the server fits in 1 GB, and the process that goes on as the server doesn’t grow',
  `exit ${server.exitCode}, ${server.peakMegabytes.toFixed(0)} MB, ${server.finalMegabytes} MB afterwards`,
  `0, ${buildMegabytes} MB, ${maxFinalMegabytes} MB`,
  server.exitCode === 0 && server.peakMegabytes <= buildMegabytes && server.finalMegabytes <= maxFinalMegabytes,
)
const sameProcess = await measureStep(
  `import('./scripts/build-server.ts').then(({ buildServer }) => buildServer(${JSON.stringify(`${outDir}-server`)}))${printFinal}`,
  limitMegabytes,
)
report(
  'control: a server that is built in the same process',
  sameProcess.finalMegabytes <= maxFinalMegabytes
    ? 'not noticed'
    : `noticed: ${sameProcess.finalMegabytes} MB afterwards`,
  'must be noticed',
  sameProcess.finalMegabytes > maxFinalMegabytes,
)
const tooSmall = await measureStep(buildScript, 400)
report(
  'control: 400 MB',
  tooSmall.exitCode === 0 ? 'not noticed' : `noticed: exit ${tooSmall.exitCode}`,
  'must be noticed',
  tooSmall.exitCode !== 0,
)
