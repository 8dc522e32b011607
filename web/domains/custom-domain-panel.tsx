import { useQueryClient } from '@tanstack/react-query'
import { RefreshCw, Trash2 } from 'lucide-react'
import { type FormEvent, useEffect, useRef, useState } from 'react'
import { customDomains } from '#contract/domains/custom-domains.ts'
import { canActInDomain } from '#contract/domains/domain-actions.ts'
import { type Domain, domains, getOwnRole } from '#contract/domains/domains.ts'
import { ApiError, call } from '#web/api/api.ts'
import { getConflict } from '#web/offline/conflict-dialog.tsx'
import { QueryError } from '#web/queries/query-error.tsx'
import { Button, RetryButton } from '#web/ui/controls/button.tsx'
import { TextField } from '#web/ui/fields/text-field.tsx'
import { useNotice } from '#web/ui/hooks/use-notice.tsx'
import { ConfirmDialog } from '#web/ui/overlays/confirm-dialog.tsx'
import { Banner } from '#web/ui/panels/banner.tsx'
import { Skeleton, SkeletonGroup } from '#web/ui/panels/skeleton.tsx'
import { withNames } from '#web/ui/text/with-names.tsx'
import {
  canSeeCustomDomain,
  DnsBadge,
  getDnsStatusesKey,
  getDnsStatusKey,
  getStatusButtons,
  isApexName,
  normalizeDnsStatus,
  type PartialDnsStatus,
  toAddedText,
  toNotAddedText,
  useDnsStatus,
} from './custom-domain/custom-domain-badge.tsx'
import { DnsReport } from './custom-domain/dns-report.tsx'
import { getDomainErrorDetail, useInvalidateDomains } from './domain-queries.ts'

/** Providers list a new name with a short delay. */
const refetchDelayMs = 1000

type CustomDomainAction = 'add' | 'check' | 'verify'

function toFailureDetail(reason: unknown): string | undefined {
  const conflict = getConflict<Domain>(reason)
  if (!conflict) return getDomainErrorDetail(reason)
  const { customDomain } = conflict.current
  return customDomain === null
    ? 'The custom domain was removed while you were editing.'
    : `The custom domain was changed to ${customDomain} while you were editing.`
}

export function CustomDomainPanel({ domain }: { domain: Domain }) {
  const { customDomain } = domain
  const { showNotice, clearNotice, noticeBanner } = useNotice('mt-3')
  const [runningAction, setRunningAction] = useState<CustomDomainAction>()
  const [removing, setRemoving] = useState(false)
  const queryClient = useQueryClient()
  const invalidateDomains = useInvalidateDomains()
  const status = useDnsStatus(domain, { enabled: true, shouldPoll: true })
  const refetchTimer = useRef<ReturnType<typeof setTimeout>>(undefined)
  useEffect(() => () => clearTimeout(refetchTimer.current), [])

  const role = getOwnRole(domain)
  const canSet = canActInDomain(role, 'setCustomDomain')
  const verified = domain.customDomainVerified || (status.data?.details.verified ?? false)
  if (!canSeeCustomDomain(domain)) return null

  const scheduleRefetch = () => {
    clearTimeout(refetchTimer.current)
    refetchTimer.current = setTimeout(
      () => void queryClient.invalidateQueries({ queryKey: getDnsStatusesKey(domain.id) }),
      refetchDelayMs,
    )
  }
  /** A response may contain only `success`; the status is then refetched. */
  const adopt = async (partialStatus: PartialDnsStatus | null | undefined) => {
    if (!partialStatus) return void (await status.refetch())
    const next = normalizeDnsStatus(partialStatus)
    queryClient.setQueryData(getDnsStatusKey({ ...domain, customDomainVerified: next.details.verified }), next)
  }

  async function runAction(name: CustomDomainAction, action: () => Promise<void>) {
    setRunningAction(name)
    clearNotice()
    try {
      await action()
    } finally {
      setRunningAction(undefined)
    }
  }

  const check = () => runAction('check', async () => void (await status.refetch()))

  const add = () =>
    runAction('add', async () => {
      const provider = status.data?.details.provider ?? null
      try {
        const body = customDomain === null ? {} : { customDomain }
        const added = await call(customDomains.attach, { params: { id: domain.id }, body, ifMatch: domain.rev })
        showNotice('success', toAddedText(provider))
        scheduleRefetch()
        await adopt(added)
        await invalidateDomains()
      } catch (reason) {
        showNotice('error', toNotAddedText(provider), toFailureDetail(reason))
        if (getConflict(reason)) await invalidateDomains()
      }
    })

  const verify = () =>
    runAction('verify', async () => {
      try {
        const verification = await call(customDomains.verify, { params: { id: domain.id } })
        showNotice('success', 'Domain verified successfully')
        await adopt(verification)
        await invalidateDomains()
      } catch (reason) {
        if (reason instanceof ApiError && reason.status === 422 && reason.data)
          await adopt(reason.data as PartialDnsStatus)
        showNotice('error', 'Failed to verify domain', getDomainErrorDetail(reason))
      }
    })

  /** Removes only the name that was confirmed, not one set elsewhere since. */
  async function clearCustomDomain(rev: number): Promise<void> {
    try {
      await call(domains.setCustomDomain, { params: { id: domain.id }, body: { customDomain: null }, ifMatch: rev })
    } catch (reason) {
      const conflict = getConflict<Domain>(reason)
      if (conflict?.current.customDomain !== customDomain) throw reason
      // Only other fields of the domain have changed.
      await clearCustomDomain(conflict.current.rev)
    }
  }

  async function remove() {
    await clearCustomDomain(domain.rev)
    await invalidateDomains()
    queryClient.removeQueries({ queryKey: getDnsStatusesKey(domain.id) })
    showNotice('success', 'Custom domain removed successfully')
  }

  const buttons = status.data && canSet ? getStatusButtons(status.data, verified) : undefined
  // After a 404 the provider no longer has the name, so it is added again.
  const retry = status.data?.errorCode === '404' ? add : check
  return (
    <section aria-label="Custom domain" className="mt-6 border-t border-border pt-5">
      <div className="flex flex-wrap items-center gap-x-2.5 gap-y-2">
        <h4 className="font-serif text-[1.125rem] leading-[1.5rem] font-medium">Custom domain</h4>
        {customDomain !== null && (
          <>
            <span className="min-w-0 font-mono text-ui wrap-anywhere">{customDomain}</span>
            <DnsBadge verified={verified} status={status.data} />
          </>
        )}
        <span className="ms-auto flex flex-wrap gap-2">
          {buttons?.add && (
            <Button size="small" variant="primary" busy={runningAction === 'add'} busyLabel="Adding..." onClick={add}>
              Add to provider
            </Button>
          )}
          {buttons?.retry && <RetryButton busy={runningAction !== undefined} onClick={retry} />}
          {buttons?.check && (
            <Button
              size="small"
              busy={runningAction === 'check'}
              busyLabel="Checking..."
              onClick={check}
              icon={<RefreshCw aria-hidden size={13} />}
            >
              Check DNS
            </Button>
          )}
          {buttons?.verify && (
            <Button
              size="small"
              variant="primary"
              busy={runningAction === 'verify'}
              busyLabel="Verifying..."
              onClick={verify}
            >
              Verify
            </Button>
          )}
        </span>
      </div>
      {noticeBanner}
      {customDomain === null ? (
        canSet ? (
          <CustomDomainForm
            domain={domain}
            onAdded={() => {
              showNotice('success', 'Custom domain added successfully')
              scheduleRefetch()
              return invalidateDomains()
            }}
          />
        ) : (
          <p className="mt-2 text-ui text-muted-foreground">No custom domain. The owner can add one.</p>
        )
      ) : (
        <>
          {status.isPending && (
            <SkeletonGroup label="Loading domain status" className="mt-4 flex flex-col gap-3">
              <Skeleton className="h-10 w-full" />
              <Skeleton className="h-24 w-full" />
            </SkeletonGroup>
          )}
          <QueryError query={status} className="mt-4" title="Failed to load domain status. Please try again.">
            The custom domain itself isn’t affected.
          </QueryError>
          {status.isError && status.data && (
            <Banner tone="error" className="mt-3">
              Failed to load domain status. Please try again.
            </Banner>
          )}
          {status.data && <DnsReport name={customDomain} status={status.data} verified={verified} />}
          {canSet && (
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
        onOpenChange={setRemoving}
        title={withNames`Remove ${customDomain ?? ''}?`}
        confirmLabel="Remove custom domain"
        busyLabel="Removing..."
        formatError={(reason) => ['Failed to remove custom domain', toFailureDetail(reason)].filter(Boolean).join('. ')}
        onConfirm={remove}
      >
        {verified ? 'The domain’s page goes offline right away. ' : ''}Adding the custom domain again requires new DNS
        records.
      </ConfirmDialog>
    </section>
  )
}

interface CustomDomainFormProps {
  domain: Domain
  onAdded: () => Promise<void>
}

function CustomDomainForm({ domain, onAdded }: CustomDomainFormProps) {
  const [typedName, setTypedName] = useState('')
  const [saving, setSaving] = useState(false)
  const [fieldError, setFieldError] = useState<string>()
  const [failure, setFailure] = useState<{ detail: string | undefined }>()
  const isEmpty = typedName.trim() === ''

  async function submit(event: FormEvent) {
    event.preventDefault()
    if (isEmpty || saving) return
    setSaving(true)
    setFailure(undefined)
    try {
      await call(domains.setCustomDomain, {
        params: { id: domain.id },
        body: { customDomain: typedName.trim() },
        ifMatch: domain.rev,
      })
      await onAdded()
    } catch (reason) {
      const problem = reason instanceof ApiError ? reason.fields?.customDomain : undefined
      setFieldError(problem)
      setFailure({ detail: problem ? undefined : getDomainErrorDetail(reason) })
    } finally {
      setSaving(false)
    }
  }

  return (
    <form onSubmit={submit} noValidate className="mt-3">
      {failure && (
        <Banner tone="error" className="mb-3" onDismiss={() => setFailure(undefined)}>
          <span className={failure.detail ? 'font-semibold' : undefined}>Failed to add custom domain</span>
          {failure.detail && <span className="block">{failure.detail}</span>}
        </Banner>
      )}
      <div className="flex items-start gap-2 phone:flex-col phone:items-stretch">
        <TextField
          label="Custom domain"
          labelHidden
          mono
          inputMode="url"
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          maxLength={300}
          placeholder="memories.example.com"
          value={typedName}
          onChange={(event) => {
            setTypedName(event.currentTarget.value)
            setFieldError(undefined)
          }}
          error={fieldError}
          help={
            isEmpty
              ? 'A web address you own. Visitors see only this domain’s public page.'
              : isApexName(typedName) && toApexWarning(typedName.trim())
          }
          className="min-w-0 flex-1"
        />
        <Button type="submit" variant="primary" disabled={isEmpty || saving} busy={saving} busyLabel="Adding...">
          Add Domain
        </Button>
      </div>
    </form>
  )
}

function toApexWarning(name: string): string {
  return `${name} is a whole domain, not a subdomain. If a website is already there, its visitors will come here instead. To keep the website, use a subdomain such as keep.${name}.`
}
