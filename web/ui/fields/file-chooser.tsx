import { FileUp } from 'lucide-react'
import { useRef } from 'react'
import { Button } from '../controls/button.tsx'
import { classNames } from '../hooks/class-names.ts'
import { FileInput, useFileDrop } from './file-input.tsx'

interface FileChooserProps {
  label: string
  accept: string
  hasFile: boolean
  busy?: boolean
  onFile: (file: File) => void
}

/** Takes one file, chosen or dropped. */
export function FileChooser({ label, accept, hasFile, busy = false, onFile }: FileChooserProps) {
  const fileInput = useRef<HTMLInputElement>(null)
  const chooseFile = ([file]: readonly File[]) => {
    if (file && !busy) onFile(file)
  }
  const { isOver, dropProps } = useFileDrop(chooseFile)
  return (
    <>
      <FileInput ref={fileInput} accept={accept} aria-label={label} onFiles={chooseFile} />
      {/* biome-ignore lint/a11y/noStaticElementInteractions: the button inside does the same without a pointer */}
      <div
        {...dropProps}
        className={classNames(
          'flex flex-wrap items-center gap-3 rounded-lg border-[1.5px] border-dashed px-4 py-3.5 text-ui text-muted-foreground',
          isOver && !busy ? 'border-ring bg-ribbon-soft' : 'border-border',
        )}
      >
        <Button busy={busy} onClick={() => fileInput.current?.click()} icon={<FileUp aria-hidden size={14} />}>
          {hasFile ? 'Choose another file' : 'Choose a file'}
        </Button>
        or drop it here
      </div>
    </>
  )
}
