import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { FileUp, FolderUp } from 'lucide-react'
import { type ComponentProps, type FormEvent, useRef, useState } from 'react'
import { type ImportJob, maxImportBytes, maxImportLabel, transfer } from '#contract/keepers/transfer.ts'
import { ApiError, call } from '#web/api/api.ts'
import { readAllPages } from '#web/api/api-pages.ts'
import { upload } from '#web/api/api-upload.ts'
import { maxZipBytes, zipFiles } from '#web/files/zip-files.ts'
import { Button, RetryButton } from '#web/ui/controls/button.tsx'
import { PasswordField } from '#web/ui/fields/password-field.tsx'
import { TextField } from '#web/ui/fields/text-field.tsx'
import { classNames } from '#web/ui/hooks/class-names.ts'
import { useDroppedFiles } from '#web/ui/hooks/use-dropped-files.ts'
import { useLimitedList } from '#web/ui/hooks/use-limited-list.tsx'
import { FormDialog } from '#web/ui/overlays/form-dialog.tsx'
import { ProgressBar } from '#web/ui/panels/progress-bar.tsx'
import { getErrorMessage } from '#web/ui/text/error-message.ts'
import { ExportGuideList, ImportCard } from './import-card.tsx'

const importsKey = ['imports'] as const

const progressIntervalMs = 2_000
const runningStates: ImportJob['state'][] = ['uploaded', 'reading', 'running']

export function ImportSection() {
  const queryClient = useQueryClient()
  const fileInput = useRef<HTMLInputElement>(null)
  const folderInput = useRef<HTMLInputElement>(null)
  const [progress, setProgress] = useState<{ task: string; fraction: number }>()
  const [errorMessage, setErrorMessage] = useState('')
  const [isMemosDialogOpen, setIsMemosDialogOpen] = useState(false)
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
    refetchInterval: ({ state }) =>
      state.data?.some((job) => runningStates.includes(job.state)) ? progressIntervalMs : false,
  })

  const { visible: visibleJobs, showMoreButton } = useLimitedList(jobs ?? [], {
    initialVisible: 50,
    className: 'mt-3',
    size: 'small',
    variant: 'plain',
  })

  async function importFiles(files: ChosenFile[]) {
    if (progress !== undefined) return
    setErrorMessage('')
    uploadController.current = new AbortController()
    setProgress({ task: 'Packing', fraction: 0 })
    try {
      const { name, archive } = await toArchive(files, (fraction) => setProgress({ task: 'Packing', fraction }))
      const { signal } = uploadController.current
      signal.throwIfAborted()
      const onProgress = (fraction: number) => setProgress({ task: 'Uploading', fraction })
      await upload(transfer.upload, { query: { fileName: name } }, archive, { onProgress, signal })
      await queryClient.invalidateQueries({ queryKey: importsKey })
    } catch (reason) {
      if ((reason as Error).name !== 'AbortError') setErrorMessage(getErrorMessage(reason))
    } finally {
      setProgress(undefined)
    }
  }

  async function importDropped(files: File[], entries: FileSystemEntry[] = []) {
    await importFiles(entries.length > 0 ? await readDroppedEntries(entries) : toChosenFiles(files))
  }
  const isDragOver = useDroppedFiles((files, entries) => void importDropped(files, entries))

  return (
    <section aria-labelledby="bring-in">
      <h2 id="bring-in">Import</h2>
      <p className="mt-1 mb-3 text-muted-foreground">
        Bring what you already have: a Keeper archive, or the export of another app. Keeper recognizes the format and
        shows you what is in it before anything is imported. You can undo an import for 30 days.
      </p>
      <ExportGuideList />
      <div
        className={classNames(
          'flex flex-wrap items-center gap-3 rounded-lg border border-dashed px-[22px] py-5 transition-colors phone:gap-2 phone:px-4 duration-120',
          isDragOver ? 'border-ring bg-ribbon-soft' : 'border-input bg-card/60',
        )}
      >
        {progress === undefined ? (
          <>
            <p className="min-w-[12ch] flex-1 text-ui phone:basis-full phone:text-center">
              {isDragOver ? 'Drop it to see what’s inside.' : 'Drop an export or a folder here.'}
            </p>
            <Button
              icon={<FileUp aria-hidden size={15} />}
              onClick={() => fileInput.current?.click()}
              className="phone:flex-1"
            >
              Choose files
            </Button>
            <Button
              icon={<FolderUp aria-hidden size={15} />}
              onClick={() => folderInput.current?.click()}
              className="phone:flex-1"
            >
              Choose a folder
            </Button>
          </>
        ) : (
          <>
            <ProgressBar
              label={progress.task}
              value={Math.round(progress.fraction * 100)}
              valueText={`${Math.round(progress.fraction * 100)}%`}
              className="flex-1"
            />
            <span className="text-small text-muted-foreground tabular-nums">
              {progress.task} {Math.round(progress.fraction * 100)}%
            </span>
            <Button size="small" onClick={() => uploadController.current?.abort()}>
              Stop
            </Button>
          </>
        )}
      </div>
      <HiddenFileInput
        ref={fileInput}
        multiple
        aria-label="Archive"
        onFiles={(files) => {
          if (files.length > 0) void importFiles(files)
        }}
      />
      <HiddenFileInput
        ref={folderInput}
        {...{ webkitdirectory: '' }}
        aria-label="Folder"
        onFiles={(files) => void importFiles(files)}
      />
      <p className="mt-2.5 text-ui text-muted-foreground">
        Do you use memos?{' '}
        <button
          type="button"
          className="tap-area text-foreground underline underline-offset-[3px]"
          onClick={() => setIsMemosDialogOpen(true)}
        >
          Import notes from your server
        </button>
      </p>
      {isMemosDialogOpen && <MemosDialog onClose={() => setIsMemosDialogOpen(false)} />}
      <p role="alert" className="mt-3 text-ui font-medium text-destructive empty:hidden">
        {errorMessage}
      </p>
      {isError && !jobs && (
        <p className="mt-5 flex flex-wrap items-center gap-3 text-ui">
          Your imports couldn’t be loaded. Any import in progress continues.
          <RetryButton busy={isFetching} onClick={() => refetch()} />
        </p>
      )}
      {visibleJobs.length > 0 && (
        <ul aria-label="Imports" className="mt-5 flex flex-col gap-3">
          {visibleJobs.map((job) => (
            <li key={job.id} data-item>
              <ImportCard job={job} />
            </li>
          ))}
        </ul>
      )}
      {showMoreButton}
    </section>
  )
}

interface HiddenFileInputProps extends Omit<ComponentProps<'input'>, 'type' | 'onChange'> {
  onFiles: (files: ChosenFile[]) => void
}

function HiddenFileInput({ onFiles, ...input }: HiddenFileInputProps) {
  return (
    <input
      {...input}
      type="file"
      className="sr-only"
      tabIndex={-1}
      onChange={(event) => {
        const files = toChosenFiles(event.currentTarget.files ?? [])
        // Allows choosing the same file again after fixing it.
        event.currentTarget.value = ''
        onFiles(files)
      }}
    />
  )
}

function MemosDialog({ onClose }: { onClose: () => void }) {
  const queryClient = useQueryClient()
  const [values, setValues] = useState({ address: '', token: '' })
  const readMemos = useMutation({
    mutationFn: () => call(transfer.readMemos, { body: values }),
    async onSuccess() {
      await queryClient.invalidateQueries({ queryKey: importsKey })
      onClose()
    },
  })
  const fieldErrors = readMemos.error instanceof ApiError ? readMemos.error.fields : undefined
  const createChangeHandler = (name: keyof typeof values) => (event: { currentTarget: HTMLInputElement }) =>
    setValues({ ...values, [name]: event.currentTarget.value })

  function submit(event: FormEvent) {
    event.preventDefault()
    if (!readMemos.isPending) readMemos.mutate()
  }

  return (
    <FormDialog
      onClose={onClose}
      title="Import from memos"
      description="Keeper reads your own memos, archived ones too, with their comments and attachments, and shows you what it found before anything is imported."
      form={{ onSubmit: submit, noValidate: false, className: 'flex flex-col gap-4' }}
      submitLabel="Read memos"
      busyLabel="Connecting..."
      busy={readMemos.isPending}
      locksWhileBusy
    >
      <TextField
        label="Address"
        required
        mono
        type="url"
        placeholder="https://memos.example.com"
        value={values.address}
        onChange={createChangeHandler('address')}
        error={fieldErrors?.address}
      />
      <PasswordField
        label="Access token"
        required
        mono
        secretLabel="access token"
        autoComplete="off"
        value={values.token}
        onChange={createChangeHandler('token')}
        help="Create one in memos, under Settings. Keeper uses it for this import only and never stores it."
        error={fieldErrors?.token}
      />
      {readMemos.error && !fieldErrors && (
        <p role="alert" className="text-ui font-medium text-destructive">
          {readMemos.error.message}
        </p>
      )}
    </FormDialog>
  )
}

/** A file with its path, which starts at the chosen or dropped folder. */
interface ChosenFile {
  path: string
  file: File
}

const maxFiles = 100_000
const textFilePattern = /\.(md|markdown|txt|json|csv|html?|xml|edn|org)$/i
const looseFilePattern = /\.(md|markdown|txt|csv|html?|json)$/i
const dayOneJournalPattern = /journal\.json$/i

function toChosenFiles(files: Iterable<File>): ChosenFile[] {
  return [...files].map((file) => ({ path: file.webkitRelativePath || file.name, file }))
}

/** Files of dropped folders at any depth. */
async function readDroppedEntries(entries: readonly FileSystemEntry[]): Promise<ChosenFile[]> {
  const chosenFiles: ChosenFile[] = []
  const pendingEntries = entries.map((entry) => ({ entry, path: entry.name }))
  for (let next = pendingEntries.shift(); next && chosenFiles.length < maxFiles; next = pendingEntries.shift()) {
    const { entry, path } = next
    if (entry.isFile) chosenFiles.push({ path, file: await readFile(entry as FileSystemFileEntry) })
    else if (entry.isDirectory)
      for (const child of await readFolder(entry as FileSystemDirectoryEntry))
        pendingEntries.push({ entry: child, path: `${path}/${child.name}` })
  }
  return chosenFiles
}

const readFile = (entry: FileSystemFileEntry) => new Promise<File>((resolve, reject) => entry.file(resolve, reject))

async function readFolder(folder: FileSystemDirectoryEntry): Promise<FileSystemEntry[]> {
  const reader = folder.createReader()
  const children: FileSystemEntry[] = []
  // `readEntries` returns at most 100 at a time.
  for (;;) {
    const batch = await new Promise<FileSystemEntry[]>((resolve, reject) => reader.readEntries(resolve, reject))
    if (batch.length === 0) return children
    children.push(...batch)
  }
}

/**
 * Returns the archive to upload: a single archive unchanged, or folders and loose files packed into one.
 * @throws RangeError with the reason if nothing can be uploaded
 */
async function toArchive(
  files: readonly ChosenFile[],
  onPacking: (fraction: number) => void,
): Promise<{ name: string; archive: Blob }> {
  const [firstFile] = files
  const totalBytes = files.reduce((total, { file }) => total + file.size, 0)
  if (!firstFile || totalBytes === 0)
    throw new RangeError(
      firstFile && files.length === 1
        ? `${firstFile.file.name} is empty. Choose another file.`
        : 'There are no files in this folder.',
    )
  if (files.length >= maxFiles)
    throw new RangeError(`This folder has more than ${maxFiles.toLocaleString('en-US')} files.`)
  if (files.length === 1 && isSentAsIs(firstFile.path)) {
    if (totalBytes > maxImportBytes) throw new RangeError(`An archive can be at most ${maxImportLabel}.`)
    // Some systems report no MIME type for zip files.
    return { name: firstFile.file.name, archive: new Blob([firstFile.file], { type: 'application/zip' }) }
  }
  if (totalBytes > maxZipBytes)
    throw new RangeError('Together, these files exceed 4 GB. Zip them, then choose the zip.')
  const archive = await zipFiles(
    files.map(({ path, file }) => ({
      name: path,
      readBytes: async () => file,
      modifiedAt: file.lastModified,
      isAlreadyCompressed: !textFilePattern.test(path),
    })),
    (packedCount) => onPacking(packedCount / files.length),
  )
  const [folder = ''] = firstFile.path.split('/')
  return { name: `${files.length === 1 ? firstFile.file.name : folder || 'files'}.zip`, archive }
}

/** Day One's journal alone is also sent as is: the server then reports its missing picture folders. */
const isSentAsIs = (path: string) => dayOneJournalPattern.test(path) || !looseFilePattern.test(path)
