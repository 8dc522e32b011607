import { lazy, type ReactElement, Suspense } from 'react'

const Tooltip = lazy(() => import('#web/ui/tooltip.tsx').then((module) => ({ default: module.Tooltip })))

/** Only the narrow sidebar has tooltips, so they load lazily. */
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
