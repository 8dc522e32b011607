import fc from 'fast-check'
import { describe, expect, it, test } from 'vitest'
import { changeFrameData, createBoardDocument } from '#tests/board-fixtures.ts'
import {
  applyChange,
  diffDocuments,
  invertChange,
  isNoChange,
  isSameFrame,
  mergeDocuments,
  resolveConflicts,
} from './board-changes.ts'
import {
  addFrames,
  type BoardDocument,
  type BoardEdit,
  buildFrame,
  changeConfig,
  changeContent,
  duplicateFrames,
  removeFrames,
  reorderFrame,
  setFrameBoxes,
} from './board-document.ts'

const base = createBoardDocument('media_card', 'process_frame', 'code_snippet')
const findFrame = (document: BoardDocument, id: string) => document.frames.find((frame) => frame.id === id)
const getIds = (document: BoardDocument) => document.frames.map(({ id }) => id)
const moveFrameA = setFrameBoxes(new Map([['a', { x: 200, y: 100 }]]))

const arbitraryEdit: fc.Arbitrary<BoardEdit> = fc.oneof(
  fc
    .record({
      id: fc.constantFrom('a', 'b', 'c'),
      x: fc.integer({ min: -900, max: 900 }),
      width: fc.integer({ min: 1, max: 900 }),
    })
    .map(({ id, ...box }) => setFrameBoxes(new Map([[id, box]]))),
  fc
    .tuple(fc.constantFrom('a', 'b', 'c'), fc.string({ maxLength: 5 }))
    .map(([id, name]) => changeFrameData(id, { name })),
  fc.tuple(fc.constantFrom('a', 'c'), fc.string({ maxLength: 5 })).map(([id, code]) => changeContent(id, { code })),
  fc.constantFrom('a', 'b', 'c').map((id) => removeFrames(new Set([id]))),
  fc.constantFrom('a', 'b').map((id) => duplicateFrames(new Set([id]), () => {})),
  fc.tuple(fc.constantFrom('a', 'b', 'c'), fc.integer({ min: 0, max: 3 })).map(([id, to]) => reorderFrame(id, to)),
  fc.string({ maxLength: 5 }).map((name) => changeConfig({ name })),
)
const applyEdits = (document: BoardDocument, edits: BoardEdit[]) =>
  edits.reduce((edited, edit) => edit(edited), document)

test('any edits can be undone and redone', () => {
  fc.assert(
    fc.property(fc.array(arbitraryEdit, { maxLength: 8 }), (edits) => {
      const updated = applyEdits(base, edits)
      const change = diffDocuments(base, updated)
      expect(isNoChange(diffDocuments(applyChange(updated, invertChange(change)), base))).toBe(true)
      expect(isNoChange(diffDocuments(applyChange(base, change), updated))).toBe(true)
    }),
  )
})

test('merging edits of one side has no conflicts', () => {
  fc.assert(
    fc.property(fc.array(arbitraryEdit, { maxLength: 6 }), (edits) => {
      const updated = applyEdits(base, edits)
      for (const { merged, conflicts } of [mergeDocuments(base, updated, base), mergeDocuments(base, base, updated)]) {
        expect(conflicts).toEqual([])
        expect(diffDocuments(merged, updated).frames).toEqual([])
        expect(merged.config).toEqual(updated.config)
      }
    }),
  )
})

test('merging loses no changed frame without a conflict', () => {
  fc.assert(
    fc.property(
      fc.array(arbitraryEdit, { maxLength: 5 }),
      fc.array(arbitraryEdit, { maxLength: 5 }),
      (localEdits, remoteEdits) => {
        const [local, remote] = [applyEdits(base, localEdits), applyEdits(base, remoteEdits)]
        const { merged, conflicts } = mergeDocuments(base, local, remote)
        const conflictIds = new Set(conflicts.map(({ id }) => id as string))
        for (const frame of [...local.frames, ...remote.frames]) {
          const previous = findFrame(base, frame.id) ?? null
          const wasChanged = !isSameFrame(previous, frame)
          if (wasChanged && !findFrame(merged, frame.id)) expect(conflictIds).toContain(frame.id)
        }
        expect(new Set(getIds(merged)).size).toBe(merged.frames.length)
      },
    ),
  )
})

describe('two people on one board', () => {
  it('merge a move and a rename of one frame', () => {
    const { merged, conflicts } = mergeDocuments(base, moveFrameA(base), changeFrameData('a', { name: 'Cover' })(base))
    expect(conflicts).toEqual([])
    expect(findFrame(merged, 'a')?.data).toMatchObject({ name: 'Cover', position: { x: 200, y: 100 } })
  })

  it('resolve two names as local, remote or both', () => {
    const local = changeFrameData('a', { name: 'Mine' })(base)
    const remote = changeFrameData('a', { name: 'Theirs' })(base)
    const merge = mergeDocuments(base, local, remote)
    expect(merge.conflicts).toMatchObject([{ kind: 'frame', id: 'a', fields: ['name'] }])
    const getNames = (choice: 'local' | 'remote' | 'both') =>
      resolveConflicts(merge, new Map([['a', choice]])).frames.map(({ data }) => data.name)
    expect(getNames('local')).toEqual(['Mine', 'Frame b', 'Frame c'])
    expect(getNames('remote')).toEqual(['Theirs', 'Frame b', 'Frame c'])
    expect(getNames('both')).toEqual(['Theirs', 'Frame b', 'Frame c', 'Mine'])
    const slugs = resolveConflicts(merge, new Map([['a', 'both']])).frames.map(({ data }) => data.slug)
    expect(new Set(slugs).size).toBe(4)
  })

  it('keep other local changes when taking the remote value of one field', () => {
    const local = changeContent('c', { code: 'mine' })(moveFrameA(changeFrameData('a', { name: 'Mine' })(base)))
    const remote = changeContent('a', { title: 'Quay' })(changeFrameData('a', { name: 'Theirs' })(base))
    const resolved = resolveConflicts(mergeDocuments(base, local, remote), new Map([['a', 'remote']]))
    expect(findFrame(resolved, 'a')?.data).toMatchObject({ name: 'Theirs', position: { x: 200, y: 100 } })
    expect(findFrame(resolved, 'a')?.data.content.title).toBe('Quay')
    expect(findFrame(resolved, 'c')?.data.content.code).toBe('mine')
  })

  it('give the unsaved frame a new slug when both added the same', () => {
    const addFrameWithId = (id: string) =>
      addFrames([{ ...buildFrame('media_card', { position: { x: 0, y: 0 } }), id }])
    const { merged, conflicts } = mergeDocuments(base, addFrameWithId('mine')(base), addFrameWithId('theirs')(base))
    expect(conflicts).toEqual([])
    const slugs = merged.frames.map(({ data }) => data.slug)
    expect(new Set(slugs).size).toBe(5)
    expect(findFrame(merged, 'theirs')?.data.slug).toBe('media-card')
    expect(findFrame(merged, 'mine')?.data.slug).toBe('media-card-2')
  })

  it('have a conflict when one deleted a frame that the other changed', () => {
    const clearSteps = changeContent('b', { steps: [] })
    const renamed = changeFrameData('b', { name: 'Evening' })(base)
    const withoutFrame = removeFrames(new Set(['b']))(base)
    expect(getIds(mergeDocuments(base, withoutFrame, base).merged)).toEqual(['a', 'c'])
    expect(getIds(mergeDocuments(base, base, withoutFrame).merged)).toEqual(['a', 'c'])
    expect(mergeDocuments(base, withoutFrame, clearSteps(base)).conflicts).toEqual([])
    const deletedLocally = mergeDocuments(base, withoutFrame, renamed)
    expect(deletedLocally.conflicts).toMatchObject([{ id: 'b', local: null }])
    expect(getIds(resolveConflicts(deletedLocally, new Map()))).toEqual(['a', 'c'])
    expect(getIds(resolveConflicts(deletedLocally, new Map([['b', 'remote']])))).toEqual(['a', 'b', 'c'])
    const deletedRemotely = mergeDocuments(base, renamed, withoutFrame)
    expect(deletedRemotely.conflicts).toMatchObject([{ id: 'b', remote: null }])
    expect(getIds(resolveConflicts(deletedRemotely, new Map()))).toEqual(['a', 'b', 'c'])
    expect(getIds(resolveConflicts(deletedRemotely, new Map([['b', 'remote']])))).not.toContain('b')
  })

  it('restore a deleted frame at its original position', () => {
    const renameFrame = (id: string) => changeFrameData(id, { name: 'Evening' })(base)
    const restoreOrder = (deletedIds: string[], id: string) =>
      getIds(
        resolveConflicts(
          mergeDocuments(base, removeFrames(new Set(deletedIds))(base), renameFrame(id)),
          new Map([[id, 'remote']]),
        ),
      )
    expect(restoreOrder(['a'], 'a')).toEqual(['a', 'b', 'c'])
    expect(restoreOrder(['a', 'b'], 'b')).toEqual(['b', 'c'])
    expect(restoreOrder(['b', 'c'], 'c')).toEqual(['a', 'c'])
  })

  it('merge different board settings and report two names as a conflict', () => {
    const named = changeConfig({ name: 'Mine' })(base)
    expect(mergeDocuments(base, named, changeConfig({ layout: 'grid' })(base)).merged.config).toMatchObject({
      name: 'Mine',
      layout: 'grid',
    })
    const merge = mergeDocuments(base, named, changeConfig({ name: 'Theirs' })(base))
    expect(merge.conflicts).toMatchObject([{ kind: 'config', id: 'name' }])
    expect(resolveConflicts(merge, new Map([['name', 'remote']])).config.name).toBe('Theirs')
  })
})

test('undoing a move keeps what someone else wrote in the frame since', () => {
  const change = diffDocuments(base, moveFrameA(base))
  const remoteEdits = changeContent('a', { title: 'Spring' })(moveFrameA(base))
  const undone = findFrame(applyChange(remoteEdits, invertChange(change)), 'a')
  expect(undone?.data.position).toEqual({ x: 0, y: 0 })
  expect(undone?.data.content.title).toBe('Spring')
})
