import { beforeEach, describe, expect, it } from 'vitest'
import { boardOfTests, changeData, documentOfTests } from '#tests/a-board.ts'
import { changesBetween } from './board-changes.ts'
import { addFrames, type Edit, makeFrame, placeFrames, removeFrames } from './board-document.ts'
import { BoardEditor } from './board-editor.ts'

describe('local changes among remote ones', () => {
  const document = documentOfTests('media_card', 'process_frame')
  let editor: BoardEditor
  beforeEach(() => {
    editor = new BoardEditor(boardOfTests(document))
  })
  const told = (edit: Edit) => changesBetween(document, edit(document))
  const nameOf = (id: string) => editor.seen().document.frames.find((frame) => frame.id === id)?.data.name
  const rename = (name: string) => editor.edit('Rename', changeData('a', { name }))
  const owned = () => editor.localChange.frames.map(({ id }) => id)

  it('stay local when echoed, and are what discarding removes', () => {
    rename('Mine')
    const both: Edit = (before) => changeData('b', { name: 'Evening' })(changeData('a', { name: 'Mine' })(before))
    editor.applyRemote(told(both))
    expect(owned()).toEqual(['a'])
    editor.catchUp([told(both)], [])
    expect([owned(), editor.untold([told(both)]).frames]).toEqual([['a'], []])
    editor.discard()
    expect([nameOf('a'), nameOf('b')]).toEqual(['Frame a', 'Evening'])
  })

  it('win over an older full state and are published again', () => {
    rename('Mi')
    const before = { ...told(changeData('a', { name: 'Mi' })), order: { before: ['a', 'b'], after: ['a', 'b'] } }
    rename('Mine')
    const again: string[][] = []
    editor.onEdit(({ frames }) => again.push(frames.map(({ id }) => id)))
    editor.applyRemote(before)
    expect([nameOf('a'), owned(), again]).toEqual(['Mine', ['a'], [['a']]])
    expect(editor.seen().conflict).toBeNull()
  })

  it('become remote when overwritten', () => {
    rename('Mine')
    editor.applyRemote(told(changeData('a', { name: 'Theirs' })))
    expect([nameOf('a'), owned()]).toEqual(['Theirs', []])
  })

  it('become local again when the remote change is undone', () => {
    rename('Mine')
    const added = { ...makeFrame('dialog', { position: { x: 0, y: 400 } }), id: 'mine' }
    editor.edit('Add', addFrames([added]))
    editor.edit('Rename', changeData('b', { description: 'Mine too' }))
    const before = editor.seen().document
    const theirs = changeData('a', { name: 'Theirs' })(removeFrames(new Set(['mine']))(before))
    editor.applyRemote(changesBetween(before, theirs))
    expect(owned()).toEqual(['b'])
    editor.applyRemote(changesBetween(theirs, before))
    expect([nameOf('a'), owned()]).toEqual(['Mine', ['a', 'b', 'mine']])
    editor.discard()
    expect(editor.unsavedChange.frames).toEqual([])
    // Discarded changes don't become local again when someone else makes them.
    editor.applyRemote(told(changeData('a', { name: 'Mine' })))
    expect(owned()).toEqual([])
  })

  it('return after a reconnect unless the remote version was saved', async () => {
    rename('Mine')
    const theirs = told(changeData('a', { name: 'Theirs' }))
    editor.applyRemote(theirs)
    editor.catchUp([theirs], [])
    expect([nameOf('a'), owned()]).toEqual(['Theirs', []])
    editor.catchUp([], [])
    expect([nameOf('a'), owned()]).toEqual(['Mine', ['a']])
    editor.applyRemote(theirs)
    editor.adopt({ ...boardOfTests(editor.seen().document), rev: 9 })
    editor.catchUp([], [])
    expect([nameOf('a'), owned()]).toEqual(['Theirs', []])
  })

  it('include added frames moved by others and frames deleted by both', () => {
    const added = { ...makeFrame('dialog', { position: { x: 0, y: 400 } }), id: 'mine' }
    editor.edit('Add', addFrames([added]))
    const before = editor.seen().document
    const moved = placeFrames(new Map([['mine', { x: 800 }]]))(before)
    editor.applyRemote(changesBetween(before, moved))
    expect(editor.localChange.frames).toMatchObject([
      { id: 'mine', before: null, after: { data: { position: { x: 800 } } } },
    ])
    editor.edit('Delete', removeFrames(new Set(['b'])))
    editor.applyRemote(told(removeFrames(new Set(['b']))))
    expect(owned()).toEqual(['b', 'mine'])
  })
})
