import { ArrowLeft, ArrowRight, Image, Maximize2, SlidersHorizontal } from 'lucide-react'
import { type KeyboardEvent, memo, useEffect, useRef, useState } from 'react'
import type { Frame } from '#contract/boards/boards.ts'
import { Button } from '#web/ui/controls/button.tsx'
import { IconButton } from '#web/ui/controls/icon-button.tsx'
import { handlesArrowKeys } from '#web/ui/fields/field-keys.ts'
import { classNames } from '#web/ui/hooks/class-names.ts'
import { usePrinting } from '#web/ui/hooks/use-printing.ts'
import { Dialog } from '#web/ui/overlays/dialog.tsx'
import { FrameIcon } from '../frames/frame-icons.tsx'
import type { FrameCell } from './presentation.ts'
import { BoardPreviewFrame, frameBorderClass, getEnterAnimation, usePreview } from './preview-context.tsx'

export function CellView({ cell }: { cell: FrameCell }) {
  if (cell.kind === 'gallery') return <Gallery frames={cell.frames} />
  if (cell.kind === 'form') return <FormFrames frames={cell.frames} />
  return <BoardPreviewFrame frame={cell.frames[0]} />
}

const nearbyMargin = '600px'

/** Mounts a frame when it comes near the viewport, and keeps it mounted. */
export const NearbyFrame = memo(function NearbyFrame({ frame }: { frame: Frame }) {
  const box = useRef<HTMLDivElement>(null)
  const [isNear, setIsNear] = useState(false)
  if (usePrinting() && !isNear) setIsNear(true)
  useEffect(() => {
    if (isNear || !box.current) return
    // rootMargin doesn't apply to scroll containers such as the canvas.
    const observerOptions = { rootMargin: nearbyMargin, scrollMargin: nearbyMargin }
    const intersectionObserver = new IntersectionObserver(([entry]) => {
      if (entry?.isIntersecting) setIsNear(true)
    }, observerOptions)
    intersectionObserver.observe(box.current)
    return () => intersectionObserver.disconnect()
  }, [isNear])
  return (
    <div ref={box} className="h-full min-h-0 min-w-0">
      {isNear ? (
        <BoardPreviewFrame frame={frame} />
      ) : (
        <div
          className={classNames(
            'flex h-full items-start gap-2 rounded-lg border bg-card px-3 py-1.5 text-card-foreground shadow-e2',
            frameBorderClass,
          )}
        >
          <FrameIcon name={frame.data.icon} />
          <span dir="auto" className="min-w-0 truncate text-ui leading-5 font-semibold">
            {frame.data.name}
          </span>
        </div>
      )}
    </div>
  )
})

function FormFrames({ frames }: { frames: readonly Frame[] }) {
  const [firstFrame] = frames
  if (firstFrame && frames.length === 1) return <BoardPreviewFrame frame={firstFrame} />
  return (
    <section
      aria-label="Settings"
      className={classNames(
        '@container overflow-hidden rounded-lg border bg-card text-card-foreground shadow-e2',
        frameBorderClass,
      )}
    >
      <h3 className="flex items-center gap-2 border-b border-border px-4 py-2.5">
        <SlidersHorizontal aria-hidden size={16} strokeWidth={1.75} />
        Settings
      </h3>
      <div
        className={classNames(
          'grid grid-cols-1 divide-y divide-hairline @min-[720px]:grid-cols-2 @min-[720px]:divide-x @min-[720px]:divide-y-0',
        )}
      >
        {frames.map((frame) => (
          <div key={frame.id} className="min-w-0">
            <BoardPreviewFrame frame={frame} className="rounded-none border-0! shadow-none!" />
          </div>
        ))}
      </div>
    </section>
  )
}

function Gallery({ frames }: { frames: readonly Frame[] }) {
  const [openFrameId, setOpenFrameId] = useState<string | null>(null)
  const { animation } = usePreview()
  const openIndex = frames.findIndex(({ id }) => id === openFrameId)
  const openFrame = frames[openIndex]
  const showFrame = (targetIndex: number) =>
    setOpenFrameId(frames[(targetIndex + frames.length) % frames.length]?.id ?? null)

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
      className={classNames('@container rounded-lg border bg-card text-card-foreground shadow-e2', frameBorderClass)}
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
              label={`Enlarge ${frame.data.name}`}
              outlined
              size="small"
              onClick={() => setOpenFrameId(frame.id)}
              className="absolute end-2 bottom-2 shadow-e1"
            >
              <Maximize2 aria-hidden size={14} />
            </IconButton>
          </li>
        ))}
      </ul>
      <Dialog
        open={openFrame !== undefined}
        onOpenChange={(isOpen) => !isOpen && setOpenFrameId(null)}
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
