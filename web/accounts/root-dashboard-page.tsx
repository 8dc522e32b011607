import { lazy, Suspense } from 'react'
import { useLocation, useNavigate } from 'react-router'
import { getWaitingItem, useRetiringModels } from '#web/agents/form/retiring-models.tsx'
import { PendingInvitation } from '#web/domains/invitations/pending-invitation.tsx'
import { RootKeepers } from '#web/keepers/shelf/root-keepers.tsx'
import { FirstStepsPlaceholder } from '#web/shell/first-steps/first-steps-placeholder.tsx'
import { Tabs } from '#web/ui/controls/tabs.tsx'
import { PageHeader } from '#web/ui/panels/page-header.tsx'
import { Skeleton } from '#web/ui/panels/skeleton.tsx'
import { useAuth } from './auth-provider.tsx'
import { ProfileTab } from './profile-tab.tsx'

const MyDomains = lazy(async () => ({ default: (await import('#web/domains/my-domains.tsx')).MyDomains }))
const PersonalKeys = lazy(async () => ({ default: (await import('#web/keys/personal-keys.tsx')).PersonalKeys }))
const FirstSteps = lazy(async () => ({ default: (await import('#web/shell/first-steps/first-steps.tsx')).FirstSteps }))

const tabs = [
  { id: 'profile', label: 'Profile' },
  { id: 'domain', label: 'Domain Settings' },
  { id: 'api-keys', label: 'Personal API Keys' },
] as const
type TabId = (typeof tabs)[number]['id']

/** /root/api-keys is a page of its own, so this tab lives in the query. */
const tabRoutes: Record<TabId, string> = {
  profile: '/root/profile',
  domain: '/root/domain',
  'api-keys': '/root?tab=api-keys',
}

export function RootDashboardPage() {
  const { pathname, search } = useLocation()
  const navigate = useNavigate()
  const { user, access } = useAuth()
  const retiringModels = useRetiringModels()
  const requestedTab = new URLSearchParams(search).get('tab')
  const tab: TabId =
    pathname === '/root/domain'
      ? 'domain'
      : pathname === '/root' && requestedTab === 'api-keys'
        ? 'api-keys'
        : 'profile'
  return (
    <>
      <PageHeader title="Root Dashboard" />
      {tab === 'domain' && <PendingInvitation user={user} domains={access?.domains} />}
      {pathname === '/root' && tab === 'profile' && (
        <>
          <Suspense fallback={<FirstStepsPlaceholder personId={user?.id} />}>
            <FirstSteps personId={user?.id ?? ''} />
          </Suspense>
          <RootKeepers extraLines={retiringModels.map(getWaitingItem)} />
        </>
      )}
      <Tabs label="Root Dashboard" tabs={tabs} value={tab} onValueChange={(id) => navigate(tabRoutes[id])}>
        {tab === 'profile' && <ProfileTab />}
        <Suspense fallback={<Skeleton className="h-64" />}>
          {tab === 'domain' && <MyDomains personId={user?.id ?? ''} />}
          {tab === 'api-keys' && (
            <>
              <h2 className="mb-4">Your API Keys</h2>
              <PersonalKeys />
            </>
          )}
        </Suspense>
      </Tabs>
    </>
  )
}
