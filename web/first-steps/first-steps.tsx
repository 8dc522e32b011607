import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Check, Circle, X } from 'lucide-react'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { Link, useSearchParams } from 'react-router'
import { type FirstStepId, firstStepIds, ownAccount, requiredFirstSteps } from '#contract/accounts/own-account.ts'
import { agents } from '#contract/agents/agents.ts'
import { getRunPath } from '#web/agents/agent-addresses.ts'
import { RunAnswer } from '#web/agents/runs/run-answer.tsx'
import { useRun } from '#web/agents/runs/run-store.ts'
import { call } from '#web/api/api.ts'
import { newKeeperPath } from '#web/keepers/keeper-addresses.ts'
import { SampleButton } from '#web/keepers/sample/sample-button.tsx'
import { Button } from '#web/ui/controls/button.tsx'
import { IconButton } from '#web/ui/controls/icon-button.tsx'
import { quietLinkClasses } from '#web/ui/controls/quiet-link.ts'
import { showToast } from '#web/ui/overlays/show-toast.tsx'
import { focusFirstCandidate } from '#web/ui/overlays/use-dialog-focus.ts'
import { getErrorMessage } from '#web/ui/text/error-message.ts'
import { FirstMoment, FirstMomentLink, type SavedMoment, WrittenMoment } from './first-moment.tsx'
import { FirstStepsPlaceholder, rememberFirstStepsOver } from './first-steps-placeholder.tsx'
import { firstStepsQuery } from './first-steps-query.ts'

const stepDetails: Record<FirstStepId, { title: string; to?: string; inNewTab?: true; help?: ReactNode }> = {
  moment: { title: 'Write down a moment', to: '/keeper/1/dashboard?write' },
  answer: { title: 'Get an answer from an agent', to: '/kip', inNewTab: true },
  keeper: { title: 'Make your own keeper', to: newKeeperPath },
  key: { title: 'Save a provider key', to: '/root/api-keys' },
  phone: { title: 'Open Keeper on your phone', help: <PhoneHelp /> },
  invite: { title: 'Invite someone', to: '/studio/people-board' },
}

function StepList({ done, isMomentFormVisible }: { done: readonly FirstStepId[]; isMomentFormVisible: boolean }) {
  return (
    <ul aria-label="First steps" className="flex flex-col gap-2 text-ui">
      {firstStepIds.filter(isOffered).map((id) => {
        const { title, to, inNewTab, help } = stepDetails[id]
        const isDone = done.includes(id) || (id === 'phone' && isPhone())
        const optional = requiredFirstSteps.includes(id) ? '' : ' (optional)'
        const StatusIcon = isDone ? Check : Circle
        return (
          <li key={id} className="flex items-start gap-2.5">
            <StatusIcon
              aria-hidden
              size={15}
              className={isDone ? 'mt-[3px] shrink-0 text-success' : 'mt-[3px] shrink-0 text-muted-foreground'}
            />
            <span className="min-w-0">
              {isDone || !to || (id === 'moment' && isMomentFormVisible) ? (
                <span className={isDone ? 'text-muted-foreground' : undefined}>{title}</span>
              ) : (
                <Link
                  to={to}
                  {...(inNewTab && { target: '_blank', rel: 'noopener' })}
                  className="rounded-xs underline decoration-1 underline-offset-[3px] hover:decoration-2"
                >
                  {title}
                  {inNewTab && <span className="sr-only"> (opens in a new tab)</span>}
                </Link>
              )}
              {isDone ? (
                <span className="sr-only">, done</span>
              ) : (
                <span className="text-muted-foreground">{optional}</span>
              )}
              {!isDone && help}
            </span>
          </li>
        )
      })}
    </ul>
  )
}

/** A phone can't reach a loopback address. */
function isOffered(id: FirstStepId): boolean {
  return id !== 'phone' || !/^(localhost|.*\.localhost|127(\.\d+){3}|\[::1\])$/.test(location.hostname)
}

const isPhone = () => /Android|iPhone|iPad/.test(navigator.userAgent)

function PhoneHelp() {
  return (
    <span className="block text-small wrap-anywhere text-muted-foreground">
      Sign in at {location.origin} and add it to the home screen.
    </span>
  )
}

export function FirstSteps({ personId }: { personId: string }) {
  const queryClient = useQueryClient()
  const { data, isPending } = useQuery(firstStepsQuery)
  const [params] = useSearchParams()
  const box = useRef<HTMLTextAreaElement>(null)
  const [saved, setSaved] = useState<SavedMoment>()
  /** All required steps are done: shows one line now, nothing next time. */
  const [isLeaving, setIsLeaving] = useState(false)

  const isVisible = data !== undefined && !data.dismissed
  const isOver = isVisible && requiredFirstSteps.every((step) => data.done.includes(step))
  const isRequested = params.has('first-steps')

  async function dismiss(dismissed: boolean) {
    queryClient.setQueryData(
      firstStepsQuery.queryKey,
      await call(ownAccount.dismissFirstSteps, { body: { dismissed } }),
    )
  }
  function writeAnother() {
    flushSync(() => setSaved(undefined))
    box.current?.focus()
  }
  async function hideFirstSteps() {
    try {
      await dismiss(true)
      focusFirstCandidate([])
      void showToast('First steps are hidden. Find them again with Ctrl K.', {
        onUndo: () => void dismiss(false).catch(showFailure),
      })
    } catch (reason) {
      showFailure(reason)
    }
  }

  useEffect(() => {
    if (!isOver || isRequested) return
    setIsLeaving(true)
    // A failed dismissal is repeated on the next visit.
    call(ownAccount.dismissFirstSteps, { body: { dismissed: true } }).catch(() => {})
  }, [isOver, isRequested])
  const isHidden = data && (data.dismissed || isOver)
  useEffect(() => {
    if (isHidden !== undefined) rememberFirstStepsOver(personId, isHidden)
  }, [isHidden, personId])
  useEffect(() => {
    if (isVisible && isRequested) box.current?.focus()
  }, [isVisible, isRequested])

  if (isPending) return <FirstStepsPlaceholder personId={personId} />
  if (!isVisible && !isLeaving) return null
  if (isLeaving && !saved)
    return (
      <p role="status" className="mb-6 text-ui text-muted-foreground">
        You’ve finished the first steps. To see them again, choose “Show first steps” in the palette.
      </p>
    )
  const done = data?.done ?? []
  const isMomentFormVisible = !done.includes('moment') || saved !== undefined
  return (
    <section aria-labelledby="first-steps" className="mb-9 animate-fade">
      <div className="mb-3 flex items-center gap-3">
        <h2 id="first-steps" className="flex-1">
          First steps
        </h2>
        <IconButton label="Hide first steps" onClick={hideFirstSteps}>
          <X aria-hidden size={16} />
        </IconButton>
      </div>
      <div className="grid grid-cols-[minmax(0,1fr)_280px] gap-x-10 gap-y-6 max-[1100px]:grid-cols-1">
        <div className="min-w-0">
          {saved ? (
            <>
              <WrittenMoment saved={saved} onAnother={isLeaving ? undefined : writeAnother} />
              {saved.state === 'sent' && (
                <AskKip
                  moment={saved.body}
                  onAnswered={() => void queryClient.invalidateQueries({ queryKey: firstStepsQuery.queryKey })}
                />
              )}
            </>
          ) : (
            <>
              <FirstMoment box={box} onSaved={setSaved} />
              {done.includes('moment') && <FirstMomentLink />}
            </>
          )}
        </div>
        <div className="min-w-0">
          {isLeaving ? (
            <p role="status" className="text-ui text-muted-foreground">
              You’ve finished the first steps.
            </p>
          ) : (
            <>
              <StepList done={done} isMomentFormVisible={isMomentFormVisible} />
              <p className="mt-4 flex flex-wrap items-center gap-2">
                <SampleButton size="small" />
              </p>
            </>
          )}
        </div>
      </div>
    </section>
  )
}

function showFailure(reason: unknown): void {
  void showToast(getErrorMessage(reason))
}

const kipSlug = 'kip'

function AskKip({ moment, onAnswered }: { moment: string; onAnswered: () => void }) {
  const { view, start } = useRun()
  const [isSending, setSending] = useState(false)
  const [error, setError] = useState('')

  async function sendToKip() {
    setSending(true)
    setError('')
    try {
      const { id } = await call(agents.bySlug, { query: { slug: kipSlug } })
      await start({ agentId: id, input: buildQuestion(moment) })
      onAnswered()
    } catch (reason) {
      setError(getErrorMessage(reason))
    } finally {
      setSending(false)
    }
  }

  if (!view)
    return (
      <p className="mt-4 flex flex-wrap items-center gap-x-3.5 gap-y-2">
        <Button variant="primary" autoFocus busy={isSending} busyLabel="Asking..." onClick={sendToKip}>
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
      <RunAnswer view={view} isPlainText agentSlug={kipSlug} onTryAgain={sendToKip} />
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
const buildQuestion = (moment: string) =>
  `${moment.trim().slice(0, maxMomentLength).toWellFormed()}\n\n(This is the first moment I wrote down in Keeper.) Say in two or three sentences what you notice in it, and ask me one question about it.`
