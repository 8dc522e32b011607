import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { Link } from 'react-router'
import { agents } from '#contract/agents/agents.ts'
import { getRunPath } from '#web/agents/agent-addresses.ts'
import { RunAnswer } from '#web/agents/runs/run-answer.tsx'
import { useRun } from '#web/agents/runs/run-store.ts'
import { call } from '#web/api/api.ts'
import { Button } from '#web/ui/controls/button.tsx'
import { quietLinkClasses } from '#web/ui/controls/quiet-link.ts'
import { getErrorMessage } from '#web/ui/text/error-message.ts'
import { firstStepsQuery } from './first-steps-query.ts'

const kipSlug = 'kip'

interface AskKipProps {
  momentText: string
  takesFocus: boolean
}

export function AskKip({ momentText, takesFocus }: AskKipProps) {
  const queryClient = useQueryClient()
  const { view, start } = useRun()
  const [isSending, setSending] = useState(false)
  const [error, setError] = useState('')

  async function sendToKip() {
    setSending(true)
    setError('')
    try {
      const { id } = await call(agents.bySlug, { query: { slug: kipSlug } })
      await start({ agentId: id, input: buildQuestion(momentText) })
      void queryClient.invalidateQueries({ queryKey: firstStepsQuery.queryKey })
    } catch (reason) {
      setError(getErrorMessage(reason))
    } finally {
      setSending(false)
    }
  }

  if (!view)
    return (
      <p className="mt-4 flex flex-wrap items-center gap-x-3.5 gap-y-2">
        <Button variant="primary" autoFocus={takesFocus} busy={isSending} busyLabel="Asking..." onClick={sendToKip}>
          Ask Kip about it
        </Button>
        <span className="min-w-0 text-small text-muted-foreground">
          Kip knows its way around Keeper. It sees this moment only if you ask.
        </span>
        <span role="alert" className="text-ui font-medium text-destructive empty:hidden">
          {error}
        </span>
      </p>
    )
  return (
    <section aria-label="Kip’s answer" className="mt-5 border-s-2 border-border ps-5 phone:ps-4">
      <h3 className="mb-1.5 font-sans text-ui font-semibold tracking-normal">Kip</h3>
      <RunAnswer view={view} hidesRunDetails agentSlug={kipSlug} onTryAgain={sendToKip} />
      {view.status === 'success' && (
        <p className="mt-3 text-ui text-muted-foreground">
          {view.mock ? (
            <>
              <Link to="/root/api-keys" className={quietLinkClasses}>
                Add a provider key
              </Link>{' '}
              for a real answer.
            </>
          ) : (
            <>
              Continue in the{' '}
              <Link to={`/${kipSlug}`} target="_blank" rel="noopener" className={quietLinkClasses}>
                chat with Kip
                <span className="sr-only"> (opens in a new tab)</span>
              </Link>
              .
            </>
          )}
          {view.runId && (
            <>
              {' '}
              <Link to={getRunPath(view.runId)} className={quietLinkClasses}>
                Details
              </Link>
            </>
          )}
        </p>
      )}
    </section>
  )
}

const maxMomentLength = 4000

/** The moment comes first because logs and mock answers quote the start. */
const buildQuestion = (momentText: string) =>
  `${momentText.trim().slice(0, maxMomentLength).toWellFormed()}\n\n(This is the first moment I wrote down in Keeper.) Say in two or three sentences what you notice in it, and ask me one question about it.`
