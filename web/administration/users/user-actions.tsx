import { useQueryClient } from '@tanstack/react-query'
import { KeyRound, LogOut, Smartphone, UserCheck, UserX } from 'lucide-react'
import { type ReactNode, useId, useState } from 'react'
import { administration, type PlatformUserDetails } from '#contract/administration/administration.ts'
import { call } from '#web/api/api.ts'
import { DownloadButton } from '#web/files/download-button.tsx'
import { Button } from '#web/ui/controls/button.tsx'
import { CopyButton } from '#web/ui/controls/copy-button.tsx'
import { TextField } from '#web/ui/fields/text-field.tsx'
import { useNotice } from '#web/ui/hooks/use-notice.tsx'
import { ConfirmDialog } from '#web/ui/overlays/confirm-dialog.tsx'
import { getPersonName } from '#web/ui/text/person-name.ts'
import { administrationKey, toAdminFailureText } from '../admin-queries.ts'
import { DrawerSection } from './user-summary.tsx'

type AccountAction = 'signOut' | 'deactivate' | 'reactivate' | 'resetLink' | 'removeSecondFactor'

interface AccountActionDialog {
  title: string
  text: ReactNode
  confirmLabel: string
  busyLabel: string
  tone: 'danger' | 'primary'
  successText: string
  failureText: string
}

function getActionDialogs(name: string, isLeaving: boolean): Record<AccountAction, AccountActionDialog> {
  return {
    signOut: {
      title: `Sign ${name} out everywhere?`,
      text: 'Every browser they’re signed in on is signed out right away. Unsent changes stay in those browsers.',
      confirmLabel: 'Sign Out Everywhere',
      busyLabel: 'Signing out...',
      tone: 'danger',
      successText: `${name} is signed out everywhere.`,
      failureText: 'Failed to sign out',
    },
    deactivate: {
      title: `Deactivate ${name}?`,
      text: 'They’re signed out and can’t sign in, and their public agents stop answering visitors. Everything they keep stays.',
      confirmLabel: 'Deactivate',
      busyLabel: 'Deactivating...',
      tone: 'danger',
      successText: `${name} is deactivated.`,
      failureText: 'Failed to deactivate',
    },
    reactivate: {
      title: `Reactivate ${name}?`,
      text: isLeaving
        ? 'They can sign in again, with everything as it was. They had requested deletion and have 14 days to cancel it.'
        : 'They can sign in again, with everything as it was.',
      confirmLabel: 'Reactivate',
      busyLabel: 'Reactivating...',
      tone: 'primary',
      successText: `${name} can sign in again.`,
      failureText: 'Failed to reactivate',
    },
    removeSecondFactor: {
      title: `Turn off codes for ${name}?`,
      text: 'For a lost phone. The password alone is then enough to sign in, and they get an email about it.',
      confirmLabel: 'Turn Off Codes',
      busyLabel: 'Turning off...',
      tone: 'danger',
      successText: `${name} can sign in without a code.`,
      failureText: 'Failed to turn off codes',
    },
    resetLink: {
      title: `Create a reset link for ${name}?`,
      text: 'Anyone who has the link can set a new password, once, within an hour. Earlier links stop working.',
      confirmLabel: 'Create Link',
      busyLabel: 'Creating...',
      tone: 'primary',
      successText: '',
      failureText: 'Failed to create a reset link',
    },
  }
}

export function UserActions({ user, isCurrentUser }: { user: PlatformUserDetails; isCurrentUser: boolean }) {
  const queryClient = useQueryClient()
  const reasonId = useId()
  const [pendingAction, setPendingAction] = useState<AccountAction>()
  const { showNotice, noticeBanner } = useNotice('mb-3')
  const [createdLink, setCreatedLink] = useState<{ link: string; roles: readonly string[] }>()
  // Granting a role invalidates earlier links.
  const link = user.platformRoles.every((role) => createdLink?.roles.includes(role)) ? createdLink?.link : undefined
  const dialogs = getActionDialogs(getPersonName(user), user.deletesAt !== null)
  const dialog = pendingAction && dialogs[pendingAction]

  const refresh = () => queryClient.invalidateQueries({ queryKey: administrationKey })

  async function runAction() {
    if (!pendingAction) return
    const input = { params: { id: user.id } }
    if (pendingAction === 'resetLink')
      setCreatedLink({ link: (await call(administration.resetLink, input)).link, roles: user.platformRoles })
    else {
      const endpoints = {
        signOut: administration.signOutEverywhere,
        deactivate: administration.deactivate,
        reactivate: administration.reactivate,
        removeSecondFactor: administration.removeSecondFactor,
      }
      await call(endpoints[pendingAction], input)
      setCreatedLink(undefined)
      showNotice('success', dialogs[pendingAction].successText)
    }
    await refresh()
  }

  return (
    <DrawerSection title="Actions">
      {noticeBanner}
      {!user.mayAct && (
        <p className="mb-2 text-ui text-muted-foreground">
          {isCurrentUser
            ? 'This is your own account. Sign out or delete it under Profile.'
            : 'This account has permissions that yours doesn’t. Ask a super-admin to manage it.'}
        </p>
      )}
      <div className="flex flex-wrap gap-2">
        {user.mayAct && (
          <>
            <Button size="small" icon={<LogOut aria-hidden size={14} />} onClick={() => setPendingAction('signOut')}>
              Sign out everywhere
            </Button>
            {!user.deactivatedAt && (
              <Button
                size="small"
                icon={<KeyRound aria-hidden size={14} />}
                onClick={() => setPendingAction('resetLink')}
              >
                Reset link
              </Button>
            )}
          </>
        )}
        {user.mayAct && user.hasSecondFactor && (
          <Button
            size="small"
            icon={<Smartphone aria-hidden size={14} />}
            onClick={() => setPendingAction('removeSecondFactor')}
          >
            Turn off codes
          </Button>
        )}
        <DownloadButton
          size="small"
          endpoint={administration.exportUser}
          input={{ params: { id: user.id } }}
          fallbackName="keeper-account.json"
          onSaved={refresh}
          onFailed={(reason) => showNotice('error', toAdminFailureText(reason, 'Failed to export data'))}
        >
          Export data
        </DownloadButton>
        {user.mayAct &&
          (user.deactivatedAt ? (
            <Button
              size="small"
              icon={<UserCheck aria-hidden size={14} />}
              onClick={() => setPendingAction('reactivate')}
            >
              Reactivate
            </Button>
          ) : (
            <Button
              size="small"
              variant="danger"
              icon={<UserX aria-hidden size={14} />}
              disabled={user.lastSuperAdmin}
              aria-describedby={user.lastSuperAdmin ? reasonId : undefined}
              onClick={() => setPendingAction('deactivate')}
            >
              Deactivate
            </Button>
          ))}
      </div>
      {user.mayAct && user.lastSuperAdmin && !user.deactivatedAt && (
        <p id={reasonId} className="mt-2 text-small text-muted-foreground">
          This is the last super-admin, so the account can’t be deactivated. Grant the role to someone else first.
        </p>
      )}
      {link && (
        <div className="mt-3 flex items-end gap-2">
          <TextField
            className="flex-1"
            label="Reset link"
            help="Works once, for an hour. Share it only with this person."
            readOnly
            mono
            value={link}
            onFocus={(event) => event.currentTarget.select()}
            end={<CopyButton text={link} label="Copy the reset link" />}
          />
        </div>
      )}
      <ConfirmDialog
        open={dialog !== undefined}
        onOpenChange={(isOpen) => !isOpen && setPendingAction(undefined)}
        title={dialog?.title ?? ''}
        confirmLabel={dialog?.confirmLabel ?? ''}
        busyLabel={dialog?.busyLabel}
        tone={dialog?.tone}
        onConfirm={runAction}
        formatError={(reason) => toAdminFailureText(reason, dialog?.failureText ?? '')}
      >
        {dialog?.text}
      </ConfirmDialog>
    </DrawerSection>
  )
}
