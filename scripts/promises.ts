import { spawn } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { isMain } from '#server/start/require-node.ts'
import { buildIfChanged } from './build.ts'
import { root } from './fingerprint.ts'
import { runTool } from './run-tool.ts'

const folders = ['bench', 'quality'] as const
type Folder = (typeof folders)[number]

export interface Verdict {
  script: string
  holds: boolean
  promise: string
  measured: string
  bar: string
}

/** Parses `holds  promise = measured (bar: …)`, as printed by `report` in bench/measure.ts. */
export function parseVerdict(script: string, line: string): Verdict | undefined {
  const [, verdict, promise, measured, bar] = /^(holds|FAILS) {2}(.+?) = (.*) \(bar: (.*)\)$/.exec(line) ?? []
  if (!verdict || promise === undefined || measured === undefined || bar === undefined) return undefined
  return { script, holds: verdict === 'holds', promise, measured, bar }
}

export function toTable(folder: Folder, verdicts: Verdict[]): string {
  const rows = verdicts.map(({ script, holds, promise, measured, bar }) =>
    [holds ? 'holds' : '**FAILS**', promise, measured, bar, `\`node ${folder}/${script}\``].join(' | '),
  )
  return [
    '| | promise | measured, with the baseline of the same run | bar | command |',
    '|---|---|---|---|---|',
    ...rows.map((row) => `| ${row} |`),
  ].join('\n')
}

/** Reporting scripts; they run one after the other, because two would measure each other. */
function listScripts(folder: Folder): string[] {
  return readdirSync(join(root, folder)).filter(
    (name) =>
      name.endsWith('.ts') &&
      name !== 'measure.ts' &&
      /\breport\(/.test(readFileSync(join(root, folder, name), 'utf8')),
  )
}

/** A failed verdict for a script that ended without results, or with an error after successful ones. */
export function findEarlyEnd(script: string, verdicts: Verdict[], exitCode: number | null): Verdict[] {
  const broken = { script, holds: false, promise: 'runs to the end' }
  if (verdicts.length === 0) return [{ ...broken, measured: `ended with ${exitCode} and no result`, bar: 'a result' }]
  if (exitCode === 0 || verdicts.some(({ holds }) => !holds)) return []
  return [{ ...broken, measured: `ended with ${exitCode}`, bar: '0' }]
}

async function runScript(folder: Folder, script: string): Promise<Verdict[]> {
  console.log(`── ${script}`)
  const child = spawn(process.execPath, [join(folder, script)], { cwd: root, stdio: ['ignore', 'pipe', 'inherit'] })
  const verdicts: Verdict[] = []
  createInterface({ input: child.stdout }).on('line', (line) => {
    console.log(line)
    const verdict = parseVerdict(script, line)
    if (verdict) verdicts.push(verdict)
  })
  const code = await new Promise<number | null>((resolve) => child.once('close', resolve))
  return [...verdicts, ...findEarlyEnd(script, verdicts, code)]
}

/** `npm test` leaves this package out, so its types and lint are checked before it runs. */
async function checkSource(folder: Folder): Promise<void> {
  const { exitCode: typesExitCode } = await runTool('node_modules/typescript/bin/tsc', ['-p', folder, '--pretty'])
  const { exitCode: lintExitCode } = await runTool('node_modules/@biomejs/biome/bin/biome', [
    'check',
    '--diagnostic-level=error',
    folder,
  ])
  if (typesExitCode !== 0 || lintExitCode !== 0) process.exit(1)
}

if (isMain(import.meta)) {
  process.chdir(root)
  await buildIfChanged()
  const [first, ...nameFilters] = process.argv.slice(2)
  const folder = folders.find((candidate) => candidate === first)
  if (!folder) throw new Error(`Usage: node scripts/promises.ts ${folders.join('|')} [word]`)
  if (folder === 'quality') await checkSource(folder)
  const verdicts: Verdict[] = []
  for (const script of listScripts(folder))
    if (nameFilters.length === 0 || nameFilters.some((word) => script.includes(word)))
      verdicts.push(...(await runScript(folder, script)))
  console.log(`\n${toTable(folder, verdicts)}`)
  if (verdicts.some(({ holds }) => !holds)) process.exitCode = 1
}
