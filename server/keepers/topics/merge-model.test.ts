import * as fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { topics } from '#contract/keepers/topics.ts'
import { engines } from '#tests/engines.ts'
import { keeperOf } from '#tests/keeper-of.ts'
import { type Actor, type TestApp, testApp } from '#tests/test-app.ts'
import { topicLinks, topicsMeant } from './link-topics.ts'

const names = ['a', 'b', 'c', 'd']
const entries = ['1', '2', '3']

type Deed =
  | { deed: 'say'; entry: string; names: string[] }
  | { deed: 'merge'; from: string; into: string }
  | { deed: 'undo'; merge: number }

const anyDeed: fc.Arbitrary<Deed> = fc.oneof(
  fc.record({
    deed: fc.constant('say' as const),
    entry: fc.constantFrom(...entries),
    names: fc.uniqueArray(fc.constantFrom(...names)),
  }),
  fc.record({ deed: fc.constant('merge' as const), from: fc.constantFrom(...names), into: fc.constantFrom(...names) }),
  fc.record({ deed: fc.constant('undo' as const), merge: fc.nat(3) }),
)

/** The expected links and merges. */
class Model {
  links = new Map<string, Set<string>>(entries.map((entry) => [entry, new Set()]))
  partOf = new Map<string, string>()
  merges: { from: string; into: string; noted: Map<string, boolean>; undone: boolean }[] = []

  living(name: string): string {
    const into = this.partOf.get(name)
    return into === undefined ? name : this.living(into)
  }
  say(entry: string, said: string[]) {
    this.links.set(entry, new Set(said.map((name) => this.living(name))))
  }
  merge(from: string, into: string): boolean {
    if (from === into || this.partOf.has(into) || (this.partOf.has(from) && this.partOf.get(from) !== into))
      return false
    if (this.partOf.get(from) === into) return true
    const noted = new Map<string, boolean>()
    for (const [entry, said] of this.links) {
      if (!said.delete(from)) continue
      noted.set(entry, said.has(into))
      said.add(into)
    }
    this.partOf.set(from, into)
    this.merges.push({ from, into, noted, undone: false })
    return true
  }
  undo(at: number): boolean {
    const merge = this.merges[at]
    if (!merge) return false
    if (merge.undone) return true
    if (this.partOf.has(merge.into)) return false
    for (const [entry, hadBoth] of merge.noted) {
      const said = this.links.get(entry)
      if (!said?.has(merge.into)) continue
      said.add(merge.from)
      if (!hadBoth) said.delete(merge.into)
    }
    this.partOf.delete(merge.from)
    merge.undone = true
    return true
  }
  told() {
    return entries.map((entry) => [...(this.links.get(entry) ?? [])].toSorted().join(''))
  }
}

describe.each(engines)('merging topics and undoing it, on %s', (engine) => {
  let app: TestApp
  let ada: Actor
  beforeAll(async () => {
    app = await testApp(engine)
    ada = await app.as('ada')
  })
  afterAll(() => app.close())

  it('matches the model for any sequence of mentions, merges and undos', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(anyDeed, { maxLength: 14 }), async (deeds) => {
        const { services } = app
        const keeper = { id: (await keeperOf(ada)).id, owner_id: ada.id }
        const made = await topicsMeant(services, keeper, names)
        const first = { entity: 'moment' as const, id: `${keeper.id}first`, saidAt: 1 }
        await services.db.batch(topicLinks(services, keeper, first, made))
        await services.db.batch(topicLinks(services, keeper, first, []))
        const idOf = (name: string) => made.find((topic) => topic.name === name)?.id ?? ''
        const nameOf = (id: string) => made.find((topic) => topic.id === id)?.name ?? '?'
        const model = new Model()
        const mergeIds: string[] = []
        for (const deed of deeds) {
          if (deed.deed === 'say') {
            const meant = await topicsMeant(services, keeper, deed.names)
            const entry = { entity: 'moment' as const, id: `${keeper.id}${deed.entry}`, saidAt: 1 }
            await services.db.batch(topicLinks(services, keeper, entry, meant))
            model.say(deed.entry, deed.names)
          } else if (deed.deed === 'merge') {
            const params = { id: idOf(deed.from), targetId: idOf(deed.into) }
            const { status, data } = await ada.call(topics.merge, { params })
            expect(status === 200).toBe(model.merge(deed.from, deed.into))
            if (status === 200 && !mergeIds.includes(data.mergeId)) mergeIds.push(data.mergeId)
          } else {
            const id = mergeIds[deed.merge] ?? 'nothing'
            expect((await ada.call(topics.undoMerge, { params: { id } })).status === 200).toBe(model.undo(deed.merge))
          }
          const links = await services.db
            .selectFrom('entry_topics')
            .select(['entity_id', 'topic_id'])
            .where('keeper_id', '=', keeper.id)
            .execute()
          const told = entries.map((entry) =>
            links
              .filter(({ entity_id }) => entity_id === `${keeper.id}${entry}`)
              .map(({ topic_id }) => nameOf(topic_id))
              .toSorted()
              .join(''),
          )
          expect(told).toEqual(model.told())
        }
      }),
      { numRuns: 60 },
    )
  }, 120_000)
})
