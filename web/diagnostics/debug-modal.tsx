import { useSyncExternalStore } from 'react'
import { useLocation } from 'react-router'
import type { User } from '#contract/accounts/accounts.ts'
import { getRecentCalls, type JournalEntry, onJournalChange } from '#web/api/api-journal.ts'
import { viewModeNames } from '#web/page/view-mode.ts'
import { useViewMode } from '#web/page/view-mode-provider.tsx'
import { useTheme } from '#web/themes/base/theme-provider.tsx'
import { CopyButton } from '#web/ui/controls/copy-button.tsx'
import { LinkButton } from '#web/ui/controls/link-button.tsx'
import { classNames } from '#web/ui/hooks/class-names.ts'
import { Dialog } from '#web/ui/overlays/dialog.tsx'
import { DetailList } from '#web/ui/panels/detail-list.tsx'
import { Table } from '#web/ui/panels/table.tsx'
import { getLastConsoleErrors } from './console-journal.ts'
import { formatInformation, formatUser, getServedVersion } from './system-information.ts'

const hasFailed = ({ status }: JournalEntry) => !(status && status < 400)

function CallTable({ calls }: { calls: readonly JournalEntry[] }) {
  if (calls.length === 0) return <p className="text-ui text-muted-foreground">No API calls yet.</p>
  return (
    <Table
      isEmbedded
      label="Last API calls"
      rows={calls}
      rowKey={(call) => `${call.at}${call.path}${call.durationMs}`}
      columns={[
        {
          id: 'call',
          header: 'Call',
          rowHeader: true,
          cell: (call) => (
            <span className="font-mono text-code whitespace-nowrap">
              {call.method} {call.path}
              {hasFailed(call) && call.requestId && (
                <span className="block text-muted-foreground">Request {call.requestId}</span>
              )}
            </span>
          ),
        },
        {
          id: 'status',
          header: 'Status',
          numeric: true,
          cell: (call) => (
            <span className={classNames(hasFailed(call) && 'font-semibold text-destructive')}>
              {call.status ?? 'none'}
            </span>
          ),
        },
        {
          id: 'ms',
          header: 'Time',
          numeric: true,
          cell: (call) => <span className="whitespace-nowrap">{call.durationMs} ms</span>,
        },
      ]}
    />
  )
}

const maxListedCalls = 12
const maxListedErrors = 8

interface DebugModalProps {
  open: boolean
  onOpenChange: (open: boolean) => void
  user: User | null
}

export function DebugModal({ open, onOpenChange, user }: DebugModalProps) {
  const { mode } = useViewMode()
  const { slug, mode: themeMode } = useTheme()
  const { pathname } = useLocation()
  const calls = useSyncExternalStore(onJournalChange, getRecentCalls).slice(0, maxListedCalls)
  const errors = getLastConsoleErrors().slice(0, maxListedErrors)
  const information = {
    ...getServedVersion(),
    user: formatUser(user),
    mode: viewModeNames[mode],
    route: pathname,
    theme: `${slug}, ${themeMode}`,
    browser: navigator.userAgent,
    calls,
    errors,
  }
  const details: [string, string][] = [
    ['App version', information.version],
    ['Build', information.build],
    ['Signed in', information.user],
    ['Mode', information.mode],
    ['Route', information.route],
    ['Theme', information.theme],
  ]

  return (
    <Dialog
      open={open}
      onOpenChange={onOpenChange}
      size="large"
      title="System information"
      description="Technical details about this page. They don’t include anything you wrote."
      footer={
        <>
          <LinkButton to="/debug" variant="plain" onClick={() => onOpenChange(false)}>
            Open diagnostics
          </LinkButton>
          <CopyButton size="medium" variant="primary" text={() => formatInformation(information)}>
            Copy
          </CopyButton>
        </>
      }
    >
      <DetailList className="gap-x-6 gap-y-1.5" details={details} />
      <h3 className="mt-6 mb-1">Last API calls</h3>
      <CallTable calls={calls} />
      <h3 className="mt-6 mb-1.5">Last console errors</h3>
      {errors.length === 0 ? (
        <p className="text-ui text-muted-foreground">None on this page.</p>
      ) : (
        <ul className="flex flex-col gap-1.5">
          {errors.map(({ at, text }) => (
            <li key={`${at}${text}`} className="font-mono text-code wrap-anywhere">
              {text}
            </li>
          ))}
        </ul>
      )}
    </Dialog>
  )
}
