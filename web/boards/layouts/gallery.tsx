import { ArrowLeft, ArrowRight, Image, Maximize2 } from 'lucide-react'
import { type KeyboardEvent, useState } from 'react'
import type { Frame } from '#contract/boards/boards.ts'
import { Button } from '#web/ui/controls/button.tsx'
import { IconButton } from '#web/ui/controls/icon-button.tsx'
import { handlesArrowKeys } from '#web/ui/fields/is-typing.ts'
import { classNames } from '#web/ui/hooks/class-names.ts'
import { Dialog } from '#web/ui/overlays/dialog.tsx'
import { BoardPreviewFrame, frameEdge } from './board-preview-frame.tsx'
import { getEnterAnimation, usePreview } from './preview-context.ts'

export function Gallery({ frames }: { frames: readonly Frame[] }) {
  const [openId, setOpenId] = useState<string | null>(null)
  const { animation } = usePreview()
  const openIndex = frames.findIndex(({ id }) => id === openId)
  const openFrame = frames[openIndex]
  const showFrame = (targetIndex: number) =>
    setOpenId(frames[(targetIndex + frames.length) % frames.length]?.id ?? null)

  function handleKeyDown(event: KeyboardEvent) {
    const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key]
    if (!openFrame || step === undefined || handlesArrowKeys(event.target)) return
    event.preventDefault()
    showFrame(openIndex + step)
  }

  return (
    <section
      aria-label="Gallery"
      onKeyDown={handleKeyDown}
      className={classNames('@container rounded-lg border bg-card text-card-foreground shadow-e2', frameEdge)}
    >
      <h3 className="flex items-center gap-2 border-b border-border px-4 py-2.5">
        <Image aria-hidden size={16} strokeWidth={1.75} />
        <span className="grow">Gallery</span>
        <span className="font-sans text-small font-normal text-muted-foreground">
          {frames.length === 1 ? 'One picture' : `${frames.length} pictures`}
        </span>
      </h3>
      <ul className="grid grid-cols-1 gap-3 p-3 @min-[380px]:grid-cols-2 @min-[760px]:grid-cols-3">
        {frames.map((frame) => (
          <li key={frame.id} className="relative h-56 min-w-0">
            <BoardPreviewFrame frame={frame} className="shadow-none!" />
            <IconButton
              label={`Open ${frame.data.name} large`}
              outlined
              size="small"
              onClick={() => setOpenId(frame.id)}
              className="absolute end-2 bottom-2 shadow-e1"
            >
              <Maximize2 aria-hidden size={14} />
            </IconButton>
          </li>
        ))}
      </ul>
      <Dialog
        open={openFrame !== undefined}
        onOpenChange={(isOpen) => !isOpen && setOpenId(null)}
        size="wide"
        title={openFrame?.data.name}
        description={`Picture ${openIndex + 1} of ${frames.length}`}
        footer={
          frames.length > 1 && (
            <>
              <Button icon={<ArrowLeft aria-hidden size={15} />} onClick={() => showFrame(openIndex - 1)}>
                Previous
              </Button>
              <Button icon={<ArrowRight aria-hidden size={15} />} onClick={() => showFrame(openIndex + 1)}>
                Next
              </Button>
            </>
          )
        }
      >
        {openFrame && (
          <div key={openFrame.id} {...getEnterAnimation(animation)}>
            <div className="h-[62dvh]">
              <BoardPreviewFrame frame={openFrame} className="shadow-none!" />
            </div>
          </div>
        )}
      </Dialog>
    </section>
  )
}
