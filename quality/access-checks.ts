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
import { type AccessCheck, findChecks, getCheckFile, isChecked } from './access-checks/find-checks.ts'
import { findNearestTests, findPartners } from './access-checks/nearest.ts'
import { type MatrixAnswer, plantedCheckId, type Question } from './access-checks/question.ts'
import { readTurnAnswers, runTurnFiles, type TurnAnswer, type Turns } from './access-checks/turns.ts'

// Turns each access check off, alone or together with the check that shadows it; the permission matrix or a nearby test must fail.
// `--only=server/boards` takes one folder, `--list` prints the checks, `--keep=folder` stores the answers there and resumes.
const { values: cliOptions } = parseArgs({
  options: {
    only: { type: 'string', default: '' },
    list: { type: 'boolean', default: false },
    keep: { type: 'string' },
  },
})
process.chdir(root)
const allChecks: AccessCheck[] = globSync('server/**/*.ts')
  .toSorted()
  .filter(isChecked)
  .flatMap((path) => findChecks(path, readFileSync(path, 'utf8')).checks)
const checks = allChecks.filter(({ id }) => id.startsWith(cliOptions.only))

if (cliOptions.list) {
  for (const { id, kind, text } of checks) console.log(`${id}  ${kind}  ${text}`)
  process.exit()
}

const dataDir = mkdtempSync(join(tmpdir(), 'keeper-access-'))
process.once('exit', () => rmSync(dataDir, { recursive: true, force: true }))
if (cliOptions.keep) mkdirSync(cliOptions.keep, { recursive: true })
const getResultPath = (name: string) => join(cliOptions.keep ?? dataDir, name)
const getAnswerPath = (name: string) =>
  getResultPath(`${[name, ...cliOptions.only.split('/')].filter(Boolean).join('-')}.json`)

let lastOutput = ''
const runVitest = (
  files: string[],
  environment: Record<string, string> = {},
  extraOptions: string[] = [],
): Promise<boolean> =>
  new Promise((resolve) => {
    const config = ['run', '--config', 'quality/access-checks/vitest.config.ts', ...extraOptions]
    const child = spawn(process.execPath, ['node_modules/vitest/vitest.mjs', ...config, ...files], {
      env: { ...process.env, KEEPER_TEST_ENGINES: 'sqlite', ...environment },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    lastOutput = ''
    const append = (chunk: Buffer) => {
      lastOutput = (lastOutput + chunk).slice(-20_000)
    }
    child.stdout.on('data', append)
    child.stderr.on('data', append)
    child.once('close', (code) => resolve(code === 0))
  })
const runTurns = (turns: Turns, answerPath: string) =>
  runTurnFiles(turns, (files) => runVitest(files, {}, ['--no-isolate', '--testTimeout=60000']), answerPath)

const firstProofs = new Map<string, string>()
const secondProofs = new Map<string, string>()
const isProven = ({ id }: { id: string }) => firstProofs.has(id) || secondProofs.has(id)

async function runMatrix(
  question: Pick<Question, 'ids' | 'unprovenIds'>,
  storedAnswerPath: string,
): Promise<MatrixAnswer> {
  if (!existsSync(storedAnswerPath)) {
    const questionPath = join(dataDir, 'question.json')
    const answerPath = join(dataDir, 'answer.json')
    writeFileSync(questionPath, JSON.stringify({ ...question, answerPath }))
    if (!(await runVitest(['checks.matrix'], { KEEPER_ACCESS_QUESTION: questionPath })))
      throw new Error(`The matrix fails with every check in place:\n${lastOutput}`)
    copyFileSync(answerPath, storedAnswerPath)
  }
  return JSON.parse(readFileSync(storedAnswerPath, 'utf8')) as MatrixAnswer
}
const ids = (cliOptions.only ? checks : allChecks).map(({ id }) => id)
const matrix = await runMatrix({ ids: [...ids, plantedCheckId], unprovenIds: [] }, getAnswerPath('matrix'))
for (const [id, message] of Object.entries(matrix.violations)) firstProofs.set(id, `the matrix: ${message}`)
console.log(`${checks.length} access checks, ${checks.filter(isProven).length} proven in the permission matrix`)

// Baseline with every check on. A test that fails here proves nothing later.
const testsPath = getResultPath('tests.jsonl')
const testFiles = globSync('server/**/*.test.ts').filter((path) => !readFileSync(path, 'utf8').includes('vi.mock('))
const listUnansweredFiles = () => {
  const answeredFiles = new Set(readTurnAnswers(testsPath).map(({ file }) => relative(root, file)))
  return testFiles.filter((path) => !answeredFiles.has(path))
}
// A crashed process leaves its remaining files unanswered, so their checks would stay unproven.
for (let attempt = 0; attempt < 2 && listUnansweredFiles().length > 0; attempt++)
  await runTurns(new Map(listUnansweredFiles().map((path) => [path, []])), testsPath)
if (listUnansweredFiles().length > 0)
  console.log(`No results from ${listUnansweredFiles().join(', ')}: these tests prove nothing here`)
const tests = new Map<string, Record<string, string[]>>()
const recordTests = (answers: TurnAnswer[]) => {
  for (const { file, tests: testsByName } of answers) if (testsByName) tests.set(relative(root, file), testsByName)
}
recordTests(readTurnAnswers(testsPath))

const crashes = new Map<string, string>()
const getTurnKey = ({ file, disabledIds = [] }: TurnAnswer) => [file, ...disabledIds].join(' ')
const answersPath = getResultPath('answers.jsonl')
let processedCount = 0
function readAnswers(): TurnAnswer[] {
  const answers = readTurnAnswers(answersPath).slice(processedCount)
  processedCount += answers.length
  recordTests(answers)
  for (const { file, disabledIds = [], failedTest, isUnsure, crashed } of answers) {
    const [id, partner] = disabledIds.length > 1 ? [disabledIds[1], disabledIds[0]] : [disabledIds[0]]
    if (!id) continue
    const where = relative(root, file)
    if (crashed) crashes.set(id, `${where}, ${crashed}`)
    if (!failedTest || isUnsure) continue
    if (partner) secondProofs.set(id, `behind ${partner}: ${where}, ${failedTest.test}: ${failedTest.message}`)
    else firstProofs.set(id, `${where}, ${failedTest.test}: ${failedTest.message}`)
  }
  return answers
}
const previousTurns = new Set(readAnswers().map(getTurnKey))

async function runRound(turns: Turns): Promise<void> {
  await runTurns(turns, answersPath)
  const answers = readAnswers()
  const turnAnswers = answers.filter((answer) => answer.disabledIds)
  const failed = turnAnswers.filter((answer) => answer.failedTest && !answer.isUnsure)
  console.log(`${turnAnswers.length} turns in ${turns.size} test files: ${failed.length} red`)
}
const queueTurn = (turns: Turns, file: string, disabledIds: string[]) => {
  if (!previousTurns.has(getTurnKey({ file: join(root, file), disabledIds })))
    turns.set(file, [...(turns.get(file) ?? []), disabledIds])
}

const fileCountsByRound = [1, 4, 12]
for (const [round, end] of fileCountsByRound.entries()) {
  const turns: Turns = new Map()
  for (const { id } of checks.filter((check) => !isProven(check)))
    for (const file of findNearestTests(id, tests).slice(fileCountsByRound[round - 1] ?? 0, end))
      queueTurn(turns, file, [id])
  await runRound(turns)
}
const unprovenIds = checks.filter((check) => !isProven(check)).map(({ id }) => id)
const pairMatrix = await runMatrix({ ids: [], unprovenIds }, getAnswerPath('pairs'))
for (const [id, message] of Object.entries(pairMatrix.second)) secondProofs.set(id, `the matrix: ${message}`)
console.log(
  `${unprovenIds.length} tried with each other check on their path in the permission matrix: ${Object.keys(pairMatrix.second).length} red`,
)
const partnerRanges = [
  [0, 2],
  [2, 8],
]
for (const [from, to] of partnerRanges) {
  const turns: Turns = new Map()
  for (const { id } of checks.filter((check) => !isProven(check)))
    for (const file of findNearestTests(id, tests).slice(0, 2))
      for (const partner of findPartners(id, tests.get(file) ?? {}, tests).slice(from, to))
        queueTurn(turns, file, [partner, id])
  await runRound(turns)
}

for (const { id, kind, text } of checks.filter((check) => !isProven(check))) {
  const calls = matrix.reached[id] ?? 0
  const files = findNearestTests(id, tests).length
  const crash = matrix.crashed[id] ?? crashes.get(id)
  console.log(
    `unproven  ${getCheckFile(id)}:${id.split(':')[1]}  ${kind}  ${text}  (${calls} calls, ${files} test files reach it${crash ? `; crashes: ${crash}` : ''})`,
  )
}
if (cliOptions.keep)
  writeFileSync(
    getAnswerPath('proven'),
    JSON.stringify({ first: [...firstProofs], second: [...secondProofs] }, undefined, 1),
  )
const proven = checks.filter(isProven)
const firsts = proven.filter(({ id }) => firstProofs.has(id))
report(
  'removing any access check fails a test',
  `${proven.length} of ${checks.length}: ${firsts.length} first locks, ${proven.length - firsts.length} second locks, ${checks.length - proven.length} unproven`,
  'all of them',
  proven.length === checks.length,
)
const isUnproven = matrix.reached[plantedCheckId] !== undefined && !isProven({ id: plantedCheckId })
report(
  'control: a planted check that decides nothing',
  isUnproven ? 'noticed: the check is unproven' : 'not noticed: the check counts as proven',
  'must be noticed',
  isUnproven,
)
const { calls, unnoticed } = matrix.planted
report(
  'control: calls that serve everyone as the owner, planted for each call hidden from strangers',
  `noticed: ${calls - unnoticed.length} of ${calls}${unnoticed.map((name) => `, not ${name}`).join('')}`,
  'must be noticed',
  calls > 0 && unnoticed.length === 0,
)
