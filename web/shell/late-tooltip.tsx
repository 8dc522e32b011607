import { lazy, type ReactElement, Suspense } from 'react'

const Tooltip = lazy(() => import('#web/ui/tooltip.tsx').then((module) => ({ default: module.Tooltip })))

/** Only the narrow sidebar needs tooltips in the shell: whoever keeps it wide does not load them. */
export function LateTooltip({
  label,
  off = false,
  children,
}: {
  label: string
  off?: boolean
  children: ReactElement
}) {
  if (off) return children
  return (
    <Suspense fallback={children}>
      <Tooltip label={label} side="right">
        {children}
      </Tooltip>
    </Suspense>
  )
}
