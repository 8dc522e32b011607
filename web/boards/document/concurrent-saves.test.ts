import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Frame } from '#contract/boards/boards.ts'
import { changeFrameData, createBoardDocument, createTestBoard } from '#tests/board-fixtures.ts'
import { openTestEditor, type TestEditor } from '#tests/open-test-editor.ts'
import { diffDocuments } from './board-changes.ts'
import { addFrames, type BoardEdit, buildFrame, changeContent, removeFrames, setFrameBoxes } from './board-document.ts'
import { BoardEditor } from './board-editor.ts'

describe('editing while an earlier state is saved', () => {
  const board = createTestBoard(createBoardDocument('media_card', 'code_snippet'))
  let { editor, server, close } = {} as TestEditor
  beforeEach(() => {
    ;({ editor, server, close } = openTestEditor(board))
  })
  afterEach(() => close())

  const findCode = (frames: readonly Frame[], id: string) => frames.find((frame) => frame.id === id)?.data.content.code
  const getCode = (boardEditor: BoardEditor, id: string) => findCode(boardEditor.getSnapshot().document.frames, id)
  const getConflicts = (boardEditor: BoardEditor) =>
    boardEditor
      .getSnapshot()
      .conflict?.conflicts.map((conflict) => [conflict.id, conflict.kind === 'frame' && conflict.fields])
  const expectCode = (boardEditor: BoardEditor, id: string, code: string, conflicts: unknown[]) =>
    expect({ code: getCode(boardEditor, id), conflicts: getConflicts(boardEditor) }).toEqual({ code, conflicts })
  const write = (id: string, code: string) => editor.edit('Write', changeContent(id, { code }), id)
  /** Adds a frame that isn't saved yet. */
  function add(slug = 'note') {
    const frame = buildFrame('code_snippet', { position: { x: 0, y: 400 } })
    editor.edit('Add', (document) => ({
      ...document,
      frames: [...document.frames, { ...frame, id: 'new', data: { ...frame.data, slug } }],
    }))
  }
  let savedFrames: Frame[] = []
  const adoptSavedByOther = () =>
    editor.adopt({ ...board, ...editor.getSnapshot().document, frames: savedFrames, rev: 2 })
  function writeAndPublish(id: string, code: string) {
    write(id, code)
    editor.recordPublished(editor.localChange)
    savedFrames = [...editor.getSnapshot().document.frames]
  }

  it.each(['new', 'b'])('keeps the text without a conflict: frame %s', (id) => {
    add()
    writeAndPublish(id, 'One')
    write(id, 'One, two')
    adoptSavedByOther()
    expect(getCode(editor, id)).toBe('One, two')
    expect(editor.getSnapshot()).toMatchObject({ conflict: null, isDirty: true })
  })

  it.each(['new', 'b'])('conflicts when someone else wrote there too: frame %s', (id) => {
    add()
    writeAndPublish(id, 'One')
    write(id, 'One, two')
    const remote = changeContent(id, { code: 'Theirs' })({ ...editor.getSnapshot().document, frames: savedFrames })
    savedFrames = [...remote.frames]
    adoptSavedByOther()
    expectCode(editor, id, 'One, two', [[id, ['content.code']]])
  })

  it.each(['new', 'b'])('saves after a lost response: frame %s', async (id) => {
    // The slug is taken, so the server numbers it on save.
    add('frame-b')
    write(id, 'One')
    server.losesResponses = true
    await expect(editor.save()).rejects.toThrow('couldn’t be reached')
    server.losesResponses = false
    write(id, 'One, two')
    expect(await editor.save()).toBe(false)
    expectCode(editor, id, 'One, two', [])
    editor.resolve(new Map())
    expect(await editor.save()).toBe(true)
    expect(findCode(server.board.frames, id)).toBe('One, two')
    expect(server.board.frames.map(({ data }) => data.slug)).toEqual(['frame-a', 'frame-b', 'frame-b-2'])
  })

  it('restores the text as a conflict on the next visit', async () => {
    await editor.open()
    add('note')
    writeAndPublish('new', 'One')
    write('new', 'One, two')
    await editor.flush()
    const secondVisit = new BoardEditor({ ...board, frames: savedFrames, rev: 2 })
    await secondVisit.open()
    expectCode(secondVisit, 'new', 'One, two', [['new', ['content.code']]])
    await secondVisit.close()
  })

  it('conflicts when a restored draft differs from a remote full state', async () => {
    await editor.open()
    write('b', 'Mine')
    await editor.flush()
    await editor.close()
    const ids = board.frames.map((frame) => frame.id)
    const remote = diffDocuments(board, changeContent('b', { code: 'Theirs' })(board))
    const secondVisit = new BoardEditor(board)
    await secondVisit.open()
    secondVisit.applyRemote({ ...remote, order: { before: ids, after: ids } })
    expectCode(secondVisit, 'b', 'Mine', [['b', ['content.code']]])
    await secondVisit.flush()
    const thirdVisit = new BoardEditor(board)
    await thirdVisit.open()
    expect(getCode(thirdVisit, 'b')).toBe('Mine')
    await thirdVisit.close()
    secondVisit.resolve(new Map([['b', 'remote']]))
    expect({ code: getCode(secondVisit, 'b'), frames: secondVisit.localChange.frames }).toEqual({
      code: 'Theirs',
      frames: [],
    })
    await secondVisit.close()
  })

  it('publishes changes made during a save again', async () => {
    const publishedCode: unknown[] = []
    write('b', 'One')
    const saving = editor.save()
    write('b', 'One, two')
    editor.onEdit(({ frames }) => publishedCode.push(...frames.map(({ after }) => after?.data.content.code)))
    expect(await saving).toBe(true)
    expect(publishedCode).toEqual(['One, two'])
  })

  it('does not excuse overwriting with changes published long ago', async () => {
    writeAndPublish('b', 'One')
    expect(await editor.save()).toBe(true)
    write('b', 'One, two')
    expect(await editor.save()).toBe(true)
    write('b', 'One, two, three')
    editor.adopt({ ...server.board, frames: [...changeContent('b', { code: 'One' })(server.board).frames], rev: 9 })
    expect(getConflicts(editor)).toEqual([['b', ['content.code']]])
  })

  function renameByOther() {
    const config = { ...server.board.config, name: 'Renamed' }
    server.board = { ...server.board, config, rev: server.board.rev + 1 }
    editor.adopt(server.board)
  }

  async function expectSaved(code: string) {
    expect(await editor.save()).toBe(true)
    expect(editor.getSnapshot()).toMatchObject({ conflict: null, isDirty: false })
    expect(server.board.rev).toBe(4)
    expect(findCode(server.board.frames, 'b')).toBe(code)
  }

  it('keeps a newer revision that arrives during a save', async () => {
    write('b', 'One')
    server.beforeResponse = () => {
      renameByOther()
      write('b', 'One, two')
    }
    expect(await editor.save()).toBe(true)
    expect(editor.getSnapshot()).toMatchObject({
      board: { rev: 3 },
      document: { config: { name: 'Renamed' } },
      isDirty: true,
      isSaving: false,
    })
    expect(getCode(editor, 'b')).toBe('One, two')
    expect(editor.localChange.config).toBeNull()
    await expectSaved('One, two')
  })

  it('retries a save that was refused because of a newer revision', async () => {
    server.board = { ...server.board, rev: 2 }
    write('b', 'One')
    server.beforeResponse = renameByOther
    await expectSaved('One')
    expect(server.board.config.name).toBe('Renamed')
  })

  it('keeps two frames added with the same slug', () => {
    add()
    editor.edit('Add', addFrames([buildFrame('media_card', { position: { x: 0, y: 800 } })]))
    writeAndPublish('new', 'One')
    adoptSavedByOther()
    expect(editor.getSnapshot()).toMatchObject({ conflict: null, isDirty: false })
    expect(editor.getSnapshot().document.frames).toHaveLength(4)
  })
})

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
  function expectLocal(name: string, localIds: string[]) {
    expect(getName('a')).toBe(name)
    expect(getLocalIds()).toEqual(localIds)
  }

  it('stay local when echoed, and only they are discarded', () => {
    rename('Mine')
    const renameBoth: BoardEdit = (previous) =>
      changeFrameData('b', { name: 'Evening' })(changeFrameData('a', { name: 'Mine' })(previous))
    editor.applyRemote(toRemoteChange(renameBoth))
    expect(getLocalIds()).toEqual(['a'])
    editor.catchUp([toRemoteChange(renameBoth)], [])
    expect(getLocalIds()).toEqual(['a'])
    expect(editor.getUnpublished([toRemoteChange(renameBoth)]).frames).toEqual([])
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
    const publishedIds: string[][] = []
    editor.onEdit(({ frames }) => publishedIds.push(frames.map(({ id }) => id)))
    editor.applyRemote(previous)
    expectLocal('Mine', ['a'])
    expect(publishedIds).toEqual([['a']])
    expect(editor.getSnapshot().conflict).toBeNull()
  })

  it('become remote when overwritten', () => {
    rename('Mine')
    editor.applyRemote(toRemoteChange(changeFrameData('a', { name: 'Theirs' })))
    expectLocal('Theirs', [])
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
    expectLocal('Mine', ['a', 'b', 'mine'])
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
    expectLocal('Theirs', [])
    editor.catchUp([], [])
    expectLocal('Mine', ['a'])
    editor.applyRemote(remote)
    editor.adopt({ ...createTestBoard(editor.getSnapshot().document), rev: 9 })
    editor.catchUp([], [])
    expectLocal('Theirs', [])
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
