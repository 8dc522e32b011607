import { Check, CircleAlert } from 'lucide-react'
import type { DnsRecord, DnsStatus } from '#contract/domains/custom-domains.ts'
import { CopyButton } from '#web/ui/controls/copy-button.tsx'
import { classNames } from '#web/ui/hooks/class-names.ts'
import { Badge } from '#web/ui/panels/badge.tsx'
import { Banner } from '#web/ui/panels/banner.tsx'
import { pluralize } from '#web/ui/text/pluralize.ts'
import { Time } from '#web/ui/text/time.tsx'
import { isApexName, toStatusErrorText } from './custom-domain-badge.tsx'

type DnsStepState = 'done' | 'now' | 'later'

const spokenPrefixes: Record<DnsStepState, string> = { done: 'Done: ', now: 'Now: ', later: '' }

function DnsSteps({ status, verified }: { status: DnsStatus; verified: boolean }) {
  const { attached, configured } = status
  const steps: { name: string; detail: string; isDone: boolean }[] = [
    { name: 'Saved', detail: 'In Keeper', isDone: true },
    { name: 'Added to provider', detail: attached ? 'Attached' : 'Not yet', isDone: attached },
    { name: 'DNS configured', detail: configured ? 'Points here' : formatDnsWait(status), isDone: configured },
    {
      name: 'Verified',
      detail: verified ? 'Online, with a certificate' : 'The certificate is issued automatically',
      isDone: verified,
    },
  ]
  const currentIndex = steps.findIndex(({ isDone }) => !isDone)
  return (
    <ol aria-label="Progress" className="mt-3.5 mb-3 flex flex-wrap gap-x-6 gap-y-2.5 phone:flex-col">
      {steps.map(({ name, detail, isDone }, index) => {
        const pendingState = index === currentIndex ? 'now' : 'later'
        const state: DnsStepState = isDone ? 'done' : pendingState
        return (
          <li
            key={name}
            aria-current={state === 'now' ? 'step' : undefined}
            className="flex min-w-[132px] flex-1 gap-2.5"
          >
            <span
              aria-hidden
              className={classNames(
                'grid size-[1.375rem] shrink-0 place-items-center rounded-full border-[1.5px] text-[0.71875rem] font-semibold',
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

const mustBeRemoved = ({ value }: Pick<DnsStatus['records'][number], 'value'>) => value === ''

function formatDnsWait({ attached, records }: DnsStatus): string {
  if (!attached) return 'Next'
  const openCount = records.filter(
    (record) => !mustBeRemoved(record) && (record.state === 'missing' || record.state === 'different'),
  ).length
  return `Waiting for ${openCount === 0 ? 'the name servers' : pluralize(openCount, 'record')}`
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
  const addressRecords = records.filter(
    (record) =>
      record.domain === name &&
      !mustBeRemoved(record) &&
      record.state === 'different' &&
      record.type !== 'TXT' &&
      record.type !== 'CAA',
  )
  return [...new Set(addressRecords.flatMap(({ found }) => found.flatMap(({ values }) => values)))]
}

const headerClasses =
  'border-b border-border py-2 pe-4 text-start text-small font-label text-muted-foreground phone:hidden'
const cellClasses = 'py-2.5 pe-4 align-top phone:block phone:py-1 phone:pe-0'

function DnsRecords({ records }: { records: DnsRecord[] }) {
  return (
    <table aria-label="DNS records" className="w-full table-fixed border-collapse text-ui phone:block">
      <thead className="phone:block">
        <tr className="phone:block">
          {['Record', 'Expected', 'Found'].map((name) => (
            <th key={name} scope="col" className={`${headerClasses} w-1/3`}>
              {name}
            </th>
          ))}
        </tr>
      </thead>
      <tbody className="phone:block">
        {records.map((record) => (
          <tr
            key={`${record.type} ${record.domain} ${record.value}`}
            className="border-b border-hairline phone:block phone:py-2"
          >
            <th scope="row" className={`${cellClasses} text-start font-normal`}>
              <Badge>{record.type}</Badge>
              <Copyable text={record.domain} label={`Copy the name of the ${record.type} record`} />
              {record.reason && (
                <span className="block max-w-[30em] text-small text-muted-foreground">{record.reason}</span>
              )}
            </th>
            <td className={cellClasses}>
              <PhoneLabel>Expected</PhoneLabel>
              {mustBeRemoved(record) ? (
                <span className="text-muted-foreground">None: remove this record</span>
              ) : (
                <Copyable text={record.value} label={`Copy the value of the ${record.type} record`} />
              )}
            </td>
            <td className={cellClasses}>
              <PhoneLabel>Found</PhoneLabel>
              <DnsRecordValues record={record} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

function PhoneLabel({ children }: { children: string }) {
  return (
    <span aria-hidden className="block text-small font-label text-muted-foreground desk:hidden">
      {children}
    </span>
  )
}

function Copyable({ text, label }: { text: string; label: string }) {
  return (
    <span className="flex items-start gap-1">
      <code className="min-w-0 font-mono text-[0.78125rem] leading-5 wrap-anywhere">{text}</code>
      <CopyButton text={text} label={label} className="-my-0.5 shrink-0" />
    </span>
  )
}

function DnsRecordValues({ record }: { record: DnsRecord }) {
  if (record.found.length === 0) return <span className="text-muted-foreground">Not checked</span>
  return (
    <ul className="flex flex-col gap-1.5">
      {record.found.map(({ resolver, values, error }) => (
        <li key={resolver}>
          <span className="block text-small text-muted-foreground">{resolver}</span>
          {error !== null ? (
            <span className="text-destructive">{error}</span>
          ) : values.length === 0 ? (
            <span className="text-muted-foreground">Not found yet</span>
          ) : (
            values.map((value) => <DnsRecordValue key={value} value={value} record={record} allValues={values} />)
          )}
        </li>
      ))}
    </ul>
  )
}

/** Marks the first difference of each value, unless one of them is right. */
function DnsRecordValue({ value, record, allValues }: { value: string; record: DnsRecord; allValues: string[] }) {
  const { type, value: expected } = record
  const isExpected = (candidate: string) =>
    expected !== '' && toComparable(type, candidate) === toComparable(type, expected)
  if (isExpected(value))
    return (
      <span className="flex items-start gap-1.5">
        <Check aria-hidden size={14} className="mt-[3px] shrink-0 text-success" />
        <span className="sr-only">Correct: </span>
        <code className="min-w-0 font-mono text-[0.78125rem] leading-5 wrap-anywhere">{value}</code>
      </span>
    )
  const difference =
    expected === '' || allValues.some(isExpected)
      ? undefined
      : findFirstDifference(toComparable(type, value), toComparable(type, expected))
  if (!difference) return <code className="block font-mono text-[0.78125rem] leading-5 wrap-anywhere">{value}</code>
  return (
    <span className="flex items-start gap-1.5">
      <CircleAlert aria-hidden size={14} className="mt-[3px] shrink-0 text-warning" />
      <span className="min-w-0">
        <code className="font-mono text-[0.78125rem] leading-5 wrap-anywhere">
          {difference.commonPrefix}
          <mark className="rounded-[3px] bg-warning-soft px-px font-semibold text-warning underline decoration-2 underline-offset-[3px]">
            {difference.character === '' ? <span aria-hidden>▏</span> : difference.character}
          </mark>
          {difference.remainder}
        </code>
        <span className="block text-small text-muted-foreground">{difference.description}</span>
      </span>
    </span>
  )
}

export interface TextDifference {
  commonPrefix: string
  /** The first differing character; empty if the value is too short. */
  character: string
  remainder: string
  /** For example `differs at character 7: found x, expected y`. */
  description: string
}

/** Compares by code points; undefined if the values are equal. */
export function findFirstDifference(actual: string, expected: string): TextDifference | undefined {
  const [actualCharacters, expectedCharacters] = [Array.from(actual), Array.from(expected)]
  let index = 0
  while (index < actualCharacters.length && actualCharacters[index] === expectedCharacters[index]) index++
  if (index === actualCharacters.length && index === expectedCharacters.length) return undefined
  return {
    commonPrefix: actualCharacters.slice(0, index).join(''),
    character: actualCharacters[index] ?? '',
    remainder: actualCharacters.slice(index + 1).join(''),
    description: `differs at character ${index + 1}: found ${describeCharacter(actualCharacters[index])}, expected ${describeCharacter(expectedCharacters[index])}`,
  }
}

function describeCharacter(character: string | undefined): string {
  if (character === undefined) return 'the end'
  return /\s/.test(character) ? 'a space' : character
}

/** Host names ignore case and a trailing dot; other values are compared exactly. */
export function toComparable(type: string, value: string): string {
  if (type === 'TXT') return value.trim()
  return type === 'CNAME' || type === 'A' || type === 'AAAA' ? value.toLowerCase().replace(/\.$/, '') : value
}
