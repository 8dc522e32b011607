import { useMutation } from '@tanstack/react-query'
import { Download, Square } from 'lucide-react'
import { transfer } from '#contract/keepers/transfer.ts'
import { formatDownloadResult, useDownload } from '#web/files/use-download.ts'
import { QueryError } from '#web/queries/query-error.tsx'
import { Button } from '#web/ui/controls/button.tsx'
import { LinkButton } from '#web/ui/controls/link-button.tsx'
import { Cover } from '#web/ui/drawings/cover.tsx'
import { BackLink, PageHeader } from '#web/ui/panels/page-header.tsx'
import { Skeleton } from '#web/ui/panels/skeleton.tsx'
import { pluralize } from '#web/ui/text/pluralize.ts'
import { newKeeperPath } from '../keeper-addresses.ts'
import { useKeepers } from '../keeper-queries.ts'
import { ImportSection } from './import-section.tsx'

export function TransferPage() {
  return (
    <>
      <PageHeader
        title="Export and import"
        subtitle="Everything you keep is yours to take with you, in files you can read without Keeper."
        actions={<BackLink to="/keeper">Back to Keepers</BackLink>}
      />
      <div className="grid grid-cols-2 items-start gap-x-10 gap-y-10 max-[1100px]:grid-cols-1">
        <ExportSection />
        <ImportSection />
      </div>
    </>
  )
}

const allKeepers = 'all'

function ExportSection() {
  const query = useKeepers()
  const { data: keepers, isPending } = query
  const { startDownload, stop, progressText } = useDownload()
  const exportArchive = useMutation({
    mutationFn: (id: string) =>
      id === allKeepers
        ? startDownload(transfer.exportAll, {}, 'keepers.zip')
        : startDownload(transfer.exportKeeper, { params: { id } }, 'keeper.zip'),
  })
  const exportingId = exportArchive.isPending ? exportArchive.variables : undefined

  return (
    <section aria-labelledby="take-out">
      <h2 id="take-out">Export</h2>
      <p className="mt-1 mb-4 text-muted-foreground">
        A zip with readable Markdown, your media, and keeper.json to import it again. Deleted entries and earlier
        versions aren’t included.
      </p>
      {isPending && <Skeleton className="h-28" />}
      <QueryError query={query} title="Failed to load keepers">
        Nothing you wrote is affected.
      </QueryError>
      {keepers?.length === 0 && (
        <p className="flex flex-wrap items-center gap-3 text-muted-foreground">
          You have no keeper yet.
          <LinkButton to={newKeeperPath}>New Keeper</LinkButton>
        </p>
      )}
      {keepers && keepers.length > 0 && (
        <>
          <ul className="mb-4 border-y border-border">
            {keepers.map(({ id, title, entryCount }) => (
              <li
                key={id}
                data-item
                className="flex items-center gap-3 border-b border-hairline py-2.5 last:border-b-0"
              >
                <Cover seed={id} width={30} height={40} />
                <span className="min-w-0 flex-1">
                  <span dir="auto" className="line-clamp-2 font-serif text-[1.0625rem] wrap-anywhere">
                    {title}
                  </span>
                  <span className="block text-small text-muted-foreground tabular-nums">
                    {(exportingId === id && progressText) ||
                      (entryCount !== undefined && pluralize(entryCount, 'entry', 'entries'))}
                  </span>
                </span>
                <Button
                  size="small"
                  aria-label={`Export ${title}`}
                  busy={exportingId === id}
                  busyLabel="Preparing..."
                  disabled={exportingId !== undefined && exportingId !== id}
                  icon={<Download aria-hidden size={14} />}
                  onClick={() => exportArchive.mutate(id)}
                >
                  Export
                </Button>
                {exportingId === id && <StopButton onClick={stop} />}
              </li>
            ))}
          </ul>
          {keepers.length > 1 && (
            <div className="flex flex-wrap items-center gap-3">
              <Button
                busy={exportingId === allKeepers}
                busyLabel="Preparing..."
                disabled={exportingId !== undefined && exportingId !== allKeepers}
                icon={<Download aria-hidden size={15} />}
                onClick={() => exportArchive.mutate(allKeepers)}
              >
                Export everything
              </Button>
              {exportingId === allKeepers && (
                <>
                  <StopButton onClick={stop} />
                  <span className="text-small text-muted-foreground tabular-nums">{progressText}</span>
                </>
              )}
            </div>
          )}
        </>
      )}
      <p role="status" className="mt-3 text-ui text-muted-foreground empty:hidden">
        {formatDownloadResult(exportArchive)}
      </p>
    </section>
  )
}

function StopButton({ onClick }: { onClick: () => void }) {
  return (
    <Button size="small" variant="plain" icon={<Square aria-hidden size={12} />} onClick={onClick}>
      Stop
    </Button>
  )
}
