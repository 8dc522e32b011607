import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Download, Square } from 'lucide-react'
import { useState } from 'react'
import { accounts } from '#contract/accounts/accounts.ts'
import { ownAccount, type StorageUsage } from '#contract/accounts/own-account.ts'
import { call } from '#web/api/api.ts'
import { formatDownloadResult, useDownload } from '#web/files/use-download.ts'
import { WhenNear } from '#web/page/when-near.tsx'
import { QueryState } from '#web/queries/query-error.tsx'
import { Button } from '#web/ui/controls/button.tsx'
import { PasswordField } from '#web/ui/fields/password-field.tsx'
import { Banner } from '#web/ui/panels/banner.tsx'
import { lazyComponent } from '#web/ui/panels/lazy-component.tsx'
import { ProgressBar } from '#web/ui/panels/progress-bar.tsx'
import { Section } from '#web/ui/panels/section.tsx'
import { SkeletonRows } from '#web/ui/panels/skeleton.tsx'
import { formatSize } from '#web/ui/text/format-size.ts'
import { pluralize } from '#web/ui/text/pluralize.ts'
import { accountSessionsKey, deletionKey, useAccountStorage, useDeletion } from './account-queries.ts'
import { useAuth } from './auth-provider.tsx'
import { getNewPasswordProblem, getPasswordProblem, passwordHelp, toAccountFailureText } from './check-account.ts'
import { DeleteAccountSection } from './delete-account-section.tsx'
import { AppLockSection } from './lock/app-lock-section.tsx'
import { IdentitiesSection } from './oidc/identities-section.tsx'
import { ProfileForm } from './profile-form.tsx'
import { SessionsSection } from './sessions-section.tsx'
import { useSubmit } from './use-submit.ts'

const SecuritySection = lazyComponent(
  () => import('./codes-section.tsx').then((module) => module.SecuritySection),
  <SkeletonRows rowClassName="h-40" />,
)

export function ProfileTab({ shouldMountNow }: { shouldMountNow: boolean }) {
  return (
    <div className="max-w-[760px]">
      <ProfileForm />
      <PasswordForm />
      <WhenNear name="account" initialClassName="min-h-[84rem] phone:min-h-[117.75rem]" shouldMountNow={shouldMountNow}>
        <SecuritySection />
        <IdentitiesSection />
        <AppLockSection />
        <SessionsSection />
        <StorageSection />
        <ExportAccountSection />
        <DeleteAccountSection />
      </WhenNear>
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
  const [changeCount, setChangeCount] = useState(0)
  const [isDone, setDone] = useState(false)
  const hasPassword = useDeletion().data?.hasPassword !== false
  const { busy, failure, errors, form } = useSubmit({
    validate: ({ currentPassword, newPassword }): Record<string, string | undefined> => ({
      ...(hasPassword && { currentPassword: getPasswordProblem(currentPassword) }),
      newPassword: getNewPasswordProblem(newPassword),
    }),
    send: async ({ currentPassword, newPassword = '' }) => {
      setDone(false)
      await call(accounts.changePassword, { body: { currentPassword, newPassword } })
      setChangeCount((count) => count + 1)
      setDone(true)
      queryClient.invalidateQueries({ queryKey: accountSessionsKey })
      queryClient.invalidateQueries({ queryKey: deletionKey })
    },
  })
  return (
    <form {...form} key={changeCount}>
      <Section title="Password" help="This signs you out everywhere else." className="border-t! pt-[30px]!">
        {isDone && (
          <Banner tone="success" onDismiss={() => setDone(false)}>
            Password changed. You’re signed out everywhere else.
          </Banner>
        )}
        {failure && <Banner tone="error">{failure}</Banner>}
        <input type="text" name="username" autoComplete="username" value={user?.email ?? ''} readOnly hidden />
        {hasPassword ? (
          <PasswordField
            label="Current password"
            name="currentPassword"
            autoComplete="current-password"
            error={errors.currentPassword}
          />
        ) : (
          <p className="text-muted-foreground">Your account has no password. You can set one, as another way in.</p>
        )}
        <PasswordField
          label="New password"
          name="newPassword"
          autoComplete="new-password"
          help={passwordHelp}
          error={errors.newPassword}
        />
        <div>
          <Button type="submit" busy={busy} busyLabel={hasPassword ? 'Changing...' : 'Saving...'}>
            {hasPassword ? 'Change password' : 'Set a password'}
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

const nearlyFullShare = 0.9

function Usage({ title, text, share }: { title: string; text: string; share: number | null }) {
  const isNearlyFull = share !== null && share > nearlyFullShare
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
