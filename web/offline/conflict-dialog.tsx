import { lazy, type ReactNode, Suspense } from 'react'
import { ApiError } from '#web/api.ts'

export interface ConflictField {
  name: string
  label: string
  yours: string
  current: string
  /** Can only be chosen, not merged. */
  choiceOnly?: boolean
}

export interface ConflictDialogProps {
  open: boolean
  subject: ReactNode
  fields: ConflictField[]
  /** Identifies the conflict, as `card/{id}`; decisions are drafted under it, even if the texts change. */
  conflictKey?: string
  /** Saves on the revision of `current`; the dialog stays open until this settles and shows a rejection. */
  onResolve: (values: Record<string, string>) => unknown
  /** Nothing is lost: the draft stays. */
  onOpenChange: (open: boolean) => void
}

export function getConflict<T>(reason: unknown): { yours: T; current: T } | undefined {
  return reason instanceof ApiError && reason.code === 'stale' ? (reason.data as { yours: T; current: T }) : undefined
}

export const compareAgainText = 'A newer version was saved while you were deciding. Compare both again.'

/** Saves the decision; if yet another version came first, passes it to `onConflict` and throws. */
export async function saveOrResolveAgain<T>(saving: Promise<unknown>, onConflict: (current: T) => void): Promise<void> {
  try {
    await saving
  } catch (reason) {
    const conflict = getConflict<T>(reason)
    if (!conflict) throw reason
    onConflict(conflict.current)
    throw new Error(compareAgainText)
  }
}

const ConflictView = lazy(() => import('./conflict-view.tsx').then((module) => ({ default: module.ConflictView })))

export function ConflictDialog(props: ConflictDialogProps): ReactNode {
  if (!props.open) return null
  return (
    <Suspense fallback={null}>
      <ConflictView {...props} />
    </Suspense>
  )
}
