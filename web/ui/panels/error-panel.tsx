import { RotateCw } from 'lucide-react'
import type { ReactNode } from 'react'
import { RetryButton } from '../controls/button.tsx'
import { CopyButton } from '../controls/copy-button.tsx'
import { Spot } from '../drawings/spot.tsx'
import { classNames } from '../hooks/class-names.ts'

export interface ErrorPanelProps {
  title: ReactNode
  children?: ReactNode
  onRetry?: () => void
  retryLabel?: string
  retrying?: boolean
  reason?: unknown
  details?: string
  action?: ReactNode
  className?: string
}

export function ErrorPanel({
  title,
  children,
  onRetry,
  retryLabel = 'Retry',
  retrying = false,
  reason,
  details,
  action,
  className,
}: ErrorPanelProps) {
  const requestId = (reason as { requestId?: string } | null | undefined)?.requestId
  const messageParts = [title, details].filter((part) => typeof part === 'string' && part !== '')
  // The server's message for an internal error already ends with the request id.
  const includesRequestId = messageParts.some((part) => String(part).includes(requestId ?? ''))
  const copiedText = [...messageParts, ...(requestId && !includesRequestId ? [`Request ${requestId}`] : [])].join('\n')
  return (
    <div
      role="alert"
      className={classNames(
        'flex items-center gap-[18px] rounded-lg border border-border bg-card p-4 phone:flex-wrap',
        className,
      )}
    >
      <Spot name="lamp" width={104} />
      <div className="min-w-0 flex-1 basis-56">
        <p className="font-semibold wrap-break-word">{title}</p>
        {children && <p className="text-ui text-muted-foreground">{children}</p>}
        <div className="mt-2.5 flex flex-wrap items-center gap-1">
          {onRetry && (
            <RetryButton variant="primary" busy={retrying} onClick={onRetry} icon={<RotateCw aria-hidden size={13} />}>
              {retryLabel}
            </RetryButton>
          )}
          {action}
          {(requestId || details) && (
            <CopyButton text={copiedText} size="small" variant="plain" icon={null}>
              Copy details
            </CopyButton>
          )}
        </div>
      </div>
    </div>
  )
}
