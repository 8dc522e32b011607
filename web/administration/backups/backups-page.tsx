import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { type BackupJob, type BackupOverview, backups } from '#contract/administration/backups.ts'
import { ApiError, call } from '#web/api/api.ts'
import { useAuth } from '#web/page/auth-context.tsx'
import { QueryState } from '#web/queries/query-error.tsx'
import { Button } from '#web/ui/controls/button.tsx'
import { LinkButton } from '#web/ui/controls/link-button.tsx'
import { Banner } from '#web/ui/panels/banner.tsx'
import { Card } from '#web/ui/panels/card.tsx'
import { EmptyPanel } from '#web/ui/panels/empty-panel.tsx'
import { PageHeader } from '#web/ui/panels/page-header.tsx'
import { ProgressBar } from '#web/ui/panels/progress-bar.tsx'
import { formatSize } from '#web/ui/text/format-size.ts'
import { Time } from '#web/ui/text/time.tsx'
import { backupsKey, isRestoring, toAdminFailureText, useBackupOverview } from '../admin-queries.ts'
import { CardSkeleton, PermissionGate } from '../permission-gate.tsx'
import { BackupList } from './backup-list.tsx'
import { formatOutcome, jobLabels } from './backup-texts.ts'
import { ScheduleForm } from './schedule-form.tsx'

const failure = {
  title: (reason: Error) => toAdminFailureText(reason, 'Failed to load the backups'),
  children: 'The backups themselves are safe.',
}

export function BackupsPage() {
  const [hasStartedRestore, setStartedRestore] = useState(false)
  if (hasStartedRestore) return <Restoring />
  return (
    <>
      <PageHeader
        title="Backups"
        subtitle="Copies of everything on this server, in its data folder."
        actions={<LinkButton to="/debug">Diagnostics</LinkButton>}
      />
      <PermissionGate
        permission="system_configuration"
        refusal="Your account can’t manage backups"
        failure={failure}
        skeleton={<CardSkeleton />}
      >
        <BackupManagement onRestoring={() => setStartedRestore(true)} />
      </PermissionGate>
    </>
  )
}

function BackupManagement({ onRestoring }: { onRestoring: () => void }) {
  const overview = useBackupOverview()
  const { access } = useAuth()
  if (isRestoring(overview.error) || overview.data?.running?.kind === 'restore') return <Restoring />
  const { data } = overview
  if (!data) return <QueryState query={overview} skeleton={<CardSkeleton />} {...failure} />
  return (
    <>
      <Outcome recent={data.recent} />
      <CreateCard overview={data} />
      <h2 className="mt-8 mb-4">Backups on this server</h2>
      {data.backups.length === 0 ? (
        <EmptyPanel drawing="path" title="No backups yet.">
          {data.schedule.next_at ? 'The schedule makes the first one.' : 'Make one now, or set a schedule.'}
        </EmptyPanel>
      ) : (
        <BackupList
          backups={data.backups}
          total={data.total}
          isBusy={data.running !== null}
          isSuperAdmin={access?.permissions.includes('manage_platform_roles') ?? false}
          canRestoreHere={data.restore === 'here'}
          onRestoring={onRestoring}
        />
      )}
      <p className="mt-3 max-w-[80ch] text-small text-muted-foreground">
        They are on the same disk as the data, so copy them to another machine too. A backup holds what everyone wrote,
        and isn’t encrypted. The master key isn’t in it.
      </p>
      <h2 className="mt-8 mb-4">Schedule</h2>
      <ScheduleForm schedule={data.schedule} />
    </>
  )
}

/** The last attempt, if it failed, was interrupted, or replaced the data. */
function Outcome({ recent }: { recent: BackupJob[] }) {
  const [job] = recent
  if (!job?.finished_at || (job.status === 'done' && job.kind !== 'restore')) return null
  return (
    <Banner tone={job.status === 'done' ? 'info' : 'warning'} className="mb-4">
      {formatOutcome(job)} <Time value={job.finished_at} timeStyle="date-time" className="text-muted-foreground" />
    </Banner>
  )
}

function CreateCard({ overview: { running, space } }: { overview: BackupOverview }) {
  const queryClient = useQueryClient()
  const create = useMutation({
    mutationFn: () => call(backups.create),
    onSettled: () => queryClient.invalidateQueries({ queryKey: backupsKey }),
  })
  const lacksSpace = space.free_bytes < space.needed_bytes
  const spaceText = `A backup needs ${formatSize(space.needed_bytes)} free on the server’s disk, and ${formatSize(space.free_bytes)} are free.`
  return (
    <Card className="flex flex-col gap-3">
      {create.error && !running && <Banner tone="error">{create.error.message}</Banner>}
      {running ? (
        <>
          <p role="status" className="text-ui">
            {running.is_scheduled ? 'The scheduled backup is being made' : jobLabels[running.kind]}. You can leave this
            page.
          </p>
          <ProgressBar
            label={jobLabels[running.kind]}
            value={running.done_bytes}
            max={running.total_bytes}
            valueText={`${formatSize(running.done_bytes)} of ${formatSize(running.total_bytes)}`}
          />
          <p className="text-small text-muted-foreground">
            {formatSize(Math.min(running.done_bytes, running.total_bytes))} of {formatSize(running.total_bytes)}
          </p>
        </>
      ) : (
        <div className="flex flex-wrap items-center justify-between gap-3">
          <p className="min-w-0 flex-1 basis-64 text-ui text-muted-foreground">
            {spaceText} {lacksSpace && 'Delete old backups or free some space.'}
          </p>
          <Button variant="primary" busy={create.isPending} disabled={lacksSpace} onClick={() => create.mutate()}>
            Back up now
          </Button>
        </div>
      )}
    </Card>
  )
}

const restorePollMs = 1_500

/** Polls until the server answers: signed out after a restore, or with the previous data after a failed one. */
function Restoring() {
  const queryClient = useQueryClient()
  useEffect(() => {
    const timer = setInterval(async () => {
      try {
        await call(backups.overview)
      } catch (reason) {
        // Signed out: the data was replaced.
        if (reason instanceof ApiError && reason.status === 401) location.assign('/login?next=/admin/backups')
        return
      }
      if (queryClient.getQueryData<BackupOverview>(backupsKey)?.running?.kind === 'restore')
        await queryClient.invalidateQueries({ queryKey: backupsKey })
      else location.reload()
    }, restorePollMs)
    return () => clearInterval(timer)
  }, [queryClient])
  return (
    <>
      <PageHeader title="Restoring a backup" subtitle="Keeper is unavailable until it is done." />
      <Card>
        <p role="status" className="text-ui">
          The current data is saved first, then it is replaced, and Keeper restarts. This takes a few minutes, more with
          many pictures. This page continues automatically once the server answers again. Sign in then.
        </p>
      </Card>
    </>
  )
}
