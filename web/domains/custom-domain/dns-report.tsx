import { Check } from 'lucide-react'
import type { DnsStatus } from '#contract/domains/custom-domains.ts'
import { CopyButton } from '#web/ui/controls/copy-button.tsx'
import { classNames } from '#web/ui/hooks/class-names.ts'
import { Banner } from '#web/ui/panels/banner.tsx'
import { Time } from '#web/ui/text/time.tsx'
import { DnsRecords } from './dns-records.tsx'
import { isApexName, toStatusErrorText } from './status-texts.ts'

type DnsStepState = 'done' | 'now' | 'later'

const spokenPrefixes: Record<DnsStepState, string> = { done: 'Done: ', now: 'Now: ', later: '' }

function DnsSteps({ status, verified }: { status: DnsStatus; verified: boolean }) {
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

interface DnsReportProps {
  name: string
  status: DnsStatus
  verified: boolean
}

export function DnsReport({ name, status, verified }: DnsReportProps) {
  const { attached, records, nameServers, details } = status
  const error = toStatusErrorText(status)
  const otherTargets = attached && !verified && isApexName(name) ? findOtherTargets(status, name) : []
  return (
    <>
      {error && (
        <Banner tone="error" className="mt-3">
          {error}
        </Banner>
      )}
      {verified && details.brokenSince && (
        <Banner tone="warning" className="mt-3">
          Checks have failed since <Time value={details.brokenSince} timeStyle="date-time" />. After 72 hours the page
          goes offline.
        </Banner>
      )}
      {otherTargets.length > 0 && (
        <Banner tone="warning" className="mt-3">
          {name} currently points to {otherTargets.join(', ')}. If a website is there, its visitors will come here once
          you change the record. To keep the website, use a subdomain such as keep.{name}.
        </Banner>
      )}
      {details.conflicts.length > 0 && (
        <Banner tone="warning" className="mt-3">
          <p className="font-semibold">Conflicts</p>
          <ul className="list-disc ps-4">
            {details.conflicts.map((conflict) => (
              <li key={conflict} className="wrap-anywhere">
                {conflict}
              </li>
            ))}
          </ul>
        </Banner>
      )}
      <DnsSteps status={status} verified={verified} />
      {verified && (
        <p className="mt-1 mb-3 text-ui">
          <a
            href={`https://${name}/`}
            target="_blank"
            rel="noreferrer"
            className="rounded-xs underline decoration-ribbon decoration-2 underline-offset-[3px]"
          >
            Open {name}
          </a>
        </p>
      )}
      {records.length > 0 && <DnsRecords records={records} />}
      {details.provider !== 'dns' && !verified && nameServers.length > 0 && (
        <p className="mt-3 text-small text-muted-foreground">
          {records.length > 0 ? 'Or point' : 'Point'} the whole domain at the provider’s nameservers:
          {nameServers.map((server) => (
            <span key={server} className="ms-1.5 inline-flex items-center font-mono text-foreground">
              {server}
              <CopyButton text={server} label={`Copy ${server}`} />
            </span>
          ))}
        </p>
      )}
      {details.checkedAt && (
        <p className="mt-2 text-small text-muted-foreground">
          Checked <Time value={details.checkedAt} timeStyle="date-time" />.{' '}
          {attached && !verified && 'DNS can take up to a day. This page checks again automatically.'}
        </p>
      )}
    </>
  )
}

/** Values that currently point elsewhere. */
function findOtherTargets({ records }: DnsStatus, name: string): string[] {
  const routing = records.filter(
    ({ type, domain, value, state }) =>
      domain === name && value !== '' && state === 'different' && type !== 'TXT' && type !== 'CAA',
  )
  return [...new Set(routing.flatMap(({ found: matches }) => matches.flatMap(({ values }) => values)))]
}
