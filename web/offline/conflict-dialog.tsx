import { lazy, type ReactNode, Suspense } from 'react'
import { ApiError } from '#web/api/api.ts'
import type { ConflictField } from './conflict-fields.ts'

export interface ConflictDialogProps {
  /** For example `This moment`. */
  subject: ReactNode
  fields: ConflictField[]
  /** Identifies the conflict, as `card/{id}`; texts edited together are drafted under it. */
  conflictKey: string
  /** Saves the local version, with `texts` edited together, on the newer one; a rejection is shown. */
  onKeepLocal: (texts: Record<string, string>) => unknown
  onKeepRemote: () => unknown
  /** Nothing is lost: the draft stays. */
  onClose: () => void
}

export function getConflict<T>(reason: unknown): { yours: T; current: T } | undefined {
  return reason instanceof ApiError && reason.code === 'stale' ? (reason.data as { yours: T; current: T }) : undefined
}

export const compareAgainText = 'A newer version was saved while you were deciding. Compare both again.'

const ConflictView = lazy(() => import('./conflict-view.tsx').then((module) => ({ default: module.ConflictView })))

export function ConflictDialog(props: ConflictDialogProps): ReactNode {
  return (
    <Suspense fallback={null}>
      <ConflictView {...props} />
    </Suspense>
  )
}
