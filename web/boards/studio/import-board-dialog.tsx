import { useMutation } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import {
  type BoardFile,
  type BoardImport,
  type BoardManifest,
  boardFileFormat,
  boardFiles,
  maxBoardFileBytes,
  maxStreamedBoardFileBytes,
} from '#contract/boards/board-files.ts'
import type { Board } from '#contract/boards/boards.ts'
import { getFrameTypeName } from '#contract/boards/frame-types.ts'
import { call } from '#web/api/api.ts'
import { upload } from '#web/api/api-upload.ts'
import { createClientId } from '#web/offline/create-client-id.ts'
import { Button } from '#web/ui/controls/button.tsx'
import { FileChooser } from '#web/ui/fields/file-chooser.tsx'
import { Dialog } from '#web/ui/overlays/dialog.tsx'
import { Banner } from '#web/ui/panels/banner.tsx'
import { DetailList } from '#web/ui/panels/detail-list.tsx'
import { formatTime } from '#web/ui/text/format-time.ts'
import { pluralize } from '#web/ui/text/pluralize.ts'

interface ImportBoardDialogProps {
  onImported: (board: Board) => void
  onClose: () => void
}

/** Nothing is imported until the preview is confirmed. */
export default function ImportBoardDialog({ onImported, onClose }: ImportBoardDialogProps) {
  const [sentFraction, setSentFraction] = useState<number>()
  // Closing the dialog aborts the upload.
  const previewAbort = useRef<AbortController>(undefined)
  useEffect(() => () => previewAbort.current?.abort(), [])
  const onSettled = () => setSentFraction(undefined)
  const reading = useMutation({
    mutationFn(chosenFile: File) {
      previewAbort.current = new AbortController()
      return previewBoardFile(chosenFile, setSentFraction, previewAbort.current.signal)
    },
    onSettled,
  })
  const importing = useMutation({
    mutationFn: (filePreview: BoardFilePreview) => filePreview.importFile(),
    onSuccess({ board }) {
      onClose()
      if (board) onImported(board)
    },
    onSettled,
  })
  const filePreview = reading.data
  const error = importing.error ?? reading.error

  function chooseFile(chosenFile: File) {
    importing.reset()
    reading.mutate(chosenFile)
  }

  return (
    <Dialog
      open
      onOpenChange={(open) => !open && !importing.isPending && onClose()}
      title="Import a board"
      description="From a JSON file that this Keeper or another one exported. The import creates a new board; your other boards don’t change."
      footer={
        <>
          <Button onClick={onClose} disabled={importing.isPending}>
            Cancel
          </Button>
          <Button
            variant="primary"
            busy={importing.isPending}
            busyLabel="Importing..."
            disabled={!filePreview}
            onClick={() => filePreview && importing.mutate(filePreview)}
          >
            Import Board
          </Button>
        </>
      }
    >
      <FileChooser
        label="Board file"
        accept=".json,application/json"
        hasFile={filePreview !== undefined}
        busy={reading.isPending || importing.isPending}
        onFile={chooseFile}
      />
      <div className="mt-4 flex flex-col gap-3 empty:hidden">
        {sentFraction !== undefined && (
          <p role="status" className="text-small text-muted-foreground tabular-nums">
            {sentFraction < 1 ? `${Math.floor(sentFraction * 100)}% sent` : 'Reading the file'}
          </p>
        )}
        {error && <Banner tone="error">{error.message}</Banner>}
        {filePreview && <BoardImportPreview manifest={filePreview.manifest} preview={filePreview.preview} />}
      </div>
    </Dialog>
  )
}

function BoardImportPreview({ manifest, preview }: Pick<BoardFilePreview, 'manifest' | 'preview'>) {
  const { name, frames, pictures, unsupported, repaired, leftOut, unlinked } = preview
  const types = Object.entries(manifest.frameTypes).map(([type, count]) => `${getFrameTypeName(type)} × ${count}`)
  const kinds = [...new Set(unlinked.map(({ kind }) => kind))]
  const details: [string, string][] = [
    ['Exported', formatTime(manifest.exportedAt, 'date-time')],
    ['Frames', types.length > 0 ? `${pluralize(frames, 'frame')}: ${types.join(', ')}` : pluralize(frames, 'frame')],
    ['Pictures', pictures === 0 ? 'none' : pluralize(pictures, 'picture')],
  ]
  return (
    <section aria-label="Import preview" className="rounded-lg border border-border bg-card p-4">
      <h3 dir="auto" className="wrap-break-word">
        {name}
      </h3>
      <DetailList details={details} className="mt-3 gap-x-4 gap-y-1" />
      {unsupported.length > 0 && (
        <Banner tone="warning" className="mt-3">
          {`Not supported here: ${unsupported.join(', ')}. These frames are imported as placeholders.`}
        </Banner>
      )}
      {leftOut > 0 && (
        <Banner tone="warning" className="mt-3">
          {`${pluralize(leftOut, 'frame can’t be read and is left out', 'frames can’t be read and are left out')}.`}
        </Banner>
      )}
      {repaired > 0 && (
        <Banner tone="info" className="mt-3">
          {`${pluralize(repaired, 'frame has a value', 'frames have values')} that can’t be read. Only ${repaired === 1 ? 'this value is' : 'these values are'} left out.`}
        </Banner>
      )}
      {unlinked.length > 0 && (
        <Banner tone="info" className="mt-3">
          {`${pluralize(unlinked.length, 'frame loses its content', 'frames lose their content')} (${kinds.join(', ')}), because the linked item isn’t here or isn’t yours. Choose another item on the board.`}
        </Banner>
      )}
    </section>
  )
}

interface BoardFilePreview {
  manifest: BoardManifest
  preview: BoardImport
  importFile: () => Promise<BoardImport>
}

/**
 * Files too large for a JSON body are streamed twice: for the preview, which `signal` aborts, and for the import.
 * @param onProgress receives the fraction of bytes sent, from 0 to 1
 * @throws Error if it isn't a board, ApiError, NetworkError
 */
export async function previewBoardFile(
  selectedFile: File,
  onProgress: (fraction: number) => void,
  signal: AbortSignal,
): Promise<BoardFilePreview> {
  if (selectedFile.size > maxStreamedBoardFileBytes)
    throw new Error(
      `This file is larger than the ${Math.floor(maxStreamedBoardFileBytes / 1024 / 1024)} MB limit for boards.`,
    )
  const id = createClientId()
  if (selectedFile.size <= maxBoardFileBytes) {
    const file = await readBoardFile(selectedFile)
    const preview = await call(boardFiles.importFile, { body: { file, preview: true }, signal })
    const importFile = () => call(boardFiles.importFile, { body: { file }, idempotencyKey: id })
    return { manifest: file.manifest, preview, importFile }
  }
  // Some systems don't derive the MIME type from the file's name.
  const file = selectedFile.slice(0, selectedFile.size, 'application/json')
  const sendFile = (query: { preview?: 'true'; id?: string }) =>
    upload(boardFiles.importWhole, { query }, file, { onProgress, ...(query.preview && { signal }) })
  const { manifest, ...preview } = await sendFile({ preview: 'true' })
  return { manifest, preview, importFile: () => sendFile({ id }) }
}

/** Checks only the format; the server validates the rest. @throws Error if it isn't a board */
export async function readBoardFile(file: Pick<File, 'name' | 'size' | 'text'>): Promise<BoardFile> {
  if (file.size === 0) throw new Error(`${file.name} is empty. Choose a board exported from Keeper.`)
  const parsedFile = parseObject(await file.text())
  if (!parsedFile || parsedFile.format !== boardFileFormat) throw new Error('This isn’t a board exported from Keeper.')
  return parsedFile as BoardFile
}

function parseObject(text: string): Partial<BoardFile> | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null ? value : undefined
  } catch {
    return undefined
  }
}
