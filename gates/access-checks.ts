import { spawn } from 'node:child_process'
import {
  copyFileSync,
  existsSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { parseArgs } from 'node:util'
import { report, root } from '../bench/measure.ts'
import { type Check, checksIn, fileOf, isChecked } from './access-checks/find-checks.ts'
import { nearest, partnersOf } from './access-checks/nearest.ts'
import { decidesNothing, type MatrixAnswer, type Question } from './access-checks/question.ts'
import { answersIn, type TurnAnswer, type Turns, takeTurns } from './access-checks/turns.ts'

// Turns off every access check in turn; the permission matrix or a nearby test must fail. A check shadowed by another one is
// turned off together with it. `--only=server/boards` takes one folder, `--list` prints the checks, `--keep=folder` resumes.
const { values: given } = parseArgs({
  options: {
    only: { type: 'string', default: '' },
    list: { type: 'boolean', default: false },
    keep: { type: 'string' },
  },
})
process.chdir(root)
const all: Check[] = globSync('server/**/*.ts')
  .toSorted()
  .filter(isChecked)
  .flatMap((path) => checksIn(path, readFileSync(path, 'utf8')).checks)
const checks = all.filter(({ id }) => id.startsWith(given.only))

if (given.list) {
  for (const { id, kind, text } of checks) console.log(`${id}  ${kind}  ${text}`)
  process.exit()
}

const folder = mkdtempSync(join(tmpdir(), 'keeper-access-'))
process.once('exit', () => rmSync(folder, { recursive: true, force: true }))
if (given.keep) mkdirSync(given.keep, { recursive: true })
const kept = (name: string) => join(given.keep ?? folder, name)
const keptOf = (name: string) => kept(`${[name, ...given.only.split('/')].filter(Boolean).join('-')}.json`)

let lastSaid = ''
const vitest = (files: string[], environment: Record<string, string> = {}, more: string[] = []): Promise<boolean> =>
  new Promise((resolve) => {
    const config = ['run', '--config', 'gates/access-checks/vitest.config.ts', ...more]
    const child = spawn(process.execPath, ['node_modules/vitest/vitest.mjs', ...config, ...files], {
      env: { ...process.env, KEEPER_TEST_ENGINES: 'sqlite', ...environment },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    lastSaid = ''
    const keep = (chunk: Buffer) => {
      lastSaid = (lastSaid + chunk).slice(-20_000)
    }
    child.stdout.on('data', keep)
    child.stderr.on('data', keep)
    child.once('close', (code) => resolve(code === 0))
  })
const inTurns = (turns: Turns, answerTo: string) =>
  takeTurns(turns, (files) => vitest(files, {}, ['--no-isolate', '--testTimeout=60000']), answerTo)

const first = new Map<string, string>()
const second = new Map<string, string>()
const isProven = ({ id }: { id: string }) => first.has(id) || second.has(id)

async function askMatrix(question: Pick<Question, 'ids' | 'behind'>, answerTo: string): Promise<MatrixAnswer> {
  if (!existsSync(answerTo)) {
    const asked = join(folder, 'question.json')
    const answer = join(folder, 'answer.json')
    writeFileSync(asked, JSON.stringify({ ...question, answerTo: answer }))
    if (!(await vitest(['checks.matrix'], { KEEPER_ACCESS_QUESTION: asked })))
      throw new Error(`The matrix fails with every check in place:\n${lastSaid}`)
    copyFileSync(answer, answerTo)
  }
  return JSON.parse(readFileSync(answerTo, 'utf8')) as MatrixAnswer
}
const ids = (given.only ? checks : all).map(({ id }) => id)
const matrix = await askMatrix({ ids: [...ids, decidesNothing], behind: [] }, keptOf('matrix'))
for (const [id, says] of Object.entries(matrix.red)) first.set(id, `the matrix: ${says}`)
console.log(`${checks.length} access checks, ${checks.filter(isProven).length} proven in the permission matrix`)

// Baseline with every check on. A test that fails here proves nothing later.
const told = kept('tests.jsonl')
const every = globSync('server/**/*.test.ts').filter((path) => !readFileSync(path, 'utf8').includes('vi.mock('))
const silent = () => {
  const heard = new Set(answersIn(told).map(({ file }) => relative(root, file)))
  return every.filter((path) => !heard.has(path))
}
// A crashed process leaves its remaining files unanswered, so their checks would stay unproven.
for (let asked = 0; asked < 2 && silent().length > 0; asked++)
  await inTurns(new Map(silent().map((path) => [path, []])), told)
if (silent().length > 0) console.log(`No results from ${silent().join(', ')}: these tests prove nothing here`)
const tests = new Map<string, Record<string, string[]>>()
const take = (answers: TurnAnswer[]) => {
  for (const { file, tests: found } of answers) if (found) tests.set(relative(root, file), found)
}
take(answersIn(told))

const crashes = new Map<string, string>()
const keyOf = ({ file, off = [] }: TurnAnswer) => [file, ...off].join(' ')
const answered = kept('answers.jsonl')
let looked = 0
function look(): TurnAnswer[] {
  const answers = answersIn(answered).slice(looked)
  looked += answers.length
  take(answers)
  for (const { file, off = [], red, unsure, crashed } of answers) {
    const [id, partner] = off.length > 1 ? [off[1], off[0]] : [off[0]]
    if (!id) continue
    const where = relative(root, file)
    if (crashed) crashes.set(id, `${where}, ${crashed}`)
    if (!red || unsure) continue
    if (partner) second.set(id, `behind ${partner}: ${where}, ${red.test}: ${red.says}`)
    else first.set(id, `${where}, ${red.test}: ${red.says}`)
  }
  return answers
}
const wasAsked = new Set(look().map(keyOf))

async function ask(turns: Turns): Promise<void> {
  await inTurns(turns, answered)
  const answers = look()
  const off = answers.filter((answer) => answer.off)
  const red = off.filter((answer) => answer.red && !answer.unsure)
  console.log(`${off.length} turns in ${turns.size} test files: ${red.length} red`)
}
const addTurn = (turns: Turns, file: string, off: string[]) => {
  if (!wasAsked.has(keyOf({ file: join(root, file), off }))) turns.set(file, [...(turns.get(file) ?? []), off])
}

const rounds = [1, 4, 12]
for (const [round, end] of rounds.entries()) {
  const turns: Turns = new Map()
  for (const { id } of checks.filter((check) => !isProven(check)))
    for (const file of nearest(id, tests).slice(rounds[round - 1] ?? 0, end)) addTurn(turns, file, [id])
  await ask(turns)
}
const left = checks.filter((check) => !isProven(check)).map(({ id }) => id)
const behind = await askMatrix({ ids: [], behind: left }, keptOf('behind'))
for (const [id, says] of Object.entries(behind.second)) second.set(id, `the matrix: ${says}`)
console.log(
  `${left.length} tried with each other check on their path in the permission matrix: ${Object.keys(behind.second).length} red`,
)
// Checks behind another one: pairs that the same tests reach, nearest first.
for (const [from, to] of [
  [0, 2],
  [2, 8],
]) {
  const turns: Turns = new Map()
  for (const { id } of checks.filter((check) => !isProven(check)))
    for (const file of nearest(id, tests).slice(0, 2))
      for (const partner of partnersOf(id, tests.get(file) ?? {}, tests).slice(from, to))
        addTurn(turns, file, [partner, id])
  await ask(turns)
}

for (const { id, kind, text } of checks.filter((check) => !isProven(check))) {
  const calls = matrix.reached[id] ?? 0
  const files = nearest(id, tests).length
  const crash = matrix.crashed[id] ?? crashes.get(id)
  console.log(
    `unproven  ${fileOf(id)}:${id.split(':')[1]}  ${kind}  ${text}  (${calls} calls, ${files} test files reach it${crash ? `; crashes: ${crash}` : ''})`,
  )
}
if (given.keep)
  writeFileSync(keptOf('proven'), JSON.stringify({ first: [...first], second: [...second] }, undefined, 1))
const proven = checks.filter(isProven)
const firsts = proven.filter(({ id }) => first.has(id))
report(
  'removing any access check fails a test',
  `${proven.length} of ${checks.length}: ${firsts.length} first locks, ${proven.length - firsts.length} second locks, ${checks.length - proven.length} unproven`,
  'all of them',
  proven.length === checks.length,
)
const survives = matrix.reached[decidesNothing] !== undefined && !isProven({ id: decidesNothing })
report(
  'control: a planted check that decides nothing',
  survives ? 'noticed: it is unproven' : 'not noticed: it counts as proven',
  'must be noticed',
  survives,
)
const { calls, unnoticed } = matrix.planted
report(
  'control: calls that serve everyone as the owner, planted for each call hidden from strangers',
  `noticed: ${calls - unnoticed.length} of ${calls}${unnoticed.map((name) => `, not ${name}`).join('')}`,
  'must be noticed',
  calls > 0 && unnoticed.length === 0,
)
