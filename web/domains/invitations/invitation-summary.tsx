import { roleNamesInSentence } from '#contract/domains/domain-actions.ts'
import { roleSentences } from '#web/ui/text/domain-role-texts.ts'
import { Time } from '#web/ui/text/time.tsx'
import type { InvitationPreview } from './use-invitation.ts'

export function InvitationSummary({ invitation }: { invitation: InvitationPreview }) {
  const { domain, invitedBy, role, note, expiresAt } = invitation
  return (
    <>
      <p className="text-body">
        {invitedBy ? <strong className="font-semibold">{invitedBy}</strong> : 'Someone'} invites you to{' '}
        <strong className="font-semibold wrap-anywhere">{domain.name}</strong> as {roleNamesInSentence[role]}.
      </p>
      {note && (
        <blockquote className="mt-2 border-s-2 border-ribbon ps-3 font-serif text-read whitespace-pre-line wrap-anywhere">
          {note}
        </blockquote>
      )}
      <p className="mt-2 text-small text-muted-foreground">
        {role !== 'owner' && roleSentences[role]} Valid until <Time value={expiresAt} />.
      </p>
    </>
  )
}
