import { Check } from 'lucide-react'
import type { DnsStatus } from '#contract/domains/custom-domains.ts'
import { classNames } from '#web/ui/hooks/class-names.ts'

type DnsStepState = 'done' | 'now' | 'later'

const spokenPrefixes: Record<DnsStepState, string> = { done: 'Done: ', now: 'Now: ', later: '' }

export function DnsSteps({ status, verified }: { status: DnsStatus; verified: boolean }) {
  const { attached, configured, records } = status
  const openRecords = records.filter(
    ({ value, state }) => value !== '' && (state === 'missing' || state === 'different'),
  ).length
  const steps: [name: string, about: string, isDone: boolean][] = [
    ['Saved', 'In Keeper', true],
    ['Added to provider', attached ? 'Attached' : 'Not yet', attached],
    ['DNS configured', configured ? 'Points here' : attached ? formatWaiting(openRecords) : 'Next', configured],
    ['Verified', verified ? 'Online, with a certificate' : 'The certificate is issued automatically', verified],
  ]
  const current = steps.findIndex(([, , isDone]) => !isDone)
  return (
    <ol aria-label="Progress" className="mt-3.5 mb-3 flex flex-wrap gap-x-6 gap-y-2.5 phone:flex-col">
      {steps.map(([name, detail, isDone], index) => {
        const state: DnsStepState = isDone ? 'done' : index === current ? 'now' : 'later'
        return (
          <li
            key={name}
            aria-current={state === 'now' ? 'step' : undefined}
            className="flex min-w-[132px] flex-1 gap-2.5"
          >
            <span
              aria-hidden
              className={classNames(
                'grid size-[22px] shrink-0 place-items-center rounded-full border-[1.5px] text-[11.5px] font-semibold',
                state === 'done' && 'border-success bg-success text-success-foreground',
                state === 'now' && 'border-warning text-warning ring-3 ring-warning-soft',
                state === 'later' && 'border-input text-muted-foreground',
              )}
            >
              {state === 'done' ? <Check size={13} strokeWidth={2.6} /> : index + 1}
            </span>
            <span className="min-w-0">
              <span className="block text-ui font-semibold">
                <span className="sr-only">{spokenPrefixes[state]}</span>
                {name}
              </span>
              <span className="block text-small text-muted-foreground">{detail}</span>
            </span>
          </li>
        )
      })}
    </ol>
  )
}

function formatWaiting(records: number): string {
  if (records === 0) return 'Waiting for the name servers'
  return `Waiting for ${records === 1 ? '1 record' : `${records} records`}`
}
