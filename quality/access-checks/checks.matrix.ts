import { readFileSync, writeFileSync } from 'node:fs'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type EndpointEntry, listEndpoints } from '../../contract/index.ts'
import { authenticate } from '../../server/accounts/authenticate.ts'
import type { Person } from '../../server/accounts/person.ts'
import { listServedCalls } from '../../server/app.ts'
import { createRouter } from '../../server/http/router.ts'
import type { ServedCall } from '../../server/http/serve-area.ts'
import {
  type CellAnswer,
  checkStranger,
  createAdaSamples,
  type Fetch,
  findCellProblem,
  getCallName,
  getExpectedStatus,
  getPermissionLine,
  readAdaRows,
  sendCell,
} from '../../tests/permission-matrix-cells.ts'
import type { CallSample } from '../../tests/permission-matrix-table.ts'
import {
  type ActorKind,
  adaCanary,
  createPermissionWorld,
  type PermissionWorld,
} from '../../tests/permission-matrix-world.ts'
import { getCheckFile } from './find-checks.ts'
import { type MatrixAnswer, plantedCheckId, type Question } from './question.ts'
import { findReachedChecks, runWithoutChecks } from './switch.ts'

const question = JSON.parse(readFileSync(process.env.KEEPER_ACCESS_QUESTION ?? '', 'utf8')) as Question

const answer: MatrixAnswer = {
  reached: {},
  violations: {},
  crashed: {},
  second: {},
  planted: { calls: 0, unnoticed: [] },
}
const writeAnswer = () => writeFileSync(question.answerPath, JSON.stringify(answer))
const addHost = (init: RequestInit) => ({ ...(init.headers as Record<string, string>), host: 'localhost' })

let world: PermissionWorld
beforeAll(async () => {
  world = await createPermissionWorld('sqlite')
  if (question.ids.length > 0) await createAdaSamples(world)
}, 600_000)
afterAll(() => world.app.close())

const relevantActors: readonly ActorKind[] = [
  'visitor',
  'stranger',
  'domain connection',
  'domain user',
  'domain friend',
  'domain admin',
  'viewer',
  'support',
  'admin',
  'super-admin',
  'owner',
]

/** Matrix violations of a call with these checks off. Samples are created with all checks on; refused actors go first and share one sample. */
async function findViolationsWithout(
  call: EndpointEntry,
  ids: readonly string[],
  { kinds = relevantActors, all = false, during = (work: () => Promise<unknown>) => work() } = {},
): Promise<string[]> {
  const line = getPermissionLine(call)
  const violations: string[] = []
  let sharedSample: CallSample | undefined
  for (const kind of kinds.toSorted((a, b) => getExpectedStatus(line, b) - getExpectedStatus(line, a))) {
    const isRefused = getExpectedStatus(line, kind) >= 400
    if (kind === 'stranger' && !isRefused) {
      const violation = await checkStranger(world, call, async (work) => {
        let answer: CellAnswer = { status: 0, text: '', token: null }
        await during(async () => {
          answer = await runWithoutChecks(ids, work)
        })
        return answer
      })
      if (violation !== undefined) violations.push(violation)
      if (violations.some((item) => !isCrash(item)) && !all) break
      continue
    }
    const sample = isRefused && sharedSample ? sharedSample : await line.sample(world)
    if (isRefused) sharedSample = sample
    const token = await world.createToken(kind)
    await world.app.services.db.deleteFrom('throttle_windows').execute()
    await during(() =>
      runWithoutChecks(ids, async () => {
        const violation = findCellProblem(call, kind, await sendCell(world.app.fetch, call, sample, token))
        if (violation !== undefined) violations.push(violation)
      }),
    )
    if (violations.some((item) => !isCrash(item)) && !all) break
  }
  await world.removeNewMembers()
  return violations
}

const getArea = (id: string) => id.split('/')[1]

/** A refused actor who hit an internal error wasn't let in. */
const isCrash = (sentence: string) => / answers 5\d\d /.test(sentence)

/** Status, reads and changes of Ada's rows per actor. Needs a small world: all its rows are compared each time. */
async function describeOutcomeWithout(
  smallWorld: PermissionWorld,
  call: EndpointEntry,
  ids: readonly string[],
): Promise<string> {
  const { db } = smallWorld.app.services
  const line = getPermissionLine(call)
  const members = ['domain admin', 'domain connection'] as const
  const outcomes: string[] = []
  for (const kind of ['stranger', 'support', ...(line.members ? members : members.slice(1))] as const) {
    const sample = await line.sample(smallWorld)
    const token = await smallWorld.createToken(kind)
    await db.deleteFrom('throttle_windows').execute()
    const rowsBefore = await readAdaRows(smallWorld, kind)
    const answer = await runWithoutChecks(ids, () => sendCell(smallWorld.app.fetch, call, sample, token))
    const changed = (await readAdaRows(smallWorld, kind)) !== rowsBefore
    await smallWorld.removeNewMembers()
    outcomes.push(
      `${kind} ${answer.status}${answer.text.includes(adaCanary) ? ' reads' : ''}${changed ? ' changes' : ''}`,
    )
  }
  return outcomes.join(', ')
}

/** The nearest ten and about thirty others, because a check on every path may decide only a few calls. */
function sampleCalls<T>(near: T[]): T[] {
  const others = near.slice(10)
  const every = Math.max(1, Math.floor(others.length / 30))
  return [...near.slice(0, 10), ...others.filter((_, index) => index % every === 0)]
}

it.runIf(question.ids.length > 0)('calls that serve everyone as the owner are noticed', async () => {
  const ada = await authenticate(world.app.services, (await world.createToken('owner')) ?? '')
  const served = listServedCalls(world.app.services)
  const planted = { calls: 0, unnoticed: [] as string[] }
  // Calls that refuse everyone, such as custom domain pages, refuse their owner too.
  const isOpenTo = (item: EndpointEntry) =>
    getPermissionLine(item).stranger === 404 && getPermissionLine(item).owner !== 404
  for (const call of listEndpoints().filter(isOpenTo)) {
    const routes = served
      .filter(({ endpoint }) => endpoint.method === call.endpoint.method && endpoint.path === call.endpoint.path)
      .map(
        (item): ServedCall => ({
          ...item,
          handler: (input) => item.handler({ ...input, person: ada as Person }),
        }),
      )
    const router = createRouter(world.app.services, routes)
    const open: Fetch = async (path, init) =>
      router.fetch(new Request(`http://localhost${path}`, { ...init, headers: addHost(init) }))
    const sample = await getPermissionLine(call).sample(world)
    const token = await world.createToken('stranger')
    await world.app.services.db.deleteFrom('throttle_windows').execute()
    const violation = findCellProblem(call, 'stranger', await sendCell(open, call, sample, token))
    planted.calls += 1
    if (violation === undefined || isCrash(violation)) planted.unnoticed.push(getCallName(call))
  }
  answer.planted = planted
  writeAnswer()
})

it('every check is turned off, alone and with each check on its path', async () => {
  const calls = listEndpoints()
  const callsByCheck = new Map<string, { call: EndpointEntry; reachedCount: number }[]>()
  const allViolations: string[] = []
  for (const call of calls) {
    const reached = new Set<string>()
    const during = async (work: () => Promise<unknown>) => {
      for (const id of await findReachedChecks(work)) reached.add(id)
    }
    allViolations.push(...(await findViolationsWithout(call, [], { all: true, during })))
    for (const id of reached)
      callsByCheck.set(id, [...(callsByCheck.get(id) ?? []), { call, reachedCount: reached.size }])
  }
  expect(allViolations).toEqual([])

  // Control: nothing reaches this check, so nothing may fail without it.
  const some = calls.filter((_, index) => index % 12 === 0)
  callsByCheck.set(
    plantedCheckId,
    some.map((call, reachedCount) => ({ call, reachedCount })),
  )

  for (const id of question.ids) {
    const near = (callsByCheck.get(id) ?? []).toSorted((a, b) => a.reachedCount - b.reachedCount)
    answer.reached[id] = near.length
    for (const { call } of sampleCalls(near)) {
      const violations = await findViolationsWithout(call, [id])
      const crash = violations.find(isCrash)
      if (crash) answer.crashed[id] ??= crash
      const violation = violations.find((item) => !isCrash(item))
      if (violation === undefined) continue
      answer.violations[id] = violation
      break
    }
    writeAnswer()
  }
  const countCalls = (id: string) => callsByCheck.get(id)?.length ?? 0
  const cachedOutcomes = new Map<string, string>()
  let smallWorld: PermissionWorld | undefined
  const getCachedOutcome = async (call: EndpointEntry, ids: string[]): Promise<string> => {
    const cacheKey = [getCallName(call), ...ids].join(' ')
    const outcome = cachedOutcomes.get(cacheKey) ?? (await describeOutcomeWithout(smallWorld ?? world, call, ids))
    cachedOutcomes.set(cacheKey, outcome)
    return outcome
  }
  for (const [position, id] of question.unprovenIds.entries()) {
    // A new world now and then, because leftovers make it slow.
    if (position % 5 === 0) {
      await smallWorld?.app.close()
      smallWorld = await createPermissionWorld('sqlite')
    }
    const near = (callsByCheck.get(id) ?? []).toSorted((a, b) => a.reachedCount - b.reachedCount)
    search: for (const { call } of near.slice(0, 3)) {
      await createAdaSamples(smallWorld ?? world, call.area)
      const others = [...callsByCheck.keys()].filter(
        (other) => other !== id && callsByCheck.get(other)?.some((item) => item.call === call),
      )
      // The check guards if disabling both differs from disabling the other alone.
      const getDistance = (other: string) => (getArea(other) === getArea(id) ? 0 : 1)
      const ranked = others.toSorted(
        (one, other) => getDistance(one) - getDistance(other) || countCalls(one) - countCalls(other),
      )
      const checksByFile = Map.groupBy(ranked, getCheckFile)
      const sameFileGroups = [...checksByFile.values()].filter((ids) => ids.length > 1)
      const areaGroup = [...callsByCheck.keys()].filter((other) => other !== id && getArea(other) === getArea(id))
      const singles = ranked.slice(0, 14).map((other) => [other])
      for (const partners of [...singles, ...sameFileGroups.slice(0, 6), areaGroup]) {
        const without = await getCachedOutcome(call, partners)
        const withoutBoth = await describeOutcomeWithout(smallWorld ?? world, call, [...partners, id])
        if (without === withoutBoth || /\b5\d\d\b/.test(withoutBoth)) continue
        if ((await getCachedOutcome(call, [id])) === withoutBoth) continue
        answer.second[id] =
          `${getCallName(call)} behind ${partners.slice(0, 3).join(' and ')}${partners.length > 3 ? ` and ${partners.length - 3} more` : ''}: ${withoutBoth}`
        break search
      }
    }
    writeAnswer()
  }
  await smallWorld?.app.close()
  writeAnswer()
})
