import type { ReactNode } from 'react'
import type { FrameSurroundings } from './frame-bodies.ts'
import { FrameNote } from './frame-boundary.tsx'

interface NotByLinkProps {
  surroundings: FrameSurroundings
  children: ReactNode
}

/** Who opened a board by its link has no session: what is about people and keepers stays with them, and is not asked for. */
export function NotByLink({ surroundings, children }: NotByLinkProps) {
  if (surroundings.linkToken !== undefined) return <FrameNote>This is not part of what the link shows.</FrameNote>
  return children
}
