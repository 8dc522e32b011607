import { useQueryClient } from '@tanstack/react-query'
import { RefreshCw, Trash2 } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { customDomains } from '#contract/domains/custom-domains.ts'
import { mayInDomain } from '#contract/domains/domain-deeds.ts'
import { type Domain, domains, roleIn } from '#contract/domains/domains.ts'
import { ApiError, call } from '#web/api.ts'
import { conflictOf } from '#web/offline/conflict-dialog.tsx'
import { Banner } from '#web/ui/banner.tsx'
import { Button } from '#web/ui/button.tsx'
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx'
import { ErrorPanel } from '#web/ui/error-panel.tsx'
import { RetryButton } from '#web/ui/retry-button.tsx'
import { Skeleton, SkeletonGroup } from '#web/ui/skeleton.tsx'
import { DnsBadge } from './custom-domain/custom-domain-badge.tsx'
import { CustomDomainForm } from './custom-domain/custom-domain-form.tsx'
import { DnsReport } from './custom-domain/dns-report.tsx'
import { addedText, buttonsFor, notAddedText } from './custom-domain/status-words.ts'
import {
  dnsStatusesKey,
  dnsStatusKey,
  type GivenStatus,
  maySeeCustomDomain,
  useDnsStatus,
  wholeStatus,
} from './custom-domain/use-dns-status.ts'
import { useDomainsChanged, whyOf } from './domain-queries.ts'
import { ToldBanner, useTold } from './told-banner.tsx'

/** Providers list a new name with a short delay. */
const lookAgainAfterMs = 1000

type Deed = 'add' | 'check' | 'verify'

function whyNot(reason: unknown): string | undefined {
  const both = conflictOf<Domain>(reason)
  if (!both) return whyOf(reason)
  const { customDomain } = both.current
  return customDomain === null
    ? 'The custom domain was removed while you were editing.'
    : `The custom domain was changed to ${customDomain} while you were editing.`
}

export function CustomDomainPanel({ domain, personId }: { domain: Domain; personId: string }) {
  const { customDomain } = domain
  const { told, tell, dismiss } = useTold()
  const [deed, setDeed] = useState<Deed>()
  const [removing, setRemoving] = useState(false)
  const [removeError, setRemoveError] = useState<string>()
  const queries = useQueryClient()
  const changed = useDomainsChanged()
  const status = useDnsStatus(domain, { wanted: true, keepsLooking: true })
  const later = useRef<ReturnType<typeof setTimeout>>(undefined)
  useEffect(() => () => clearTimeout(later.current), [])

  const role = roleIn(domain, personId)
  const maySet = role !== undefined && mayInDomain(role, 'setCustomDomain')
  const verified = domain.customDomainVerified || (status.data?.details.verified ?? false)
  if (!maySeeCustomDomain(domain)) return null

  const lookLater = () => {
    clearTimeout(later.current)
    later.current = setTimeout(
      () => void queries.invalidateQueries({ queryKey: dnsStatusesKey(domain.id) }),
      lookAgainAfterMs,
    )
  }
  /** A response may contain only `success`; the status is then refetched. */
  const adopt = async (given: GivenStatus | null | undefined) => {
    if (!given) return void (await status.refetch())
    const next = wholeStatus(given)
    queries.setQueryData(dnsStatusKey({ ...domain, customDomainVerified: next.details.verified }), next)
  }

  async function carryOut(name: Deed, act: () => Promise<void>) {
    setDeed(name)
    dismiss()
    try {
      await act()
    } finally {
      setDeed(undefined)
    }
  }

  const check = () => carryOut('check', async () => void (await status.refetch()))

  const add = () =>
    carryOut('add', async () => {
      const provider = status.data?.details.provider ?? null
      try {
        const body = customDomain === null ? {} : { customDomain }
        const added = await call(customDomains.attach, { params: { id: domain.id }, body, ifMatch: domain.rev })
        tell('success', addedText(provider))
        lookLater()
        await adopt(added)
        await changed()
      } catch (reason) {
        tell('error', notAddedText(provider), whyNot(reason))
        if (conflictOf(reason)) await changed()
      }
    })

  const verify = () =>
    carryOut('verify', async () => {
      try {
        const proven = await call(customDomains.verify, { params: { id: domain.id } })
        tell('success', 'Domain verified successfully')
        await adopt(proven)
        await changed()
      } catch (reason) {
        if (reason instanceof ApiError && reason.status === 422 && reason.data) await adopt(reason.data as GivenStatus)
        tell('error', 'Failed to verify domain', whyOf(reason))
      }
    })

  /** Removes only the name that was confirmed, not one set elsewhere since. */
  async function takeAway(rev: number): Promise<void> {
    try {
      await call(domains.setCustomDomain, { params: { id: domain.id }, body: { customDomain: null }, ifMatch: rev })
    } catch (reason) {
      const both = conflictOf<Domain>(reason)
      if (both?.current.customDomain !== customDomain) throw reason
      // Only other fields of the domain have changed.
      await takeAway(both.current.rev)
    }
  }

  async function remove() {
    setRemoveError(undefined)
    try {
      await takeAway(domain.rev)
    } catch (reason) {
      setRemoveError(['Failed to remove custom domain', whyNot(reason)].filter(Boolean).join('. '))
      throw reason
    }
    await changed()
    queries.removeQueries({ queryKey: dnsStatusesKey(domain.id) })
    tell('success', 'Custom domain removed successfully')
  }

  const buttons = status.data && maySet ? buttonsFor(status.data, verified) : undefined
  // After a 404 the provider no longer has the name, so it is added again.
  const retry = status.data?.errorCode === '404' ? add : check
  return (
    <section aria-label="Custom domain" className="mt-6 border-t border-border pt-5">
      <div className="flex flex-wrap items-center gap-x-2.5 gap-y-2">
        <h4 className="font-serif text-[18px] leading-[24px] font-medium">Custom domain</h4>
        {customDomain !== null && (
          <>
            <span className="min-w-0 font-mono text-ui wrap-anywhere">{customDomain}</span>
            <DnsBadge verified={verified} status={status.data} />
          </>
        )}
        <span className="ms-auto flex flex-wrap gap-2">
          {buttons?.add && (
            <Button size="small" variant="primary" busy={deed === 'add'} busyLabel="Adding..." onClick={add}>
              Add to provider
            </Button>
          )}
          {buttons?.retry && <RetryButton busy={deed !== undefined} onClick={retry} />}
          {buttons?.check && (
            <Button
              size="small"
              busy={deed === 'check'}
              busyLabel="Checking..."
              onClick={check}
              icon={<RefreshCw aria-hidden size={13} />}
            >
              Check DNS
            </Button>
          )}
          {buttons?.verify && (
            <Button size="small" variant="primary" busy={deed === 'verify'} busyLabel="Verifying..." onClick={verify}>
              Verify
            </Button>
          )}
        </span>
      </div>
      <ToldBanner told={told} onDismiss={dismiss} className="mt-3" />
      {customDomain === null ? (
        maySet ? (
          <CustomDomainForm
            domain={domain}
            onAdded={() => {
              tell('success', 'Custom domain added successfully')
              lookLater()
              return changed()
            }}
          />
        ) : (
          <p className="mt-2 text-ui text-muted-foreground">None. The owner of this domain can add one.</p>
        )
      ) : (
        <>
          {status.isPending && (
            <SkeletonGroup label="Loading domain status" className="mt-4 flex flex-col gap-3">
              <Skeleton className="h-10 w-full" />
              <Skeleton className="h-24 w-full" />
            </SkeletonGroup>
          )}
          {status.isError && !status.data && (
            <ErrorPanel
              className="mt-4"
              title="Failed to load domain status. Please try again."
              onRetry={() => status.refetch()}
              retrying={status.isFetching}
              reason={status.error}
            >
              The custom domain itself isn’t affected.
            </ErrorPanel>
          )}
          {status.isError && status.data && (
            <Banner tone="error" className="mt-3">
              Failed to load domain status. Please try again.
            </Banner>
          )}
          {status.data && <DnsReport name={customDomain} status={status.data} verified={verified} />}
          {maySet && (
            <Button
              size="small"
              variant="plain"
              className="mt-3 -ms-2"
              onClick={() => setRemoving(true)}
              icon={<Trash2 aria-hidden size={13} />}
            >
              Remove custom domain
            </Button>
          )}
        </>
      )}
      <ConfirmDialog
        open={removing}
        onOpenChange={(open) => {
          setRemoving(open)
          if (!open) setRemoveError(undefined)
        }}
        title={`Remove ${customDomain ?? ''}?`}
        confirmLabel="Remove custom domain"
        busyLabel="Removing..."
        error={removeError}
        onConfirm={remove}
      >
        {verified ? 'Its page goes offline right away. ' : ''}Adding it again requires new DNS records.
      </ConfirmDialog>
    </section>
  )
}
