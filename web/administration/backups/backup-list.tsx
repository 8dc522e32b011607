import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Download, MoreHorizontal, RotateCcw, ShieldCheck, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { type Backup, backups } from '#contract/administration/backups.ts'
import { call } from '#web/api/api.ts'
import { formatDownloadResult, useDownload } from '#web/files/use-download.ts'
import { Button } from '#web/ui/controls/button.tsx'
import { IconButton } from '#web/ui/controls/icon-button.tsx'
import { ConfirmDialog } from '#web/ui/overlays/confirm-dialog.tsx'
import { Menu, MenuItem } from '#web/ui/overlays/menu.tsx'
import { Badge } from '#web/ui/panels/badge.tsx'
import { Banner } from '#web/ui/panels/banner.tsx'
import { Card } from '#web/ui/panels/card.tsx'
import { type Column, Table } from '#web/ui/panels/table.tsx'
import { formatSize } from '#web/ui/text/format-size.ts'
import { formatTime } from '#web/ui/text/format-time.ts'
import { Time } from '#web/ui/text/time.tsx'
import { backupsKey } from '../admin-queries.ts'
import { backupKindLabels, backupProblemTexts, formatContents } from './backup-texts.ts'
import { RestoreDialog } from './restore-dialog.tsx'

interface BackupListProps {
  backups: readonly Backup[]
  total: number
  /** While a job runs, no other can start. */
  isBusy: boolean
  /** Only super-admins can download and restore backups. */
  isSuperAdmin: boolean
  canRestoreHere: boolean
  onRestoring: () => void
}

const columns: Column<Backup>[] = [
  {
    id: 'made',
    header: 'Made',
    rowHeader: true,
    cell: (backup) => (
      <>
        <Time value={backup.made_at} timeStyle="date-time" className="font-medium" />
        <span className="block text-small text-muted-foreground">
          {backupKindLabels[backup.kind]}
          <span className="desk:hidden">, {formatSize(backup.bytes)}</span>
        </span>
        <span className="mt-1 block desk:hidden">
          <BackupState backup={backup} />
        </span>
      </>
    ),
  },
  { id: 'size', header: 'Size', numeric: true, wideOnly: true, cell: ({ bytes }) => formatSize(bytes) },
  {
    id: 'contents',
    header: 'Contents',
    wideOnly: true,
    className: 'text-muted-foreground',
    cell: formatContents,
  },
  { id: 'state', header: 'Check', wideOnly: true, cell: (backup) => <BackupState backup={backup} /> },
]

function BackupState({ backup }: { backup: Backup }) {
  const { check } = backup
  const problem = backup.problem ?? check?.problem
  if (problem)
    return (
      <span className="text-small">
        <Badge tone="destructive">Unusable</Badge> {backupProblemTexts[problem]}
      </span>
    )
  if (!check) return <span className="text-small text-muted-foreground">Not checked yet</span>
  return (
    <span className="text-small">
      <Badge tone="success">Intact</Badge>{' '}
      <span className="text-muted-foreground">
        checked <Time value={check.checked_at} timeStyle="date-time" />
      </span>
    </span>
  )
}

export function BackupList({
  backups: list,
  total,
  isBusy,
  isSuperAdmin,
  canRestoreHere,
  onRestoring,
}: BackupListProps) {
  const queryClient = useQueryClient()
  const [backupToDelete, setBackupToDelete] = useState<Backup>()
  const [backupToRestore, setBackupToRestore] = useState<Backup>()
  const { startDownload, stop, progressText } = useDownload()
  const refresh = () => queryClient.invalidateQueries({ queryKey: backupsKey })
  const check = useMutation({
    mutationFn: (id: string) => call(backups.check, { params: { id } }),
    onSettled: refresh,
  })
  const download = useMutation({
    mutationFn: ({ id }: Backup) => startDownload(backups.download, { params: { id } }, `${id}.zip`),
  })
  const failure = check.error ?? download.error
  const getName = ({ made_at }: Backup) => `the backup of ${formatTime(made_at, 'date-time')}`

  return (
    <>
      {failure && (
        <Banner tone="error" className="mb-3.5">
          {failure.message}
        </Banner>
      )}
      {download.isPending && (
        <Banner
          tone="info"
          className="mb-3.5"
          action={
            <Button size="small" variant="plain" onClick={stop}>
              Stop
            </Button>
          }
        >
          Downloading. {progressText}
        </Banner>
      )}
      {download.isSuccess && (
        <Banner tone="success" className="mb-3.5">
          {formatDownloadResult(download)}
        </Banner>
      )}
      <Card padded={false} className="overflow-clip">
        <Table
          label="Backups"
          columns={columns}
          rows={list}
          rowKey={({ id }) => id}
          rowActions={(backup) => (
            <Menu
              trigger={
                <IconButton label={`Actions for ${getName(backup)}`} size="small">
                  <MoreHorizontal aria-hidden size={15} />
                </IconButton>
              }
            >
              <MenuItem
                icon={<ShieldCheck aria-hidden size={15} />}
                disabled={isBusy}
                onSelect={() => check.mutate(backup.id)}
              >
                Check
              </MenuItem>
              {isSuperAdmin && (
                <>
                  <MenuItem
                    icon={<Download aria-hidden size={15} />}
                    disabled={download.isPending}
                    onSelect={() => download.mutate(backup)}
                  >
                    Download
                  </MenuItem>
                  <MenuItem
                    icon={<RotateCcw aria-hidden size={15} />}
                    disabled={isBusy || backup.problem !== null}
                    onSelect={() => setBackupToRestore(backup)}
                  >
                    Restore…
                  </MenuItem>
                </>
              )}
              <MenuItem danger icon={<Trash2 aria-hidden size={15} />} onSelect={() => setBackupToDelete(backup)}>
                Delete…
              </MenuItem>
            </Menu>
          )}
        />
        {total > list.length && (
          <p className="border-t border-hairline px-3 py-2 text-small text-muted-foreground">
            The newest {list.length} of {total}
          </p>
        )}
      </Card>
      <ConfirmDialog
        open={backupToDelete !== undefined}
        onOpenChange={(open) => !open && setBackupToDelete(undefined)}
        title={backupToDelete ? `Delete ${getName(backupToDelete)}?` : ''}
        confirmLabel="Delete"
        busyLabel="Deleting..."
        onConfirm={async () => {
          if (backupToDelete) await call(backups.remove, { params: { id: backupToDelete.id } })
          await refresh()
        }}
      >
        It can’t be brought back. The data of this server and other backups stay as they are.
      </ConfirmDialog>
      {backupToRestore && (
        <RestoreDialog
          backup={list.find(({ id }) => id === backupToRestore.id) ?? backupToRestore}
          canRestoreHere={canRestoreHere}
          onClose={() => setBackupToRestore(undefined)}
          onStarted={() => {
            setBackupToRestore(undefined)
            onRestoring()
          }}
        />
      )}
    </>
  )
}
