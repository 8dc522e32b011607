import { useQueryClient } from '@tanstack/react-query'
import { Download } from 'lucide-react'
import { useState } from 'react'
import { boardFiles } from '#contract/boards/board-files.ts'
import { reasonText } from '#web/agents/runs/reason-text.ts'
import { fetchFile } from '#web/api.ts'
import { saveFile } from '#web/save-file.ts'
import { IconButton } from '#web/ui/icon-button.tsx'
import { Menu, MenuItem, MenuSeparator } from '#web/ui/menu.tsx'
import { MessageDialog } from '#web/ui/message-dialog.tsx'
import { showToast } from '#web/ui/show-toast.tsx'
import { isSampleBoard } from '../board-queries.ts'
import { useBoard, useBoardEditor } from '../document/use-board-editor.tsx'

/** Exports the open board as a picture, a print or a file to import elsewhere. */
export function ExportMenu({ small = false }: { small?: boolean }) {
  const editor = useBoardEditor()
  const queries = useQueryClient()
  const id = useBoard((state) => state.board.id)
  const name = useBoard(({ document }) => document.config.name)
  const [busy, setBusy] = useState(false)
  const [problem, setProblem] = useState<string>()

  async function doing(deed: () => Promise<void>) {
    if (busy) return
    setBusy(true)
    try {
      await deed()
    } catch (reason) {
      setProblem(reasonText(reason))
    } finally {
      setBusy(false)
    }
  }

  const tell = (text: string) => void showToast(text, { staysMilliseconds: 10_000 })

  const picture = (kind: 'svg' | 'png', wanted = 1) =>
    doing(async () => {
      const [{ knownOfFrames, leftOutNote }, { boardFileName, drawOpenBoard }, { scaleFor, svgToPng }] =
        await Promise.all([import('./known-of-frames.ts'), import('./draw-open-board.ts'), import('./svg-to-png.ts')])
      const { document } = editor.seen()
      const { known, withoutPicture } = await knownOfFrames(document, {
        boardId: id,
        queries,
        isOffline: isSampleBoard(id),
      })
      const drawn = drawOpenBoard(document, known)
      const notes: string[] = []
      if (withoutPicture.length > 0) notes.push(leftOutNote(withoutPicture))
      if (kind === 'svg') saveFile(new Blob([drawn.svg], { type: 'image/svg+xml' }), boardFileName(name, 'svg'))
      else {
        const scale = scaleFor(drawn, wanted)
        if (scale < wanted)
          notes.push(`The board is very large, so it was exported at ${percent(scale)}. SVG keeps every detail.`)
        saveFile(await svgToPng(drawn, scale), boardFileName(name, 'png'))
      }
      if (notes.length > 0) tell(`Exported. ${notes.join(' ')}`)
    })

  const pdf = () =>
    doing(async () => {
      const [{ knownOfFrames, leftOutNote }, { printBoard }] = await Promise.all([
        import('./known-of-frames.ts'),
        import('./print-board.ts'),
      ])
      const { document } = editor.seen()
      const { known, withoutPicture } = await knownOfFrames(document, {
        boardId: id,
        queries,
        isOffline: isSampleBoard(id),
      })
      await printBoard(document, known)
      if (withoutPicture.length > 0) tell(leftOutNote(withoutPicture, 'the print'))
    })

  const json = () =>
    doing(async () => {
      // The server creates the file from the saved version.
      if (editor.seen().dirty && editor.canEdit && !(await editor.save()))
        throw new Error('You have unsaved changes. Save the board first.')
      const [{ blob }, { boardFileName }] = await Promise.all([
        fetchFile(boardFiles.exportFile, { params: { id } }),
        import('./draw-open-board.ts'),
      ])
      saveFile(blob, boardFileName(name, 'json'))
    })

  return (
    <>
      <Menu
        trigger={
          <IconButton
            label={busy ? 'Exporting the board' : 'Export the board'}
            outlined={!small}
            size={small ? 'small' : 'medium'}
            aria-busy={busy}
          >
            <Download aria-hidden size={16} className={busy ? 'animate-pulse' : undefined} />
          </IconButton>
        }
      >
        <MenuItem disabled={busy} onSelect={() => void picture('png')}>
          Picture (PNG)
        </MenuItem>
        <MenuItem disabled={busy} onSelect={() => void picture('png', 2)}>
          Picture at double size (PNG)
        </MenuItem>
        <MenuItem disabled={busy} onSelect={() => void picture('svg')}>
          Drawing (SVG)
        </MenuItem>
        <MenuItem disabled={busy} onSelect={() => void pdf()}>
          Print or PDF, a page per frame
        </MenuItem>
        {!isSampleBoard(id) && (
          <>
            <MenuSeparator />
            <MenuItem disabled={busy} onSelect={() => void json()}>
              Whole board (JSON)
            </MenuItem>
          </>
        )}
      </Menu>
      <MessageDialog
        open={problem !== undefined}
        onOpenChange={(open) => !open && setProblem(undefined)}
        message="The board couldn’t be exported."
      >
        {problem}
      </MessageDialog>
    </>
  )
}

const percent = (scale: number) => `${scale < 0.1 ? (scale * 100).toFixed(1) : Math.round(scale * 100)}%`
