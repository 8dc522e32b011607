import type { ReactNode } from 'react'
import { ApiError } from '#web/api.ts'

export interface ConflictField {
  name: string
  label: string
  yours: string
  current: string
}

export interface ConflictDialogProps {
  open: boolean
  /** What was written, e.g. `This reflection`. */
  what: ReactNode
  fields: ConflictField[]
  /** The revision of `current`: what the merged text is saved on. */
  onResolve: (values: Record<string, string>) => unknown
  /** Nothing is lost: the draft stays. */
  onOpenChange: (open: boolean) => void
}

/** Both versions of a save that came second, of a 409 `stale`; undefined for anything else. */
export function conflictOf<T>(reason: unknown): { yours: T; current: T } | undefined {
  return reason instanceof ApiError && reason.code === 'stale' ? (reason.data as { yours: T; current: T }) : undefined
}

/** Two versions side by side, word for word, and a text to save in their place. */
export function ConflictDialog(_props: ConflictDialogProps): ReactNode {
  return null
}
