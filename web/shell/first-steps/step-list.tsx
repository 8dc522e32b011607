import { Check, Circle } from 'lucide-react'
import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { type FirstStepId, firstStepIds, requiredFirstSteps } from '#contract/accounts/own-account.ts'
import { newKeeperPath } from '#web/keepers/keeper-addresses.ts'

const stepDetails: Record<FirstStepId, { title: string; to?: string; inNewTab?: true; help?: ReactNode }> = {
  moment: { title: 'Write down a moment', to: '/keeper/1/dashboard?write' },
  answer: { title: 'Get an answer from an agent', to: '/kip', inNewTab: true },
  keeper: { title: 'Make your own keeper', to: newKeeperPath },
  key: { title: 'Save a provider key', to: '/root/api-keys' },
  phone: { title: 'Open Keeper on your phone', help: <PhoneHelp /> },
  invite: { title: 'Invite someone', to: '/studio/people-board' },
}

export function StepList({
  done,
  isMomentFormVisible,
}: {
  done: readonly FirstStepId[]
  isMomentFormVisible: boolean
}) {
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
