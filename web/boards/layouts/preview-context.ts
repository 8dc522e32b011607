import { createContext, use } from 'react'
import { animationSeconds, type BoardAnimation } from '#contract/boards/boards.ts'
import type { FrameSurroundings } from '../frames/frame-bodies.ts'

export interface PreviewProps {
  surroundings: FrameSurroundings
  changeContent: (id: string, changes: Record<string, unknown>, gesture?: string) => void
  openSettings?: (id: string) => void
}

export const Preview = createContext<(PreviewProps & { animation: BoardAnimation }) | null>(null)

/** @throws outside a BoardPreview */
export function usePreview() {
  const preview = use(Preview)
  if (!preview) throw new Error('usePreview must be used inside a BoardPreview.')
  return preview
}

const animations: Record<BoardAnimation, string | undefined> = {
  none: undefined,
  fade: 'animate-fade',
  slide: 'animate-slide',
  scale: 'animate-scale',
}

/** theme/motion.css disables the animation for people who prefer reduced motion. */
export function comingIn(animation: BoardAnimation) {
  return { className: animations[animation], style: { animationDuration: `${animationSeconds[animation]}s` } }
}
