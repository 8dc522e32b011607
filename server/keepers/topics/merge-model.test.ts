import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { topics } from '#contract/keepers/topics.ts'
import { createTestKeeper } from '#tests/create-test-keeper.ts'
import { engines } from '#tests/engines.ts'
import { useTestApp } from '#tests/use-test-app.ts'
import { buildTopicLinkWrites, resolveTopics } from './link-topics.ts'

const names = ['a', 'b', 'c', 'd']
const entries = ['1', '2', '3']

type TopicAction =
  | { type: 'mention'; entry: string; names: string[] }
  | { type: 'merge'; from: string; target: string }
  | { type: 'undo'; mergeIndex: number }

const anyAction: fc.Arbitrary<TopicAction> = fc.oneof(
  fc.record({
    type: fc.constant('mention' as const),
    entry: fc.constantFrom(...entries),
    names: fc.uniqueArray(fc.constantFrom(...names)),
  }),
  fc.record({
    type: fc.constant('merge' as const),
    from: fc.constantFrom(...names),
    target: fc.constantFrom(...names),
  }),
  fc.record({ type: fc.constant('undo' as const), mergeIndex: fc.nat(3) }),
)

/** The expected links and merges. */
class Model {
  links = new Map<string, Set<string>>(entries.map((entry) => [entry, new Set()]))
  mergedInto = new Map<string, string>()
  merges: { from: string; target: string; hadTargetByEntry: Map<string, boolean>; isUndone: boolean }[] = []

  resolve(name: string): string {
    const target = this.mergedInto.get(name)
    return target === undefined ? name : this.resolve(target)
  }
  mention(entry: string, topicNames: string[]) {
    this.links.set(entry, new Set(topicNames.map((name) => this.resolve(name))))
  }
  merge(from: string, target: string): boolean {
    if (
      from === target ||
      this.mergedInto.has(target) ||
      (this.mergedInto.has(from) && this.mergedInto.get(from) !== target)
    )
      return false
    if (this.mergedInto.get(from) === target) return true
    const hadTargetByEntry = new Map<string, boolean>()
    for (const [entry, topicNames] of this.links) {
      if (!topicNames.delete(from)) continue
      hadTargetByEntry.set(entry, topicNames.has(target))
      topicNames.add(target)
    }
    this.mergedInto.set(from, target)
    this.merges.push({ from, target, hadTargetByEntry, isUndone: false })
    return true
  }
  undo(index: number): boolean {
    const merge = this.merges[index]
    if (!merge) return false
    if (merge.isUndone) return true
    if (this.mergedInto.has(merge.target)) return false
    for (const [entry, hadTarget] of merge.hadTargetByEntry) {
      const topicNames = this.links.get(entry)
      if (!topicNames?.has(merge.target)) continue
      topicNames.add(merge.from)
      if (!hadTarget) topicNames.delete(merge.target)
    }
    this.mergedInto.delete(merge.from)
    merge.isUndone = true
    return true
  }
  getLinks() {
    return entries.map((entry) => [...(this.links.get(entry) ?? [])].toSorted().join(''))
  }
}

describe.each(engines)('merging topics and undoing it, on %s', (engine) => {
  const { app, ada } = useTestApp(engine, ['ada'])

  it('matches the model for any sequence of mentions, merges and undos', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(anyAction, { maxLength: 14 }), async (actions) => {
        const { services } = app
        const keeper = { id: (await createTestKeeper(ada)).id, owner_id: ada.id }
        const topicList = await resolveTopics(services, keeper, names)
        const setupEntry = { entity: 'moment' as const, id: `${keeper.id}setup`, saidAt: 1 }
        await services.db.batch(buildTopicLinkWrites(services, keeper, setupEntry, topicList))
        await services.db.batch(buildTopicLinkWrites(services, keeper, setupEntry, []))
        const getId = (name: string) => topicList.find((topic) => topic.name === name)?.id ?? ''
        const getName = (id: string) => topicList.find((topic) => topic.id === id)?.name ?? '?'
        const model = new Model()
        const mergeIds: string[] = []
        for (const action of actions) {
          if (action.type === 'mention') {
            const resolvedTopics = await resolveTopics(services, keeper, action.names)
            const entry = { entity: 'moment' as const, id: `${keeper.id}${action.entry}`, saidAt: 1 }
            await services.db.batch(buildTopicLinkWrites(services, keeper, entry, resolvedTopics))
            model.mention(action.entry, action.names)
          } else if (action.type === 'merge') {
            const params = { id: getId(action.from), targetId: getId(action.target) }
            const { status, data } = await ada.call(topics.merge, { params })
            expect(status === 200).toBe(model.merge(action.from, action.target))
            if (status === 200 && !mergeIds.includes(data.mergeId)) mergeIds.push(data.mergeId)
          } else {
            const id = mergeIds[action.mergeIndex] ?? 'nothing'
            expect((await ada.call(topics.undoMerge, { params: { id } })).status === 200).toBe(
              model.undo(action.mergeIndex),
            )
          }
          const links = await services.db
            .selectFrom('entry_topics')
            .select(['entity_id', 'topic_id'])
            .where('keeper_id', '=', keeper.id)
            .execute()
          const actual = entries.map((entry) =>
            links
              .filter(({ entity_id }) => entity_id === `${keeper.id}${entry}`)
              .map(({ topic_id }) => getName(topic_id))
              .toSorted()
              .join(''),
          )
          expect(actual).toEqual(model.getLinks())
        }
      }),
      { numRuns: 60 },
    )
  }, 120_000)
})
