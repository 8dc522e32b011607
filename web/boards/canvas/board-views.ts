import type { Viewport } from '@xyflow/react'
import { readSetting, writeSetting } from '#web/offline/browser-memory.ts'
import type { Box } from '../document/board-document.ts'

/** A person's view of a board: its center in canvas pixels, and the zoom. */
export interface BoardView {
  x: number
  y: number
  zoom: number
}

interface Size {
  width: number
  height: number
}

const boardViewsKey = 'keeper-board-views'
/** The least recently viewed board is forgotten first. */
const maxViews = 50

type StoredView = [id: string, x: number, y: number, zoom: number]

function isStoredView(value: unknown): value is StoredView {
  return (
    Array.isArray(value) && typeof value[0] === 'string' && [1, 2, 3].every((index) => Number.isFinite(value[index]))
  )
}

function readBoardViews(): StoredView[] {
  try {
    const views: unknown = JSON.parse(readSetting(boardViewsKey) ?? '[]')
    return Array.isArray(views) ? views.filter(isStoredView) : []
  } catch {
    return []
  }
}

export function readBoardView(id: string): BoardView | undefined {
  const [, x, y, zoom] = readBoardViews().find(([storedId]) => storedId === id) ?? []
  return x === undefined || y === undefined || zoom === undefined ? undefined : { x, y, zoom }
}

const round = (value: number) => Number(value.toFixed(3))

/** `undefined` deletes the stored view, so that the board opens with all frames in view. */
export function storeBoardView(id: string, view: BoardView | undefined): void {
  const otherViews = readBoardViews().filter(([storedId]) => storedId !== id)
  const newViews: StoredView[] = view ? [[id, round(view.x), round(view.y), round(view.zoom)]] : []
  writeSetting(boardViewsKey, JSON.stringify([...otherViews, ...newViews].slice(-maxViews)))
}

export const toBoardView = ({ x, y, zoom }: Viewport, { width, height }: Size): BoardView => ({
  x: (width / 2 - x) / zoom,
  y: (height / 2 - y) / zoom,
  zoom,
})

export const toViewport = ({ x, y, zoom }: BoardView, { width, height }: Size): Viewport => ({
  x: width / 2 - x * zoom,
  y: height / 2 - y * zoom,
  zoom,
})

/** Whether any of the boxes is in view. */
export function showsAny(boxes: readonly Box[], view: BoardView, { width, height }: Size): boolean {
  const [halfWidth, halfHeight] = [width / 2 / view.zoom, height / 2 / view.zoom]
  return boxes.some(
    (box) =>
      box.x < view.x + halfWidth &&
      box.x + box.width > view.x - halfWidth &&
      box.y < view.y + halfHeight &&
      box.y + box.height > view.y - halfHeight,
  )
}
