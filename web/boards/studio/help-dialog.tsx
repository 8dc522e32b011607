import {
  type FrameCategory,
  type FrameType,
  frameCategoryNames,
  frameTypes,
  getFrameLibrary,
} from '#contract/boards/frame-types.ts'
import { Button } from '#web/ui/controls/button.tsx'
import { Dialog } from '#web/ui/overlays/dialog.tsx'
import { FrameIcon } from '../frames/frame-icons.tsx'

const groups: FrameCategory[] = ['interaction', 'content', 'configuration', 'visualization']
const commonFrameTypes: FrameType[] = getFrameLibrary(null)

export default function HelpDialog({ onClose }: { onClose: () => void }) {
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      title="How to Use Board Studio"
      size="large"
      footer={
        <Button variant="primary" onClick={onClose}>
          Got it!
        </Button>
      }
    >
      <ol className="flex flex-col gap-4 text-ui">
        <HelpStep number={1} title="Select a board">
          Choose one on the left, or create one with New Board. A template gives you a head start.
        </HelpStep>
        <HelpStep number={2} title="Add frames">
          Drag a frame from the Frame Library onto the board, or press Enter on it.
        </HelpStep>
        <li>
          <h3 className="font-sans text-ui font-semibold">Frame types</h3>
          <div className="mt-2 grid grid-cols-2 gap-x-6 gap-y-4 phone:grid-cols-1">
            {groups.map((group) => (
              <section key={group} aria-label={frameCategoryNames[group]}>
                <h4 className="text-small font-label text-muted-foreground">{frameCategoryNames[group]}</h4>
                <ul className="mt-1.5 flex flex-col gap-1.5">
                  {commonFrameTypes
                    .filter((type) => frameTypes[type].category === group)
                    .map((type) => (
                      <li key={type} className="flex gap-2">
                        <span className="mt-[3px] text-muted-foreground">
                          <FrameIcon name={frameTypes[type].icon} size={14} />
                        </span>
                        <span>
                          <b className="font-semibold">{frameTypes[type].name}</b>: {frameTypes[type].description}
                        </span>
                      </li>
                    ))}
                </ul>
              </section>
            ))}
          </div>
        </li>
        <HelpStep number={3} title="Edit properties">
          Select a frame to see its settings. Use the panel button in the top bar to edit the board’s name, description
          and colors.
        </HelpStep>
        <HelpStep number={4} title="Save">
          Press Save or Ctrl+S. A dot next to the name marks unsaved changes, which survive a reload.
        </HelpStep>
      </ol>
    </Dialog>
  )
}

function HelpStep({ number, title, children }: { number: number; title: string; children: string }) {
  return (
    <li className="flex gap-3">
      <span
        aria-hidden
        className="grid size-6 shrink-0 place-items-center rounded-full bg-secondary text-small font-semibold tabular-nums"
      >
        {number}
      </span>
      <div>
        <h3 dir="auto" className="font-sans text-ui font-semibold">
          {title}
        </h3>
        <p className="mt-0.5 text-muted-foreground">{children}</p>
      </div>
    </li>
  )
}
