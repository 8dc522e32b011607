import { useMutation } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { Banner } from '#web/ui/panels/banner.tsx'
import { getErrorMessage } from '#web/ui/text/error-message.ts'

/** Runs an action; never rejects. */
export type Attempt = (action: () => Promise<unknown>) => Promise<void>

/** Runs actions, and shows why the last one failed. */
export function useAttempt(className?: string): { attempt: Attempt; banner: ReactNode } {
  const { mutateAsync, error, reset } = useMutation({ mutationFn: (action: () => Promise<unknown>) => action() })
  return {
    attempt: (action) =>
      mutateAsync(action).then(
        () => undefined,
        () => undefined,
      ),
    banner: error && (
      <Banner tone="error" className={className} onDismiss={reset}>
        {getErrorMessage(error)}
      </Banner>
    ),
  }
}
