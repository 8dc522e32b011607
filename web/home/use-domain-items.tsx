import { useQuery } from '@tanstack/react-query'
import { canActInDomain } from '#contract/domains/domain-actions.ts'
import { domains } from '#contract/domains/domains.ts'
import { call } from '#web/api/api.ts'
import type { WaitingItem } from '#web/keepers/shelf/waiting-for-you.tsx'
import { useAuth } from '#web/page/auth-context.tsx'
import { domainsKey } from '#web/queries/use-my-domains.ts'
import { lazyComponent } from '#web/ui/panels/lazy-component.tsx'
import { pluralize } from '#web/ui/text/pluralize.ts'

const JoinAnswer = lazyComponent(async () => (await import('./join-answer.tsx')).JoinAnswer)

const staleMs = 5 * 60_000

/** Domains this person was added to, and those whose custom domain isn't verified yet. */
export function useDomainItems(personId: string): WaitingItem[] {
  const { access } = useAuth()
  const isManager = access?.permissions.includes('manage_domains') ?? false
  const { data: managedDomains } = useQuery({
    queryKey: [...domainsKey, 'managed', 'waiting'],
    queryFn: ({ signal }) => call(domains.all, { query: {}, signal }),
    enabled: isManager,
    staleTime: staleMs,
    retry: false,
  })
  const myDomains = access?.domains ?? []
  const invitations = myDomains
    .filter(({ agreed }) => agreed === false)
    .map((domain) => ({
      id: `join ${domain.id}`,
      title: domain.name,
      text: 'You were added to this domain',
      action: <JoinAnswer domain={domain} personId={personId} />,
    }))
  const administeredDomains = myDomains.filter(
    ({ permissions: [permission] }) => permission && canActInDomain(permission.role, 'seeCustomDomain'),
  )
  const unverified = (isManager ? (managedDomains ?? []) : administeredDomains).filter(
    ({ customDomain, customDomainVerified }) => customDomain !== null && !customDomainVerified,
  )
  const [first] = unverified
  if (!first) return invitations
  return [
    ...invitations,
    {
      id: 'dns',
      title: unverified.length === 1 ? first.name : 'Domains',
      text: `${pluralize(unverified.length, 'domain needs', 'domains need')} DNS`,
      to: isManager ? '/admin/domains' : `/root/domain?domain=${encodeURIComponent(first.id)}`,
    },
  ]
}
