import { BookOpen, Check, Waypoints } from 'lucide-react'
import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { canActInDomain, roleNamesInSentence } from '#contract/domains/domain-actions.ts'
import { type DomainSetup, setupFlags } from '#contract/domains/domain-setup.ts'
import { type Domain, getOwnRole } from '#contract/domains/domains.ts'
import { sampleSetup } from '#contract/samples/sample-domain.ts'
import { SharedInDomain } from '#web/domains/shared/shared-in-domain.tsx'
import { useMembers } from '#web/queries/use-my-domains.ts'
import { Button } from '#web/ui/controls/button.tsx'
import { quietLinkClasses } from '#web/ui/controls/quiet-link.ts'
import { Badge } from '#web/ui/panels/badge.tsx'
import { pluralize } from '#web/ui/text/pluralize.ts'

import { type SetupChoice, SetupRing, useDomainSetup } from '../entity/domain/domain-setup.tsx'
import type { FrameBodyProps } from './frame-bodies.ts'
import { FrameFailure, FrameQuery } from './frame-query.tsx'
import { WithDomain } from './with-domain.tsx'

export function DomainOverviewFrame(props: FrameBodyProps) {
  return (
    <WithDomain {...props}>
      {(domain, isSample) => (
        <div className="@container flex min-h-full flex-col gap-2.5 px-3.5 py-3">
          <DomainNames domain={domain} members={isSample ? '7 members' : <Members domainId={domain.id} />} />
          {isSample ? (
            <SetupProgress setup={sampleSetup} />
          ) : (
            canActInDomain(getOwnRole(domain), 'setUp') && <DomainSetupProgress domainId={domain.id} />
          )}
        </div>
      )}
    </WithDomain>
  )
}

function DomainNames({ domain, members }: { domain: Domain; members: ReactNode }) {
  const role = getOwnRole(domain)
  return (
    <header>
      <h4 className="flex flex-wrap items-center gap-2 font-serif text-[1.25rem] leading-[1.625rem] font-medium">
        <span dir="auto" className="min-w-0 wrap-anywhere">
          {domain.name}
        </span>
        {domain.isPrimary && <Badge tone="ribbon">Primary</Badge>}
      </h4>
      <p className="text-small text-muted-foreground wrap-anywhere">
        <span className="font-mono">{domain.slug}</span>
        {domain.customDomain && (
          <>
            {' · '}
            <span className="font-mono">{domain.customDomain}</span>
            {domain.customDomainVerified ? ', verified' : ', not verified'}
          </>
        )}
      </p>
      {domain.description && <p className="mt-1 line-clamp-3 text-ui wrap-anywhere">{domain.description}</p>}
      <p className="mt-1 text-small text-muted-foreground">
        {members}
        {role && `, you’re ${roleNamesInSentence[role]}`}
      </p>
    </header>
  )
}

function Members({ domainId }: { domainId: string }) {
  const { data } = useMembers(domainId)
  return data ? pluralize(data.length, 'member') : 'Members'
}

function DomainSetupProgress({ domainId }: { domainId: string }) {
  const { setup: query, saveChoice, failure } = useDomainSetup(domainId)
  return (
    <FrameQuery query={query} entityName="domain">
      {(setup) => <SetupProgress setup={setup} domainId={domainId} failure={failure} onSave={saveChoice.mutate} />}
    </FrameQuery>
  )
}

const flagNames: Record<(typeof setupFlags)[number], string> = {
  domainInfo: 'Name and description',
  setupSteps: 'First steps',
  members: 'Members',
  customDomain: 'Custom domain',
}

interface ProgressProps {
  setup: DomainSetup
  domainId?: string
  failure?: Error | null
  onSave?: (choice: SetupChoice) => void
}

function SetupProgress({ setup, domainId, failure, onSave }: ProgressProps) {
  return (
    <section aria-label="Setup" className="border-t border-hairline pt-2.5">
      <div className="flex items-start gap-3.5">
        <SetupRing percent={setup.percent} />
        <ul className="grid min-w-0 grow grid-cols-1 gap-x-4 @min-[440px]:grid-cols-2">
          {setupFlags.map((flag) => (
            <li key={flag} className="flex min-h-7 items-center gap-2 text-ui">
              {setup[flag] ? (
                <Check aria-hidden size={14} strokeWidth={2.2} className="shrink-0 text-success" />
              ) : (
                <span aria-hidden className="mx-px size-3 shrink-0 rounded-full border-[1.5px] border-input" />
              )}
              <span className="min-w-0 grow">
                {flagNames[flag]}
                <span className="sr-only">{setup[flag] ? ', done' : ', to do'}</span>
              </span>
              {onSave && !setup[flag] && flag === 'members' && (
                <Button size="small" onClick={() => onSave({ justMe: true })}>
                  Just me
                </Button>
              )}
              {onSave && !setup[flag] && flag === 'customDomain' && (
                <Button size="small" onClick={() => onSave({ noCustomDomain: true })}>
                  Not now
                </Button>
              )}
            </li>
          ))}
        </ul>
      </div>
      <FrameFailure reason={failure} />
      {domainId && (
        <p className="mt-2">
          <Link to={`/studio/domain-board?domainId=${encodeURIComponent(domainId)}`} className={quietLinkClasses}>
            {setup.next === null ? 'View the steps' : 'Set up step by step'}
          </Link>
        </p>
      )}
    </section>
  )
}

const sharingSamples = [
  {
    Icon: BookOpen,
    title: 'Father’s kitchen',
    description: 'Moments, Logbook. Shared by Tor Solheim with users and friends.',
  },
  {
    Icon: Waypoints,
    title: 'Spring to first ice',
    description: 'One journey with its moments. Shared by Maren Lindqvist.',
  },
]

export function DomainSharingFrame(props: FrameBodyProps) {
  return (
    <WithDomain {...props}>
      {(domain, isSample) => (
        <div className="px-3.5 py-3">{isSample ? <Samples /> : <SharedInDomain domain={domain} />}</div>
      )}
    </WithDomain>
  )
}

function Samples() {
  return (
    <ul aria-label="Shared in this domain" className="flex flex-col">
      {sharingSamples.map(({ Icon, title, description }) => (
        <li key={title} className="flex items-start gap-3 border-t border-hairline py-3 first:border-t-0">
          <Icon aria-hidden size={17} className="mt-1 shrink-0 text-muted-foreground" />
          <div className="min-w-0">
            <p dir="auto" className="font-semibold wrap-anywhere">
              {title}
            </p>
            <p className="text-small text-muted-foreground">{description}</p>
          </div>
        </li>
      ))}
    </ul>
  )
}
