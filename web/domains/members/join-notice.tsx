import { useMutation } from '@tanstack/react-query'
import { roleNamesInSentence } from '#contract/domains/domain-actions.ts'
import { type Domain, domains, getOwnRole } from '#contract/domains/domains.ts'
import { call } from '#web/api/api.ts'
import { useMembers } from '#web/queries/use-my-domains.ts'
import { Button } from '#web/ui/controls/button.tsx'
import type { ShowNotice } from '#web/ui/hooks/use-notice.tsx'
import { Banner } from '#web/ui/panels/banner.tsx'
import { LeaveDomain } from '../domain-detail.tsx'
import { getDomainErrorDetail, useInvalidateDomains } from '../domain-queries.ts'

interface JoinNoticeProps {
  domain: Domain
  personId: string
  showNotice: ShowNotice
  onRemoved: () => void
}

export function JoinNotice({ domain, personId, showNotice, onRemoved }: JoinNoticeProps) {
  const membership = useMembers(domain.id).data?.find(({ userId }) => userId === personId)
  const invalidateDomains = useInvalidateDomains()
  const role = getOwnRole(domain)
  const introduction = membership?.addedBy?.name ? `${membership.addedBy.name} added you` : 'You were added'

  const join = useMutation({
    async mutationFn() {
      await call(domains.agree, { params: { id: domain.id } })
      await invalidateDomains()
      showNotice('success', `You joined ${domain.name}.`)
    },
    onError: (reason) => showNotice('error', 'Failed to join domain', getDomainErrorDetail(reason)),
  })

  return (
    <Banner tone="info" className="mt-4">
      <p>
        {introduction} to <bdi>{domain.name}</bdi> as {role ? roleNamesInSentence[role] : 'a member'}. Until you join,
        people there see only your name. After you join, they see your email address and can use the keeper types and
        agents you made, and their agents can read your keepers when you run them.
      </p>
      <div className="mt-2.5 flex flex-wrap gap-2">
        <Button variant="primary" busy={join.isPending} busyLabel="Joining..." onClick={() => join.mutate()}>
          Join
        </Button>
        <LeaveDomain domain={domain} personId={personId} showNotice={showNotice} onRemoved={onRemoved} />
      </div>
    </Banner>
  )
}
