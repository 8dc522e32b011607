import fc from 'fast-check'
import { describe, expect, it, test } from 'vitest'
import { changeData, documentOfTests } from '#tests/a-board.ts'
import { applyChange, changesBetween, decide, isNoChange, mergeDocuments, sameFrame, undoing } from './board-changes.ts'
import {
  addFrames,
  type BoardDocument,
  changeConfig,
  changeContent,
  duplicateFrames,
  type Edit,
  makeFrame,
  placeFrames,
  removeFrames,
  reorderFrame,
} from './board-document.ts'

const base = documentOfTests('media_card', 'process_frame', 'code_snippet')
const frameIn = (document: BoardDocument, id: string) => document.frames.find((frame) => frame.id === id)
const idsOf = (document: BoardDocument) => document.frames.map(({ id }) => id)
const moved = placeFrames(new Map([['a', { x: 200, y: 100 }]]))

const anEdit: fc.Arbitrary<Edit> = fc.oneof(
  fc
    .record({
      id: fc.constantFrom('a', 'b', 'c'),
      x: fc.integer({ min: -900, max: 900 }),
      width: fc.integer({ min: 1, max: 900 }),
    })
    .map(({ id, ...box }) => placeFrames(new Map([[id, box]]))),
  fc.tuple(fc.constantFrom('a', 'b', 'c'), fc.string({ maxLength: 5 })).map(([id, name]) => changeData(id, { name })),
  fc.tuple(fc.constantFrom('a', 'c'), fc.string({ maxLength: 5 })).map(([id, code]) => changeContent(id, { code })),
  fc.constantFrom('a', 'b', 'c').map((id) => removeFrames(new Set([id]))),
  fc.constantFrom('a', 'b').map((id) => duplicateFrames(new Set([id]), () => {})),
  fc.tuple(fc.constantFrom('a', 'b', 'c'), fc.integer({ min: 0, max: 3 })).map(([id, to]) => reorderFrame(id, to)),
  fc.string({ maxLength: 5 }).map((name) => changeConfig({ name })),
)
const edited = (document: BoardDocument, edits: Edit[]) => edits.reduce((now, edit) => edit(now), document)

test('any edits can be undone and redone', () => {
  fc.assert(
    fc.property(fc.array(anEdit, { maxLength: 8 }), (edits) => {
      const after = edited(base, edits)
      const change = changesBetween(base, after)
      expect(isNoChange(changesBetween(applyChange(after, undoing(change)), base))).toBe(true)
      expect(isNoChange(changesBetween(applyChange(base, change), after))).toBe(true)
    }),
  )
})

test('merging edits of one side has no conflicts', () => {
  fc.assert(
    fc.property(fc.array(anEdit, { maxLength: 6 }), (edits) => {
      const after = edited(base, edits)
      for (const { merged, conflicts } of [mergeDocuments(base, after, base), mergeDocuments(base, base, after)]) {
        expect(conflicts).toEqual([])
        expect(changesBetween(merged, after).frames).toEqual([])
        expect(merged.config).toEqual(after.config)
      }
    }),
  )
})

test('merging loses no changed frame without a conflict', () => {
  fc.assert(
    fc.property(fc.array(anEdit, { maxLength: 5 }), fc.array(anEdit, { maxLength: 5 }), (ours, others) => {
      const [mine, theirs] = [edited(base, ours), edited(base, others)]
      const { merged, conflicts } = mergeDocuments(base, mine, theirs)
      const told = new Set(conflicts.map(({ id }) => id as string))
      for (const frame of [...mine.frames, ...theirs.frames]) {
        const before = frameIn(base, frame.id) ?? null
        const wasChanged = !sameFrame(before, frame)
        if (wasChanged && !frameIn(merged, frame.id)) expect(told).toContain(frame.id)
      }
      expect(new Set(idsOf(merged)).size).toBe(merged.frames.length)
    }),
  )
})

describe('two people on one board', () => {
  it('merge a move and a rename of one frame', () => {
    const { merged, conflicts } = mergeDocuments(base, moved(base), changeData('a', { name: 'Cover' })(base))
    expect(conflicts).toEqual([])
    expect(frameIn(merged, 'a')?.data).toMatchObject({ name: 'Cover', position: { x: 200, y: 100 } })
  })

  it('resolve two names as mine, theirs or both', () => {
    const mine = changeData('a', { name: 'Mine' })(base)
    const theirs = changeData('a', { name: 'Theirs' })(base)
    const merge = mergeDocuments(base, mine, theirs)
    expect(merge.conflicts).toMatchObject([{ kind: 'frame', id: 'a', fields: ['name'] }])
    const names = (choice: 'mine' | 'theirs' | 'both') =>
      decide(merge, new Map([['a', choice]])).frames.map(({ data }) => data.name)
    expect(names('mine')).toEqual(['Mine', 'Frame b', 'Frame c'])
    expect(names('theirs')).toEqual(['Theirs', 'Frame b', 'Frame c'])
    expect(names('both')).toEqual(['Theirs', 'Frame b', 'Frame c', 'Mine'])
    const slugs = decide(merge, new Map([['a', 'both']])).frames.map(({ data }) => data.slug)
    expect(new Set(slugs).size).toBe(4)
  })

  it('keep other local changes when taking their value of one field', () => {
    const mine = changeContent('c', { code: 'mine' })(moved(changeData('a', { name: 'Mine' })(base)))
    const theirs = changeContent('a', { title: 'Quay' })(changeData('a', { name: 'Theirs' })(base))
    const decided = decide(mergeDocuments(base, mine, theirs), new Map([['a', 'theirs']]))
    expect(frameIn(decided, 'a')?.data).toMatchObject({ name: 'Theirs', position: { x: 200, y: 100 } })
    expect(frameIn(decided, 'a')?.data.content.title).toBe('Quay')
    expect(frameIn(decided, 'c')?.data.content.code).toBe('mine')
  })

  it('give the unsaved frame a new slug when both added the same', () => {
    const added = (id: string) => addFrames([{ ...makeFrame('media_card', { position: { x: 0, y: 0 } }), id }])
    const { merged, conflicts } = mergeDocuments(base, added('mine')(base), added('theirs')(base))
    expect(conflicts).toEqual([])
    const slugs = merged.frames.map(({ data }) => data.slug)
    expect(new Set(slugs).size).toBe(5)
    expect(frameIn(merged, 'theirs')?.data.slug).toBe('media-card')
    expect(frameIn(merged, 'mine')?.data.slug).toBe('media-card-2')
  })

  it('have a conflict when one deleted a frame that the other changed', () => {
    const changed = changeContent('b', { steps: [] })
    const renamed = changeData('b', { name: 'Evening' })(base)
    const without = removeFrames(new Set(['b']))(base)
    expect(idsOf(mergeDocuments(base, without, base).merged)).toEqual(['a', 'c'])
    expect(idsOf(mergeDocuments(base, base, without).merged)).toEqual(['a', 'c'])
    expect(mergeDocuments(base, without, changed(base)).conflicts).toEqual([])
    const mineGone = mergeDocuments(base, without, renamed)
    expect(mineGone.conflicts).toMatchObject([{ id: 'b', mine: null }])
    expect(idsOf(decide(mineGone, new Map()))).toEqual(['a', 'c'])
    expect(idsOf(decide(mineGone, new Map([['b', 'theirs']])))).toEqual(['a', 'b', 'c'])
    const theirsGone = mergeDocuments(base, renamed, without)
    expect(theirsGone.conflicts).toMatchObject([{ id: 'b', theirs: null }])
    expect(idsOf(decide(theirsGone, new Map()))).toEqual(['a', 'b', 'c'])
    expect(idsOf(decide(theirsGone, new Map([['b', 'theirs']])))).not.toContain('b')
  })

  it('restore a deleted frame at its original position', () => {
    const renamed = (id: string) => changeData(id, { name: 'Evening' })(base)
    const takenBack = (gone: string[], id: string) =>
      idsOf(decide(mergeDocuments(base, removeFrames(new Set(gone))(base), renamed(id)), new Map([[id, 'theirs']])))
    expect(takenBack(['a'], 'a')).toEqual(['a', 'b', 'c'])
    expect(takenBack(['a', 'b'], 'b')).toEqual(['b', 'c'])
    expect(takenBack(['b', 'c'], 'c')).toEqual(['a', 'c'])
  })

  it('merge different board settings and report two names as a conflict', () => {
    const named = changeConfig({ name: 'Mine' })(base)
    expect(mergeDocuments(base, named, changeConfig({ layout: 'grid' })(base)).merged.config).toMatchObject({
      name: 'Mine',
      layout: 'grid',
    })
    const merge = mergeDocuments(base, named, changeConfig({ name: 'Theirs' })(base))
    expect(merge.conflicts).toMatchObject([{ kind: 'config', id: 'name' }])
    expect(decide(merge, new Map([['name', 'theirs']])).config.name).toBe('Theirs')
  })
})

test('undoing a move keeps what someone else wrote in the frame since', () => {
  const change = changesBetween(base, moved(base))
  const others = changeContent('a', { title: 'Spring' })(moved(base))
  const undone = frameIn(applyChange(others, undoing(change)), 'a')
  expect(undone?.data.position).toEqual({ x: 0, y: 0 })
  expect(undone?.data.content.title).toBe('Spring')
})
