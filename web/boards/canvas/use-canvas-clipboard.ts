import { type RefObject, useEffect } from 'react'
import { type Frame, mostFrames } from '#contract/boards/boards.ts'
import { engagementPatterns, frameCategories } from '#contract/boards/frame-types.ts'
import type { CanvasActions } from './canvas-actions.ts'
import { isEditable, isForCanvas } from './use-canvas-keys.ts'

/** Kept by the browser from one board to the other; no other program reads it. */
const kind = 'application/x-keeper-frames'

interface Options {
  surface: RefObject<HTMLDivElement | null>
  actions: CanvasActions
  canEdit: boolean
}

/** Copy, cut and paste of frames by the clipboard of the system, so that they also go from board to board. */
export function useCanvasClipboard({ surface, actions, canEdit }: Options): void {
  useEffect(() => {
    const isOurs = ({ target }: ClipboardEvent) => {
      if (!isForCanvas(surface.current, target) || isEditable(target)) return false
      // Words marked in a frame are what somebody wants to copy then.
      return document.getSelection()?.isCollapsed !== false
    }
    function copy(event: ClipboardEvent): boolean {
      const { selected } = actions
      if (!isOurs(event) || selected.length === 0 || !event.clipboardData) return false
      event.preventDefault()
      event.clipboardData.setData(kind, JSON.stringify(selected))
      event.clipboardData.setData('text/plain', selected.map(({ data }) => data.name).join('\n'))
      actions.copied()
      return true
    }
    function cut(event: ClipboardEvent) {
      if (canEdit && copy(event)) actions.remove('cut')
    }
    function paste(event: ClipboardEvent) {
      if (!canEdit || !isForCanvas(surface.current, event.target) || isEditable(event.target)) return
      const frames = framesIn(event.clipboardData?.getData(kind) ?? '')
      if (frames.length === 0) return
      event.preventDefault()
      actions.paste(frames)
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

/** What lies on the clipboard, as far as it is frames. Another page may have put anything there. */
export function framesIn(text: string): Frame[] {
  if (text === '') return []
  let read: unknown
  try {
    read = JSON.parse(text)
  } catch {
    return []
  }
  return Array.isArray(read) ? read.slice(0, mostFrames).filter(isFrame) : []
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
    [entityType, entityId].every((each) => each === null || isText(each)) &&
    frameCategories.some((each) => each === data.category) &&
    engagementPatterns.some((each) => each === FrameConfig.engagementMode) &&
    hasNumbers(data.position, 'x', 'y') &&
    hasNumbers(data.size, 'width', 'height') &&
    isObject(data.content)
  )
}
