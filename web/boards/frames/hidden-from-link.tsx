import type { ReactNode } from 'react'
import type { FrameContext } from './frame-bodies.ts'
import { FrameNote } from './frame-boundary.tsx'

interface HiddenFromLinkProps {
  context: FrameContext
  children: ReactNode
}

/** Visitors with a link have no session, so frames about people and keepers stay hidden. */
export function HiddenFromLink({ context, children }: HiddenFromLinkProps) {
  if (context.linkToken !== undefined) return <FrameNote>This frame isn’t available through a link.</FrameNote>
  return children
}
