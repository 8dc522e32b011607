import { createMemoryStorage } from '#tests/memory-storage.ts'
import 'fake-indexeddb/auto'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { Board } from '#contract/boards/boards.ts'
import { changeFrameData, createBoardDocument, createTestBoard } from '#tests/board-fixtures.ts'
import { destroyLocalStore, getCurrentStore, type LocalStore } from '#web/offline/local-store.ts'
import { DraftStore, listDrafts } from '#web/offline/use-draft.ts'
import { diffDocuments } from './board-changes.ts'
import { addFrames, type BoardEdit, buildFrame, changeConfig, removeFrames, setFrameBoxes } from './board-document.ts'
import { BoardEditor } from './board-editor.ts'

const storage = new Map<string, string>()
let person = 0

/** A fake server with one board, revisions, and 409 for stale saves. */
function createServer(board: Board) {
  const server = {
    board,
    away: false,
    saves: 0,
    fetch: async (_url: string, init: RequestInit) => {
      if (server.away) throw new TypeError('Failed to fetch')
      const body = JSON.parse(String(init.body)) as Pick<Board, 'config' | 'frames'>
      const ifMatch = Number((init.headers as Headers).get('If-Match'))
      const sent = { ...server.board, config: body.config, frames: body.frames.map(whole), name: body.config.name }
      if (ifMatch !== server.board.rev) {
        const problem = { success: false, code: 'stale', error: 'Older.', data: { yours: sent, current: server.board } }
        return new Response(JSON.stringify(problem), { status: 409 })
      }
      server.saves += 1
      server.board = { ...sent, rev: server.board.rev + 1 }
      return new Response(JSON.stringify(server.board))
    },
  }
  const whole = (frame: Board['frames'][number]) => ({
    ...(board.frames.find(({ id }) => id === frame.id) ?? board.frames[0]),
    ...frame,
    FrameConfig: { ...board.frames[0]?.FrameConfig, ...frame.FrameConfig },
  })
  return server as typeof server
}

describe('an open board', () => {
  const board = createTestBoard(createBoardDocument('media_card', 'process_frame'))
  let server: ReturnType<typeof createServer>
  let editor: BoardEditor
  beforeEach(() => {
    vi.stubGlobal('localStorage', createMemoryStorage(storage))
    person += 1
    storage.set('keeper_user', JSON.stringify({ id: `person-${person}`, email: 'ada@example.org' }))
    storage.set('keeper_token', 'token')
    server = createServer(board as Board)
    vi.stubGlobal('fetch', server.fetch)
    editor = new BoardEditor(board)
  })
  afterEach(async () => {
    await editor.close()
    await destroyLocalStore(`person-${person}`)
    vi.unstubAllGlobals()
  })
  const getName = (boardEditor: BoardEditor, id = 'a') =>
    boardEditor.getSnapshot().document.frames.find((frame) => frame.id === id)?.data.name
  const rename = (name: string) => editor.edit('Rename', changeFrameData('a', { name }))

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
    expect({ dirty: editor.getSnapshot().dirty, undoLabel: editor.getSnapshot().undoLabel }).toEqual({
      dirty: false,
      undoLabel: undefined,
    })
    for (let step = 0; step < 102; step++) editor.redo()
    expect(getName(editor)).toBe('Covers')
    editor.redo()
    expect(editor.getSnapshot().dirty).toBe(true)
  })

  it('saves the board and keeps edits made during the save as unsaved', async () => {
    rename('Cover')
    const saving = editor.save()
    editor.edit('Board', changeConfig({ layout: 'grid' }))
    expect(editor.getSnapshot().saving).toBe(true)
    expect(await saving).toBe(true)
    expect({ rev: server.board.rev, name: server.board.frames[0]?.data.name }).toEqual({ rev: 2, name: 'Cover' })
    expect({ dirty: editor.getSnapshot().dirty, layout: editor.getSnapshot().document.config.layout }).toEqual({
      dirty: true,
      layout: 'grid',
    })
    expect(await editor.save()).toBe(true)
    expect({ dirty: editor.getSnapshot().dirty, saves: server.saves }).toEqual({ dirty: false, saves: 2 })
  })

  it('keeps everything and reports the reason when a save fails', async () => {
    server.away = true
    rename('Cover')
    await expect(editor.save()).rejects.toThrow('couldn’t be reached')
    expect({ name: getName(editor), dirty: editor.getSnapshot().dirty, saving: editor.getSnapshot().saving }).toEqual({
      name: 'Cover',
      dirty: true,
      saving: false,
    })
    expect(editor.getSnapshot().problem).toContain('couldn’t be reached')
    server.away = false
    expect(await editor.save()).toBe(true)
    expect(editor.getSnapshot().problem).toBeNull()
  })

  it('saves only the resolution after a stale save', async () => {
    const remoteBoard = createBoardDocument('media_card', 'process_frame')
    server.board = {
      ...board,
      rev: 2,
      frames: changeFrameData('a', { name: 'Theirs' })(remoteBoard).frames as Board['frames'],
    }
    rename('Mine')
    expect(await editor.save()).toBe(false)
    expect(editor.getSnapshot().conflict?.conflicts).toMatchObject([{ id: 'a', fields: ['name'] }])
    expect(await editor.save()).toBe(false)
    expect(server.saves).toBe(0)
    editor.resolve(new Map([['a', 'both']]))
    expect(await editor.save()).toBe(true)
    expect(server.board.frames.map(({ data }) => data.name)).toEqual(['Theirs', 'Frame b', 'Mine'])
  })

  it('keeps edits made while a conflict is open', async () => {
    const named = (name: string) => changeFrameData('a', { name })(createBoardDocument('media_card', 'process_frame'))
    const newer = (rev: number, name: string): Board => ({ ...board, rev, frames: [...named(name).frames] })
    rename('Mine')
    server.board = newer(2, 'Theirs')
    await editor.save()
    rename('Mine, later')
    editor.edit('Move', setFrameBoxes(new Map([['b', { x: 800 }]])))
    editor.resolve(new Map([['a', 'both']]))
    const names = () => editor.getSnapshot().document.frames.map(({ data }) => data.name)
    expect(names()).toEqual(['Theirs', 'Frame b', 'Mine, later'])
    expect(editor.getSnapshot().document.frames[1]?.data.position.x).toBe(800)

    rename('Mine again')
    editor.adopt(newer(3, 'Theirs again'))
    expect(editor.getSnapshot().conflict?.conflicts).toMatchObject([{ id: 'a' }])
    editor.edit('Board', changeConfig({ layout: 'grid' }))
    editor.resolve(new Map([['a', 'theirs']]))
    expect(names()).toContain('Theirs again')
    expect(names()).not.toContain('Mine again')
    expect(editor.getSnapshot().document.config.layout).toBe('grid')
  })

  it('rebases unsaved changes on a remote save without conflicts', () => {
    rename('Mine')
    const moved = setFrameBoxes(new Map([['a', { x: 400 }]]))(createBoardDocument('media_card', 'process_frame'))
    editor.adopt({ ...board, rev: 2, frames: [...moved.frames] })
    expect(editor.getSnapshot()).toMatchObject({ conflict: null, dirty: true })
    expect(editor.getSnapshot().document.frames[0]?.data).toMatchObject({ name: 'Mine', position: { x: 400, y: 0 } })
    editor.adopt({ ...board, rev: 1 })
    expect(editor.getSnapshot().board.rev).toBe(2)
  })

  it('restores unsaved changes on the next visit until they are saved', async () => {
    await editor.open()
    rename('Cover')
    await editor.flush()
    await editor.close()
    const again = new BoardEditor(board)
    await again.open()
    expect({ name: getName(again), restored: again.getSnapshot().restored, dirty: again.getSnapshot().dirty }).toEqual({
      name: 'Cover',
      restored: true,
      dirty: true,
    })
    await again.save()
    await again.close()
    const third = new BoardEditor(server.board)
    await third.open()
    expect({ name: getName(third), restored: third.getSnapshot().restored, dirty: third.getSnapshot().dirty }).toEqual({
      name: 'Cover',
      restored: false,
      dirty: false,
    })
    await third.close()
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
    const again = new BoardEditor({ ...board, frames: [...document.frames], rev: 2 })
    await again.open()
    expect({ name: getName(again), restored: again.getSnapshot().restored, dirty: again.getSnapshot().dirty }).toEqual({
      name: 'Cover',
      restored: false,
      dirty: false,
    })
    await again.close()
    const reopened = new BoardEditor(board)
    await reopened.open()
    expect([getName(reopened), reopened.getSnapshot().dirty], 'and lies here no more').not.toContain('Cover')
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
    expect({ dirty: viewer.getSnapshot().dirty, save: await viewer.save(), saves: server.saves }).toEqual({
      dirty: false,
      save: false,
      saves: 0,
    })
    await viewer.close()
  })

  const saved = (name: string, rev: number): Board => ({
    ...board,
    rev,
    frames: [...changeFrameData('a', { name })(createBoardDocument('media_card', 'process_frame')).frames],
  })
  const getConflictIds = (boardEditor: BoardEditor) => boardEditor.getSnapshot().conflict?.conflicts.map(({ id }) => id)

  it('keeps a conflict across edits and visits without saving over it', async () => {
    await editor.open()
    rename('Mine')
    server.board = saved('Theirs', 2)
    editor.adopt(server.board)
    expect(getConflictIds(editor)).toEqual(['a'])
    await editor.flush()
    const again = new BoardEditor(server.board)
    await again.open()
    expect({ name: getName(again), conflictIds: getConflictIds(again) }).toEqual({ name: 'Mine', conflictIds: ['a'] })
    again.edit('Board', changeConfig({ layout: 'grid' }))
    await again.flush()
    const third = new BoardEditor(server.board)
    await third.open()
    expect({ conflictIds: getConflictIds(third), save: await third.save(), saves: server.saves }).toEqual({
      conflictIds: ['a'],
      save: false,
      saves: 0,
    })
    third.resolve(new Map([['a', 'theirs']]))
    await third.flush()
    const fourth = new BoardEditor(server.board)
    await fourth.open()
    expect(fourth.getSnapshot()).toMatchObject({
      conflict: null,
      dirty: true,
      document: { config: { layout: 'grid' } },
    })
    expect({ save: await fourth.save(), name: server.board.frames[0]?.data.name }).toEqual({
      save: true,
      name: 'Theirs',
    })
    for (const openEditor of [again, third, fourth]) await openEditor.close()
  })

  it('keeps a conflict that arrives during a save that is then refused', async () => {
    rename('Mine')
    server.board = saved('Theirs', 2)
    const saving = editor.save()
    editor.adopt(server.board)
    expect(await saving).toBe(false)
    expect(getConflictIds(editor)).toEqual(['a'])
    editor.resolve(new Map([['a', 'theirs']]))
    expect({ name: getName(editor), dirty: editor.getSnapshot().dirty }).toEqual({ name: 'Theirs', dirty: false })
  })

  const remote = (edit: BoardEdit) => {
    const document = createBoardDocument('media_card', 'process_frame')
    return diffDocuments(document, edit(document))
  }

  it('discards only local changes, and undo restores them', () => {
    const editedIds: string[][] = []
    editor.onEdit(({ frames }) => editedIds.push(frames.map(({ id }) => id)))
    rename('Mine')
    editor.applyRemote(remote(changeFrameData('b', { name: 'Evening' })))
    editor.discard()
    expect({ editor: getName(editor), 'editor, b': getName(editor, 'b') }).toEqual({
      editor: 'Frame a',
      'editor, b': 'Evening',
    })
    expect(editedIds).toEqual([['a'], ['a']])
    editor.undo()
    expect({ editor: getName(editor), 'editor, b': getName(editor, 'b') }).toEqual({
      editor: 'Mine',
      'editor, b': 'Evening',
    })
  })

  it('restores local but not remote unsaved changes', async () => {
    await editor.open()
    editor.applyRemote(remote(changeFrameData('b', { name: 'Evening' })))
    rename('Mine')
    await editor.flush()
    const again = new BoardEditor(board)
    await again.open()
    expect({
      firstNameAgain: getName(again),
      secondNameAgain: getName(again, 'b'),
      restored: again.getSnapshot().restored,
    }).toEqual({ firstNameAgain: 'Mine', secondNameAgain: 'Frame b', restored: true })
    editor.undo()
    expect({ name: getName(editor, 'b'), dirty: editor.getSnapshot().dirty }).toEqual({ name: 'Evening', dirty: true })
    await editor.close()
    const third = new BoardEditor(board)
    await third.open()
    expect({ restored: third.getSnapshot().restored, dirty: third.getSnapshot().dirty }).toEqual({
      restored: false,
      dirty: false,
    })
    await again.close()
    await third.close()
  })

  it('restores a draft after remote changes have arrived', async () => {
    await editor.open()
    rename('Mine')
    await editor.flush()
    const again = new BoardEditor(board)
    again.applyRemote(remote(changeFrameData('b', { name: 'Evening' })))
    await again.open()
    expect({
      firstNameAgain: getName(again),
      secondNameAgain: getName(again, 'b'),
      restored: again.getSnapshot().restored,
    }).toEqual({ firstNameAgain: 'Mine', secondNameAgain: 'Evening', restored: true })
    await again.close()
  })

  it('does not treat remote changes during a save as local', async () => {
    rename('Mine')
    const saving = editor.save()
    editor.applyRemote(remote(changeFrameData('b', { name: 'Evening' })))
    await saving
    expect({ name: getName(editor, 'b'), dirty: editor.getSnapshot().dirty }).toEqual({ name: 'Evening', dirty: true })
    expect(editor.localChange.frames).toEqual([])
    rename('Mine, later')
    editor.discard()
    expect({ editor: getName(editor), 'editor, b': getName(editor, 'b') }).toEqual({
      editor: 'Mine',
      'editor, b': 'Evening',
    })
  })

  it('saves two new frames that have the same slug', async () => {
    const added = (id: string) => addFrames([{ ...buildFrame('media_card', { position: { x: 0, y: 0 } }), id }])
    editor.edit('Add', added('mine'))
    editor.applyRemote(remote(added('theirs')))
    expect(await editor.save()).toBe(true)
    const slugs = server.board.frames.map(({ data }) => data.slug)
    expect(new Set(slugs).size).toBe(4)
    expect(editor.getSnapshot()).toMatchObject({ dirty: false })
    expect(editor.getSnapshot().document.frames.map(({ data }) => data.slug)).toEqual(slugs)
  })

  it('has conflicts only for local changes', async () => {
    editor.applyRemote(remote(changeFrameData('a', { name: 'Co' })))
    editor.adopt(saved('Cover', 2))
    expect({
      name: getName(editor),
      conflict: editor.getSnapshot().conflict,
      dirty: editor.getSnapshot().dirty,
    }).toEqual({ name: 'Cover', conflict: null, dirty: false })
    rename('Mine')
    server.board = saved('Covers', 3)
    await editor.save()
    expect(editor.getSnapshot().conflict?.conflicts).toMatchObject([{ id: 'a', fields: ['name'] }])
  })

  it('has no conflicts for viewers', async () => {
    const named = (name: string, rev: number, may: Board['may']): Board => ({
      ...board,
      ...{ rev, may },
      frames: [...changeFrameData('a', { name })(createBoardDocument('media_card', 'process_frame')).frames],
    })
    const viewer = new BoardEditor({ ...board, may: 'view' })
    viewer.applyRemote(remote(changeFrameData('a', { name: 'Co' })))
    viewer.adopt(named('Cover', 2, 'view'))
    viewer.adopt(named('Covers', 3, 'view'))
    expect({ name: getName(viewer), conflict: viewer.getSnapshot().conflict }).toEqual({
      name: 'Covers',
      conflict: null,
    })
    rename('Mine')
    editor.adopt(named('Theirs', 2, 'edit'))
    expect(editor.getSnapshot().conflict).not.toBeNull()
    editor.adopt(named('Theirs again', 3, 'view'))
    expect({ name: getName(editor), conflict: editor.getSnapshot().conflict }).toEqual({
      name: 'Theirs again',
      conflict: null,
    })
  })

  it('keeps the draft when edit rights are revoked and restores it later', async () => {
    await editor.open()
    rename('Mine')
    await editor.flush()
    editor.adopt({ ...board, may: 'view' })
    expect({ name: getName(editor), dirty: editor.getSnapshot().dirty }).toEqual({ name: 'Frame a', dirty: false })
    editor.applyRemote(remote(changeFrameData('b', { name: 'Evening' })))
    await editor.flush()
    const otherEditor = new BoardEditor(board)
    await otherEditor.open()
    expect(getName(otherEditor)).toBe('Mine')
    editor.adopt({ ...board, may: 'edit' })
    expect({
      firstNameEditor: getName(editor),
      secondNameEditor: getName(editor, 'b'),
      dirty: editor.getSnapshot().dirty,
    }).toEqual({ firstNameEditor: 'Mine', secondNameEditor: 'Evening', dirty: true })
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
