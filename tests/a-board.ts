import { type Board, type BoardConfig, defaultBoardTheme, type FrameData } from '#contract/boards/boards.ts'
import type { FrameType } from '#contract/boards/frame-types.ts'
import { type BoardDocument, changeFrame, type Edit, makeFrame } from '#web/boards/document/board-document.ts'

export const boardConfigOfTests: BoardConfig = {
  name: 'The Harbour Year',
  description: '',
  layout: 'canvas',
  engagementMode: 'canvas',
  allowLayoutEditing: true,
  animation: 'fade',
  theme: { ...defaultBoardTheme },
}

/** A board document with frames `a`, `b`, `c` … of the given types, side by side. */
export function documentOfTests(...types: FrameType[]): BoardDocument {
  const frames = types.map((type, index) => {
    const id = String.fromCharCode(97 + index)
    const frame = makeFrame(type, { position: { x: index * 400, y: 0 }, name: `Frame ${id}` })
    return { ...frame, id, configId: id, FrameConfig: { ...frame.FrameConfig, id } }
  })
  return { config: boardConfigOfTests, frames }
}

export function boardOfTests(document: BoardDocument, changes: Partial<Board> = {}): Board {
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

export const changeData = (id: string, changes: Partial<FrameData>): Edit =>
  changeFrame(id, (frame) => ({ ...frame, data: { ...frame.data, ...changes } }))
