import { storageOver } from '#tests/storage-over.ts'
import 'fake-indexeddb/auto'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { Board, Frame } from '#contract/boards/boards.ts'
import { boardOfTests, documentOfTests } from '#tests/a-board.ts'
import { destroyVault } from '#web/offline/vault.ts'
import { changesBetween } from './board-changes.ts'
import { addFrames, changeContent, makeFrame } from './board-document.ts'
import { BoardEditor } from './board-editor.ts'

const storage = new Map<string, string>()
let visits = 0

describe('what is written on while an earlier state of it is saved', () => {
  const board = boardOfTests(documentOfTests('media_card', 'code_snippet'))
  /** `meanwhile`: what happens once, after the server answered and before the page hears of it. */
  let server: { board: Board; losesAnswers: boolean; meanwhile: (() => void) | undefined }
  let editor: BoardEditor
  beforeEach(() => {
    vi.stubGlobal('localStorage', storageOver(storage))
    visits += 1
    storage.set('keeper_user', JSON.stringify({ id: `ada-${visits}`, email: 'ada@example.org' }))
    storage.set('keeper_token', 'token')
    server = { board, losesAnswers: false, meanwhile: undefined }
    const answerTo = ({ body, headers }: { body: string; headers: Headers }) => {
      const sent = { ...server.board, ...(JSON.parse(body) as Pick<Board, 'config' | 'frames'>) }
      if (Number(headers.get('If-Match')) !== server.board.rev) {
        const problem = { success: false, code: 'stale', error: 'Older.', data: { yours: sent, current: server.board } }
        return new Response(JSON.stringify(problem), { status: 409 })
      }
      server.board = { ...sent, rev: server.board.rev + 1 }
      if (server.losesAnswers) throw new TypeError('Failed to fetch')
      return new Response(JSON.stringify(server.board))
    }
    vi.stubGlobal('fetch', async (_url: string, asked: { body: string; headers: Headers }) => {
      const answer = answerTo(asked)
      const { meanwhile } = server
      server.meanwhile = undefined
      meanwhile?.()
      return answer
    })
    editor = new BoardEditor(board)
  })
  afterEach(async () => {
    await editor.close()
    await destroyVault(`ada-${visits}`)
    vi.unstubAllGlobals()
  })

  const codeIn = (frames: readonly Frame[], id: string) => frames.find((frame) => frame.id === id)?.data.content.code
  const codeOf = (of: BoardEditor, id: string) => codeIn(of.seen().document.frames, id)
  const torn = (of: BoardEditor) =>
    of.seen().conflict?.conflicts.map((each) => [each.id, each.kind === 'frame' && each.fields])
  const write = (id: string, code: string) => editor.edit('Write', changeContent(id, { code }), id)
  /** A frame that nobody has saved yet. */
  function add(slug = 'words') {
    const frame = makeFrame('code_snippet', { position: { x: 0, y: 400 } })
    editor.edit('Add', (document) => ({
      ...document,
      frames: [...document.frames, { ...frame, id: 'new', data: { ...frame.data, slug } }],
    }))
  }
  let earlier: Frame[] = []
  const savedBySomebody = () => editor.adopt({ ...board, ...editor.seen().document, frames: earlier, rev: 2 })
  function told(id: string, code: string) {
    write(id, code)
    editor.noteTold(editor.own)
    earlier = [...editor.seen().document.frames]
  }

  it.each(['new', 'b'])('stays, and nobody is asked about their own words: frame %s', (id) => {
    add()
    told(id, 'One')
    write(id, 'One, two')
    savedBySomebody()
    expect([codeOf(editor, id), editor.seen().conflict, editor.seen().dirty]).toEqual(['One, two', null, true])
  })

  it.each(['new', 'b'])('is asked about where somebody else wrote there too: frame %s', (id) => {
    add()
    told(id, 'One')
    write(id, 'One, two')
    const theirs = changeContent(id, { code: 'Theirs' })({ ...editor.seen().document, frames: earlier })
    earlier = [...theirs.frames]
    savedBySomebody()
    expect([codeOf(editor, id), torn(editor)]).toEqual(['One, two', [[id, ['content.code']]]])
  })

  it.each(['new', 'b'])('is saved after a save whose answer was lost: frame %s', async (id) => {
    // As somebody else has it: it gets a number when it is saved.
    add('frame-b')
    write(id, 'One')
    server.losesAnswers = true
    await expect(editor.save()).rejects.toThrow('could not be reached')
    server.losesAnswers = false
    write(id, 'One, two')
    expect(await editor.save()).toBe(false)
    expect([torn(editor), codeOf(editor, id)]).toEqual([[], 'One, two'])
    editor.resolve(new Map())
    expect([await editor.save(), codeIn(server.board.frames, id)]).toEqual([true, 'One, two'])
    expect(server.board.frames.map(({ data }) => data.slug)).toEqual(['frame-a', 'frame-b', 'frame-b-2'])
  })

  it('is there again on the next visit, and to be decided where nobody knows any more whose words were saved', async () => {
    await editor.open()
    add('words')
    told('new', 'One')
    write('new', 'One, two')
    await editor.flush()
    const again = new BoardEditor({ ...board, frames: earlier, rev: 2 })
    await again.open()
    expect([codeOf(again, 'new'), torn(again)]).toEqual(['One, two', [['new', ['content.code']]]])
    await again.close()
  })

  it('is asked about where it was found of an earlier visit and others have it otherwise, and lies here until then', async () => {
    await editor.open()
    write('b', 'Mine')
    await editor.flush()
    await editor.close()
    const ids = board.frames.map((frame) => frame.id)
    const theirs = changesBetween(board, changeContent('b', { code: 'Theirs' })(board))
    const again = new BoardEditor(board)
    await again.open()
    again.applyRemote({ ...theirs, order: { before: ids, after: ids } })
    expect([codeOf(again, 'b'), torn(again)]).toEqual(['Mine', [['b', ['content.code']]]])
    await again.flush()
    const third = new BoardEditor(board)
    await third.open()
    expect(codeOf(third, 'b')).toBe('Mine')
    await third.close()
    again.resolve(new Map([['b', 'theirs']]))
    expect([codeOf(again, 'b'), again.own.frames]).toEqual(['Theirs', []])
    await again.close()
  })

  it('is told once more when that is saved: whoever fetches it takes it for later', async () => {
    const told: unknown[] = []
    write('b', 'One')
    const saving = editor.save()
    write('b', 'One, two')
    editor.onEdit(({ frames }) => told.push(...frames.map(({ after }) => after?.data.content.code)))
    expect([await saving, told]).toEqual([true, ['One, two']])
  })

  it('what was told and saved long ago is no excuse for writing over somebody else', async () => {
    told('b', 'One')
    expect(await editor.save()).toBe(true)
    write('b', 'One, two')
    expect(await editor.save()).toBe(true)
    write('b', 'One, two, three')
    editor.adopt({ ...server.board, frames: [...changeContent('b', { code: 'One' })(server.board).frames], rev: 9 })
    expect(torn(editor)).toEqual([['b', ['content.code']]])
  })

  /** Somebody renames the board, and this page hears of it. */
  function renamedBySomebody() {
    const config = { ...server.board.config, name: 'Renamed' }
    server.board = { ...server.board, config, rev: server.board.rev + 1 }
    editor.adopt(server.board)
  }

  it('a revision that came in while an older one was being saved stands, and the next save asks about nothing', async () => {
    write('b', 'One')
    server.meanwhile = () => {
      renamedBySomebody()
      write('b', 'One, two')
    }
    expect(await editor.save()).toBe(true)
    const { board: known, document, dirty, saving } = editor.seen()
    expect([known.rev, document.config.name, codeOf(editor, 'b')]).toEqual([3, 'Renamed', 'One, two'])
    expect({ dirty, saving, own: editor.own.config }).toEqual({ dirty: true, saving: false, own: null })
    expect([await editor.save(), editor.seen().conflict, editor.seen().dirty]).toEqual([true, null, false])
    expect([server.board.rev, codeIn(server.board.frames, 'b')]).toEqual([4, 'One, two'])
  })

  it('a save refused for a revision that came in meanwhile is made anew, and does not go back to it', async () => {
    server.board = { ...server.board, rev: 2 }
    write('b', 'One')
    server.meanwhile = renamedBySomebody
    expect([await editor.save(), editor.seen().conflict, editor.seen().dirty]).toEqual([true, null, false])
    expect([server.board.rev, server.board.config.name, codeIn(server.board.frames, 'b')]).toEqual([
      4,
      'Renamed',
      'One',
    ])
  })

  it('two frames added under one slug stay two', () => {
    add()
    editor.edit('Add', addFrames([makeFrame('media_card', { position: { x: 0, y: 800 } })]))
    told('new', 'One')
    savedBySomebody()
    expect(editor.seen()).toMatchObject({ conflict: null, dirty: false })
    expect(editor.seen().document.frames).toHaveLength(4)
  })
})
