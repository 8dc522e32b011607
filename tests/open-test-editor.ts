import 'fake-indexeddb/auto'
import { vi } from 'vitest'
import type { Board, NewFrame } from '#contract/boards/boards.ts'
import { toFrame } from '#contract/boards/frame-content.ts'
import { BoardEditor } from '#web/boards/document/board-editor.ts'
import { destroyLocalStore } from '#web/offline/local-store.ts'
import { createJsonAnswer } from './keeper-answer.ts'
import { createMemoryStorage } from './memory-storage.ts'

/** Keeps one board with revisions, and refuses stale saves. */
class FakeSaveServer {
  board: Board
  saveCount = 0
  isUnreachable = false
  losesResponses = false
  /** Runs once, after a save and before the page gets the response. */
  beforeResponse: (() => void) | undefined

  constructor(board: Board) {
    this.board = board
  }

  readonly fetch = async (_url: string, request: { body: string; headers: Headers }): Promise<Response> => {
    if (this.isUnreachable) throw new TypeError('Failed to fetch')
    const response = this.#save(request)
    const { beforeResponse } = this
    this.beforeResponse = undefined
    beforeResponse?.()
    if (this.losesResponses) throw new TypeError('Failed to fetch')
    return response
  }

  #save({ body, headers }: { body: string; headers: Headers }): Response {
    const { config, frames } = JSON.parse(body) as { config: Board['config']; frames: NewFrame[] }
    const sentFrames = frames.map((frame) => toFrame(frame, this.board.createdAt))
    const sentBoard = { ...this.board, config, name: config.name, frames: sentFrames }
    if (Number(headers.get('If-Match')) !== this.board.rev) {
      const problem = {
        success: false,
        code: 'stale',
        error: 'Older.',
        data: { yours: sentBoard, current: this.board },
      }
      return createJsonAnswer(problem, { status: 409 })
    }
    this.saveCount += 1
    this.board = { ...sentBoard, rev: this.board.rev + 1 }
    return createJsonAnswer(this.board)
  }
}

const storage = new Map<string, string>()
let personCount = 0

/** Opens a board in a new person's browser. */
export function openTestEditor(board: Board) {
  personCount += 1
  const personId = `person-${personCount}`
  vi.stubGlobal('localStorage', createMemoryStorage(storage))
  storage.set('keeper_user', JSON.stringify({ id: personId, email: 'ada@example.org' }))
  storage.set('keeper_token', 'token')
  const server = new FakeSaveServer(board)
  vi.stubGlobal('fetch', server.fetch)
  const editor = new BoardEditor(board)
  async function close() {
    await editor.close()
    await destroyLocalStore(personId)
    vi.unstubAllGlobals()
  }
  return { editor, server, close }
}

export type TestEditor = ReturnType<typeof openTestEditor>
