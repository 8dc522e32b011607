import { spawn } from 'node:child_process'
import { globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, dirname, join, relative } from 'node:path'
import { parseArgs } from 'node:util'
import { report, root } from '../bench/measure.ts'
import { type Check, checksIn, isChecked } from './access-checks/find-checks.ts'
import { decidesNothing, type MatrixAnswer } from './access-checks/question.ts'

// Every access check of the server is turned off in turn. The permission matrix has to turn red; where it cannot see the check
// (what a run does by itself, what a page may show), a test beside it has to. `--only=server/boards` takes the checks of one
// folder, `--part=2/4` every fourth, `--list` prints them, `--beside=no` asks the matrix alone.
const { values: given } = parseArgs({
  options: {
    only: { type: 'string', default: '' },
    part: { type: 'string', default: '1/1' },
    list: { type: 'boolean', default: false },
    beside: { type: 'string', default: 'yes' },
  },
})
process.chdir(root)
const [part = 1, parts = 1] = given.part.split('/').map(Number)
const all: Check[] = globSync('server/**/*.ts')
  .toSorted()
  .filter(isChecked)
  .flatMap((path) => checksIn(path, readFileSync(path, 'utf8')).checks)
const checks = all.filter(({ id }) => id.startsWith(given.only)).filter((_, index) => index % parts === part - 1)
const fileOf = (id: string) => id.replace(/:\d+:\d+$/, '')

if (given.list) {
  for (const { id, kind, text } of checks) console.log(`${id}  ${kind}  ${text}`)
  process.exit()
}

const folder = mkdtempSync(join(tmpdir(), 'keeper-access-'))
process.once('exit', () => rmSync(folder, { recursive: true, force: true }))

const vitest = (files: string[], environment: Record<string, string>): Promise<boolean> =>
  new Promise((resolve) => {
    const child = spawn(
      process.execPath,
      [
        'node_modules/vitest/vitest.mjs',
        'run',
        '--config',
        'gates/access-checks/vitest.config.ts',
        '--bail=1',
        ...files,
      ],
      {
        env: { ...process.env, KEEPER_TEST_ENGINES: 'sqlite', ...environment },
        stdio: ['ignore', 'pipe', 'pipe'],
      },
    )
    let said = ''
    const keep = (chunk: Buffer) => {
      said += chunk
    }
    child.stdout.on('data', keep)
    child.stderr.on('data', keep)
    child.once('close', (code) => {
      lastSaid = said
      resolve(code === 0)
    })
  })
let lastSaid = ''

const question = join(folder, 'question.json')
const answerTo = join(folder, 'answer.json')
writeFileSync(question, JSON.stringify({ ids: [...checks.map(({ id }) => id), decidesNothing], answerTo }))
if (!(await vitest(['checks.matrix'], { KEEPER_ACCESS_QUESTION: question })))
  throw new Error(`The matrix is red with every check in its place:\n${lastSaid}`)
const matrix = JSON.parse(readFileSync(answerTo, 'utf8')) as MatrixAnswer
const noticed = new Map<string, string>([...Object.entries(matrix.red), ...Object.entries(matrix.second)])
const byMatrix = checks.filter(({ id }) => noticed.has(id)).length

/** Check → the files of tests that come past it, those in its own folder first. */
async function testsThatReach(): Promise<Map<string, string[]>> {
  const listing = join(folder, 'reached.jsonl')
  writeFileSync(listing, '')
  await vitest(['server/'], { KEEPER_CHECKS_REACHED: listing })
  const reaching = new Map<string, string[]>()
  for (const line of readFileSync(listing, 'utf8').split('\n').filter(Boolean)) {
    const { file, checks: reached } = JSON.parse(line) as { file: string; checks: string[] }
    for (const id of reached) reaching.set(id, [...(reaching.get(id) ?? []), relative(root, file)])
  }
  const far = (id: string, file: string) => {
    const [one, other] = [dirname(id), dirname(file)]
    if (one === other) return basename(file).startsWith(basename(fileOf(id), '.ts')) ? 0 : 1
    return one.split('/')[1] === other.split('/')[1] ? 2 : 3
  }
  for (const [id, files] of reaching)
    reaching.set(
      id,
      files.toSorted((a, b) => far(id, a) - far(id, b)),
    )
  return reaching
}

const left = checks.filter(({ id }) => !noticed.has(id))
if (given.beside === 'yes' && left.length > 0) {
  const reaching = await testsThatReach()
  for (const { id } of left) {
    const files = reaching.get(id)?.slice(0, 8) ?? []
    const red = files.length > 0 && !(await vitest(files, { KEEPER_CHECK_OFF: id }))
    if (red) noticed.set(id, `${/FAIL\S*\s+(.*)/.exec(lastSaid)?.[1] ?? 'a test beside it'}`)
    console.log(`${red ? 'red     ' : 'survives'}  ${id}  (${files.length} files of tests come past it)`)
  }
}

for (const { id, kind, text } of left)
  if (!noticed.has(id)) console.log(`survives  ${id}  ${kind}  ${text}  (${matrix.reached[id] ?? 0} calls)`)
report(
  'every access check removed in turn turns a test red',
  `${checks.filter(({ id }) => noticed.has(id)).length} of ${checks.length}, ${byMatrix} of them in the permission matrix`,
  'all of them',
  checks.every(({ id }) => noticed.has(id)),
)
const survives = matrix.reached[decidesNothing] !== undefined && !noticed.has(decidesNothing)
report(
  'control: a check that decides nothing, put among them',
  survives ? 'noticed: it survives' : `not noticed: ${noticed.get(decidesNothing)}`,
  'must be noticed',
  survives,
)
