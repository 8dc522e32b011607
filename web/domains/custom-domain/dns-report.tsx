import type { DnsStatus } from '#contract/domains/custom-domains.ts'
import { CopyButton } from '#web/ui/controls/copy-button.tsx'
import { Banner } from '#web/ui/panels/banner.tsx'
import { Time } from '#web/ui/text/time.tsx'
import { DnsRecords } from './dns-records.tsx'
import { DnsSteps } from './dns-steps.tsx'
import { isApexName, toStatusErrorText } from './status-texts.ts'

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
