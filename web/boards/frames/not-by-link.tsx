import type { ReactNode } from 'react'
import type { FrameSurroundings } from './frame-bodies.ts'
import { FrameNote } from './frame-boundary.tsx'

interface NotByLinkProps {
  surroundings: FrameSurroundings
  children: ReactNode
}

/** Visitors with a link have no session, so frames about people and keepers stay hidden. */
export function NotByLink({ surroundings, children }: NotByLinkProps) {
  if (surroundings.linkToken !== undefined) return <FrameNote>This frame isn’t available through a link.</FrameNote>
  return children
}
