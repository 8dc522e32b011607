import { maxImportBytes, maxImportLabel } from '#contract/keepers/transfer.ts'
import { maxZipBytes, zipFiles } from '#web/files/zip-files.ts'

/** A file with its path, which starts at the chosen or dropped folder. */
export interface ChosenFile {
  path: string
  file: File
}

const maxFiles = 100_000

export function toChosenFiles(files: Iterable<File>): ChosenFile[] {
  return [...files].map((file) => ({ path: file.webkitRelativePath || file.name, file }))
}

/** Files of dropped folders at any depth. */
export async function readDroppedEntries(entries: readonly FileSystemEntry[]): Promise<ChosenFile[]> {
  const chosen: ChosenFile[] = []
  const waiting = entries.map((entry) => ({ entry, path: entry.name }))
  for (let next = waiting.shift(); next && chosen.length < maxFiles; next = waiting.shift()) {
    const { entry, path } = next
    if (entry.isFile) chosen.push({ path, file: await readFile(entry as FileSystemFileEntry) })
    else if (entry.isDirectory)
      for (const child of await readFolder(entry as FileSystemDirectoryEntry))
        waiting.push({ entry: child, path: `${path}/${child.name}` })
  }
  return chosen
}

const readFile = (entry: FileSystemFileEntry) => new Promise<File>((resolve, reject) => entry.file(resolve, reject))

async function readFolder(folder: FileSystemDirectoryEntry): Promise<FileSystemEntry[]> {
  const reader = folder.createReader()
  const children: FileSystemEntry[] = []
  // `readEntries` returns at most 100 at a time.
  for (;;) {
    const some = await new Promise<FileSystemEntry[]>((resolve, reject) => reader.readEntries(resolve, reject))
    if (some.length === 0) return children
    children.push(...some)
  }
}

/**
 * Returns the archive to upload: a single archive unchanged, or folders and loose files packed into one.
 * @throws RangeError with the reason if nothing can be uploaded
 */
export async function toArchive(
  files: readonly ChosenFile[],
  onPacking: (fraction: number) => void,
): Promise<{ name: string; archive: Blob }> {
  const [first] = files
  const bytes = files.reduce((total, { file }) => total + file.size, 0)
  if (!first || bytes === 0)
    throw new RangeError(
      first && files.length === 1
        ? `${first.file.name} is empty. Choose another file.`
        : 'There are no files in this folder.',
    )
  if (files.length >= maxFiles)
    throw new RangeError(`This folder has more than ${maxFiles.toLocaleString('en-US')} files.`)
  if (files.length === 1 && isSentAsIs(first.path)) {
    if (bytes > maxImportBytes) throw new RangeError(`An archive can be at most ${maxImportLabel}.`)
    // Some systems report no MIME type for zip files.
    return { name: first.file.name, archive: new Blob([first.file], { type: 'application/zip' }) }
  }
  if (bytes > maxZipBytes) throw new RangeError('Together, these files exceed 4 GB. Zip them, then choose the zip.')
  const archive = await zipFiles(
    files.map(({ path, file }) => ({
      name: path,
      bytes: async () => file,
      modifiedAt: file.lastModified,
      isCompressed: !/\.(md|markdown|txt|json|csv|html?|xml|edn|org)$/i.test(path),
    })),
    (done) => onPacking(done / files.length),
  )
  const [folder = ''] = first.path.split('/')
  return { name: `${files.length === 1 ? first.file.name : folder || 'files'}.zip`, archive }
}

/** True for archives, and for a lone journal of Day One: the server reports that its picture folders are missing. */
const isSentAsIs = (path: string) => !/\.(md|markdown|txt|csv|html?)$/i.test(path) && !/(?<!journal)\.json$/i.test(path)
