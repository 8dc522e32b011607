import type { InvitationWithLink } from '#contract/domains/invitations.ts'
import { Button } from '#web/ui/controls/button.tsx'
import { CopyButton } from '#web/ui/controls/copy-button.tsx'
import { pluralize } from '#web/ui/text/pluralize.ts'
import { Time } from '#web/ui/text/time.tsx'
import type { InviteHelpers } from './people-wizard.tsx'

interface SentInvitationsProps {
  sent: readonly InvitationWithLink[]
  Links: InviteHelpers['Links']
  domainName: string
  onAgain: () => void
}

export function SentInvitations({ sent, Links, domainName, onAgain }: SentInvitationsProps) {
  const areMailed = sent.every((invitation) => invitation.mailed)
  const expiresAt = sent[0]?.expiresAt
  return (
    <section
      aria-label="Invited"
      className="max-w-[680px] rounded-lg border border-border bg-card p-6 shadow-e1 phone:p-4"
    >
      <div role="status">
        <h2 className="text-h2">
          {pluralize(sent.length, 'person', 'people')} invited to {domainName}
        </h2>
      </div>
      <p className="mt-1 mb-4 text-ui text-muted-foreground">
        {areMailed ? 'The links were emailed.' : 'Copy each link and send it yourself.'}{' '}
        {expiresAt && (
          <>
            The links are valid until <Time value={expiresAt} />.
          </>
        )}
      </p>
      <Links invited={sent} />
      <div className="mt-5 flex flex-wrap gap-2">
        {sent.length > 1 && (
          <CopyButton text={sent.map(({ email, link }) => `${email}\t${link}`).join('\n')} size="medium">
            Copy all
          </CopyButton>
        )}
        <Button onClick={onAgain}>Invite more</Button>
      </div>
    </section>
  )
}
