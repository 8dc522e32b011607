import { FileUp } from 'lucide-react'
import { type DragEvent, useEffect, useRef, useState } from 'react'
import type { Board } from '#contract/boards/boards.ts'
import { frameTypes, isFrameType } from '#contract/boards/frame-types.ts'
import { Banner } from '#web/ui/banner.tsx'
import { Button } from '#web/ui/button.tsx'
import { classNames } from '#web/ui/class-names.ts'
import { counted } from '#web/ui/counted.ts'
import { Dialog } from '#web/ui/dialog.tsx'
import { formatTime } from '#web/ui/format-time.ts'
import { type BoardFileLook, lookAtBoardFile } from './look-at-board-file.ts'
import { framesIn, reasonOf } from './studio-words.ts'

interface ImportBoardDialogProps {
  onImported: (board: Board) => void
  onClose: () => void
}

/** Nothing is imported until the preview is confirmed. */
export default function ImportBoardDialog({ onImported, onClose }: ImportBoardDialogProps) {
  const picker = useRef<HTMLInputElement>(null)
  const [looked, setLooked] = useState<BoardFileLook>()
  const [problem, setProblem] = useState<string>()
  const [busy, setBusy] = useState<'reading' | 'making'>()
  const [sent, setSent] = useState<number>()
  const [over, setOver] = useState(false)
  // Closing the dialog aborts the upload.
  const looking = useRef<AbortController>(undefined)
  useEffect(() => () => looking.current?.abort(), [])

  async function choose(chosen: File | undefined) {
    if (!chosen || busy) return
    setBusy('reading')
    setProblem(undefined)
    setLooked(undefined)
    looking.current = new AbortController()
    const { signal } = looking.current
    try {
      setLooked(await lookAtBoardFile(chosen, setSent, signal))
    } catch (reason) {
      if (!signal.aborted) setProblem(reasonOf(reason))
    } finally {
      setBusy(undefined)
      setSent(undefined)
    }
  }

  async function make() {
    if (!looked) return
    setBusy('making')
    setProblem(undefined)
    try {
      const { board } = await looked.make()
      onClose()
      if (board) onImported(board)
    } catch (reason) {
      setProblem(reasonOf(reason))
      setBusy(undefined)
      setSent(undefined)
    }
  }

  function drop(event: DragEvent) {
    event.preventDefault()
    setOver(false)
    void choose(event.dataTransfer.files[0])
  }

  return (
    <Dialog
      open
      onOpenChange={(open) => !open && busy !== 'making' && onClose()}
      title="Import a board"
      description="From a JSON file exported here or from another Keeper. It becomes a new board; your other boards don’t change."
      footer={
        <>
          <Button onClick={onClose} disabled={busy === 'making'}>
            Cancel
          </Button>
          <Button
            variant="primary"
            busy={busy === 'making'}
            busyLabel="Importing..."
            disabled={!looked}
            onClick={() => void make()}
          >
            Import Board
          </Button>
        </>
      }
    >
      <input
        ref={picker}
        type="file"
        accept=".json,application/json"
        aria-label="Board file"
        tabIndex={-1}
        className="sr-only"
        onChange={(event) => {
          void choose(event.currentTarget.files?.[0])
          event.currentTarget.value = ''
        }}
      />
      {/* biome-ignore lint/a11y/noStaticElementInteractions: the button inside does the same without a mouse */}
      <div
        onDragOver={(event) => {
          event.preventDefault()
          setOver(true)
        }}
        onDragLeave={() => setOver(false)}
        onDrop={drop}
        className={classNames(
          'flex flex-wrap items-center gap-3 rounded-lg border-[1.5px] border-dashed px-4 py-3.5 text-ui text-muted-foreground',
          over ? 'border-ring bg-ribbon-soft' : 'border-border',
        )}
      >
        <Button
          busy={busy === 'reading'}
          onClick={() => picker.current?.click()}
          icon={<FileUp aria-hidden size={14} />}
        >
          {looked ? 'Choose another file' : 'Choose a file'}
        </Button>
        or drop it here
      </div>
      <div className="mt-4 flex flex-col gap-3 empty:hidden">
        {sent !== undefined && (
          <p role="status" className="text-small text-muted-foreground tabular-nums">
            {sent < 1 ? `${Math.floor(sent * 100)}% sent` : 'Reading the file'}
          </p>
        )}
        {problem && <Banner tone="error">{problem}</Banner>}
        {looked && <Manifest manifest={looked.manifest} preview={looked.preview} />}
      </div>
    </Dialog>
  )
}

function Manifest({ manifest, preview }: Pick<BoardFileLook, 'manifest' | 'preview'>) {
  const { name, frames, pictures, unsupported, unlinked } = preview
  const nameOf = (type: string) => (isFrameType(type) ? frameTypes[type].name : type)
  const types = Object.entries(manifest.frameTypes).map(([type, count]) => `${nameOf(type)} × ${count}`)
  const kinds = [...new Set(unlinked.map(({ kind }) => kind))]
  const facts: [string, string][] = [
    ['Exported', formatTime(manifest.exportedAt, 'date-time')],
    ['Frames', types.length > 0 ? `${framesIn(frames)}: ${types.join(', ')}` : framesIn(frames)],
    ['Pictures', pictures === 0 ? 'none' : counted(pictures, 'picture')],
  ]
  return (
    <section aria-label="Import preview" className="rounded-lg border border-border bg-card p-4">
      <h3 className="wrap-break-word">{name}</h3>
      <dl className="mt-3 grid grid-cols-[auto_minmax(0,1fr)] gap-x-4 gap-y-1 text-ui">
        {facts.map(([label, value]) => (
          <div key={label} className="col-span-full grid grid-cols-subgrid">
            <dt className="text-muted-foreground">{label}</dt>
            <dd className="wrap-anywhere">{value}</dd>
          </div>
        ))}
      </dl>
      {unsupported.length > 0 && (
        <Banner tone="warning" className="mt-3">
          {`Not supported here: ${unsupported.join(', ')}. These frames are imported as placeholders.`}
        </Banner>
      )}
      {unlinked.length > 0 && (
        <Banner tone="info" className="mt-3">
          {`${counted(unlinked.length, 'frame loses its subject', 'frames lose their subject')} (${kinds.join(', ')}), which isn’t here or isn’t yours. Choose a new one on the board.`}
        </Banner>
      )}
    </section>
  )
}
