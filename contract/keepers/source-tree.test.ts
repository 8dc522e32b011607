import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { findLeaf, listBranch, selectMessages } from './source-tree.ts'

const ids = ['a', 'b', 'c', 'd', 'e']
const messagesOfAnyShape = fc.uniqueArray(
  fc.record({
    id: fc.constantFrom(...ids),
    parentId: fc.constantFrom(...ids, 'unknown', null),
    isShown: fc.boolean(),
  }),
  { selector: ({ id }) => id },
)

test('a message left out of a cycle does not become its own ancestor', () => {
  const messages = [
    { id: 'hidden', parentId: 'shown' },
    { id: 'shown', parentId: 'hidden' },
  ]
  const { selected } = selectMessages(messages, ({ id }) => id === 'shown')
  expect(selected).toEqual([{ id: 'shown', parentId: null }])
})

test('selected messages of any shape have no cycle and only selected parents', () => {
  fc.assert(
    fc.property(messagesOfAnyShape, (messages) => {
      const { selected, findNearest } = selectMessages(messages, ({ isShown }) => isShown)
      expect(selected.map(({ id }) => id)).toEqual(messages.flatMap(({ id, isShown }) => (isShown ? [id] : [])))
      const parents = new Map(selected.map(({ id, parentId }) => [id, parentId]))
      for (const { id } of selected) {
        expect(findNearest(id)).toBe(id)
        let steps = 0
        for (let ancestorId: string | null = id; ancestorId !== null; ) {
          expect(parents.has(ancestorId)).toBe(true)
          ancestorId = parents.get(ancestorId) ?? null
          steps += 1
          expect(steps).toBeLessThanOrEqual(selected.length)
        }
        expect(listBranch(selected, findLeaf(selected, id)).map((message) => message.id)).toContain(id)
      }
    }),
  )
})
