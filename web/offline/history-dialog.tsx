import { lazy, Suspense } from 'react'
import type { Entity } from '#contract/keepers/keeper-words.ts'

export interface HistoryDialogProps {
  entity: Entity
  id: string
  /** What it says now, field by field as the earlier states name them; what an earlier state is compared with. */
  current: Record<string, unknown>
  /** What of it is shown and brought back; every field that holds words, and all of it, when left out. */
  fields?: readonly string[]
  /** The words of a state, where they do not stand in fields of their own. */
  textOf?: (state: Record<string, unknown>) => string
  /** The person chose an earlier state: save its fields. The dialog closes when that is over; what it rejects with is shown. */
  onRestore: (snapshot: Record<string, unknown>) => unknown
  onOpenChange: (open: boolean) => void
  open: boolean
}

const HistoryView = lazy(() => import('./history-view.tsx').then((module) => ({ default: module.HistoryView })))

/** The earlier states of something written, with what has changed since, each of which can be brought back. */
export function HistoryDialog(props: HistoryDialogProps) {
  if (!props.open) return null
  return (
    <Suspense fallback={null}>
      <HistoryView {...props} />
    </Suspense>
  )
}
