import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { echoes } from '#contract/keepers/echoes.ts'
import { entries } from '#contract/keepers/entries.ts'
import type { Keeper } from '#contract/keepers/keepers.ts'
import { memoryCards } from '#contract/keepers/memory-cards.ts'
import { reflections } from '#contract/keepers/reflections.ts'
import { hourMs } from '#server/values/time-units.ts'
import { createTestKeeper } from '#tests/create-test-keeper.ts'
import { engines } from '#tests/engines.ts'
import { KeeperModel, type ModelEntry, type Outcome, removeTrashed } from '#tests/keeper-model.ts'
import type { Actor, TestApp } from '#tests/test-app.ts'
import { useTestApp } from '#tests/use-test-app.ts'

/** Thorough run: `KEEPER_PROPERTY_RUNS=5000 npx vitest run --root . server/keepers/keeper-model`. */
const runs = Number(process.env.KEEPER_PROPERTY_RUNS ?? 60)

interface System {
  app: TestApp
  ada: Actor
  keeper: Keeper
}
type Kind = 'reflection' | 'card' | 'echo'
type Command = fc.AsyncCommand<KeeperModel, System>

/** An action on model and server, which must have the same outcome. */
class Action implements Command {
  readonly #name: string
  readonly #run: (model: KeeperModel, system: System) => Promise<void>
  constructor(name: string, run: (model: KeeperModel, system: System) => Promise<void>) {
    this.#name = name
    this.#run = run
  }
  check = () => true
  run = (model: KeeperModel, system: System) => this.#run(model, system)
  toString = () => this.#name
}

const getNow = ({ app }: System) => app.services.now().getTime()
const pick = <Entry>(list: Entry[], index: number): Entry | undefined => list[index % Math.max(1, list.length)]
const expectOutcome = (status: number, outcome: Outcome, actionName: string) =>
  expect(`${actionName} ${status}`).toBe(`${actionName} ${outcome}`)
const indexArbitrary = fc.nat({ max: 7 })
const text = fc.string({ minLength: 1, maxLength: 12, unit: 'grapheme' }).filter((candidate) => candidate.trim() !== '')

const write = text.map(
  (content) =>
    new Action(`write ${content}`, async (model, system) => {
      const { data, status } = await system.ada.call(reflections.create, {
        params: { id: system.keeper.id },
        body: { content },
      })
      expectOutcome(status, 200, 'write')
      const createdAt = Date.parse(data.createdAt)
      model.reflections.push({
        id: data.id,
        content,
        rev: 1,
        createdAt,
        isPromoted: false,
        isRested: false,
        trashedAt: null,
      })
    }),
)
const edit = fc.tuple(indexArbitrary, text, fc.constantFrom('none', 'current', 'outdated')).map(
  ([index, content, base]) =>
    new Action(`edit ${index} ${base}`, async (model, { ada }) => {
      const reflection = pick(model.reflections, index)
      if (!reflection) return
      const ifMatch = { none: null, current: reflection.rev, outdated: reflection.rev - 1 }[base]
      const outcome = model.edit(reflection, content, ifMatch)
      const options = { params: { id: reflection.id }, body: { content }, ...(ifMatch !== null && { ifMatch }) }
      expectOutcome((await ada.call(reflections.update, options)).status, outcome, 'edit')
    }),
)
const promote = fc.tuple(indexArbitrary, fc.boolean()).map(
  ([index, twice]) =>
    new Action(`promote ${index}${twice ? ' twice concurrently' : ''}`, async (model, { ada }) => {
      const reflection = pick(model.reflections, index)
      if (!reflection) return
      const outcomes = [model.promote(reflection), ...(twice ? [model.promote(reflection)] : [])]
      const responses = await Promise.all(
        outcomes.map(() => ada.call(reflections.promote, { params: { id: reflection.id } })),
      )
      expect(responses.map(({ status }) => status).sort()).toEqual(outcomes.toSorted())
      const successfulResponse = responses.find(({ status }) => status === 200)
      if (successfulResponse)
        model.cards.push({
          id: successfulResponse.data.id,
          content: reflection.content,
          rev: 1,
          reflection: reflection.id,
          trashedAt: null,
        })
    }),
)
const letRest = fc.tuple(indexArbitrary, fc.boolean()).map(
  ([index, resting]) =>
    new Action(`rest ${index} ${resting}`, async (model, { ada }) => {
      const reflection = pick(model.reflections, index)
      if (!reflection) return
      const outcome = model.rest(reflection, resting)
      const response = await ada.call(reflections.rest, { params: { id: reflection.id }, body: { rest: resting } })
      expectOutcome(response.status, outcome, 'rest')
    }),
)
const editCard = fc.tuple(indexArbitrary, text).map(
  ([index, content]) =>
    new Action(`edit card ${index}`, async (model, { ada }) => {
      const card = pick(model.cards, index)
      if (!card) return
      const outcome = card.trashedAt === null ? 200 : 404
      if (outcome === 200) card.content = content
      expectOutcome(
        (await ada.call(memoryCards.update, { params: { id: card.id }, body: { content } })).status,
        outcome,
        'card',
      )
    }),
)
const sendEcho = fc.tuple(text, fc.option(fc.integer({ min: -10, max: 60 }))).map(
  ([message, hours]) =>
    new Action(`echo in ${hours} h`, async (model, system) => {
      const dueAt = hours === null ? null : getNow(system) + hours * hourMs
      const body = { message, ...(dueAt !== null && { triggerDate: new Date(dueAt).toISOString() }) }
      const { data } = await system.ada.call(echoes.create, { params: { id: system.keeper.id }, body })
      model.echoes.push({ id: data.id, message: message.trim(), dueAt, isDelivered: false, trashedAt: null })
    }),
)
const deliver = indexArbitrary.map(
  (index) =>
    new Action(`deliver ${index}`, async (model, system) => {
      const echo = pick(model.echoes, index)
      if (!echo) return
      const outcome = model.deliver(echo, getNow(system))
      expectOutcome((await system.ada.call(echoes.deliver, { params: { id: echo.id } })).status, outcome, 'deliver')
    }),
)
const reword = fc.tuple(indexArbitrary, text).map(
  ([index, message]) =>
    new Action(`reword ${index}`, async (model, { ada }) => {
      const echo = pick(model.echoes, index)
      if (!echo) return
      const outcome = model.reword(echo, message.trim())
      expectOutcome(
        (await ada.call(echoes.update, { params: { id: echo.id }, body: { message } })).status,
        outcome,
        'reword',
      )
    }),
)
const removals = { reflection: reflections.remove, card: memoryCards.remove, echo: echoes.remove }
const getEntries = (model: KeeperModel, kind: Kind): ModelEntry[] =>
  ({ reflection: model.reflections, card: model.cards, echo: model.echoes })[kind]
const kind = fc.constantFrom<Kind>('reflection', 'card', 'echo')
const trash = fc.tuple(kind, indexArbitrary).map(
  ([entity, index]) =>
    new Action(`trash ${entity} ${index}`, async (model, system) => {
      const entry = pick(getEntries(model, entity), index)
      if (!entry) return
      const outcome = model.trash(entry, getNow(system))
      expectOutcome((await system.ada.call(removals[entity], { params: { id: entry.id } })).status, outcome, 'trash')
    }),
)
const restore = fc.tuple(kind, indexArbitrary).map(
  ([entity, index]) =>
    new Action(`restore ${entity} ${index}`, async (model, system) => {
      const entry = pick(getEntries(model, entity), index)
      if (!entry) return
      const outcome = model.restore(entry, getNow(system))
      expectOutcome(
        (await system.ada.call(entries.restore, { params: { entity, id: entry.id } })).status,
        outcome,
        'restore',
      )
    }),
)
const wait = fc.integer({ min: 1, max: 30 }).map(
  (hours) =>
    new Action(`wait ${hours} h`, async (_, { app }) => {
      app.passTime(hours * hourMs)
    }),
)

/** The server returns the model's state. */
async function expectSame(model: KeeperModel, system: System): Promise<void> {
  const { ada, keeper } = system
  const params = { id: keeper.id }
  const storedReflections = await ada.call(reflections.list, { params })
  const storedCards = await ada.call(memoryCards.list, { params })
  const storedEchoes = await ada.call(echoes.list, { params })
  const suggestions = await ada.call(reflections.suggestions, { params })
  const sortById = <T extends { id: string }>(list: T[]) => list.toSorted((a, b) => (a.id < b.id ? -1 : 1))
  expect(
    sortById(
      storedReflections.data.map(({ id, content, rev, promotedToMemoryCard }) => ({
        id,
        content,
        rev,
        promotedToMemoryCard,
      })),
    ),
  ).toEqual(
    sortById(
      removeTrashed(model.reflections).map(({ id, content, rev, isPromoted }) => ({
        id,
        content,
        rev,
        promotedToMemoryCard: isPromoted,
      })),
    ),
  )
  expect(sortById(storedCards.data.map(({ id, content, reflectionId }) => ({ id, content, reflectionId })))).toEqual(
    sortById(
      removeTrashed(model.cards).map(({ id, content, reflection }) => ({ id, content, reflectionId: reflection })),
    ),
  )
  const now = getNow(system)
  expect(sortById(storedEchoes.data.map(({ id, message, state }) => ({ id, message, state })))).toEqual(
    sortById(
      removeTrashed(model.echoes).map((echo) => ({
        id: echo.id,
        message: echo.message,
        state: model.getEchoState(echo, now),
      })),
    ),
  )
  expect(suggestions.data.map(({ id }) => id).sort()).toEqual(model.listSuggestions(now).sort())
}

describe.each(engines)('a keeper and its model, on %s', (engine) => {
  // The sequences together can last longer than a session.
  const { app, ada } = useTestApp(engine, ['ada'], { environment: { KEEPER_SESSION_DAYS: '0' } })

  it(`agree after any ${runs} sequences of actions`, { timeout: 30 * 60_000 }, async () => {
    const actions = [
      write,
      write,
      edit,
      promote,
      letRest,
      editCard,
      sendEcho,
      deliver,
      reword,
      trash,
      restore,
      wait,
      wait,
    ]
    await fc.assert(
      fc.asyncProperty(fc.commands(actions, { maxCommands: 24, size: '+1' }), async (commands) => {
        const model = new KeeperModel()
        const system = { app, ada, keeper: await createTestKeeper(ada) }
        await fc.asyncModelRun(() => ({ model, real: system }), commands)
        await expectSame(model, system)
      }),
      { numRuns: runs },
    )
  })
})
