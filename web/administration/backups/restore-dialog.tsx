import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useEffectEvent, useState } from 'react'
import { type Backup, type BackupJob, backups, type RestorePreview } from '#contract/administration/backups.ts'
import { ApiError, call } from '#web/api/api.ts'
import { TextField } from '#web/ui/fields/text-field.tsx'
import { Dialog } from '#web/ui/overlays/dialog.tsx'
import { FormDialog } from '#web/ui/overlays/form-dialog.tsx'
import { Banner } from '#web/ui/panels/banner.tsx'
import { LoadingText } from '#web/ui/panels/loading-text.tsx'
import { ProgressBar } from '#web/ui/panels/progress-bar.tsx'
import { Table } from '#web/ui/panels/table.tsx'
import { formatSize } from '#web/ui/text/format-size.ts'
import { formatTime } from '#web/ui/text/format-time.ts'
import { backupsKey, restorePreviewKey, useBackupOverview } from '../admin-queries.ts'
import { backupProblemTexts, entityLabels } from './backup-texts.ts'

interface RestoreDialogProps {
  backup: Backup
  canRestoreHere: boolean
  onClose: () => void
  onStarted: () => void
}

/** Checks the whole backup first, then shows the data that would be lost. */
export function RestoreDialog({ backup, canRestoreHere, onClose, onStarted }: RestoreDialogProps) {
  const title = `Restore the backup of ${formatTime(backup.made_at, 'date-time')}`
  const dialogProps = { open: true, onOpenChange: (open: boolean) => !open && onClose(), title }
  if (!canRestoreHere)
    return (
      <Dialog {...dialogProps}>
        <p className="text-ui">
          This server can’t restore while it runs, because every process of Keeper has to stop first. On the server:
        </p>
        <ol className="mt-3 list-decimal space-y-2 ps-5 text-ui">
          <li>Stop every process of Keeper.</li>
          <li>
            Run this with the same settings as Keeper, above all <code>DATABASE_URL</code>, and with the data folder in
            place of <code>data</code>. In a release or a container it is <code>node keeper.js restore</code>:
            <pre className="mt-2 overflow-x-auto rounded-md bg-muted px-3 py-2 text-small">
              npm run restore -- data/backups/{backup.id}
            </pre>
          </li>
          <li>Start Keeper again.</li>
        </ol>
        <p className="mt-3 text-ui text-muted-foreground">
          The command checks the backup, backs up the current data as <code>before-restore-…</code>, and names the
          database it restored. If it fails, nothing changes.
        </p>
      </Dialog>
    )
  return <CheckedRestore backup={backup} title={title} onClose={onClose} onStarted={onStarted} />
}

interface CheckedRestoreProps extends Omit<RestoreDialogProps, 'canRestoreHere'> {
  title: string
}

function CheckedRestore({ backup, title, onClose, onStarted }: CheckedRestoreProps) {
  const queryClient = useQueryClient()
  const { data: overview } = useBackupOverview()
  const check = useMutation({
    mutationFn: () => call(backups.check, { params: { id: backup.id } }),
    onSettled: () => queryClient.invalidateQueries({ queryKey: backupsKey }),
  })
  const startCheck = useEffectEvent(() => check.mutate())
  useEffect(() => startCheck(), [])
  const job = check.data && findJob(overview, check.data.id)
  const isChecked = job !== undefined && job.status !== 'running'
  const problem = isChecked ? (job.problem ?? backup.check?.problem ?? null) : null
  const preview = useQuery({
    queryKey: restorePreviewKey(backup.id, check.data?.id),
    queryFn: ({ signal }) => call(backups.previewRestore, { params: { id: backup.id }, signal }),
    enabled: isChecked && problem === null,
  })
  const dialogProps = { open: true, onOpenChange: (open: boolean) => !open && onClose(), title }
  const failure = check.error?.message ?? (problem && backupProblemTexts[problem]) ?? preview.error?.message
  if (failure)
    return (
      <Dialog {...dialogProps}>
        <Banner tone="error">This backup can’t be restored. {failure} Nothing was changed.</Banner>
      </Dialog>
    )
  if (!preview.data)
    return (
      <Dialog {...dialogProps} description="Before anything changes, the whole backup is checked.">
        {job ? (
          <ProgressBar
            label="Checking the backup"
            value={job.done_bytes}
            max={job.total_bytes}
            valueText={`${formatSize(job.done_bytes)} of ${formatSize(job.total_bytes)}`}
          />
        ) : (
          <LoadingText />
        )}
      </Dialog>
    )
  return <ConfirmRestore preview={preview.data} title={title} onClose={onClose} onStarted={onStarted} />
}

const findJob = (
  overview: { running: BackupJob | null; recent: BackupJob[] } | undefined,
  id: string,
): BackupJob | undefined =>
  overview?.running?.id === id ? overview.running : overview?.recent.find((job) => job.id === id)

interface ConfirmRestoreProps {
  preview: RestorePreview
  title: string
  onClose: () => void
  onStarted: () => void
}

function ConfirmRestore({ preview, title, onClose, onStarted }: ConfirmRestoreProps) {
  const { backup, counts, host, sealed, space } = preview
  const [typedHost, setTypedHost] = useState('')
  const restore = useMutation({
    mutationFn: () => call(backups.restore, { params: { id: backup.id }, body: { host: typedHost } }),
    onSuccess: onStarted,
  })
  const fieldError = restore.error instanceof ApiError ? restore.error.fields?.host : undefined
  const lacksSpace = space.free_bytes < space.needed_bytes
  const unreadableCount = sealed.total - sealed.readable
  return (
    <FormDialog
      title={title}
      size="large"
      onClose={onClose}
      tone="danger"
      submitLabel="Replace all data"
      busyLabel="Starting..."
      busy={restore.isPending}
      disabled={lacksSpace || typedHost.trim().toLowerCase() !== host}
      locksWhileBusy
      form={{
        onSubmit: (event) => {
          event.preventDefault()
          restore.mutate()
        },
      }}
    >
      <div className="flex flex-col gap-4 text-ui">
        <p>
          The backup is intact. A restore replaces everything on this server, for everyone, with its state of{' '}
          {formatTime(backup.made_at, 'date-time')}. Everything written, changed or deleted since then is undone,
          including changes to passwords, roles and settings.
        </p>
        <Table
          label="What would change"
          isEmbedded
          rows={counts.filter(({ now, in_backup }) => now + in_backup > 0)}
          rowKey={({ entity }) => entity}
          columns={[
            { id: 'entity', header: 'Kind', rowHeader: true, cell: ({ entity }) => entityLabels[entity] },
            { id: 'now', header: 'Now', numeric: true, cell: ({ now }) => now.toLocaleString('en-US') },
            {
              id: 'backup',
              header: 'In the backup',
              numeric: true,
              cell: ({ in_backup }) => in_backup.toLocaleString('en-US'),
            },
            {
              id: 'lost',
              header: 'Would be lost',
              numeric: true,
              cell: ({ created_since }) => (
                <span className={created_since > 0 ? 'font-medium text-destructive' : undefined}>
                  {created_since.toLocaleString('en-US')}
                </span>
              ),
            },
          ]}
        />
        {!backup.has_media && <p>This backup holds only the database. Pictures and recordings stay as they are.</p>}
        {unreadableCount > 0 && (
          <Banner tone="warning">
            {unreadableCount} of {sealed.total} stored keys can’t be opened with this server’s master key. They have to
            be entered again.
          </Banner>
        )}
        {lacksSpace ? (
          <Banner tone="error">
            A restore needs {formatSize(space.needed_bytes)} free on the server’s disk, and{' '}
            {formatSize(space.free_bytes)} are free. Delete old backups or free some space.
          </Banner>
        ) : (
          <p>
            First, the current data is saved as another backup. Then Keeper is unavailable for a few minutes and
            restarts. After that, everyone has to sign in again. If something fails, the current data comes back
            untouched.
          </p>
        )}
        {restore.error && !fieldError && <Banner tone="error">{restore.error.message}</Banner>}
        <TextField
          label={
            <>
              Type <span className="font-mono">{host}</span> to confirm
            </>
          }
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          value={typedHost}
          error={fieldError}
          onChange={({ currentTarget }) => setTypedHost(currentTarget.value)}
        />
      </div>
    </FormDialog>
  )
}
