import { rolesInSentences } from '#contract/domains/domain-deeds.ts'
import { roleSentences } from '#web/domain-role-words.ts'
import { Time } from '#web/ui/time.tsx'
import type { SeenInvitation } from './use-invitation.ts'

export function InvitationLetter({ invitation }: { invitation: SeenInvitation }) {
  const { domain, invitedBy, role, note, expiresAt } = invitation
  return (
    <>
      <p className="text-body">
        {invitedBy ? <strong className="font-semibold">{invitedBy}</strong> : 'Someone'} invites you to{' '}
        <strong className="font-semibold wrap-anywhere">{domain.name}</strong> as {rolesInSentences[role]}.
      </p>
      {note && (
        <blockquote className="mt-2 border-s-2 border-ribbon ps-3 font-serif text-read whitespace-pre-line wrap-anywhere">
          {note}
        </blockquote>
      )}
      <p className="mt-2 text-small text-muted-foreground">
        {role !== 'owner' && roleSentences[role]} Open until <Time value={expiresAt} />.
      </p>
    </>
  )
}
