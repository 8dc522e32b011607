import type { InvitationWithLink } from '#contract/domains/invitations.ts'
import { CopyButton } from '#web/ui/controls/copy-button.tsx'
import { Badge } from '#web/ui/panels/badge.tsx'

export function InvitedLinks({ invited }: { invited: readonly InvitationWithLink[] }) {
  return (
    <ul aria-label="Invitation links" className="flex flex-col gap-3">
      {invited.map(({ id, email, link, mailed }) => (
        <li key={id} className="rounded-md border border-border bg-card p-3">
          <p className="flex flex-wrap items-center gap-2">
            <span className="min-w-0 font-medium wrap-anywhere">{email}</span>
            {mailed ? <Badge tone="success">Emailed</Badge> : <Badge>Not emailed</Badge>}
          </p>
          <div className="mt-1.5 flex items-center gap-2">
            <input
              readOnly
              value={link}
              aria-label={`Link for ${email}`}
              onFocus={(event) => event.currentTarget.select()}
              className="min-w-0 flex-1 truncate rounded-sm border border-hairline bg-muted px-2 py-1 font-mono text-small text-muted-foreground"
            />
            <CopyButton text={link} aria-label={`Copy link for ${email}`}>
              Copy link
            </CopyButton>
          </div>
        </li>
      ))}
    </ul>
  )
}
