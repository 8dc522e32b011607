import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Download } from 'lucide-react'
import { boardFiles } from '#contract/boards/board-files.ts'
import { getReasonText } from '#web/agents/runs/reason-text.ts'
import { fetchFile } from '#web/api/api.ts'
import { saveFile } from '#web/files/save-file.ts'
import { IconButton } from '#web/ui/controls/icon-button.tsx'
import { MessageDialog } from '#web/ui/overlays/confirm-dialog.tsx'
import { Menu, MenuItem, MenuSeparator } from '#web/ui/overlays/menu.tsx'
import { showToast } from '#web/ui/overlays/show-toast.tsx'
import { isSampleBoard } from '../board-queries.ts'
import { useBoard, useBoardEditor } from '../document/use-board-editor.tsx'

export default function BoardExportMenu({ small = false }: { small?: boolean }) {
  const editor = useBoardEditor()
  const queryClient = useQueryClient()
  const id = useBoard((state) => state.board.id)
  const name = useBoard(({ document }) => document.config.name)
  const exporting = useMutation({ mutationFn: (action: () => Promise<void>) => action() })
  const { isPending: isBusy } = exporting
  const runExport = (action: () => Promise<void>) => {
    if (!isBusy) exporting.mutate(action)
  }

  const notify = (text: string) => void showToast(text, { durationMs: 10_000 })

  async function loadDrawing() {
    const [{ loadFrameDetails, formatMissingPictures }, drawing] = await Promise.all([
      import('./frame-details.ts'),
      import('./draw-open-board.ts'),
    ])
    const { document } = editor.getSnapshot()
    const details = await loadFrameDetails(document, { boardId: id, queryClient, isOffline: isSampleBoard(id) })
    return { ...details, drawing, document, formatMissingPictures }
  }

  const exportPicture = (kind: 'svg' | 'png', requestedScale = 1) =>
    runExport(async () => {
      const { drawing, document, frameDetails, namesWithoutPicture, formatMissingPictures } = await loadDrawing()
      const board = drawing.drawOpenBoard(document, frameDetails)
      const notes = namesWithoutPicture.length > 0 ? [formatMissingPictures(namesWithoutPicture)] : []
      const scale = drawing.getScale(board, requestedScale)
      if (kind === 'png' && scale < requestedScale)
        notes.push(`The board is very large, so it was exported at ${formatPercent(scale)}. SVG keeps every detail.`)
      const file = kind === 'png' ? await drawing.svgToPng(board, scale) : drawing.toSvgBlob(board)
      saveFile(file, drawing.getBoardFileName(name, kind))
      if (notes.length > 0) notify(`Exported. ${notes.join(' ')}`)
    })

  const printPdf = () =>
    runExport(async () => {
      const { drawing, document, frameDetails, namesWithoutPicture, formatMissingPictures } = await loadDrawing()
      await drawing.printBoard(document, frameDetails)
      if (namesWithoutPicture.length > 0) notify(formatMissingPictures(namesWithoutPicture, 'the print'))
    })

  const exportJson = () =>
    runExport(async () => {
      // The server creates the file from the saved version.
      if (editor.getSnapshot().isDirty && editor.canEdit && !(await editor.save()))
        throw new Error('You have unsaved changes. Save the board first.')
      const [{ blob }, { getBoardFileName }] = await Promise.all([
        fetchFile(boardFiles.exportFile, { params: { id } }),
        import('./draw-open-board.ts'),
      ])
      saveFile(blob, getBoardFileName(name, 'json'))
    })

  return (
    <>
      <Menu
        trigger={
          <IconButton
            label={isBusy ? 'Exporting the board' : 'Export the board'}
            outlined={!small}
            size={small ? 'small' : 'medium'}
            aria-busy={isBusy}
          >
            <Download aria-hidden size={16} className={isBusy ? 'animate-pulse' : undefined} />
          </IconButton>
        }
      >
        <MenuItem disabled={isBusy} onSelect={() => exportPicture('png')}>
          Picture (PNG)
        </MenuItem>
        <MenuItem disabled={isBusy} onSelect={() => exportPicture('png', 2)}>
          Picture at double size (PNG)
        </MenuItem>
        <MenuItem disabled={isBusy} onSelect={() => exportPicture('svg')}>
          Drawing (SVG)
        </MenuItem>
        <MenuItem disabled={isBusy} onSelect={printPdf}>
          Print or PDF, one page per frame
        </MenuItem>
        {!isSampleBoard(id) && (
          <>
            <MenuSeparator />
            <MenuItem disabled={isBusy} onSelect={() => exportJson()}>
              Whole board (JSON)
            </MenuItem>
          </>
        )}
      </Menu>
      <MessageDialog
        open={exporting.isError}
        onOpenChange={(open) => !open && exporting.reset()}
        message="The board couldn’t be exported."
      >
        {exporting.error && getReasonText(exporting.error)}
      </MessageDialog>
    </>
  )
}

const formatPercent = (scale: number) => `${scale < 0.1 ? (scale * 100).toFixed(1) : Math.round(scale * 100)}%`
