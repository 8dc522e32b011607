import { lazy, type ReactElement, Suspense } from 'react'

const Tooltip = lazy(() => import('#web/ui/overlays/tooltip.tsx').then((module) => ({ default: module.Tooltip })))

/** Only the narrow sidebar has tooltips, so they load lazily. */
export function LazyTooltip({
  label,
  disabled = false,
  children,
}: {
  label: string
  disabled?: boolean
  children: ReactElement
}) {
  if (disabled) return children
  return (
    <Suspense fallback={children}>
      <Tooltip label={label} side="right">
        {children}
      </Tooltip>
    </Suspense>
  )
}
