import type { Frame } from '#contract/boards/boards.ts'
import { classNames } from '#web/ui/hooks/class-names.ts'
import { FrameView } from '../frames/frame-view.tsx'
import { usePreview } from './preview-context.ts'

/** The board's theme colors the frame's border, the app's theme its content. */
export const frameEdge = 'border-(--board-border)!'

export function BoardPreviewFrame({ frame, className }: { frame: Frame; className?: string }) {
  const { frameContext, changeContent, openSettings } = usePreview()
  return (
    <FrameView
      frame={frame}
      context={frameContext}
      changeContent={changeContent}
      {...(openSettings && { openSettings })}
      className={classNames(frameEdge, className)}
      isKeyboardScrollable
    />
  )
}
