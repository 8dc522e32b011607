import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { type DomainSetup, domainSetups } from '#contract/domains/domain-setup.ts'
import { call } from '#web/api/api.ts'
import { domainsKey } from '#web/queries/use-my-domains.ts'

export interface SetupChoice {
  justMe?: boolean
  noCustomDomain?: boolean
  skipped?: (keyof DomainSetup['steps'])[]
}

export function useDomainSetup(domainId: string) {
  const queryClient = useQueryClient()
  const params = { id: domainId }
  const queryKey = [...domainsKey, 'setup', domainId]
  const setup = useQuery({ queryKey, queryFn: ({ signal }) => call(domainSetups.show, { params, signal }) })
  const [failure, setFailure] = useState<Error | null>(null)
  const saveChoice = useMutation({
    mutationFn: (body: SetupChoice) => call(domainSetups.choose, { params, body }),
    onMutate: () => setFailure(null),
    onError: setFailure,
    onSuccess: (next) => queryClient.setQueryData(queryKey, next),
  })
  return { setup, saveChoice, failure }
}

const radius = 26
const circumference = 2 * Math.PI * radius

export function SetupRing({ percent }: { percent: number }) {
  return (
    <div
      role="progressbar"
      aria-label="Setup progress"
      aria-valuenow={percent}
      aria-valuemin={0}
      aria-valuemax={100}
      className="relative grid size-16 shrink-0 phone:size-12 place-items-center"
    >
      <svg viewBox="0 0 64 64" className="absolute inset-0 -rotate-90" aria-hidden>
        <circle cx="32" cy="32" r={radius} fill="none" strokeWidth="6" className="stroke-secondary" />
        <circle
          cx="32"
          cy="32"
          r={radius}
          fill="none"
          strokeWidth="6"
          strokeLinecap="round"
          strokeDasharray={`${(circumference * percent) / 100} ${circumference}`}
          className={
            percent === 0
              ? 'stroke-transparent'
              : 'stroke-primary transition-[stroke-dasharray] duration-300 motion-reduce:transition-none'
          }
        />
      </svg>
      <span className="text-small font-semibold tabular-nums">{percent}%</span>
    </div>
  )
}
