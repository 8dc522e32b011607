import { type ReactNode, useRef, useState } from 'react'
import { Button } from '#web/ui/controls/button.tsx'
import { Spot } from '#web/ui/drawings/spot.tsx'
import { FileInput } from '#web/ui/fields/file-input.tsx'
import { classNames } from '#web/ui/hooks/class-names.ts'
import { useDroppedFiles } from '#web/ui/hooks/use-dropped-files.ts'
import { acceptedByPicker } from './accept-file.ts'

interface DropZoneProps {
  onFiles: (files: File[]) => void
  children: ReactNode
}

export function DropZone({ onFiles, children }: DropZoneProps) {
  const fileInput = useRef<HTMLInputElement>(null)
  const [skippedCount, setSkippedCount] = useState(0)
  function acceptFiles(files: File[], leftOutCount = 0) {
    setSkippedCount(leftOutCount)
    onFiles(files)
  }
  const isOver = useDroppedFiles((files, dropped) => {
    if (dropped) acceptFiles(files.slice(0, 1), files.length - 1)
    else acceptFiles(files)
  })
  return (
    <section
      aria-label="Upload"
      className={classNames(
        'rounded-lg border border-dashed px-[22px] py-5 transition-colors duration-120',
        isOver ? 'border-ring bg-ribbon-soft' : 'border-input bg-card/60',
      )}
    >
      <div className="flex items-center gap-8 phone:flex-col phone:items-stretch phone:gap-4">
        <Spot name="letter" width={96} className="shrink-0 phone:hidden" />
        <div className="min-w-0 flex-1">
          <h2 className="text-[1.25rem] leading-7">{isOver ? 'Drop to add it' : 'Drop a document here'}</h2>
          <p className="text-ui text-muted-foreground">
            PDF, JSON, Markdown, text, HTML, XML, CSV or RTF, up to 50 MB each. Drop one at a time, or browse for
            several.
          </p>
          <p role="status" className="text-ui">
            {skippedCount > 0 &&
              `Only the first of ${skippedCount + 1} dropped documents was added. Browse to add several.`}
          </p>
        </div>
        <Button aria-keyshortcuts="N" onClick={() => fileInput.current?.click()}>
          Browse
        </Button>
        <FileInput
          ref={fileInput}
          multiple
          accept={acceptedByPicker}
          aria-label="Choose documents"
          onFiles={acceptFiles}
        />
      </div>
      {children}
    </section>
  )
}
