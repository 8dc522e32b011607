import { lazy, Suspense } from 'react'
import type { ReadByDialogProps } from './read-by-dialog.tsx'

const ReadByDialog = lazy(() => import('./read-by-dialog.tsx').then((module) => ({ default: module.ReadByDialog })))

export function ReadBy({ open, ...props }: ReadByDialogProps & { open: boolean }) {
  if (!open) return null
  return (
    <Suspense fallback={null}>
      <ReadByDialog {...props} />
    </Suspense>
  )
}
