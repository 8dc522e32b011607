import { createContext, use } from 'react'
import { animationSeconds, type BoardAnimation } from '#contract/boards/boards.ts'
import type { FrameSurroundings } from '../frames/frame-bodies.ts'

/** What every frame of a shown board is given. */
export interface PreviewProps {
  surroundings: FrameSurroundings
  changeContent: (id: string, changes: Record<string, unknown>, gesture?: string) => void
  openSettings?: (id: string) => void
}

export const Preview = createContext<(PreviewProps & { animation: BoardAnimation }) | null>(null)

/** @throws outside of a BoardPreview */
export function usePreview() {
  const preview = use(Preview)
  if (!preview) throw new Error('There is no board shown here.')
  return preview
}

const animations: Record<BoardAnimation, string | undefined> = {
  none: undefined,
  fade: 'animate-fade',
  slide: 'animate-slide',
  scale: 'animate-scale',
}

/** How something comes in by a preset; theme/motion.css lets nothing move for who asked for that. */
export function comingIn(animation: BoardAnimation) {
  return { className: animations[animation], style: { animationDuration: `${animationSeconds[animation]}s` } }
}
