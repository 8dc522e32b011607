import { Download } from 'lucide-react'
import { useState } from 'react'
import { transfer } from '#contract/keepers/transfer.ts'
import { type FetchedFile, fetchFile } from '#web/api.ts'
import { saveFile } from '#web/save-file.ts'
import { Button } from '#web/ui/button.tsx'
import { counted } from '#web/ui/counted.ts'
import { Cover } from '#web/ui/drawings/cover.tsx'
import { ErrorPanel } from '#web/ui/error-panel.tsx'
import { LinkButton } from '#web/ui/link-button.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'
import { newKeeperAddress } from '../keeper-addresses.ts'
import { useKeepers } from '../keeper-queries.ts'

/** Each keeper, and all of them, as one zip. */
export function TakeOut() {
  const { data: keepers, error, isPending, refetch, isRefetching } = useKeepers()
  const [busy, setBusy] = useState<string>()
  const [told, setTold] = useState('')

  async function take(id: string, file: () => Promise<FetchedFile>) {
    setBusy(id)
    setTold('')
    try {
      const { blob, name } = await file()
      saveFile(blob, name ?? 'keeper.zip')
      setTold(`${name ?? 'The archive'} is in your downloads.`)
    } catch (reason) {
      setTold(reason instanceof Error ? reason.message : String(reason))
    } finally {
      setBusy(undefined)
    }
  }

  return (
    <section aria-labelledby="take-out">
      <h2 id="take-out">Take out</h2>
      <p className="mt-1 mb-4 text-muted-foreground">
        A zip with Markdown to read, your pictures and recordings, and keeper.json to bring it all in again. What lies
        in the bin stays out.
      </p>
      {isPending && <Skeleton className="h-28" />}
      {error && !keepers && (
        <ErrorPanel reason={error} title="Failed to load keepers" onRetry={() => refetch()} retrying={isRefetching}>
          Nothing you wrote is affected.
        </ErrorPanel>
      )}
      {keepers?.length === 0 && (
        <p className="flex flex-wrap items-center gap-3 text-muted-foreground">
          You have no keeper yet.
          <LinkButton to={newKeeperAddress}>New Keeper</LinkButton>
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
                  <span className="block truncate font-serif text-[17px]">{title}</span>
                  <span className="block text-small text-muted-foreground">
                    {counted(entryCount, 'entry', 'entries')}
                  </span>
                </span>
                <Button
                  size="small"
                  aria-label={`Take out ${title}`}
                  busy={busy === id}
                  busyLabel="Packing..."
                  disabled={busy !== undefined && busy !== id}
                  icon={<Download aria-hidden size={14} />}
                  onClick={() => take(id, () => fetchFile(transfer.exportKeeper, { params: { id } }))}
                >
                  Take out
                </Button>
              </li>
            ))}
          </ul>
          {keepers.length > 1 && (
            <Button
              busy={busy === 'all'}
              busyLabel="Packing..."
              disabled={busy !== undefined && busy !== 'all'}
              icon={<Download aria-hidden size={15} />}
              onClick={() => take('all', () => fetchFile(transfer.exportAll))}
            >
              Take out everything
            </Button>
          )}
        </>
      )}
      <p role="status" className="mt-3 text-ui text-muted-foreground empty:hidden">
        {told}
      </p>
    </section>
  )
}
