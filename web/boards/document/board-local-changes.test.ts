import { beforeEach, describe, expect, it } from 'vitest'
import { changeFrameData, createBoardDocument, createTestBoard } from '#tests/board-fixtures.ts'
import { diffDocuments } from './board-changes.ts'
import { addFrames, type BoardEdit, buildFrame, removeFrames, setFrameBoxes } from './board-document.ts'
import { BoardEditor } from './board-editor.ts'

describe('local changes among remote ones', () => {
  const document = createBoardDocument('media_card', 'process_frame')
  let editor: BoardEditor
  beforeEach(() => {
    editor = new BoardEditor(createTestBoard(document))
  })
  const toRemoteChange = (edit: BoardEdit) => diffDocuments(document, edit(document))
  const getName = (id: string) => editor.getSnapshot().document.frames.find((frame) => frame.id === id)?.data.name
  const rename = (name: string) => editor.edit('Rename', changeFrameData('a', { name }))
  const getLocalIds = () => editor.localChange.frames.map(({ id }) => id)

  it('stay local when echoed, and are what discarding removes', () => {
    rename('Mine')
    const both: BoardEdit = (previous) =>
      changeFrameData('b', { name: 'Evening' })(changeFrameData('a', { name: 'Mine' })(previous))
    editor.applyRemote(toRemoteChange(both))
    expect(getLocalIds()).toEqual(['a'])
    editor.catchUp([toRemoteChange(both)], [])
    expect({ localIds: getLocalIds(), frames: editor.getUnpublished([toRemoteChange(both)]).frames }).toEqual({
      localIds: ['a'],
      frames: [],
    })
    editor.discard()
    expect({ a: getName('a'), b: getName('b') }).toEqual({ a: 'Frame a', b: 'Evening' })
  })

  it('win over an older full state and are published again', () => {
    rename('Mi')
    const previous = {
      ...toRemoteChange(changeFrameData('a', { name: 'Mi' })),
      order: { before: ['a', 'b'], after: ['a', 'b'] },
    }
    rename('Mine')
    const again: string[][] = []
    editor.onEdit(({ frames }) => again.push(frames.map(({ id }) => id)))
    editor.applyRemote(previous)
    expect({ name: getName('a'), localIds: getLocalIds(), again }).toEqual({
      name: 'Mine',
      localIds: ['a'],
      again: [['a']],
    })
    expect(editor.getSnapshot().conflict).toBeNull()
  })

  it('become remote when overwritten', () => {
    rename('Mine')
    editor.applyRemote(toRemoteChange(changeFrameData('a', { name: 'Theirs' })))
    expect({ name: getName('a'), localIds: getLocalIds() }).toEqual({ name: 'Theirs', localIds: [] })
  })

  it('become local again when the remote change is undone', () => {
    rename('Mine')
    const added = { ...buildFrame('dialog', { position: { x: 0, y: 400 } }), id: 'mine' }
    editor.edit('Add', addFrames([added]))
    editor.edit('Rename', changeFrameData('b', { description: 'Mine too' }))
    const previous = editor.getSnapshot().document
    const remote = changeFrameData('a', { name: 'Theirs' })(removeFrames(new Set(['mine']))(previous))
    editor.applyRemote(diffDocuments(previous, remote))
    expect(getLocalIds()).toEqual(['b'])
    editor.applyRemote(diffDocuments(remote, previous))
    expect({ name: getName('a'), localIds: getLocalIds() }).toEqual({ name: 'Mine', localIds: ['a', 'b', 'mine'] })
    editor.discard()
    expect(editor.unsavedChange.frames).toEqual([])
    // Discarded changes don't become local again when someone else makes them.
    editor.applyRemote(toRemoteChange(changeFrameData('a', { name: 'Mine' })))
    expect(getLocalIds()).toEqual([])
  })

  it('return after a reconnect unless the remote version was saved', async () => {
    rename('Mine')
    const remote = toRemoteChange(changeFrameData('a', { name: 'Theirs' }))
    editor.applyRemote(remote)
    editor.catchUp([remote], [])
    expect({ name: getName('a'), localIds: getLocalIds() }).toEqual({ name: 'Theirs', localIds: [] })
    editor.catchUp([], [])
    expect({ name: getName('a'), localIds: getLocalIds() }).toEqual({ name: 'Mine', localIds: ['a'] })
    editor.applyRemote(remote)
    editor.adopt({ ...createTestBoard(editor.getSnapshot().document), rev: 9 })
    editor.catchUp([], [])
    expect({ name: getName('a'), localIds: getLocalIds() }).toEqual({ name: 'Theirs', localIds: [] })
  })

  it('include added frames moved by others and frames deleted by both', () => {
    const added = { ...buildFrame('dialog', { position: { x: 0, y: 400 } }), id: 'mine' }
    editor.edit('Add', addFrames([added]))
    const previous = editor.getSnapshot().document
    const moved = setFrameBoxes(new Map([['mine', { x: 800 }]]))(previous)
    editor.applyRemote(diffDocuments(previous, moved))
    expect(editor.localChange.frames).toMatchObject([
      { id: 'mine', before: null, after: { data: { position: { x: 800 } } } },
    ])
    editor.edit('Delete', removeFrames(new Set(['b'])))
    editor.applyRemote(toRemoteChange(removeFrames(new Set(['b']))))
    expect(getLocalIds()).toEqual(['b', 'mine'])
  })
})
