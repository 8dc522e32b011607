import { SlidersHorizontal } from 'lucide-react'
import type { Frame } from '#contract/boards/boards.ts'
import { classNames } from '#web/ui/hooks/class-names.ts'
import { BoardPreviewFrame, frameEdge } from './board-preview-frame.tsx'

export function FormFrames({ frames }: { frames: readonly Frame[] }) {
  return (
    <section
      aria-label="Settings"
      className={classNames(
        '@container overflow-hidden rounded-lg border bg-card text-card-foreground shadow-e2',
        frameEdge,
      )}
    >
      <h3 className="flex items-center gap-2 border-b border-border px-4 py-2.5">
        <SlidersHorizontal aria-hidden size={16} strokeWidth={1.75} />
        Settings
      </h3>
      <div
        className={classNames(
          'grid grid-cols-1 divide-y divide-hairline',
          frames.length > 1 && '@min-[720px]:grid-cols-2 @min-[720px]:divide-x @min-[720px]:divide-y-0',
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
