import { ListChecks, Pencil } from 'lucide-react'
import { lazy, type ReactNode, Suspense } from 'react'
import { canActInDomain } from '#contract/domains/domain-actions.ts'
import { type Domain, getRoleIn } from '#contract/domains/domains.ts'
import { Button } from '#web/ui/controls/button.tsx'
import { LinkButton } from '#web/ui/controls/link-button.tsx'
import { Badge } from '#web/ui/panels/badge.tsx'
import { Skeleton } from '#web/ui/panels/skeleton.tsx'
import { DomainActionsMenu } from './domain-actions-menu.tsx'
import { DomainForm } from './domain-form.tsx'
import type { DomainNotice } from './domain-queries.ts'
import { MemberPanel } from './members/member-panel.tsx'

const CustomDomainPanel = lazy(() =>
  import('./custom-domain-panel.tsx').then((module) => ({ default: module.CustomDomainPanel })),
)
const SharedInDomain = lazy(() =>
  import('./shared/shared-in-domain.tsx').then((module) => ({ default: module.SharedInDomain })),
)
const InvitationPanel = lazy(() =>
  import('./invitations/invitation-panel.tsx').then((module) => ({ default: module.InvitationPanel })),
)

const JoinNotice = lazy(() => import('./members/join-notice.tsx').then((module) => ({ default: module.JoinNotice })))

export type Notify = (tone: DomainNotice['tone'], text: string, detail?: string) => void

interface DomainDetailProps {
  domain: Domain
  personId: string
  editing: boolean
  onEditingChange: (editing: boolean) => void
  notify: Notify
  onRemoved: () => void
}

export function DomainDetail({ domain, personId, editing, onEditingChange, notify, onRemoved }: DomainDetailProps) {
  const role = getRoleIn(domain, personId) ?? 'connection'
  if (editing && canActInDomain(role, 'edit')) {
    return (
      <>
        <h3 className="mb-4 text-[22px] leading-[28px] wrap-break-word">Edit {domain.name}</h3>
        <DomainForm
          domain={domain}
          showsAgentField
          onSaved={() => {
            onEditingChange(false)
            notify('success', 'Domain saved successfully')
          }}
          onCancel={() => onEditingChange(false)}
        />
      </>
    )
  }
  return (
    <>
      <header className="flex flex-wrap items-start gap-x-4 gap-y-3">
        <div className="min-w-0 flex-1 basis-56">
          <h3 className="flex flex-wrap items-center gap-2 text-[24px] leading-[30px]">
            <span className="min-w-0 wrap-break-word">{domain.name}</span>
            {domain.isPrimary && <Badge tone="ribbon">Primary</Badge>}
          </h3>
          <p className="mt-0.5 text-small text-muted-foreground">
            <span className="font-mono wrap-break-word">{domain.slug}</span>
          </p>
          {domain.description && <p className="mt-1.5 whitespace-pre-line wrap-break-word">{domain.description}</p>}
          {domain.isPrimary && (
            <p className="mt-1.5 text-small text-muted-foreground">
              Your primary domain can’t be deleted or transferred. Make another one primary first.
            </p>
          )}
        </div>
        <div className="flex flex-wrap items-center gap-2">
          {canActInDomain(role, 'setUp') && (
            <LinkButton to={`/studio/domain-board?domainId=${domain.id}`} icon={<ListChecks aria-hidden size={14} />}>
              Set up step by step
            </LinkButton>
          )}
          {canActInDomain(role, 'edit') && (
            <Button icon={<Pencil aria-hidden size={14} />} onClick={() => onEditingChange(true)}>
              Edit
            </Button>
          )}
          <DomainActionsMenu domain={domain} role={role} personId={personId} notify={notify} onRemoved={onRemoved} />
        </div>
      </header>
      {domain.agreed === false && (
        <Suspense fallback={<Skeleton className="mt-4 h-24" />}>
          <JoinNotice domain={domain} personId={personId} notify={notify} onRemoved={onRemoved} />
        </Suspense>
      )}
      {canActInDomain(role, 'seeCustomDomain') && (
        <Suspense fallback={<Skeleton className="mt-6 h-24" />}>
          <CustomDomainPanel domain={domain} personId={personId} />
        </Suspense>
      )}
      <MemberPanel domain={domain} role={role} personId={personId} notify={notify} />
      {canActInDomain(role, 'manageMembers') && (
        <DomainSection>
          <InvitationPanel domain={domain} />
        </DomainSection>
      )}
      <DomainSection>
        <h4 className="mb-2 font-serif text-[18px] leading-[24px] font-medium">Shared here</h4>
        <SharedInDomain domain={domain} />
      </DomainSection>
    </>
  )
}

function DomainSection({ children }: { children: ReactNode }) {
  return (
    <div className="mt-6 border-t border-border pt-5">
      <Suspense fallback={<Skeleton className="h-20" />}>{children}</Suspense>
    </div>
  )
}
