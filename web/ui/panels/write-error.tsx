import { RetryButton } from '../controls/button.tsx'
import { Banner } from './banner.tsx'

interface WriteErrorProps {
  title: string
  serverMessage?: string | undefined
  onRetry?: () => void
}

export function WriteError({ title, serverMessage, onRetry }: WriteErrorProps) {
  return (
    <Banner tone="error" action={onRetry && <RetryButton onClick={onRetry}>Try again</RetryButton>}>
      {/* Prescribed for failures that can be retried. */}
      {onRetry && 'Error: '}
      {title}
      {serverMessage && serverMessage !== title && <span className="block text-small">{serverMessage}</span>}
    </Banner>
  )
}
