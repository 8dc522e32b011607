import { useCallback, useEffect, useState } from 'react'
import { roleNamesInSentence } from '#contract/domains/domain-actions.ts'
import { invitations } from '#contract/domains/invitations.ts'
import { ApiError, type CallResult, call } from '#web/api/api.ts'
import { roleSentences } from '#web/ui/text/domain-role-texts.ts'
import { getErrorMessage } from '#web/ui/text/error-message.ts'
import { Time } from '#web/ui/text/time.tsx'

export function InvitationSummary({ invitation }: { invitation: InvitationPreview }) {
  const { domain, invitedBy, role, note, expiresAt } = invitation
  return (
    <>
      <p className="text-body">
        {invitedBy ? <strong className="font-semibold">{invitedBy}</strong> : 'Someone'} invites you to{' '}
        <strong dir="auto" className="font-semibold wrap-anywhere">
          {domain.name}
        </strong>{' '}
        as {roleNamesInSentence[role]}.
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

export type InvitationPreview = CallResult<typeof invitations.look>

/** Loads an invitation without a query client. `refusal` is the server's reason for an invalid link. */
export function useInvitation(token: string) {
  const [preview, setPreview] = useState<InvitationPreview>()
  const [refusal, setRefusal] = useState<string>()
  const [failure, setFailure] = useState<string>()
  const [attempt, setAttempt] = useState(0)
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new attempt refetches
  useEffect(() => {
    const controller = new AbortController()
    setFailure(undefined)
    call(invitations.look, { body: { token }, signal: controller.signal })
      .then(setPreview)
      .catch((reason: unknown) => {
        if (controller.signal.aborted) return
        const text = getErrorMessage(reason)
        if (reason instanceof ApiError && reason.code === 'invitation-refused') setRefusal(text)
        else setFailure(text)
      })
    return () => controller.abort()
  }, [token, attempt])
  const retry = useCallback(() => setAttempt((previous) => previous + 1), [])
  return { preview, refusal, failure, retry }
}
