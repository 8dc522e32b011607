import { RetryButton } from '#web/ui/controls/retry-button.tsx'
import { Banner } from '#web/ui/panels/banner.tsx'
import { getPersonName } from '#web/ui/text/person-name.ts'
import type { FailedChange } from './use-role-change.ts'

interface FailedChangeBannerProps {
  failed: FailedChange
  onRetry: () => void
  onDismiss: () => void
  className?: string
}

export function FailedChangeBanner({ failed, onRetry, onDismiss, className }: FailedChangeBannerProps) {
  return (
    <Banner tone="error" className={className} onDismiss={onDismiss} action={<RetryButton onClick={onRetry} />}>
      {/[.!?]$/.test(failed.text) ? failed.text : `${failed.text}.`} {getPersonName(failed.person)}{' '}
      {failed.hasRole ? 'doesn’t have' : 'still has'} <b>{failed.role}</b>.
    </Banner>
  )
}
