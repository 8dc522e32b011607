import { type RefObject, useEffect } from 'react'
import { boardSharing } from '#contract/boards/board-sharing.ts'
import { type Frame, maxFrames } from '#contract/boards/boards.ts'
import { engagementPatterns, frameCategories } from '#contract/boards/frame-types.ts'
import { fetchFile } from '#web/api/api.ts'
import { upload } from '#web/api/api-upload.ts'
import { createClientId } from '#web/offline/create-client-id.ts'
import { isTyping } from '#web/ui/fields/is-typing.ts'
import type { CanvasActions } from './canvas-actions.ts'
import { isForCanvas } from './use-canvas-keys.ts'

export interface CopiedFrames {
  boardId: string
  frames: Frame[]
}

/** Parses untrusted clipboard text and drops everything that isn't a frame. */
export function parseClipboardFrames(text: string): CopiedFrames {
  const emptyClipboard = { boardId: '', frames: [] }
  if (text === '') return emptyClipboard
  let parsed: unknown
  try {
    parsed = JSON.parse(text)
  } catch {
    return emptyClipboard
  }
  if (!isObject(parsed) || !isText(parsed.boardId) || !Array.isArray(parsed.frames)) return emptyClipboard
  return { boardId: parsed.boardId, frames: parsed.frames.slice(0, maxFrames).filter(isFrame) }
}

const isText = (value: unknown): value is string => typeof value === 'string'
const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
const hasNumbers = (value: unknown, ...keys: string[]) =>
  isObject(value) && keys.every((key) => Number.isSafeInteger(value[key]))

function isFrame(value: unknown): value is Frame {
  if (!isObject(value) || !isText(value.id) || !isObject(value.data) || !isObject(value.FrameConfig)) return false
  const { data, FrameConfig, entityType, entityId } = value
  return (
    [data.frameType, data.name, data.description, data.icon, data.slug].every(isText) &&
    [entityType, entityId].every((item) => item === null || isText(item)) &&
    frameCategories.some((item) => item === data.category) &&
    engagementPatterns.some((item) => item === FrameConfig.engagementMode) &&
    hasNumbers(data.position, 'x', 'y') &&
    hasNumbers(data.size, 'width', 'height') &&
    isObject(data.content)
  )
}

/** Private clipboard format that also works across boards. */
const clipboardType = 'application/x-keeper-frames'

interface CanvasClipboardOptions {
  surface: RefObject<HTMLDivElement | null>
  actions: CanvasActions
  canEdit: boolean
}

export function useCanvasClipboard({ surface, actions, canEdit }: CanvasClipboardOptions): void {
  useEffect(() => {
    const isCanvasCopy = ({ target }: ClipboardEvent) => {
      if (!isForCanvas(surface.current, target) || isTyping(target)) return false
      // Selected text takes precedence over selected frames.
      return document.getSelection()?.isCollapsed !== false
    }
    function copy(event: ClipboardEvent): boolean {
      const { boardId, selected } = actions
      if (!isCanvasCopy(event) || selected.length === 0 || !event.clipboardData) return false
      event.preventDefault()
      event.clipboardData.setData(clipboardType, JSON.stringify({ boardId, frames: selected } satisfies CopiedFrames))
      event.clipboardData.setData('text/plain', selected.map(({ data }) => data.name).join('\n'))
      actions.noteCopied()
      return true
    }
    function cut(event: ClipboardEvent) {
      if (canEdit && copy(event)) actions.remove('cut')
    }
    function paste(event: ClipboardEvent) {
      if (!canEdit || !isForCanvas(surface.current, event.target) || isTyping(event.target)) return
      const copied = parseClipboardFrames(event.clipboardData?.getData(clipboardType) ?? '')
      if (copied.frames.length === 0) return
      event.preventDefault()
      actions.paste(copied)
    }
    document.addEventListener('copy', copy)
    document.addEventListener('cut', cut)
    document.addEventListener('paste', paste)
    return () => {
      document.removeEventListener('copy', copy)
      document.removeEventListener('cut', cut)
      document.removeEventListener('paste', paste)
    }
  }, [surface, actions, canEdit])
}

/** Returns the ID of the copy. */
export async function copyPicture(pictureId: string, sourceBoardId: string, targetBoardId: string): Promise<string> {
  const { blob } = await fetchFile(boardSharing.picture, { params: { id: sourceBoardId, pictureId } })
  const { id } = await upload(
    boardSharing.upload,
    { params: { id: targetBoardId }, query: { id: createClientId() } },
    blob,
  )
  return id
}
