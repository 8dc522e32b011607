import { useQuery, useQueryClient } from '@tanstack/react-query'
import { FileUp } from 'lucide-react'
import { useRef, useState } from 'react'
import { type ImportJob, maxImportBytes, maxImportLabel, transfer } from '#contract/keepers/transfer.ts'
import { readAllPages } from '#web/api-pages.ts'
import { upload } from '#web/api-upload.ts'
import { Button } from '#web/ui/button.tsx'
import { ProgressBar } from '#web/ui/progress-bar.tsx'
import { RetryButton } from '#web/ui/retry-button.tsx'
import { ImportCard } from './import-card.tsx'

const importsKey = ['imports'] as const
const importPageSize = 50
const runningStates: ImportJob['state'][] = ['uploaded', 'reading', 'running']

export function ImportSection() {
  const queryClient = useQueryClient()
  const fileInput = useRef<HTMLInputElement>(null)
  const [progress, setProgress] = useState<number>()
  const [errorMessage, setErrorMessage] = useState('')
  const [visibleCount, setVisibleCount] = useState(importPageSize)
  const uploadController = useRef<AbortController>(null)
  const {
    data: jobs,
    isError,
    isFetching,
    refetch,
  } = useQuery({
    queryKey: importsKey,
    queryFn: ({ signal }) => readAllPages<ImportJob>(transfer.list, {}, signal),
    // Fallback for lost live events.
    refetchInterval: ({ state }) => (state.data?.some((job) => runningStates.includes(job.state)) ? 2000 : false),
  })

  async function uploadArchive(file: File) {
    setErrorMessage('')
    if (file.size > maxImportBytes) return setErrorMessage(`An archive can be at most ${maxImportLabel}.`)
    if (file.size === 0) return setErrorMessage(`${file.name} is empty. Choose an archive from Keeper or Day One.`)
    uploadController.current = new AbortController()
    setProgress(0)
    try {
      // Some systems report no MIME type for zip files.
      const archive = new Blob([file], { type: 'application/zip' })
      const { signal } = uploadController.current
      await upload(transfer.upload, { query: { fileName: file.name } }, archive, { onProgress: setProgress, signal })
      await queryClient.invalidateQueries({ queryKey: importsKey })
    } catch (reason) {
      if ((reason as Error).name !== 'AbortError')
        setErrorMessage(reason instanceof Error ? reason.message : String(reason))
    } finally {
      setProgress(undefined)
    }
  }

  return (
    <section aria-labelledby="bring-in">
      <h2 id="bring-in">Import</h2>
      <p className="mt-1 mb-4 text-muted-foreground">
        A Keeper archive, or a JSON export from Day One. You see its contents before anything is imported. Memories
        written by an AI wait for your approval.
      </p>
      <input
        ref={fileInput}
        type="file"
        accept=".zip,application/zip"
        className="sr-only"
        tabIndex={-1}
        aria-label="Archive"
        onChange={(event) => {
          const file = event.currentTarget.files?.[0]
          // Allows choosing the same file again after fixing it.
          event.currentTarget.value = ''
          if (file) void uploadArchive(file)
        }}
      />
      {progress === undefined ? (
        <Button icon={<FileUp aria-hidden size={15} />} onClick={() => fileInput.current?.click()}>
          Choose an archive
        </Button>
      ) : (
        <div className="flex items-center gap-3">
          <ProgressBar
            label="Uploading"
            value={Math.round(progress * 100)}
            valueText={`${Math.round(progress * 100)}%`}
            className="flex-1"
          />
          <span className="text-small text-muted-foreground tabular-nums">{Math.round(progress * 100)}%</span>
          <Button size="small" onClick={() => uploadController.current?.abort()}>
            Stop
          </Button>
        </div>
      )}
      <p role="alert" className="mt-3 text-ui font-medium text-destructive empty:hidden">
        {errorMessage}
      </p>
      {isError && !jobs && (
        <p className="mt-5 flex flex-wrap items-center gap-3 text-ui">
          Your imports couldn’t be loaded. Any import in progress continues.
          <RetryButton busy={isFetching} onClick={() => refetch()} />
        </p>
      )}
      {jobs && jobs.length > 0 && (
        <ul aria-label="Imports" className="mt-5 flex flex-col gap-3">
          {jobs.slice(0, visibleCount).map((job) => (
            <li key={job.id} data-item>
              <ImportCard job={job} />
            </li>
          ))}
        </ul>
      )}
      {jobs && jobs.length > visibleCount && (
        <Button
          size="small"
          variant="plain"
          className="mt-3"
          onClick={() => setVisibleCount(visibleCount + importPageSize)}
        >
          Show more
        </Button>
      )}
    </section>
  )
}
