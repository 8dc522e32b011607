import { readFileSync, writeFileSync } from 'node:fs'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type AddressBookEntry, addressBook } from '#contract/index.ts'
import { authenticate } from '#server/accounts/authenticate.ts'
import type { Person } from '#server/accounts/person.ts'
import { servedCalls } from '#server/app.ts'
import { createRouter } from '#server/http/router.ts'
import type { ServedCall } from '#server/http/serve-area.ts'
import {
  answerOf,
  type CellAnswer,
  expectedFor,
  type Fetch,
  lineFor,
  makeAdasLife,
  nameOf,
  rowsOfAda,
  strangersCell,
  wrongIn,
} from '#tests/permission-matrix-cells.ts'
import type { Sample } from '#tests/permission-matrix-table.ts'
import { type ActorKind, adasCanary, makeWorld, type World } from '#tests/permission-matrix-world.ts'
import { fileOf } from './find-checks.ts'
import { decidesNothing, type MatrixAnswer, type Question } from './question.ts'
import { checksReachedBy, withoutChecks } from './switch.ts'

const question = JSON.parse(readFileSync(process.env.KEEPER_ACCESS_QUESTION ?? '', 'utf8')) as Question

const answer: MatrixAnswer = {
  reached: {},
  red: {},
  crashed: {},
  second: {},
  planted: { calls: 0, unnoticed: [] },
}
const write = () => writeFileSync(question.answerTo, JSON.stringify(answer))
const hosted = (init: RequestInit) => ({ ...(init.headers as Record<string, string>), host: 'localhost' })

let world: World
beforeAll(async () => {
  world = await makeWorld('sqlite')
  if (question.ids.length > 0) await makeAdasLife(world)
}, 600_000)
afterAll(() => world.app.close())

const telling: readonly ActorKind[] = [
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

/** Matrix violations of a call with these checks off. Samples are created with all checks on; refused actors go first and share one. */
async function wrongWithout(
  call: AddressBookEntry,
  ids: readonly string[],
  { kinds = telling, all = false, during = (work: () => Promise<unknown>) => work() } = {},
): Promise<string[]> {
  const line = lineFor(call)
  const wrong: string[] = []
  let ofTheRefused: Sample | undefined
  for (const kind of kinds.toSorted((a, b) => expectedFor(line, b) - expectedFor(line, a))) {
    const isRefused = expectedFor(line, kind) >= 400
    if (kind === 'stranger' && !isRefused) {
      const found = await strangersCell(world, call, async (work) => {
        let answer: CellAnswer = { status: 0, text: '', token: null }
        await during(async () => {
          answer = await withoutChecks(ids, work)
        })
        return answer
      })
      if (found !== undefined) wrong.push(found)
      if (wrong.some((each) => !isCrash(each)) && !all) break
      continue
    }
    const sample = isRefused && ofTheRefused ? ofTheRefused : await line.sample(world)
    if (isRefused) ofTheRefused = sample
    const token = await world.tokenOf(kind)
    await world.app.services.db.deleteFrom('throttle_windows').execute()
    await during(() =>
      withoutChecks(ids, async () => {
        const found = wrongIn(call, kind, await answerOf(world.app.fetch, call, sample, token))
        if (found !== undefined) wrong.push(found)
      }),
    )
    if (wrong.some((each) => !isCrash(each)) && !all) break
  }
  await world.strangersAgain()
  return wrong
}

const areaOf = (id: string) => id.split('/')[1]

/** A refused actor who hit an internal error wasn't let in. */
const isCrash = (sentence: string) => / answers 5\d\d /.test(sentence)

/** Status, reads and changes of Ada's rows per actor. Needs a small world: all its rows are compared each time. */
async function outcomeWithout(small: World, call: AddressBookEntry, ids: readonly string[]): Promise<string> {
  const { db } = small.app.services
  const line = lineFor(call)
  const members = ['domain admin', 'domain connection'] as const
  const said: string[] = []
  for (const kind of ['stranger', 'support', ...(line.members ? members : members.slice(1))] as const) {
    const sample = await line.sample(small)
    const token = await small.tokenOf(kind)
    await db.deleteFrom('throttle_windows').execute()
    const before = await rowsOfAda(small, kind)
    const answer = await withoutChecks(ids, () => answerOf(small.app.fetch, call, sample, token))
    const changed = (await rowsOfAda(small, kind)) !== before
    await small.strangersAgain()
    said.push(`${kind} ${answer.status}${answer.text.includes(adasCanary) ? ' reads' : ''}${changed ? ' changes' : ''}`)
  }
  return said.join(', ')
}

/** The nearest ten and a sample of thirty others, because a check on every path shows in few calls. */
function spread<T>(near: T[]): T[] {
  const others = near.slice(10)
  const every = Math.max(1, Math.floor(others.length / 30))
  return [...near.slice(0, 10), ...others.filter((_, index) => index % every === 0)]
}

it.runIf(question.ids.length > 0)('calls without any check, one by one', async () => {
  const ada = await authenticate(world.app.services, (await world.tokenOf('owner')) ?? '')
  const served = servedCalls(world.app.services)
  const planted = { calls: 0, unnoticed: [] as string[] }
  // Calls that refuse everyone, such as custom domain pages, refuse their owner too.
  const isOpenTo = (each: AddressBookEntry) => lineFor(each).stranger === 404 && lineFor(each).owner !== 404
  for (const call of addressBook().filter(isOpenTo)) {
    const routes = served
      .filter(({ endpoint }) => endpoint.method === call.endpoint.method && endpoint.path === call.endpoint.path)
      .map(
        (each): ServedCall => ({
          ...each,
          handler: (input) => each.handler({ ...input, person: ada as Person }),
        }),
      )
    const router = createRouter(world.app.services, routes)
    const open: Fetch = async (path, init) =>
      router.fetch(new Request(`http://localhost${path}`, { ...init, headers: hosted(init) }))
    const sample = await lineFor(call).sample(world)
    const token = await world.tokenOf('stranger')
    await world.app.services.db.deleteFrom('throttle_windows').execute()
    const wrong = wrongIn(call, 'stranger', await answerOf(open, call, sample, token))
    planted.calls += 1
    if (wrong === undefined || isCrash(wrong)) planted.unnoticed.push(nameOf(call))
  }
  answer.planted = planted
  write()
})

it('every check in turn', async () => {
  const calls = addressBook()
  const callsOf = new Map<string, { call: AddressBookEntry; among: number }[]>()
  // With every check on, nothing is wrong; later failures come from a disabled check.
  const wrong: string[] = []
  for (const call of calls) {
    const reached = new Set<string>()
    const during = async (work: () => Promise<unknown>) => {
      for (const id of await checksReachedBy(work)) reached.add(id)
    }
    wrong.push(...(await wrongWithout(call, [], { all: true, during })))
    for (const id of reached) callsOf.set(id, [...(callsOf.get(id) ?? []), { call, among: reached.size }])
  }
  expect(wrong).toEqual([])

  // Control: nothing reaches this check, so nothing may fail without it.
  const some = calls.filter((_, index) => index % 12 === 0)
  callsOf.set(
    decidesNothing,
    some.map((call, among) => ({ call, among })),
  )

  for (const id of question.ids) {
    const near = (callsOf.get(id) ?? []).toSorted((a, b) => a.among - b.among)
    answer.reached[id] = near.length
    for (const { call } of spread(near)) {
      const found = await wrongWithout(call, [id])
      const crash = found.find(isCrash)
      if (crash) answer.crashed[id] ??= crash
      const wrong = found.find((each) => !isCrash(each))
      if (wrong === undefined) continue
      answer.red[id] = wrong
      break
    }
    write()
  }
  const rarity = (id: string) => callsOf.get(id)?.length ?? 0
  const known = new Map<string, string>()
  let small: World | undefined
  const outcomeOfFirst = async (call: AddressBookEntry, ids: string[]): Promise<string> => {
    const place = [nameOf(call), ...ids].join(' ')
    const outcome = known.get(place) ?? (await outcomeWithout(small ?? world, call, ids))
    known.set(place, outcome)
    return outcome
  }
  for (const [place, id] of question.behind.entries()) {
    // A new world now and then, because leftovers make it slow.
    if (place % 5 === 0) {
      await small?.app.close()
      small = await makeWorld('sqlite')
    }
    const near = (callsOf.get(id) ?? []).toSorted((a, b) => a.among - b.among)
    search: for (const { call } of near.slice(0, 3)) {
      await makeAdasLife(small ?? world, call.area)
      const others = [...callsOf.keys()].filter(
        (other) => other !== id && callsOf.get(other)?.some((each) => each.call === call),
      )
      // The check guards if disabling both differs from disabling the other alone.
      const nearer = (other: string) => (areaOf(other) === areaOf(id) ? 0 : 1)
      const ranked = others.toSorted((one, other) => nearer(one) - nearer(other) || rarity(one) - rarity(other))
      const files = Map.groupBy(ranked, fileOf)
      const together = [...files.values()].filter((each) => each.length > 1)
      // Finally, every other check of its area at once.
      const alone = [...callsOf.keys()].filter((other) => other !== id && areaOf(other) === areaOf(id))
      for (const first of [...ranked.slice(0, 14).map((each) => [each]), ...together.slice(0, 6), alone]) {
        const without = await outcomeOfFirst(call, first)
        const withoutBoth = await outcomeWithout(small ?? world, call, [...first, id])
        if (without === withoutBoth || /\b5\d\d\b/.test(withoutBoth)) continue
        if ((await outcomeOfFirst(call, [id])) === withoutBoth) continue
        answer.second[id] =
          `${nameOf(call)} behind ${first.slice(0, 3).join(' and ')}${first.length > 3 ? ` and ${first.length - 3} more` : ''}: ${withoutBoth}`
        break search
      }
    }
    write()
  }
  await small?.app.close()
  write()
})
