import { useQueryClient } from '@tanstack/react-query'
import { Check, Circle, CircleDashed, X } from 'lucide-react'
import { type ReactNode, useEffect, useState } from 'react'
import { Link, useSearchParams } from 'react-router'
import {
  type FirstStepId,
  type FirstSteps as FirstStepsStatus,
  firstStepIds,
  ownAccount,
  requiredFirstSteps,
} from '#contract/accounts/own-account.ts'
import { call } from '#web/api/api.ts'
import { newKeeperPath } from '#web/keepers/keeper-addresses.ts'
import { SampleButton } from '#web/keepers/sample/sample-button.tsx'
import { IconButton } from '#web/ui/controls/icon-button.tsx'
import { Popover } from '#web/ui/overlays/popover.tsx'
import { showToast } from '#web/ui/overlays/show-toast.tsx'
import { focusFirstCandidate } from '#web/ui/overlays/use-dialog-focus.ts'
import { getErrorMessage } from '#web/ui/text/error-message.ts'
import { areFirstStepsVisible, firstStepsQuery } from './first-steps-query.ts'

const stepDetails: Record<FirstStepId, { title: string; to?: string; inNewTab?: true }> = {
  moment: { title: 'Write down a moment' },
  answer: { title: 'Get an answer from an agent', to: '/kip', inNewTab: true },
  keeper: { title: 'Make your own keeper', to: newKeeperPath },
  key: { title: 'Save a provider key', to: '/root/api-keys' },
  phone: { title: 'Open Keeper on your phone' },
  invite: { title: 'Invite someone', to: '/studio/people-board' },
}

const linkClasses =
  'rounded-xs underline decoration-border decoration-[1.5px] underline-offset-[3px] hover:decoration-foreground'

interface StepListProps {
  done: readonly FirstStepId[]
  onWrite: () => void
}

function StepList({ done, onWrite }: StepListProps) {
  return (
    <ul
      aria-label="First steps"
      className="relative flex min-w-0 flex-1 flex-wrap gap-x-4 gap-y-1 text-ui phone:order-last phone:-mx-4 phone:basis-[calc(100%+2rem)] phone:flex-nowrap phone:overflow-x-auto phone:px-4 phone:[scrollbar-width:none]"
    >
      {firstStepIds.filter(isOffered).map((id) => {
        const isDone = done.includes(id) || (id === 'phone' && isPhone())
        const isRequired = requiredFirstSteps.includes(id)
        const OpenIcon = isRequired ? Circle : CircleDashed
        const StatusIcon = isDone ? Check : OpenIcon
        return (
          <li key={id} className="flex shrink-0 items-center gap-1.5 phone:min-h-10">
            <StatusIcon
              aria-hidden
              size={14}
              className={isDone ? 'shrink-0 text-success' : 'shrink-0 text-muted-foreground'}
            />
            {isDone ? (
              <span className="text-muted-foreground">
                {stepDetails[id].title}
                <span className="sr-only">, done</span>
              </span>
            ) : (
              <>
                <OpenStep id={id} onWrite={onWrite} />
                {!isRequired && <span className="sr-only"> (optional)</span>}
              </>
            )}
          </li>
        )
      })}
    </ul>
  )
}

function OpenStep({ id, onWrite }: { id: FirstStepId; onWrite: () => void }): ReactNode {
  const { title, to, inNewTab } = stepDetails[id]
  if (to)
    return (
      <Link to={to} {...(inNewTab && { target: '_blank', rel: 'noopener' })} className={linkClasses}>
        {title}
        {inNewTab && <span className="sr-only"> (opens in a new tab)</span>}
      </Link>
    )
  const isPhoneStep = id === 'phone'
  const button = (
    <button type="button" onClick={isPhoneStep ? undefined : onWrite} className={linkClasses}>
      {title}
    </button>
  )
  if (!isPhoneStep) return button
  return (
    <Popover label={title} trigger={button}>
      <p className="text-ui wrap-anywhere">Sign in at {location.origin} and add it to the home screen.</p>
    </Popover>
  )
}

/** A phone can't reach a loopback address. */
function isOffered(id: FirstStepId): boolean {
  return id !== 'phone' || !/^(localhost|.*\.localhost|127(\.\d+){3}|\[::1\])$/.test(location.hostname)
}

const isPhone = () => /Android|iPhone|iPad/.test(navigator.userAgent)

interface FirstStepsProps {
  /** `undefined` if it couldn't be loaded. */
  data: FirstStepsStatus | undefined
  onWrite: () => void
}

/** Renders nothing when the steps are hidden or were finished earlier. */
export function FirstSteps({ data, onWrite }: FirstStepsProps) {
  const queryClient = useQueryClient()
  const isRequested = useSearchParams()[0].has('first-steps')
  const isVisible = areFirstStepsVisible(data)
  const isOver = isVisible && requiredFirstSteps.every((step) => data?.done.includes(step))
  /** All required steps are done: shows one line now, nothing next time. */
  const [isLeaving, setIsLeaving] = useState(isOver && !isRequested)

  async function dismiss(dismissed: boolean) {
    queryClient.setQueryData(
      firstStepsQuery.queryKey,
      await call(ownAccount.dismissFirstSteps, { body: { dismissed } }),
    )
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

  if (isLeaving)
    return (
      <p role="status" className="mb-6 text-ui text-muted-foreground">
        You’ve finished the first steps. To see them again, choose “Show first steps” in the palette.
      </p>
    )
  if (!isVisible) return null
  return (
    <section
      aria-labelledby="first-steps"
      className="mb-6 flex animate-fade flex-wrap items-center gap-x-4 gap-y-1.5 border-y border-hairline py-2"
    >
      <h2 id="first-steps" className="font-sans text-ui font-semibold tracking-normal">
        First steps
      </h2>
      <StepList done={data?.done ?? []} onWrite={onWrite} />
      <div className="flex items-center gap-1 phone:ms-auto">
        <SampleButton size="small" variant="plain" />
        <IconButton label="Hide first steps" onClick={hideFirstSteps}>
          <X aria-hidden size={16} />
        </IconButton>
      </div>
    </section>
  )
}

function showFailure(reason: unknown): void {
  void showToast(getErrorMessage(reason))
}
