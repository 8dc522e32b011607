import { type RefObject, useEffect } from 'react'
import { boardSharing } from '#contract/boards/board-sharing.ts'
import { type Frame, frame, maxFrames } from '#contract/boards/boards.ts'
import { fetchFile } from '#web/api/api.ts'
import { upload } from '#web/api/api-upload.ts'
import { createClientId } from '#web/offline/create-client-id.ts'
import { isTyping } from '#web/ui/fields/field-keys.ts'
import type { CanvasActions } from './canvas-actions.ts'
import { isForCanvas } from './use-canvas-keys.ts'

export interface CopiedFrames {
  boardId: string
  frames: Frame[]
}

/** Parses untrusted clipboard text and drops everything that isn't a frame. */
export function parseClipboardFrames(text: string): CopiedFrames {
  const copied = parseJson(text) as Partial<Record<keyof CopiedFrames, unknown>> | null | undefined
  if (typeof copied?.boardId !== 'string' || !Array.isArray(copied.frames)) return { boardId: '', frames: [] }
  const frames = copied.frames.slice(0, maxFrames).flatMap((candidate) => frame.safeParse(candidate).data ?? [])
  return { boardId: copied.boardId, frames }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
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
      const { boardId, selectedFrames } = actions
      if (!isCanvasCopy(event) || selectedFrames.length === 0 || !event.clipboardData) return false
      event.preventDefault()
      event.clipboardData.setData(
        clipboardType,
        JSON.stringify({ boardId, frames: selectedFrames } satisfies CopiedFrames),
      )
      event.clipboardData.setData('text/plain', selectedFrames.map(({ data }) => data.name).join('\n'))
      actions.announceCopied()
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
