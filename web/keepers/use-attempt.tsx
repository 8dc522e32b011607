import { type ReactNode, useState } from 'react'
import { Banner } from '#web/ui/panels/banner.tsx'
import { getErrorMessage } from '#web/ui/text/error-message.ts'

/** Runs an action; never rejects. */
export type Attempt = (action: () => Promise<unknown>) => Promise<void>

/** Runs actions, and shows why the last one failed. */
export function useAttempt(className?: string): { attempt: Attempt; banner: ReactNode } {
  const [problem, setProblem] = useState<string>()
  return {
    attempt: (action) => runAttempt(action, setProblem),
    banner: problem !== undefined && (
      <Banner tone="error" className={className} onDismiss={() => setProblem(undefined)}>
        {problem}
      </Banner>
    ),
  }
}

/** Actions can overlap: each start clears the problem, and each failure sets it. */
export async function runAttempt(
  action: () => Promise<unknown>,
  onProblem: (problem: string | undefined) => void,
): Promise<void> {
  onProblem(undefined)
  try {
    await action()
  } catch (reason) {
    onProblem(getErrorMessage(reason))
  }
}
