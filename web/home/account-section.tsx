import { useId } from 'react'
import { useNavigate } from 'react-router'
import { useKeepers } from '#web/keepers/keeper-queries.ts'
import { useOpenSection } from '#web/page/use-open-section.ts'
import { Tabs } from '#web/ui/controls/tabs.tsx'
import { lazyComponent } from '#web/ui/panels/lazy-component.tsx'
import { Skeleton } from '#web/ui/panels/skeleton.tsx'

const skeleton = <Skeleton className="h-[600px]" />
const ProfileTab = lazyComponent(async () => (await import('#web/accounts/profile-tab.tsx')).ProfileTab, skeleton)
const MyDomains = lazyComponent(async () => (await import('#web/domains/my-domains.tsx')).MyDomains, skeleton)
const PersonalKeys = lazyComponent(async () => (await import('#web/keys/personal-keys.tsx')).PersonalKeys, skeleton)

const ConnectedPrograms = lazyComponent(
  async () => (await import('#web/connections/connected-programs.tsx')).ConnectedPrograms,
  skeleton,
)

const tabs = [
  { id: 'profile', label: 'Profile' },
  { id: 'domain', label: 'Domain Settings' },
  { id: 'api-keys', label: 'Personal API Keys' },
] as const
type TabId = (typeof tabs)[number]['id']

/** /root/api-keys is another page, so this tab uses the query string. */
const tabRoutes: Record<TabId, string> = {
  profile: '/root/profile',
  domain: '/root/domain',
  'api-keys': '/root?tab=api-keys',
}

/** `undefined` on the plain home page, which doesn't scroll to the account. */
export function getRequestedTab(pathname: string, search: string): TabId | undefined {
  if (pathname === '/root/profile') return 'profile'
  if (pathname === '/root/domain') return 'domain'
  return new URLSearchParams(search).get('tab') === 'api-keys' ? 'api-keys' : undefined
}

export function AccountSection({ personId, requestedTab }: { personId: string; requestedTab: TabId | undefined }) {
  const navigate = useNavigate()
  const id = useId()
  const { data: keepers } = useKeepers()
  const tab = requestedTab ?? 'profile'
  useOpenSection(requestedTab ? id : undefined, requestedTab)
  return (
    <section
      id={id}
      tabIndex={-1}
      aria-labelledby={`${id}-title`}
      className="mt-10 scroll-mt-4 border-t border-border pt-8 outline-none phone:scroll-mt-14"
    >
      <h2 id={`${id}-title`} className="mb-4">
        Your account
      </h2>
      <Tabs label="Your account" tabs={tabs} value={tab} onValueChange={(tabId) => navigate(tabRoutes[tabId])}>
        {tab === 'profile' && <ProfileTab shouldMountNow={requestedTab !== undefined} />}
        {tab === 'domain' && <MyDomains personId={personId} />}
        {tab === 'api-keys' && (
          <>
            <h2 className="mb-4">Your API Keys</h2>
            <PersonalKeys />
            <ConnectedPrograms keepers={keepers} />
          </>
        )}
      </Tabs>
    </section>
  )
}
