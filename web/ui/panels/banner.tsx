import { CircleAlert, CircleCheck, Info, TriangleAlert, X } from 'lucide-react'
import { type ReactNode, useEffect, useEffectEvent, useState } from 'react'
import { RetryButton } from '../controls/button.tsx'
import { IconButton } from '../controls/icon-button.tsx'
import { classNames } from '../hooks/class-names.ts'

type BannerTone = 'success' | 'info' | 'warning' | 'error'

interface BannerProps {
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

interface WriteErrorProps {
  title: string
  serverMessage?: string | undefined
  onRetry?: () => void
}

export function WriteError({ title, serverMessage, onRetry }: WriteErrorProps) {
  return (
    <Banner tone="error" action={onRetry && <RetryButton onClick={onRetry}>Try again</RetryButton>}>
      {onRetry && 'Error: '}
      {title}
      {serverMessage && serverMessage !== title && <span className="block text-small">{serverMessage}</span>}
    </Banner>
  )
}

export type ShowNotice = (tone: BannerTone, text: ReactNode, detail?: string) => void

/** One dismissible banner; a new notice replaces the last. */
export function useNotice(className?: string) {
  const [notice, setNotice] = useState<{ tone: BannerTone; text: ReactNode; detail?: string | undefined; at: number }>()
  const clearNotice = () => setNotice(undefined)
  const showNotice: ShowNotice = (tone, text, detail) => setNotice({ tone, text, detail, at: Date.now() })
  return {
    showNotice,
    clearNotice,
    noticeBanner: notice && (
      <Banner key={notice.at} tone={notice.tone} className={className} onDismiss={clearNotice}>
        <span className={notice.detail ? 'font-semibold' : undefined}>{notice.text}</span>
        {notice.detail && <span className="block">{notice.detail}</span>}
      </Banner>
    ),
  }
}
