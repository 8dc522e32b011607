import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { Board } from '#contract/boards/boards.ts'
import { changeFrameData, createBoardDocument, createTestBoard } from '#tests/board-fixtures.ts'
import { openTestEditor, type TestEditor } from '#tests/open-test-editor.ts'
import { getCurrentStore, type LocalStore } from '#web/offline/local-store.ts'
import { DraftStore, listDrafts } from '#web/offline/use-draft.ts'
import { diffDocuments } from './board-changes.ts'
import { addFrames, type BoardEdit, buildFrame, changeConfig, removeFrames, setFrameBoxes } from './board-document.ts'
import { BoardEditor } from './board-editor.ts'

describe('an open board', () => {
  const board = createTestBoard(createBoardDocument('media_card', 'process_frame'))
  let { editor, server, close } = {} as TestEditor
  beforeEach(() => {
    ;({ editor, server, close } = openTestEditor(board))
  })
  afterEach(() => close())
  const getName = (boardEditor: BoardEditor, id = 'a') =>
    boardEditor.getSnapshot().document.frames.find((frame) => frame.id === id)?.data.name
  const rename = (name: string) => editor.edit('Rename', changeFrameData('a', { name }))
  const createSavedBoard = (name: string, rev: number): Board => ({
    ...board,
    rev,
    frames: [...changeFrameData('a', { name })(createBoardDocument('media_card', 'process_frame')).frames],
  })
  const getState = (boardEditor: BoardEditor) => ({
    ...boardEditor.getSnapshot(),
    name: getName(boardEditor),
    otherName: getName(boardEditor, 'b'),
  })

  it('undoes each edit or gesture in one step, without limit', () => {
    for (let step = 1; step <= 100; step++) editor.edit('Move', setFrameBoxes(new Map([['a', { x: step * 20 }]])))
    for (const typedName of ['C', 'Co', 'Cover'])
      editor.edit('Rename', changeFrameData('a', { name: typedName }), 'name a')
    editor.endGesture()
    editor.edit('Rename', changeFrameData('a', { name: 'Covers' }), 'name a')
    expect(editor.getSnapshot().undoLabel).toBe('Rename')
    editor.undo()
    expect(getName(editor)).toBe('Cover')
    editor.undo()
    expect(getName(editor)).toBe('Frame a')
    for (let step = 0; step < 100; step++) editor.undo()
    expect(editor.getSnapshot().document.frames).toEqual(board.frames)
    expect(getState(editor)).toMatchObject({ isDirty: false, undoLabel: undefined })
    for (let step = 0; step < 102; step++) editor.redo()
    expect(getName(editor)).toBe('Covers')
    editor.redo()
    expect(editor.getSnapshot().isDirty).toBe(true)
  })

  it('saves the board and keeps edits made during the save as unsaved', async () => {
    rename('Cover')
    const saving = editor.save()
    editor.edit('Board', changeConfig({ layout: 'grid' }))
    expect(editor.getSnapshot().isSaving).toBe(true)
    expect(await saving).toBe(true)
    expect(server.board.rev).toBe(2)
    expect(server.board.frames[0]?.data.name).toBe('Cover')
    expect(editor.getSnapshot()).toMatchObject({ isDirty: true, document: { config: { layout: 'grid' } } })
    expect(await editor.save()).toBe(true)
    expect(editor.getSnapshot().isDirty).toBe(false)
    expect(server.saveCount).toBe(2)
  })

  it('keeps everything and reports the reason when a save fails', async () => {
    server.isUnreachable = true
    rename('Cover')
    await expect(editor.save()).rejects.toThrow('couldn’t be reached')
    expect(getState(editor)).toMatchObject({ name: 'Cover', isDirty: true, isSaving: false })
    expect(editor.getSnapshot().problem).toContain('couldn’t be reached')
    server.isUnreachable = false
    expect(await editor.save()).toBe(true)
    expect(editor.getSnapshot().problem).toBeNull()
  })

  it('saves only the resolution after a stale save', async () => {
    server.board = createSavedBoard('Theirs', 2)
    rename('Mine')
    expect(await editor.save()).toBe(false)
    expect(editor.getSnapshot().conflict?.conflicts).toMatchObject([{ id: 'a', fields: ['name'] }])
    expect(await editor.save()).toBe(false)
    expect(server.saveCount).toBe(0)
    editor.resolve(new Map([['a', 'both']]))
    expect(await editor.save()).toBe(true)
    expect(server.board.frames.map(({ data }) => data.name)).toEqual(['Theirs', 'Frame b', 'Mine'])
  })

  it('keeps edits made while a conflict is open', async () => {
    rename('Mine')
    server.board = createSavedBoard('Theirs', 2)
    await editor.save()
    rename('Mine, later')
    editor.edit('Move', setFrameBoxes(new Map([['b', { x: 800 }]])))
    editor.resolve(new Map([['a', 'both']]))
    const getNames = () => editor.getSnapshot().document.frames.map(({ data }) => data.name)
    expect(getNames()).toEqual(['Theirs', 'Frame b', 'Mine, later'])
    expect(editor.getSnapshot().document.frames[1]?.data.position.x).toBe(800)

    rename('Mine again')
    editor.adopt(createSavedBoard('Theirs again', 3))
    expect(editor.getSnapshot().conflict?.conflicts).toMatchObject([{ id: 'a' }])
    editor.edit('Board', changeConfig({ layout: 'grid' }))
    editor.resolve(new Map([['a', 'remote']]))
    expect(getNames()).toContain('Theirs again')
    expect(getNames()).not.toContain('Mine again')
    expect(editor.getSnapshot().document.config.layout).toBe('grid')
  })

  it('rebases unsaved changes on a remote save without conflicts', () => {
    rename('Mine')
    const moved = setFrameBoxes(new Map([['a', { x: 400 }]]))(createBoardDocument('media_card', 'process_frame'))
    editor.adopt({ ...board, rev: 2, frames: [...moved.frames] })
    expect(editor.getSnapshot()).toMatchObject({ conflict: null, isDirty: true })
    expect(editor.getSnapshot().document.frames[0]?.data).toMatchObject({ name: 'Mine', position: { x: 400, y: 0 } })
    editor.adopt({ ...board, rev: 1 })
    expect(editor.getSnapshot().board.rev).toBe(2)
  })

  it('restores unsaved changes on the next visit until they are saved', async () => {
    await editor.open()
    rename('Cover')
    await editor.flush()
    await editor.close()
    const secondVisit = new BoardEditor(board)
    await secondVisit.open()
    expect(getState(secondVisit)).toMatchObject({ name: 'Cover', hasRestoredChanges: true, isDirty: true })
    await secondVisit.save()
    await secondVisit.close()
    const thirdVisit = new BoardEditor(server.board)
    await thirdVisit.open()
    expect(getState(thirdVisit)).toMatchObject({ name: 'Cover', hasRestoredChanges: false, isDirty: false })
    await thirdVisit.close()
  })

  it('keeps the draft of another tab when this tab is edited', async () => {
    await editor.open()
    const other = new BoardEditor(board)
    await other.open()
    const follower = new DraftStore<unknown>(`board/${board.id}`)
    await follower.open()
    other.edit('Rename', changeFrameData('b', { name: 'Elsewhere' }))
    await other.flush()
    await vi.waitFor(() => expect(follower.getSnapshot().isDrafted).toBe(true))
    rename('Here')
    await editor.flush()
    const { newest, older } = await listDrafts(getCurrentStore() as LocalStore)
    expect(JSON.stringify([newest[0]?.value, older[0]?.value])).toMatch(/Here.*Elsewhere|Elsewhere.*Here/)
    await other.close()
    await follower.close()
  })

  it('drops a draft that was saved just before leaving', async () => {
    await editor.open()
    rename('Cover')
    await editor.flush()
    await editor.close()
    const { document } = editor.getSnapshot()
    const secondVisit = new BoardEditor({ ...board, frames: [...document.frames], rev: 2 })
    await secondVisit.open()
    expect(getState(secondVisit)).toMatchObject({ name: 'Cover', hasRestoredChanges: false, isDirty: false })
    await secondVisit.close()
    const reopened = new BoardEditor(board)
    await reopened.open()
    expect(getName(reopened)).toBe('Frame a')
    expect(reopened.getSnapshot().isDirty).toBe(false)
    await reopened.close()
  })

  it('lets viewers see remote changes, without edits or drafts', async () => {
    const viewer = new BoardEditor({ ...board, may: 'view' })
    await viewer.open()
    viewer.edit('Rename', changeFrameData('a', { name: 'Mine' }))
    expect(getName(viewer)).toBe('Frame a')
    viewer.applyRemote({
      frames: [{ id: 'a', before: board.frames[0] ?? null, after: null }],
      config: null,
      order: null,
    })
    expect(getName(viewer)).toBeUndefined()
    expect(viewer.getSnapshot().isDirty).toBe(false)
    expect(await viewer.save()).toBe(false)
    expect(server.saveCount).toBe(0)
    await viewer.close()
  })

  const getConflictIds = (boardEditor: BoardEditor) => boardEditor.getSnapshot().conflict?.conflicts.map(({ id }) => id)

  it('keeps a conflict across edits and visits without saving over it', async () => {
    await editor.open()
    rename('Mine')
    server.board = createSavedBoard('Theirs', 2)
    editor.adopt(server.board)
    expect(getConflictIds(editor)).toEqual(['a'])
    await editor.flush()
    const secondVisit = new BoardEditor(server.board)
    await secondVisit.open()
    expect({ name: getName(secondVisit), conflictIds: getConflictIds(secondVisit) }).toEqual({
      name: 'Mine',
      conflictIds: ['a'],
    })
    secondVisit.edit('Board', changeConfig({ layout: 'grid' }))
    await secondVisit.flush()
    const thirdVisit = new BoardEditor(server.board)
    await thirdVisit.open()
    expect(getConflictIds(thirdVisit)).toEqual(['a'])
    expect(await thirdVisit.save()).toBe(false)
    expect(server.saveCount).toBe(0)
    thirdVisit.resolve(new Map([['a', 'remote']]))
    await thirdVisit.flush()
    const fourthVisit = new BoardEditor(server.board)
    await fourthVisit.open()
    expect(fourthVisit.getSnapshot()).toMatchObject({
      conflict: null,
      isDirty: true,
      document: { config: { layout: 'grid' } },
    })
    expect({ save: await fourthVisit.save(), name: server.board.frames[0]?.data.name }).toEqual({
      save: true,
      name: 'Theirs',
    })
    for (const openEditor of [secondVisit, thirdVisit, fourthVisit]) await openEditor.close()
  })

  it('keeps a conflict that arrives during a save that is then refused', async () => {
    rename('Mine')
    server.board = createSavedBoard('Theirs', 2)
    const saving = editor.save()
    editor.adopt(server.board)
    expect(await saving).toBe(false)
    expect(getConflictIds(editor)).toEqual(['a'])
    editor.resolve(new Map([['a', 'remote']]))
    expect(getState(editor)).toMatchObject({ name: 'Theirs', isDirty: false })
  })

  const toRemoteChange = (edit: BoardEdit) => {
    const document = createBoardDocument('media_card', 'process_frame')
    return diffDocuments(document, edit(document))
  }

  it('discards only local changes, and undo restores them', () => {
    const editedIds: string[][] = []
    editor.onEdit(({ frames }) => editedIds.push(frames.map(({ id }) => id)))
    rename('Mine')
    editor.applyRemote(toRemoteChange(changeFrameData('b', { name: 'Evening' })))
    editor.discard()
    expect(getState(editor)).toMatchObject({ name: 'Frame a', otherName: 'Evening' })
    expect(editedIds).toEqual([['a'], ['a']])
    editor.undo()
    expect(getState(editor)).toMatchObject({ name: 'Mine', otherName: 'Evening' })
  })

  it('restores local but not remote unsaved changes', async () => {
    await editor.open()
    editor.applyRemote(toRemoteChange(changeFrameData('b', { name: 'Evening' })))
    rename('Mine')
    await editor.flush()
    const secondVisit = new BoardEditor(board)
    await secondVisit.open()
    expect(getState(secondVisit)).toMatchObject({ name: 'Mine', otherName: 'Frame b', hasRestoredChanges: true })
    editor.undo()
    expect(getState(editor)).toMatchObject({ otherName: 'Evening', isDirty: true })
    await editor.close()
    const thirdVisit = new BoardEditor(board)
    await thirdVisit.open()
    expect(getState(thirdVisit)).toMatchObject({ hasRestoredChanges: false, isDirty: false })
    await secondVisit.close()
    await thirdVisit.close()
  })

  it('restores a draft after remote changes have arrived', async () => {
    await editor.open()
    rename('Mine')
    await editor.flush()
    const secondVisit = new BoardEditor(board)
    secondVisit.applyRemote(toRemoteChange(changeFrameData('b', { name: 'Evening' })))
    await secondVisit.open()
    expect(getState(secondVisit)).toMatchObject({ name: 'Mine', otherName: 'Evening', hasRestoredChanges: true })
    await secondVisit.close()
  })

  it('does not treat remote changes during a save as local', async () => {
    rename('Mine')
    const saving = editor.save()
    editor.applyRemote(toRemoteChange(changeFrameData('b', { name: 'Evening' })))
    await saving
    expect(getState(editor)).toMatchObject({ otherName: 'Evening', isDirty: true })
    expect(editor.localChange.frames).toEqual([])
    rename('Mine, later')
    editor.discard()
    expect(getState(editor)).toMatchObject({ name: 'Mine', otherName: 'Evening' })
  })

  it('saves two new frames that have the same slug', async () => {
    const addFrameWithId = (id: string) =>
      addFrames([{ ...buildFrame('media_card', { position: { x: 0, y: 0 } }), id }])
    editor.edit('Add', addFrameWithId('mine'))
    editor.applyRemote(toRemoteChange(addFrameWithId('theirs')))
    expect(await editor.save()).toBe(true)
    const slugs = server.board.frames.map(({ data }) => data.slug)
    expect(new Set(slugs).size).toBe(4)
    expect(editor.getSnapshot()).toMatchObject({ isDirty: false })
    expect(editor.getSnapshot().document.frames.map(({ data }) => data.slug)).toEqual(slugs)
  })

  it('has conflicts only for local changes', async () => {
    editor.applyRemote(toRemoteChange(changeFrameData('a', { name: 'Co' })))
    editor.adopt(createSavedBoard('Cover', 2))
    expect(getState(editor)).toMatchObject({ name: 'Cover', conflict: null, isDirty: false })
    rename('Mine')
    server.board = createSavedBoard('Covers', 3)
    await editor.save()
    expect(editor.getSnapshot().conflict?.conflicts).toMatchObject([{ id: 'a', fields: ['name'] }])
  })

  it('has no conflicts for viewers', async () => {
    const viewer = new BoardEditor({ ...board, may: 'view' })
    viewer.applyRemote(toRemoteChange(changeFrameData('a', { name: 'Co' })))
    viewer.adopt({ ...createSavedBoard('Cover', 2), may: 'view' })
    viewer.adopt({ ...createSavedBoard('Covers', 3), may: 'view' })
    expect(getState(viewer)).toMatchObject({ name: 'Covers', conflict: null })
    rename('Mine')
    editor.adopt(createSavedBoard('Theirs', 2))
    expect(editor.getSnapshot().conflict).not.toBeNull()
    editor.adopt({ ...createSavedBoard('Theirs again', 3), may: 'view' })
    expect(getState(editor)).toMatchObject({ name: 'Theirs again', conflict: null })
  })

  it('keeps the draft when edit rights are revoked and restores it later', async () => {
    await editor.open()
    rename('Mine')
    await editor.flush()
    editor.adopt({ ...board, may: 'view' })
    expect(getState(editor)).toMatchObject({ name: 'Frame a', isDirty: false })
    editor.applyRemote(toRemoteChange(changeFrameData('b', { name: 'Evening' })))
    await editor.flush()
    const otherEditor = new BoardEditor(board)
    await otherEditor.open()
    expect(getName(otherEditor)).toBe('Mine')
    editor.adopt({ ...board, may: 'edit' })
    expect(getState(editor)).toMatchObject({ name: 'Mine', otherName: 'Evening', isDirty: true })
    await otherEditor.close()
  })

  it('deselects removed frames, and undo does not restore remote deletions', () => {
    editor.select(['a', 'b'])
    editor.edit('Delete', removeFrames(new Set(['a'])))
    expect([...editor.getSnapshot().selection]).toEqual(['b'])
    const b = board.frames[1] ?? null
    editor.applyRemote({ frames: [{ id: 'b', before: b, after: null }], config: null, order: null })
    editor.undo()
    expect(editor.getSnapshot().document.frames.map(({ id }) => id)).toEqual(['a'])
  })
})
