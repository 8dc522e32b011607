import type { Entity } from '#contract/keepers/keeper-fields.ts'
import { lazyComponent } from '#web/ui/panels/lazy-component.tsx'

export interface HistoryDialogProps {
  entity: Entity
  id: string
  current: Record<string, unknown>
  /** Fields to show and restore; all when left out. */
  fields?: readonly string[]
  getText?: (state: Record<string, unknown>) => string
  /** Saves the chosen snapshot; the dialog closes when this settles and shows a rejection. Absent: read-only. */
  onRestore?: ((snapshot: Record<string, unknown>) => unknown) | undefined
  onOpenChange: (open: boolean) => void
  open: boolean
}

const HistoryView = lazyComponent(async () => (await import('./version-views.tsx')).HistoryView)

export function HistoryDialog(props: HistoryDialogProps) {
  return props.open && <HistoryView {...props} />
}
