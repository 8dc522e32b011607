import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { type ForeignImportKind, type ImportJob, type ImportPreview, transfer } from '#contract/keepers/transfer.ts'
import { call } from '#web/api/api.ts'
import { Button } from '#web/ui/controls/button.tsx'
import { LinkButton } from '#web/ui/controls/link-button.tsx'
import { SelectField } from '#web/ui/fields/select-field.tsx'
import { ConfirmDialog } from '#web/ui/overlays/confirm-dialog.tsx'
import { Badge } from '#web/ui/panels/badge.tsx'
import { Card } from '#web/ui/panels/card.tsx'
import { ProgressBar } from '#web/ui/panels/progress-bar.tsx'
import { formatTime } from '#web/ui/text/format-time.ts'
import { pluralize } from '#web/ui/text/pluralize.ts'
import { getDashboardPath } from '../keeper-addresses.ts'
import { useKeepers } from '../keeper-queries.ts'

const stateBadges: Record<ImportJob['state'], { label: string; tone: 'info' | 'warning' | 'success' | 'destructive' }> =
  {
    uploaded: { label: 'Uploaded', tone: 'info' },
    reading: { label: 'Reading', tone: 'info' },
    previewed: { label: 'Ready to import', tone: 'warning' },
    running: { label: 'Importing', tone: 'info' },
    done: { label: 'Done', tone: 'success' },
    failed: { label: 'Stopped', tone: 'destructive' },
    cancelled: { label: 'Canceled', tone: 'warning' },
    undone: { label: 'Undone', tone: 'warning' },
  }

const nothingNewBadge = { label: 'Nothing new', tone: 'info' } as const

type ImportAction = 'choose' | 'begin' | 'cancel' | 'undo'

export function ImportCard({ job }: { job: ImportJob }) {
  const queryClient = useQueryClient()
  const { data: keepers } = useKeepers()
  const [isConfirming, setIsConfirming] = useState(false)
  const needsKeeper = job.kind !== 'keeper-zip'
  const canUndo = job.undoableUntil !== null && Date.parse(job.undoableUntil) > Date.now()
  const isAwaitingDecision = job.state === 'previewed' || job.state === 'failed'
  const isReading = job.state === 'uploaded' || job.state === 'reading'
  const isFirstReading = isReading && job.preview === null
  // The keeper can't change once part of the archive is imported.
  const canChooseKeeper = needsKeeper && (isAwaitingDecision ? job.done === 0 : isReading && job.keeperId !== null)
  const isBroken = job.state === 'cancelled' && job.error !== null
  const hasNothingNew =
    job.state === 'previewed' && job.preview !== null && job.total === 0 && (!needsKeeper || job.keeperId !== null)
  const decisionLabel = hasNothingNew ? 'Dismiss' : 'Cancel'
  const cancelLabel = isAwaitingDecision ? decisionLabel : 'Stop'
  const visibleState = isBroken ? 'failed' : job.state
  const { label, tone } = hasNothingNew ? nothingNewBadge : stateBadges[visibleState]

  const runAction = useMutation({
    async mutationFn({ action, keeperId = '' }: { action: ImportAction; keeperId?: string }) {
      const params = { jobId: job.id }
      if (action === 'cancel') await call(transfer.cancel, { params })
      else if (action === 'choose') await call(transfer.chooseKeeper, { params, body: { keeperId } })
      else if (action === 'undo') await call(transfer.undo, { params })
      else await call(transfer.begin, { params, body: {} })
      await queryClient.invalidateQueries({ queryKey: ['imports'] })
    },
  })
  const pendingAction = runAction.isPending ? runAction.variables.action : undefined

  return (
    <Card>
      <div className="flex flex-wrap items-center gap-x-2.5 gap-y-1">
        <h3 className="min-w-0 truncate text-[1.0625rem]">{job.fileName}</h3>
        <Badge tone={tone}>{label}</Badge>
        <span className="text-small text-muted-foreground">
          {job.kind === 'keeper-zip' ? 'Keeper archive' : exportGuides[job.kind].name}
        </span>
      </div>
      {job.preview && <ImportPreviewSummary preview={job.preview} />}
      {job.error && <p className="mt-2 text-ui font-medium text-destructive">{job.error}</p>}
      {job.state === 'running' && (
        <ProgressBar
          label={`Importing ${job.fileName}`}
          value={job.done}
          max={job.total}
          valueText={`${job.done} of ${job.total}`}
          className="mt-3"
        />
      )}
      {canChooseKeeper && (
        <SelectField
          label="Import into"
          value={job.keeperId ?? ''}
          placeholder="Choose a keeper"
          help="Entries already in that keeper are skipped."
          // Disabling it would take focus away from keyboard users.
          aria-disabled={pendingAction !== undefined || !isAwaitingDecision || undefined}
          onChange={(event) => {
            if (pendingAction === undefined && isAwaitingDecision)
              runAction.mutate({ action: 'choose', keeperId: event.currentTarget.value })
          }}
          options={(keepers ?? []).map(({ id, title }) => ({ value: id, label: title }))}
          className="mt-3"
        />
      )}
      <div className="mt-3 flex flex-wrap items-center gap-2 empty:hidden">
        {isAwaitingDecision && !hasNothingNew && (
          <Button
            variant="primary"
            size="small"
            busy={pendingAction === 'begin'}
            disabled={
              (needsKeeper && job.keeperId === null) || pendingAction === 'cancel' || pendingAction === 'choose'
            }
            onClick={() => runAction.mutate({ action: 'begin' })}
          >
            {job.state === 'failed' ? 'Resume' : 'Import'}
          </Button>
        )}
        {(isAwaitingDecision || isFirstReading || job.state === 'running') && (
          <Button
            size="small"
            busy={pendingAction === 'cancel'}
            disabled={pendingAction === 'begin' || pendingAction === 'choose'}
            onClick={() => runAction.mutate({ action: 'cancel' })}
          >
            {cancelLabel}
          </Button>
        )}
        {job.state === 'done' && job.keeperId && (
          <LinkButton size="small" to={getDashboardPath(job.keeperId)}>
            Open the keeper
          </LinkButton>
        )}
        {canUndo && (
          <Button size="small" variant="plain" busy={pendingAction === 'undo'} onClick={() => setIsConfirming(true)}>
            Undo import
          </Button>
        )}
      </div>
      <p role="alert" className="mt-2 text-ui font-medium text-destructive empty:hidden">
        {runAction.error?.message}
      </p>
      <ConfirmDialog
        open={isConfirming}
        onOpenChange={setIsConfirming}
        title="Undo this import?"
        confirmLabel="Undo import"
        busyLabel="Undoing..."
        onConfirm={() => runAction.mutateAsync({ action: 'undo' }).catch(() => undefined)}
      >
        Everything it added moves to Recently deleted for 30 days. Entries you’ve changed since then stay.
      </ConfirmDialog>
    </Card>
  )
}

function ImportPreviewSummary({ preview }: { preview: ImportPreview }) {
  const { parts, entries, duplicates, media, missingMedia, drafts, from, to, notes, moreNotes = 0 } = preview
  const details = [
    pluralize(entries, 'entry', 'entries'),
    duplicates > 0 && `${pluralize(duplicates, 'duplicate')} skipped`,
    media > 0 && pluralize(media, 'file'),
    missingMedia > 0 && `${pluralize(missingMedia, 'file is', 'files are')} missing from the archive`,
    drafts > 0 && `${pluralize(drafts, 'memory is waiting', 'memories are waiting')} for approval`,
  ].filter(Boolean)
  return (
    <div className="mt-1.5 text-ui">
      <p>{parts.map(({ title }) => title).join(', ')}</p>
      <p className="text-muted-foreground">
        {details.join(', ')}
        {from && to && ` · ${formatRange(from, to)}`}
      </p>
      {notes.length > 0 && (
        <ul className="mt-1 list-disc ps-5 text-small text-muted-foreground">
          {notes.map((note) => (
            <li key={note}>{note}</li>
          ))}
          {moreNotes > 0 && <li>And {moreNotes.toLocaleString('en-US')} more.</li>}
        </ul>
      )}
    </div>
  )
}

function formatRange(from: string, to: string): string {
  const [first, last] = [formatTime(from), formatTime(to)]
  return first === last ? first : `${first} to ${last}`
}

interface ExportGuide {
  name: string
  steps: string
}

/** Instructions for exporting from each app. */
const exportGuides: Record<ForeignImportKind, ExportGuide> = {
  'day-one': {
    name: 'Day One',
    steps: 'Open Settings, Import/Export, Export, and choose JSON. Keep the zip as it is.',
  },
  'apple-journal': {
    name: 'Apple Journal',
    steps: 'On your iPhone, open Settings, Apps, Journal, Export All Entries. Choose the folder here, or a zip of it.',
  },
  chatgpt: {
    name: 'ChatGPT',
    steps:
      'Open Settings, Data controls, Export data. The link can take up to 7 days to arrive by email and works for 24 hours. Conversations become sources: no agent reads them, and nothing in them is memory until you keep it.',
  },
  claude: {
    name: 'Claude',
    steps:
      'Open Settings, Privacy, Export data. The link arrives by email. Conversations become sources, as with ChatGPT.',
  },
  markdown: {
    name: 'Obsidian, Logseq or a Markdown folder',
    steps: 'Choose the folder of your vault or graph, or a zip of it. Attachments and links between notes come along.',
  },
  notion: {
    name: 'Notion',
    steps: 'Open Settings, General, Export all workspace content, and choose Markdown & CSV or HTML with subpages.',
  },
  'google-keep': {
    name: 'Google Keep',
    steps: 'On takeout.google.com, deselect all, select Keep, and export as .zip.',
  },
  daylio: {
    name: 'Daylio',
    steps:
      'Open More, Backup & Restore, Advanced options, Export, and choose the .daylio file. A CSV export has no pictures.',
  },
  diarium: {
    name: 'Diarium',
    steps: 'Open Settings, Export, choose JSON, and pack the file with its media into a zip.',
  },
  journiv: { name: 'Journiv', steps: 'Open Settings, Export, and choose the full export as a zip.' },
  memos: {
    name: 'memos',
    steps:
      'memos has no export file. Import notes from your server below, or save the responses of /api/v1/memos as .json files and choose them together with the attachments.',
  },
}

/** Keeper recognizes each format by its content. */
export function ExportGuideList() {
  return (
    <details className="mb-4 rounded-md border border-border bg-card px-4 py-2.5">
      <summary className="tap-area cursor-pointer text-ui font-medium">Where do I find my export?</summary>
      <dl className="mt-2 grid gap-2.5 text-ui">
        {Object.entries(exportGuides).map(([kind, { name, steps }]) => (
          <div key={kind}>
            <dt className="font-medium">{name}</dt>
            <dd className="text-muted-foreground">{steps}</dd>
          </div>
        ))}
      </dl>
    </details>
  )
}
