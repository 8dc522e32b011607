import { createContext, use } from 'react'
import { animationSeconds, type BoardAnimation, type Frame } from '#contract/boards/boards.ts'
import { classNames } from '#web/ui/hooks/class-names.ts'
import type { FrameContext } from '../frames/frame-bodies.ts'
import { FrameView } from '../frames/frame-view.tsx'

export interface PreviewProps {
  frameContext: FrameContext
  changeContent: (id: string, changes: Record<string, unknown>, gesture?: string) => void
}

export const PreviewContext = createContext<(PreviewProps & { animation: BoardAnimation }) | null>(null)

/** @throws outside a BoardPreview */
export function usePreview() {
  const preview = use(PreviewContext)
  if (!preview) throw new Error('usePreview must be used inside a BoardPreview.')
  return preview
}

const animationClasses: Record<BoardAnimation, string | undefined> = {
  none: undefined,
  fade: 'animate-fade',
  slide: 'animate-slide',
  scale: 'animate-scale',
}

/** themes/base/motion.css disables the animation for people who prefer reduced motion. */
export function getEnterAnimation(animation: BoardAnimation) {
  return { className: animationClasses[animation], style: { animationDuration: `${animationSeconds[animation]}s` } }
}

/** The board's theme colors the frame's border, the app's theme its content. */
export const frameBorderClass = 'border-(--board-border)!'

export function BoardPreviewFrame({ frame, className }: { frame: Frame; className?: string }) {
  const { frameContext, changeContent } = usePreview()
  return (
    <FrameView
      frame={frame}
      context={frameContext}
      changeContent={changeContent}
      className={classNames(frameBorderClass, className)}
      isKeyboardScrollable
    />
  )
}
