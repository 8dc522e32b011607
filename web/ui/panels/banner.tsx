import { CircleAlert, CircleCheck, Info, TriangleAlert, X } from 'lucide-react'
import { type ReactNode, useEffect, useEffectEvent, useState } from 'react'
import { IconButton } from '../controls/icon-button.tsx'
import { classNames } from '../hooks/class-names.ts'

export type BannerTone = 'success' | 'info' | 'warning' | 'error'

export interface BannerProps {
  tone: BannerTone
  children: ReactNode
  onDismiss?: () => void
  action?: ReactNode
  className?: string
}

const toneStyles = {
  success: { tint: 'bg-success-soft', ink: 'text-success', Icon: CircleCheck },
  info: { tint: 'bg-info-soft', ink: 'text-info', Icon: Info },
  warning: { tint: 'bg-warning-soft', ink: 'text-warning', Icon: TriangleAlert },
  error: { tint: 'bg-destructive-soft', ink: 'text-destructive', Icon: CircleAlert },
}

const successDurationMs = 3000

/** A success banner dismisses itself after 3 s unless hovered or focused. */
export function Banner({ tone, children, onDismiss, action, className }: BannerProps) {
  const [isPaused, setPaused] = useState(false)
  const [isDismissed, setDismissed] = useState(false)
  const isTransient = tone === 'success'

  const dismiss = useEffectEvent(() => {
    setDismissed(true)
    onDismiss?.()
  })
  useEffect(() => {
    if (!isTransient || isPaused) return
    const timer = setTimeout(() => dismiss(), successDurationMs)
    return () => clearTimeout(timer)
  }, [isTransient, isPaused])

  if (isDismissed) return null
  const { tint, ink, Icon } = toneStyles[tone]
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: hovering only pauses the timer
    <div
      role={tone === 'error' ? 'alert' : 'status'}
      data-chrome
      // Not onPointerEnter: a banner that appears under a resting pointer is not being read.
      onPointerMove={() => setPaused(true)}
      onPointerLeave={() => setPaused(false)}
      onFocus={() => setPaused(true)}
      onBlur={() => setPaused(false)}
      className={classNames(
        'flex min-h-10 animate-fade items-start gap-2.5 rounded-md px-3.5 py-2.5 text-ui',
        'border border-transparent forced-colors:border-current',
        tint,
        className,
      )}
    >
      <Icon aria-hidden size={16} className={classNames('mt-0.5 shrink-0', ink)} />
      <div className="min-w-0 flex-1 wrap-break-word text-foreground">{children}</div>
      {action && <div className="-my-1 shrink-0">{action}</div>}
      {onDismiss && !isTransient && (
        <IconButton label="Dismiss" size="small" onClick={onDismiss} className="-my-1 -me-1.5">
          <X aria-hidden size={15} />
        </IconButton>
      )}
    </div>
  )
}
