import { type Board, type BoardConfig, defaultBoardTheme, type FrameData } from '#contract/boards/boards.ts'
import type { FrameType } from '#contract/boards/frame-types.ts'
import { type BoardDocument, type BoardEdit, buildFrame, changeFrame } from '#web/boards/document/board-document.ts'

export const testBoardConfig: BoardConfig = {
  name: 'The Harbour Year',
  description: '',
  layout: 'canvas',
  engagementMode: 'canvas',
  allowLayoutEditing: true,
  animation: 'fade',
  theme: { ...defaultBoardTheme },
}

/** A board document with frames `a`, `b`, `c` … of the given types, side by side. */
export function createBoardDocument(...types: FrameType[]): BoardDocument {
  const frames = types.map((type, index) => {
    const id = String.fromCharCode(97 + index)
    const frame = buildFrame(type, { position: { x: index * 400, y: 0 }, name: `Frame ${id}` })
    return { ...frame, id, configId: id, FrameConfig: { ...frame.FrameConfig, id } }
  })
  return { config: testBoardConfig, frames }
}

export function createTestBoard(document: BoardDocument, changes: Partial<Board> = {}): Board {
  const at = '2026-11-20T12:00:00.000Z'
  return {
    id: 'board',
    name: document.config.name,
    type: 'custom_board',
    description: '',
    lastModified: at,
    frameCount: document.frames.length,
    engagementMode: document.config.engagementMode,
    domainId: null,
    entityType: null,
    entityId: null,
    createdAt: at,
    updatedAt: at,
    rev: 1,
    may: 'owner',
    owner: { id: 'ada', name: 'Ada', isMe: true },
    isShared: false,
    config: document.config,
    frames: [...document.frames],
    ...changes,
  }
}

export const changeFrameData = (id: string, changes: Partial<FrameData>): BoardEdit =>
  changeFrame(id, (frame) => ({ ...frame, data: { ...frame.data, ...changes } }))
