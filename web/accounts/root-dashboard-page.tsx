import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Download, Square } from 'lucide-react'
import { lazy, Suspense, useState } from 'react'
import { useLocation, useNavigate } from 'react-router'
import { accounts } from '#contract/accounts/accounts.ts'
import { ownAccount, type StorageUsage } from '#contract/accounts/own-account.ts'
import type { Permission } from '#contract/endpoint.ts'
import { getWaitingItem, useRetiringModels } from '#web/agents/form/retiring-models.tsx'
import { call } from '#web/api/api.ts'
import { PendingInvitation } from '#web/domains/invitations/pending-invitation.tsx'
import { formatDownloadResult, useDownload } from '#web/files/use-download.ts'
import { FirstStepsPlaceholder } from '#web/first-steps/first-steps-placeholder.tsx'
import { RootKeepers } from '#web/keepers/shelf/root-keepers.tsx'
import { QueryState } from '#web/queries/query-error.tsx'
import { Button } from '#web/ui/controls/button.tsx'
import { LinkButton } from '#web/ui/controls/link-button.tsx'
import { Tabs } from '#web/ui/controls/tabs.tsx'
import { PasswordField } from '#web/ui/fields/password-field.tsx'
import { Banner } from '#web/ui/panels/banner.tsx'
import { PageHeader } from '#web/ui/panels/page-header.tsx'
import { ProgressBar } from '#web/ui/panels/progress-bar.tsx'
import { Section } from '#web/ui/panels/section.tsx'
import { Skeleton, SkeletonRows } from '#web/ui/panels/skeleton.tsx'
import { formatSize } from '#web/ui/text/format-size.ts'
import { pluralize } from '#web/ui/text/pluralize.ts'
import { accountSessionsKey, useAccountStorage } from './account-queries.ts'
import { useAuth } from './auth-provider.tsx'
import { getNewPasswordProblem, getPasswordProblem, passwordHelp, toAccountFailureText } from './check-account.ts'
import { DeleteAccountSection } from './delete-account-section.tsx'
import { ProfileForm } from './profile-form.tsx'
import { SessionsSection } from './sessions-section.tsx'
import { useSubmit } from './use-submit.ts'

const pages: { title: string; to: string; permission: Permission }[] = [
  { title: 'Platform users', to: '/admin/users', permission: 'manage_users' },
  { title: 'Platform roles', to: '/admin/roles', permission: 'access_admin_pages' },
  { title: 'Domains', to: '/admin/domains', permission: 'manage_domains' },
  { title: 'Audit log', to: '/admin/audit', permission: 'manage_users' },
]

function PlatformSection() {
  const { access } = useAuth()
  const visiblePages = pages.filter(({ permission }) => access?.permissions.includes(permission))
  if (visiblePages.length === 0) return null
  return (
    <Section title="You run this platform" help="Everyone’s accounts, roles and domains.">
      <div className="flex flex-wrap gap-2">
        {visiblePages.map(({ title, to }) => (
          <LinkButton key={to} to={to}>
            {title}
          </LinkButton>
        ))}
      </div>
    </Section>
  )
}

const MyDomains = lazy(async () => ({ default: (await import('#web/domains/my-domains.tsx')).MyDomains }))
const PersonalKeys = lazy(async () => ({ default: (await import('#web/keys/personal-keys.tsx')).PersonalKeys }))
const FirstSteps = lazy(async () => ({ default: (await import('#web/first-steps/first-steps.tsx')).FirstSteps }))

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

function ProfileTab() {
  return (
    <div className="max-w-[760px]">
      <h2 className="sr-only">Your account</h2>
      <ProfileForm />
      <PlatformSection />
      <PasswordForm />
      <SessionsSection />
      <StorageSection />
      <ExportAccountSection />
      <DeleteAccountSection />
    </div>
  )
}

function ExportAccountSection() {
  const { startDownload, stop, progressText } = useDownload()
  const download = useMutation({ mutationFn: () => startDownload(ownAccount.download, {}, 'keeper-account.zip') })
  const status = download.isPending
    ? 'Preparing your download. With many pictures, this can take a while.'
    : download.isSuccess && formatDownloadResult(download)

  return (
    <Section title="Export everything" help="One zip file, created when you ask for it.">
      <p className="text-muted-foreground">
        The zip contains your account, agents, chats and every keeper with its pictures and recordings, as readable
        Markdown and as files you can import again. Deleted entries, earlier versions, passwords and keys aren’t
        included.
      </p>
      {download.error && <Banner tone="error">{toAccountFailureText(download.error)}</Banner>}
      <div className="flex flex-wrap items-center gap-2">
        <Button
          busy={download.isPending}
          busyLabel="Preparing..."
          icon={<Download aria-hidden size={15} />}
          onClick={() => download.mutate()}
        >
          Download everything
        </Button>
        {download.isPending && (
          <>
            <Button variant="plain" icon={<Square aria-hidden size={13} />} onClick={stop}>
              Stop
            </Button>
            <span className="text-small text-muted-foreground tabular-nums">{progressText}</span>
          </>
        )}
      </div>
      <p role="status" className="text-ui text-muted-foreground empty:hidden">
        {status}
      </p>
    </Section>
  )
}

function PasswordForm() {
  const { user } = useAuth()
  const queryClient = useQueryClient()
  // A new key after each change clears the password fields.
  const [changes, setChanges] = useState(0)
  const [isDone, setDone] = useState(false)
  const { busy, failure, errors, form } = useSubmit({
    validate: ({ currentPassword, newPassword }) => ({
      currentPassword: getPasswordProblem(currentPassword),
      newPassword: getNewPasswordProblem(newPassword),
    }),
    send: async ({ currentPassword = '', newPassword = '' }) => {
      setDone(false)
      await call(accounts.changePassword, { body: { currentPassword, newPassword } })
      setChanges((count) => count + 1)
      setDone(true)
      queryClient.invalidateQueries({ queryKey: accountSessionsKey })
    },
  })
  return (
    <form {...form} key={changes}>
      <Section title="Password" help="This signs you out everywhere else." className="border-t! pt-[30px]!">
        {isDone && (
          <Banner tone="success" onDismiss={() => setDone(false)}>
            Password changed. You’re signed out everywhere else.
          </Banner>
        )}
        {failure && <Banner tone="error">{failure}</Banner>}
        <input type="text" name="username" autoComplete="username" value={user?.email ?? ''} readOnly hidden />
        <PasswordField
          label="Current password"
          name="currentPassword"
          autoComplete="current-password"
          error={errors.currentPassword}
        />
        <PasswordField
          label="New password"
          name="newPassword"
          autoComplete="new-password"
          help={passwordHelp}
          error={errors.newPassword}
        />
        <div>
          <Button type="submit" busy={busy} busyLabel="Changing...">
            Change password
          </Button>
        </div>
      </Section>
    </form>
  )
}

function StorageSection() {
  const query = useAccountStorage()
  const { data: storage } = query
  return (
    <Section title="Storage" help="Files and texts have separate limits.">
      <QueryState
        query={query}
        skeleton={<SkeletonRows rowClassName="h-24" />}
        title="Your storage couldn’t be loaded"
      />
      {storage && (
        <>
          <FileUsage {...storage} />
          <TextUsage {...storage.texts} />
        </>
      )}
    </Section>
  )
}

function FileUsage({ files, bytes, mostBytes: maxBytes }: StorageUsage) {
  const amount = files === 0 ? 'None yet' : `${pluralize(files, 'file')}, ${formatSize(bytes)}`
  return (
    <Usage
      title="Pictures and recordings"
      text={maxBytes === null ? `${amount}.` : `${amount} of ${formatSize(maxBytes)}.`}
      share={maxBytes === null ? null : bytes / maxBytes}
    />
  )
}

/** The bar shows the limit that is closer to being reached. */
function TextUsage({ rows, bytes, maxRows, maxBytes }: StorageUsage['texts']) {
  const byteShare = maxBytes === null ? 0 : bytes / maxBytes
  const rowShare = maxRows === null ? 0 : rows / maxRows
  const size = maxBytes === null ? formatSize(bytes) : `${formatSize(bytes)} of ${formatSize(maxBytes)}`
  const entries = maxRows === null ? pluralize(rows, 'row') : `${rows.toLocaleString()} of ${pluralize(maxRows, 'row')}`
  return (
    <Usage
      title="Texts"
      text={`${size}, ${entries}, including earlier versions, chats and runs.`}
      share={maxBytes === null && maxRows === null ? null : Math.max(byteShare, rowShare)}
    />
  )
}

function Usage({ title, text, share }: { title: string; text: string; share: number | null }) {
  const isNearlyFull = share !== null && share > 0.9
  return (
    <div className="flex flex-col gap-2">
      <h4 className="font-medium">{title}</h4>
      <p className="text-muted-foreground">
        {text}
        {isNearlyFull && ' Delete something, or ask your administrator for more space.'}
      </p>
      {share !== null && (
        <ProgressBar
          label={`Space used by ${title.toLowerCase()}`}
          value={Math.round(share * 100)}
          tone={isNearlyFull ? 'warning' : 'ribbon'}
          className="w-full max-w-80"
        />
      )}
    </div>
  )
}
