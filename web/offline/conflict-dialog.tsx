import { lazy, type ReactNode, Suspense } from 'react'
import { ApiError } from '#web/api.ts'

export interface ConflictField {
  name: string
  label: string
  yours: string
  current: string
  /** One or the other: it cannot be written together. */
  choiceOnly?: boolean
}

export interface ConflictDialogProps {
  open: boolean
  /** What was written, e.g. `This reflection`. */
  what: ReactNode
  fields: ConflictField[]
  /** Names it, as `card/{id}`: what was decided so far is kept under it, also while the texts become others. */
  about?: string
  /**
   * The text chosen or written for each field, saved on the revision of `current`. The dialog stays until this is over;
   * what it rejects with is shown, and nothing is lost.
   */
  onResolve: (values: Record<string, string>) => unknown
  /** Nothing is lost: the draft stays. */
  onOpenChange: (open: boolean) => void
}

/** Both versions of a save that came second, of a 409 `stale`; undefined for anything else. */
export function conflictOf<T>(reason: unknown): { yours: T; current: T } | undefined {
  return reason instanceof ApiError && reason.code === 'stale' ? (reason.data as { yours: T; current: T }) : undefined
}

export const lookAtBothAgain = 'It was saved once more meanwhile. Look at both again.'

/** Saves what was decided. Who comes second once more is given to `ask` with the newer version, and told so. */
export async function orAskAgain<T>(saving: Promise<unknown>, ask: (current: T) => void): Promise<void> {
  try {
    await saving
  } catch (reason) {
    const conflict = conflictOf<T>(reason)
    if (!conflict) throw reason
    ask(conflict.current)
    throw new Error(lookAtBothAgain)
  }
}

const ConflictView = lazy(() => import('./conflict-view.tsx').then((module) => ({ default: module.ConflictView })))

/** Two versions side by side, word for word, and a text to save in their place. */
export function ConflictDialog(props: ConflictDialogProps): ReactNode {
  if (!props.open) return null
  return (
    <Suspense fallback={null}>
      <ConflictView {...props} />
    </Suspense>
  )
}
